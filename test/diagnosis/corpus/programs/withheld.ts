import { js, JS_OK, node, OK, type ProgramCase, READY } from './program-case.js';

const PY = ['python3', 'app.py'] as const;
const LATE = `setTimeout(() => { ${OK.trim()} }, 5000);\n`;
const TAKEN = ['node', '-e', "require('node:net').createServer().listen(OTHER, '127.0.0.1')"];
const HANDLER = `class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
http.server.HTTPServer(('0.0.0.0', PORT), Handler).serve_forever()
`;
const PREFIXED = `console.log('Mapped {/api/healthz, GET} route');
${node(`s.statusCode = q.url === '/api/healthz' ? 200 : 404; s.end()`)}`;
const TOKEN = `import http.client, http.server
peer = http.client.HTTPConnection('127.0.0.1', 9)
peer.putrequest('GET', '/')
peer.putheader('Authorization', 'Bearer ' + open('token').read())
${HANDLER}`;
const METRICS = `import http.server, logging, socket, time
try:
    socket.socket().bind(('127.0.0.1', OTHER))
except OSError as error:
    logging.warning('metrics disabled: %s', error)
time.sleep(5)
${HANDLER}`;
const CONNECTS = `require('node:net').connect({ host: process.env.DB_HOST, port: OTHER })
  .on('connect', () => { ${OK.trim()} });
`;
const START = 'set -a\n. ./app.env\nexec node app.js\n';
const JAVA = (
  password: string,
): string => `import java.io.*; import java.net.*; import java.security.*;
public class App { public static void main(String[] a) throws Exception {
  KeyStore.getInstance("PKCS12").load(new FileInputStream("k.p12"), "${password}".toCharArray());
  var s = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(PORT), 0);
  s.createContext("/", e -> { e.sendResponseHeaders(200, -1); e.close(); }); s.start(); } }
`;
const KEYTOOL =
  'keytool -genkeypair -keyalg RSA -keystore k.p12 -storepass changeit -dname CN=a -alias a 2>/dev/null && javac App.java';
const java = ['java', '-cp', '.', 'App'] as const;
const AGENT = 'env: [{name: JAVA_TOOL_OPTIONS, value: "-javaagent:/otel/agent.jar"}]';

/** Unprepared faults of 2026-11-29: those of which kprobe said the wrong thing at first, or nothing that helps. */
export const WITHHELD: readonly ProgramCase[] = [
  {
    name: 'inspector-port-taken',
    needs: ['node'],
    files: { 'app.js': LATE },
    beside: TAKEN,
    command: ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:OTHER', ...js],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    cure: {},
  },
  {
    name: 'metrics-port-taken',
    needs: ['python3', 'node'],
    files: { 'app.py': METRICS },
    beside: TAKEN,
    command: PY,
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    cure: {},
  },
  {
    name: 'host-name-with-crlf',
    needs: ['sh', 'node'],
    files: { 'app.js': CONNECTS, 'start.sh': START, 'app.env': 'DB_HOST=localhost\r\n' },
    beside: TAKEN,
    command: ['sh', './start.sh'],
    probes: READY,
    fault: {
      kind: 'crashed',
      text: String.raw`Error: getaddrinfo ENOTFOUND localhost: 'localhost\r'`,
    },
    field: '"lineEnds"',
    cure: { files: { 'app.js': CONNECTS, 'start.sh': START, 'app.env': 'DB_HOST=127.0.0.1\n' } },
  },
  {
    name: 'token-with-line-break',
    needs: ['python3'],
    files: { 'app.py': TOKEN, token: 'abc\n' },
    command: PY,
    probes: READY,
    fault: { kind: 'crashed', at: 'app.py:4' },
    field: '"lineBreak"',
    cure: { files: { 'app.py': TOKEN, token: 'abc' } },
  },
  {
    name: 'route-below-a-prefix',
    needs: ['node'],
    files: { 'app.js': PREFIXED },
    command: js,
    probes: READY,
    fault: { kind: 'notFound', listed: ['/api/healthz'] },
    field: '"to":"/api/healthz"',
    cure: 'proven',
  },
  {
    name: 'php-class-of-an-extension',
    needs: ['php'],
    files: { 'app.php': '<?php\n$redis = new RedisNoSuchClass();\n' },
    command: ['php', '-S', '0.0.0.0:PORT', 'app.php'],
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true, at: 'app.php:2' },
    field: '"module"',
    cure: { files: { 'app.php': '<?php\necho "ok";\n' } },
  },
  {
    name: 'java-keystore-password',
    needs: ['java'],
    files: { 'App.java': JAVA('wrong') },
    build: KEYTOOL,
    command: java,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"credentials"',
    cure: { files: { 'App.java': JAVA('changeit') } },
  },
  {
    name: 'java-agent-missing',
    needs: ['java'],
    files: { 'App.java': JAVA('changeit') },
    build: KEYTOOL,
    command: java,
    probes: `${AGENT}, ${READY}`,
    fault: {
      kind: 'crashed',
      text: 'Error opening zip file or JAR manifest missing : /otel/agent.jar',
    },
    field: '"file"',
    cure: { probes: READY },
  },
  {
    name: 'variable-is-no-json',
    needs: ['node'],
    files: { 'app.js': `JSON.parse(process.env.APP_CONFIG);\n${OK}` },
    command: js,
    probes: `env: [{name: APP_CONFIG, value: "host=db"}], ${READY}`,
    fault: {
      kind: 'crashed',
      text: `SyntaxError: Unexpected token 'h', "host=db" is not valid JSON`,
    },
    field: '"name":"APP_CONFIG"',
    cure: JS_OK,
  },
];
