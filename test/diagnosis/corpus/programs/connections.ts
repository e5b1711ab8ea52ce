import { js, node, OK, type ProgramCase, READY, readyAt, tcp } from './program-case.js';

const CERTIFICATE =
  'openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=app 2>/dev/null';
const tls = (handler: string): string =>
  `const fs = require('node:fs');
require('node:https').createServer({ key: fs.readFileSync('k.pem'), cert: fs.readFileSync('c.pem') }, (q, s) => { ${handler} }).listen(PORT);
`;
const slow = (ms: number): string =>
  `setTimeout(() => { ${OK.trim()} }, ${ms});\nprocess.stdout.write('starting\\n');\n`;

/** What goes wrong on the way to the server. */
export const CONNECTIONS: readonly ProgramCase[] = [
  {
    name: 'node-other-port',
    needs: ['node'],
    files: { 'app.js': node(`s.end('ok')`, 'listen(OTHER)') },
    command: js,
    probes: READY,
    fault: { kind: 'wrongPort' },
    field: 'readinessProbe.httpGet.port',
    cure: 'proven',
  },
  {
    name: 'node-https',
    needs: ['node', 'openssl'],
    files: { 'app.js': tls(`s.end('ok')`) },
    build: CERTIFICATE,
    command: js,
    probes: READY,
    fault: { kind: 'schemeMismatch', speaks: 'HTTPS' },
    field: 'readinessProbe.httpGet.scheme',
    cure: 'proven',
  },
  {
    name: 'node-http-for-https',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes:
      'readinessProbe: {httpGet: {path: /healthz, port: PORT, scheme: HTTPS}, periodSeconds: 1}',
    fault: { kind: 'schemeMismatch', speaks: 'HTTP' },
    field: 'readinessProbe.httpGet.scheme',
    cure: 'proven',
  },
  {
    name: 'node-client-certificate',
    needs: ['node', 'openssl'],
    files: {
      'app.js': tls(`s.end('ok')`).replace(
        '{ key',
        '{ requestCert: true, ca: fs.readFileSync("c.pem"), key',
      ),
    },
    build: CERTIFICATE,
    command: js,
    probes:
      'readinessProbe: {httpGet: {path: /healthz, port: PORT, scheme: HTTPS}, periodSeconds: 1}',
    fault: { kind: 'clientCertificate' },
    cure: { files: { 'app.js': tls(`s.end('ok')`) } },
  },
  {
    name: 'python-loopback-6',
    needs: ['python3'],
    command: ['python3', '-m', 'http.server', 'PORT', '--bind', '::1'],
    probes: readyAt('/'),
    fault: { kind: 'wrongAddress' },
    cure: { command: ['python3', '-m', 'http.server', 'PORT', '--bind', '0.0.0.0'] },
  },
  {
    name: 'python-loopback',
    needs: ['python3'],
    command: ['python3', '-m', 'http.server', 'PORT', '--bind', '127.0.0.1'],
    probes: readyAt('/'),
    fault: { kind: 'loopbackOnly' },
    cure: { command: ['python3', '-m', 'http.server', 'PORT', '--bind', '0.0.0.0'] },
  },
  {
    name: 'flask-loopback',
    needs: ['flask'],
    files: {
      'app.py':
        "from flask import Flask\napp = Flask(__name__)\n@app.get('/healthz')\ndef ok():\n    return 'ok'\n",
    },
    command: ['python3', '-m', 'flask', '--app', 'app', 'run', '-p', 'PORT'],
    probes: READY,
    fault: { kind: 'loopbackOnly' },
    cure: {
      command: ['python3', '-m', 'flask', '--app', 'app', 'run', '-h', '0.0.0.0', '-p', 'PORT'],
    },
  },
  {
    name: 'php-loopback-2',
    needs: ['php'],
    files: { 'healthz.php': '<?php echo "ok";' },
    command: ['php', '-S', '127.0.0.2:PORT'],
    probes: readyAt('/healthz.php'),
    fault: { kind: 'wrongAddress' },
    cure: { command: ['php', '-S', '0.0.0.0:PORT'] },
  },
  {
    name: 'udp-only',
    needs: ['python3'],
    files: {
      'app.py':
        "import socket, time\ns = socket.socket(type=socket.SOCK_DGRAM)\ns.bind(('0.0.0.0', PORT))\ntime.sleep(600)\n",
    },
    command: ['python3', 'app.py'],
    probes: tcp,
    fault: { kind: 'udpPort', receives: true },
    cure: { command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'unix-socket-only',
    needs: ['node'],
    files: { 'app.js': node(`s.end('ok')`, `listen('/tmp/kprobe-corpus-PORT.sock')`) },
    command: js,
    probes: READY,
    fault: { kind: 'unixSocket' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'slow-start-startup',
    needs: ['node'],
    files: { 'app.js': slow(5000) },
    command: js,
    probes: 'startupProbe: {httpGet: {path: /, port: PORT}, periodSeconds: 1, failureThreshold: 2}',
    fault: { kind: 'notListening', program: 'nowhere' },
    field: 'startupProbe.failureThreshold',
    cure: {
      probes:
        'startupProbe: {httpGet: {path: /, port: PORT}, periodSeconds: 1, failureThreshold: 14}',
    },
  },
  {
    name: 'slow-answer',
    needs: ['node'],
    files: { 'app.js': node(`setTimeout(() => s.end('ok'), 1400)`) },
    command: js,
    probes: READY,
    fault: { kind: 'slowAnswer', timeout: 1 },
    field: 'readinessProbe.timeoutSeconds',
    cure: 'proven',
  },
  {
    name: 'rising-latency',
    needs: ['node'],
    files: { 'app.js': `let n = 0;\n${node(`setTimeout(() => s.end('ok'), 250 * n++)`)}` },
    command: js,
    probes: READY,
    fault: { kind: 'slowAnswer' },
    field: 'readinessProbe.timeoutSeconds',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'blocked-loop',
    needs: ['node'],
    files: { 'app.js': `setTimeout(() => { for (;;); }, 2500);\n${OK}` },
    command: js,
    probes: READY,
    fault: { kind: 'stalled', process: 'busy' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'python-one-thread',
    needs: ['python3'],
    // A client that says nothing keeps the only thread of the server.
    files: {
      'app.py': `import http.server, socket, threading, time
class H(http.server.SimpleHTTPRequestHandler):
    pass
server = http.server.HTTPServer(('0.0.0.0', PORT), H)
def client():
    time.sleep(2.5)
    s = socket.create_connection(('127.0.0.1', PORT))
    time.sleep(600)
threading.Thread(target=client, daemon=True).start()
server.serve_forever()
`,
    },
    command: ['python3', 'app.py'],
    probes: readyAt('/'),
    fault: { kind: 'stalled' },
    cure: { command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'closes-at-once',
    needs: ['node'],
    files: { 'app.js': `require('node:net').createServer((s) => s.end()).listen(PORT);` },
    command: js,
    probes: READY,
    fault: { kind: 'closedEarly', after: 'nothing' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'redis-like',
    needs: ['node'],
    files: {
      'app.js': `require('node:net').createServer((s) => s.on('data', () => s.write("-ERR unknown command 'GET'\\r\\n"))).listen(PORT);`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'notHTTP' },
    cure: { probes: tcp },
  },
  {
    name: 'grpc-on-http',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: 'readinessProbe: {grpc: {port: PORT}, periodSeconds: 1}',
    fault: { kind: 'notPlainGrpc' },
    cure: { probes: READY },
  },
  {
    name: 'grpc-on-tls',
    needs: ['node', 'openssl'],
    files: { 'app.js': tls(`s.end('ok')`) },
    build: CERTIFICATE,
    command: js,
    probes: 'readinessProbe: {grpc: {port: PORT}, periodSeconds: 1}',
    fault: { kind: 'notPlainGrpc' },
    cure: { files: { 'app.js': OK }, probes: READY },
  },
  {
    name: 'http2-only',
    needs: ['node'],
    files: {
      'app.js': `require('node:http2').createServer((q, s) => s.end('ok')).listen(PORT);`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'onlyHTTP2' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'redirect-circle',
    needs: ['node'],
    files: { 'app.js': node(`s.writeHead(302, { location: '/login' }); s.end()`) },
    command: js,
    probes: READY,
    fault: { kind: 'redirect', end: 'circle' },
    cure: {
      files: {
        'app.js': node(
          `if (q.url === '/healthz') return s.end('ok'); s.writeHead(302, { location: '/login' }); s.end()`,
        ),
      },
    },
  },
  {
    name: 'redirect-forwarded-proto',
    needs: ['node'],
    files: {
      'app.js': node(
        `if (q.headers['x-forwarded-proto'] === 'https') return s.end('ok'); s.writeHead(301, { location: 'https://' + q.headers.host + q.url }); s.end()`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'redirect', end: 'plainHTTP' },
    field: 'readinessProbe.httpGet.httpHeaders',
    cure: 'proven',
  },
];
