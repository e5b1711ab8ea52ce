import { js, JS_OK, nginx, nginxConf, node, OK, type ProgramCase, READY } from './program-case.js';

const WEB = (first: string): string => `import com.sun.net.httpserver.HttpServer;
public class Web {
  public static void main(String[] args) throws Exception {
    ${first}
    var server = HttpServer.create(new java.net.InetSocketAddress(PORT), 0);
    server.createContext("/", q -> { q.sendResponseHeaders(200, -1); q.close(); });
    server.start();
  }
}
`;
const JAVA = ['java', '-cp', '.', 'Web'] as const;
const PRIVATE =
  'ClassLoader.class.getDeclaredMethod("findLoadedClass", String.class).setAccessible(true);';
const agent = (suspend: string): string =>
  `-agentlib:jdwp=transport=dt_socket,server=y,suspend=${suspend},address=127.0.0.1:OTHER`;
const ASYNC = (call: string): string => `import asyncio


async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    writer.close()


async def main():
    server = await asyncio.start_server(answer, "0.0.0.0", PORT)
    await server.serve_forever()


${call}
`;
const ASKS = `import sys
if "--noinput" not in sys.argv:
    input("Type 'yes' to continue: ")
${ASYNC('asyncio.run(main())')}`;
/** A site whose fallback is not there. */
const SITE = nginxConf('listen PORT; root .; location / { try_files $uri /index.html; }');
const TWICE = (port: string): string =>
  `require('node:http').createServer((q, s) => s.end()).listen(${port});\n${node(`s.end('ok')`).replace('listen(', 'on("error", (e) => setTimeout(() => { throw e; }, 1500)).listen(')}`;

const PEER = "require('node:net').connect(OTHER, '127.0.0.1')";
const SILENT = ['node', '-e', "require('node:net').createServer().listen(OTHER, '127.0.0.1')"];

/** Unprepared faults of 2026-11-30 that were wrong or without advice at first: what holds a program up, or ends it without an error. */
export const HELD: readonly ProgramCase[] = [
  {
    name: 'java-waits-for-its-debugger',
    needs: ['java'],
    files: { 'Web.java': WEB('') },
    build: 'javac Web.java',
    command: ['java', agent('y'), '-cp', '.', 'Web'],
    probes: READY,
    fault: { kind: 'wrongPort' },
    field: '"noDebugger"',
    cure: { command: ['java', agent('n'), '-cp', '.', 'Web'] },
  },
  {
    name: 'java-private-field',
    needs: ['java'],
    files: { 'Web.java': WEB(PRIVATE) },
    build: 'javac Web.java',
    command: JAVA,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"olderLibrary"',
    cure: {
      command: ['java', '--add-opens', 'java.base/java.lang=ALL-UNNAMED', '-cp', '.', 'Web'],
    },
  },
  {
    name: 'python-never-awaited',
    needs: ['python3'],
    files: { 'app.py': ASYNC('main()') },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'crashed', text: "coroutine 'main' was never awaited" },
    field: 'app.py:15',
    cure: { files: { 'app.py': ASYNC('asyncio.run(main())') } },
  },
  {
    name: 'python-asks-a-question',
    needs: ['python3'],
    files: { 'app.py': ASKS },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"input"',
    cure: { command: ['python3', 'app.py', '--noinput'] },
  },
  {
    name: 'port-in-quotes',
    needs: ['node'],
    files: { 'app.js': node(`s.end('ok')`, 'listen(process.env.LISTEN)') },
    command: js,
    probes: `env: [{name: LISTEN, value: '"PORT"'}], ${READY}`,
    fault: { kind: 'unixSocket' },
    field: '"LISTEN"',
    cure: { probes: `env: [{name: LISTEN, value: "PORT"}], ${READY}` },
  },
  {
    name: 'node-port-of-its-own',
    needs: ['node'],
    files: { 'app.js': TWICE('PORT') },
    command: js,
    probes: READY,
    fault: { kind: 'portTaken' },
    field: '"isOwn"',
    cure: { files: { 'app.js': TWICE('OTHER') } },
  },
  {
    name: 'node-hash-that-is-gone',
    needs: ['node'],
    files: { 'app.js': `require('node:crypto').createHash('md4');\n${OK}` },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"olderLibrary"',
    cure: JS_OK,
  },
  {
    name: 'nginx-site-missing',
    needs: ['nginx'],
    files: { 'nginx.conf': SITE },
    build: 'chmod 755 .',
    command: nginx,
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true },
    field: '"file"',
    cure: { files: { 'nginx.conf': SITE, 'index.html': 'ok\n' }, build: 'chmod 644 index.html' },
  },
  {
    name: 'runs-nothing',
    needs: ['sh', 'node'],
    files: { 'app.js': OK },
    command: ['tail', '-f', '/dev/null'],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"runServer"',
    cure: { command: js },
  },
  {
    name: 'asks-a-silent-peer',
    needs: ['node'],
    files: { 'app.js': node(`${PEER}.on('data', () => s.end())`) },
    beside: SILENT,
    command: js,
    probes: READY,
    fault: { kind: 'noAnswer', accepted: true },
    field: '"askPeers"',
    cure: { files: { 'app.js': node(`${PEER}.setTimeout(300, () => s.end('not loaded'))`) } },
  },
  {
    name: 'waits-for-a-silent-peer',
    needs: ['node'],
    files: { 'app.js': `${PEER}.once('data', () => { ${OK.trim()} });` },
    beside: SILENT,
    command: js,
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"askPeers"',
    cure: JS_OK,
  },
];
