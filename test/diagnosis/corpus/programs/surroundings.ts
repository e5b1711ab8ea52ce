import { js, JS_OK, nginx, nginxConf, node, OK, type ProgramCase, READY } from './program-case.js';

const PY = ['python3', 'app.py'] as const;
const PY_SERVER = (before = '', answer = ''): string => `import http.server
${before}
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ${answer}
        self.send_response(200); self.end_headers(); self.wfile.write(b'ok')
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(('0.0.0.0', PORT), Handler).serve_forever()
`;
const PY_OK = { 'app.py': PY_SERVER('', 'pass') };
const NGINX = (listen: string, answer: string): string =>
  nginxConf(`listen ${listen}; location / { ${answer} }`);
const NGINX_OK = { files: { 'nginx.conf': NGINX('PORT', 'return 200 ok;') } };
const GO = `package main

import "net/http"

func main() {
	http.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	http.ListenAndServe(":PORT", nil)
}
`;
const CERTIFICATE =
  'openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=app 2>/dev/null';
const HTTPS = READY.replace('port: PORT', 'port: PORT, scheme: HTTPS');
const TLS = (options: string): string => `const fs = require('node:fs');
const pair = { key: fs.readFileSync('k.pem'), cert: fs.readFileSync('c.pem') };
require('node:https').createServer(${options}, (q, s) => s.end('ok')).listen(PORT);
`;
const LIVE = READY.replace('readiness', 'liveness');
const STARTUP = LIVE.replace('liveness', 'startup').replace(
  '}, period',
  '}, failureThreshold: 50, period',
);
const later = (ms: number): string => `setTimeout(() => { ${OK.trim()} }, ${ms});\n`;

/** Unprepared faults of 2026-11-26: programs that are right in surroundings that are not, and servers that speak otherwise. */
export const SURROUNDED: readonly ProgramCase[] = [
  {
    name: 'disk-full',
    needs: ['node'],
    files: { 'app.js': `require('node:fs').writeFileSync('/dev/full', 'cache');\n${OK}` },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"disk"',
    cure: JS_OK,
  },
  {
    name: 'too-many-open-files',
    needs: ['python3', 'sh'],
    files: {
      'app.py': PY_SERVER('leak = []', "leak.extend(open('/etc/hosts') for _ in range(8))"),
    },
    command: ['sh', '-c', 'ulimit -n 40; exec python3 app.py'],
    probes: READY,
    fault: { kind: 'closedEarly' },
    field: '"files"',
    cure: { files: PY_OK },
  },
  {
    name: 'variable-is-no-number',
    needs: ['python3'],
    files: { 'app.py': PY_SERVER("import os\nworkers = int(os.environ['WORKERS'])", 'pass') },
    command: PY,
    probes: `env: [{name: WORKERS, value: auto}], ${READY}`,
    fault: { kind: 'crashed', at: 'app.py:3' },
    field: '"name":"WORKERS"',
    cure: { probes: `env: [{name: WORKERS, value: "4"}], ${READY}` },
  },
  {
    name: 'pid-file-left',
    needs: ['node', 'sh'],
    files: {
      'app.js': `if (require('node:fs').existsSync('server.pid')) { console.error('A server is already running. Check server.pid.'); process.exit(1); }\n${OK}`,
      'server.pid': '1',
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: 'A server is already running. Check server.pid.' },
    field: '"leftover"',
    cure: { command: ['sh', '-c', 'rm server.pid; exec node app.js'] },
  },
  {
    name: 'wrong-architecture',
    needs: ['go'],
    files: { 'app.go': GO },
    build: 'GOARCH=s390x go build -o app app.go',
    command: ['./app'],
    probes: READY,
    fault: { kind: 'startError' },
    field: '"format"',
    cure: { build: 'go build -o app app.go' },
  },
  {
    name: 'node-script-with-crlf',
    needs: ['node'],
    files: { app: '#!/usr/bin/env node\r\nrequire("./none")\r\n' },
    build: 'chmod +x app',
    command: ['./app'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"lineEnds"',
    cure: { files: { app: `#!/usr/bin/env node\n${OK}` } },
  },
  {
    name: 'bus-error',
    needs: ['python3'],
    files: {
      'app.py': `import mmap
print('attaching shared memory', flush=True)
file = open('shared', 'w+b')
file.truncate(8192)
memory = mmap.mmap(file.fileno(), 8192)
file.truncate(0)
memory[5000] = 1
`,
    },
    command: PY,
    probes: READY,
    fault: { kind: 'signalled', signal: 'BUS' },
    cure: { files: PY_OK },
  },
  {
    name: 'illegal-instruction',
    needs: ['python3'],
    files: {
      'app.py': `import os, signal\nprint('loading the model', flush=True)\nos.kill(os.getpid(), signal.SIGILL)\n`,
    },
    command: PY,
    probes: READY,
    fault: { kind: 'signalled', signal: 'ILL' },
    field: '"cpu"',
    cure: { files: PY_OK },
  },
  {
    name: 'nginx-upstream-refused',
    needs: ['nginx'],
    files: { 'nginx.conf': NGINX('PORT', 'proxy_pass http://127.0.0.1:OTHER;') },
    command: nginx,
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true },
    field: '"peer"',
    cure: NGINX_OK,
  },
  {
    name: 'nginx-proxy-protocol',
    needs: ['nginx'],
    files: { 'nginx.conf': NGINX('PORT proxy_protocol', 'return 200 ok;') },
    command: nginx,
    probes: READY,
    fault: { kind: 'closedEarly' },
    field: '"plainPort"',
    cure: NGINX_OK,
  },
  {
    name: 'tls-too-old',
    needs: ['node', 'openssl'],
    files: {
      'app.js': TLS(
        `{ ...pair, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }`,
      ),
    },
    build: CERTIFICATE,
    command: js,
    probes: HTTPS,
    fault: { kind: 'tlsRefused' },
    field: '"version"',
    cure: { files: { 'app.js': TLS('pair') } },
  },
  {
    name: 'tls-by-server-name',
    needs: ['node', 'openssl'],
    files: {
      'app.js': TLS(
        `{ SNICallback: (name, done) => done(null, require('node:tls').createSecureContext(pair)) }`,
      ),
    },
    build: CERTIFICATE,
    command: js,
    probes: HTTPS,
    fault: { kind: 'tlsRefused' },
    field: '"acceptTls"',
    cure: { files: { 'app.js': TLS('pair') } },
  },
  {
    name: 'context-path',
    needs: ['node'],
    files: {
      'app.js': node(
        `s.statusCode = q.url === '/api/healthz' ? 200 : 404; s.end()`,
        `listen(PORT, () => console.log("Tomcat started on port PORT (http) with context path '/api'"))`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'notFound', path: '/healthz', under: '/api' },
    field: 'readinessProbe.httpGet.path',
    cure: 'proven',
  },
  {
    name: 'metrics-port-first',
    needs: ['node'],
    files: {
      'app.js': `${node('s.statusCode = 404; s.end()', 'listen(OTHER)')}${later(6000)}`,
    },
    command: js,
    probes: LIVE,
    fault: { kind: 'wrongPort' },
    field: 'addStartupProbe',
    cure: { probes: `${READY}, ${LIVE}, ${STARTUP}` },
  },
  {
    name: 'metrics-port-answers-first',
    needs: ['node'],
    files: { 'app.js': `${node(`s.end('up 1')`, 'listen(OTHER)')}${later(7000)}` },
    command: js,
    probes: READY,
    fault: { kind: 'wrongPort' },
    // It becomes ready as it is.
    field: '"proof":{"kind":"none"}',
    cure: {},
  },
  {
    name: 'request-threads-busy',
    needs: ['node'],
    files: {
      'app.js': `let n = 0;\n${node(`n++; if (n < 6) setTimeout(() => s.end('ok'), n === 1 ? 400 : 0)`)}`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'stalled' },
    field: 'tolerate',
    cure: JS_OK,
  },
  {
    name: 'never-so-often-in-a-row',
    needs: ['node'],
    files: {
      'app.js': `let n = 0;\n${node(`n++; s.statusCode = n > 2 ? 503 : 200; s.end(n > 2 ? 'worker 2 has no pool' : 'ok')`)}`,
    },
    command: js,
    probes: READY.replace('}, period', '}, successThreshold: 3, period'),
    fault: { kind: 'errorAnswer', text: 'worker 2 has no pool' },
    field: '{"do":"fixAnswer","probe":"readiness"}',
    cure: JS_OK,
  },
];
