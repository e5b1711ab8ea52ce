import { execs, js, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const PY_SERVER = (answer: string, before = ''): string => `import http.server, json, socket, time
${before}
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ${answer}
    def log_message(self, *args):
        pass
http.server.HTTPServer(('0.0.0.0', PORT), Handler).serve_forever()
`;
const PY_OK = `self.send_response(200); self.end_headers(); self.wfile.write(b'ok')`;
const PY = ['python3', 'app.py'] as const;
const GO = (path: string, listen: string): string => `package main

import "net/http"

func main() {
	http.HandleFunc("${path}", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	http.ListenAndServe("${listen}", nil)
}
`;
const BUILD_GO = 'go build -o app app.go';
const SLOW_JAVA = `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class App {
  public static void main(String[] args) throws Exception {
    Thread.sleep(6000);
    HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
    server.createContext("/healthz", e -> { e.sendResponseHeaders(200, 2); e.getResponseBody().write("ok".getBytes()); e.close(); });
    server.start();
  }
}
`;
const LIVENESS = 'livenessProbe: {httpGet: {path: /healthz, port: PORT}, periodSeconds: 1}';
const WARM = `postStart: {exec: {command: [sh, -c, "node warm.js"]}}`;

/** Faults that were written before anybody who wrote rules had seen them; docs/causes.md has what kprobe said at first. */
export const UNPREPARED: readonly ProgramCase[] = [
  {
    name: 'go-wrong-path',
    needs: ['go'],
    files: { 'app.go': GO('/livez', ':PORT') },
    build: BUILD_GO,
    command: ['./app'],
    probes: readyAt('/health'),
    fault: { kind: 'notFound', path: '/health' },
    field: 'readinessProbe.httpGet.path',
    cure: { probes: readyAt('/livez') },
  },
  {
    name: 'go-localhost',
    needs: ['go'],
    files: { 'app.go': GO('/healthz', 'localhost:PORT') },
    build: BUILD_GO,
    command: ['./app'],
    probes: READY,
    fault: { kind: 'loopbackOnly' },
    cure: { files: { 'app.go': GO('/healthz', ':PORT') } },
  },
  {
    name: 'java-slow-start-liveness',
    needs: ['java'],
    files: { 'App.java': SLOW_JAVA },
    build: 'javac App.java',
    command: ['java', 'App'],
    probes: `${READY}, ${LIVENESS}`,
    fault: { kind: 'notListening' },
    field: 'addStartupProbe',
    cure: {
      probes: `${READY}, ${LIVENESS}, ${LIVENESS.replace('liveness', 'startup').replace('}, period', '}, failureThreshold: 50, period')}`,
    },
  },
  {
    name: 'python-database-refused',
    needs: ['python3'],
    files: {
      'app.py': PY_SERVER(
        `self.send_response(503); self.end_headers(); self.wfile.write(json.dumps({'status': 'error', 'checks': {'database': '[Errno 111] Connection refused', 'cache': 'ok'}}).encode())`,
      ),
    },
    command: PY,
    probes: READY,
    fault: { kind: 'dependencyDown', parts: ['database'] },
    cure: { files: { 'app.py': PY_SERVER(PY_OK) } },
  },
  {
    name: 'php-https-probe',
    needs: ['php'],
    files: { 'app.php': `<?php echo 'ok';` },
    command: ['php', '-S', '0.0.0.0:PORT', 'app.php'],
    probes:
      'readinessProbe: {httpGet: {path: /healthz, port: PORT, scheme: HTTPS}, periodSeconds: 1}',
    fault: { kind: 'schemeMismatch', speaks: 'HTTP' },
    field: 'readinessProbe.httpGet.scheme',
    cure: 'proven',
  },
  {
    name: 'redirect-login',
    needs: ['node'],
    files: {
      'app.js': node(
        `s.writeHead(302, { location: q.url === '/login' ? '/healthz' : '/login' }); s.end()`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'redirect', end: 'circle' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'flaps-with-text',
    needs: ['node'],
    files: {
      'app.js': `let n = 0;\n${node(`n++; s.statusCode = n > 2 ? 500 : 200; s.end(n > 2 ? 'upstream reset' : 'ok')`)}`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', text: 'upstream reset' },
    field: '"passes":true',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'exec-one-string',
    needs: ['sh'],
    command: ['sleep', '1000'],
    probes: execs('cat /dev/null'),
    fault: { kind: 'commandMissing', command: 'cat /dev/null' },
    field: 'splitCommand',
    cure: { probes: execs('cat', '/dev/null') },
  },
  {
    name: 'exec-no-shell',
    needs: ['sh'],
    command: ['sleep', '1000'],
    probes: execs('test', '-d', '/', '&&', 'test', '-d', '/tmp'),
    fault: { kind: 'notExpanded', words: ['&&'] },
    field: 'expand',
    cure: { probes: execs('sh', '-c', 'test -d / && test -d /tmp') },
  },
  {
    name: 'post-start-too-early',
    needs: ['node'],
    files: {
      'app.js': `setTimeout(() => { ${OK.trim()} }, 1500);\n`,
      'warm.js': `fetch('http://127.0.0.1:PORT/').catch(() => process.exit(7));\n`,
    },
    command: js,
    probes: `${READY}, lifecycle: {${WARM}}`,
    fault: { kind: 'hookFailed', hook: 'postStart' },
    cure: {
      probes: `${READY}, lifecycle: {${WARM.replace('node warm.js', 'until node warm.js; do sleep 1; done')}}`,
    },
  },
  {
    name: 'node-variable-missing',
    needs: ['node'],
    files: { 'app.js': `const url = new URL(process.env.CORPUS_REDIS_URL);\n${OK}` },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: "TypeError: Invalid URL: 'undefined'", at: 'app.js:1' },
    field: 'setVariable',
    cure: { command: ['env', 'CORPUS_REDIS_URL=redis://redis', ...js] },
  },
  {
    name: 'node-host-name',
    needs: ['node'],
    files: { 'app.js': `require('node:net').connect(6379, 'redis.shop.invalid');\n` },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: 'correctHost',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'startup-budget',
    needs: ['python3'],
    files: { 'app.py': PY_SERVER(PY_OK, 'time.sleep(6)') },
    command: PY,
    probes: `${READY}, ${LIVENESS.replace('liveness', 'startup')}`,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: 'startupProbe.failureThreshold',
    cure: {
      probes: `${READY}, ${LIVENESS.replace('liveness', 'startup').replace('}, period', '}, failureThreshold: 50, period')}`,
    },
  },
  {
    name: 'php-pdo-driver',
    needs: ['php'],
    files: {
      'app.php': `<?php ini_set('display_errors', '0'); ini_set('log_errors', '1'); new PDO('none:host=db');`,
    },
    command: ['php', '-S', '0.0.0.0:PORT', 'app.php'],
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true },
    cure: { files: { 'app.php': `<?php echo 'ok';` } },
  },
  {
    name: 'udp-port-declared',
    needs: ['python3'],
    files: {
      'app.py':
        "import socket, time\ns = socket.socket(type=socket.SOCK_DGRAM)\ns.bind(('0.0.0.0', PORT))\ntime.sleep(600)\n",
    },
    command: PY,
    probes:
      'ports: [{containerPort: PORT, protocol: UDP}], readinessProbe: {tcpSocket: {port: PORT}, periodSeconds: 1}',
    fault: { kind: 'udpPort' },
    field: 'execOrTcpPort',
    cure: { command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'node-ipv6-only',
    needs: ['node'],
    files: { 'app.js': node(`s.end('ok')`, `listen({ port: PORT, host: '::', ipv6Only: true })`) },
    command: js,
    probes: READY,
    fault: { kind: 'wrongAddress' },
    field: 'bindAll',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'python-handler-raises',
    needs: ['python3'],
    files: { 'app.py': PY_SERVER(`self.send_response(200 if {}['db'] else 500)`) },
    command: PY,
    probes: READY,
    fault: { kind: 'closedEarly' },
    field: 'app.py:5',
    cure: { files: { 'app.py': PY_SERVER(PY_OK) } },
  },
  {
    name: 'python-worker-import',
    needs: ['python3'],
    files: {
      'app.py': `import os, time
while True:
    if os.fork() == 0:
        import no_such_module
    os.wait()
    time.sleep(1)
`,
    },
    command: PY,
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: 'module',
    cure: { files: { 'app.py': PY_SERVER(PY_OK) } },
  },
  {
    name: 'exec-words-after-script',
    needs: ['node', 'sh'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('sh', '-c', 'test', '-f', 'app.js'),
    fault: { kind: 'wordsAfterScript', script: 'test' },
    field: 'readinessProbe.exec.command',
    cure: { probes: execs('sh', '-c', 'test -f app.js') },
  },
  {
    name: 'exec-home-folder',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('cat', '~/ready'),
    fault: { kind: 'notExpanded', words: ['~/ready'] },
    field: 'readinessProbe.exec.command',
    cure: { probes: execs('sh', '-c', 'cd ~') },
  },
  {
    name: 'exec-test-of-a-file',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('test', '-e', 'ready'),
    fault: { kind: 'commandFailed', text: 'ready does not exist' },
    field: 'readinessProbe.exec.command',
    cure: { probes: execs('test', '-e', 'app.js') },
  },
  {
    name: 'node-abort',
    needs: ['node'],
    files: { 'app.js': `setTimeout(() => process.abort(), 300);\n` },
    command: js,
    probes: READY,
    fault: { kind: 'signalled', signal: 'ABRT' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'node-denied-with-text',
    needs: ['node'],
    files: { 'app.js': node(`s.writeHead(403); s.end('automated clients are not allowed')`) },
    command: js,
    probes: READY,
    fault: { kind: 'forbidden', text: 'automated clients are not allowed' },
    field: 'readinessProbe',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'node-site-by-host',
    needs: ['node'],
    files: {
      'app.js': node(
        `if (q.headers.host === 'shop.example') s.end('ok'); else { s.writeHead(404); s.end('no such site: ' + q.headers.host); }`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'notFound', path: '/healthz' },
    field: 'readinessProbe.httpGet.httpHeaders',
    cure: {
      probes:
        'readinessProbe: {httpGet: {path: /healthz, port: PORT, httpHeaders: [{name: Host, value: shop.example}]}, periodSeconds: 1}',
    },
  },
];
