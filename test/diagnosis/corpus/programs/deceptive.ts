import { answers, execs, js, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const SCRIPT = ['sh', 'start.sh'] as const;
const DOWN = JSON.stringify({ status: 'DOWN', components: { db: { status: 'DOWN' } } });
const PORTS = 'ports: [{name: http, containerPort: PORT}, {name: web, containerPort: OTHER}]';
const HTTPS = readyAt('/').replace('port: PORT', 'port: PORT, scheme: HTTPS');
const TLS = (key: string): string =>
  `const fs = require('node:fs');
require('node:https').createServer({ key: fs.readFileSync('${key}'), cert: fs.readFileSync('a.crt') }, (q, s) => s.end('ok')).listen(PORT);
`;
const KEYS = `openssl req -x509 -newkey rsa:2048 -nodes -keyout a.key -out a.crt -subj /CN=a -days 9 2>key.log
openssl genrsa -out b.key 2048 2>key.log`;
const JAVA = `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class App {
  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
    server.createContext("/", e -> { e.sendResponseHeaders(200, 2); e.getResponseBody().write("ok".getBytes()); e.close(); });
    server.start();
  }
}
`;
const GRPC = (answer: string): string => `const server = require('node:http2').createServer();
server.on('stream', (s) => { ${answer} });
server.listen(PORT);
`;
const LINK = `gcc -shared -fPIC -Wl,-soname,libcart.so.1 -o libcart.so lib.c && gcc -o app app.c -L. -lcart && mv libcart.so`;
const WSGI = (wait: string): string => `import time
def app(environ, start_response):
    ${wait}
    start_response('200 OK', [])
    return [b'ok']
`;

/** Faults whose first signs point to another cause; docs/causes.md has what kprobe said at first. */
export const DECEPTIVE: readonly ProgramCase[] = [
  {
    name: 'migration-lock',
    needs: ['python3', 'node'],
    files: {
      'app.js': OK,
      'app.py': `import time
print('waiting for advisory lock 72707369, which process 41 has', flush=True)
time.sleep(600)
`,
    },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"lock"',
    cure: { command: js },
  },
  {
    name: 'peer-not-ready',
    needs: ['node'],
    files: { 'app.js': answers(503, '{"ready":false,"reason":"inventory is not ready"}') },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', text: 'inventory is not ready' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'port-that-answers-any-path',
    needs: ['node'],
    files: {
      'app.js': `${node(`s.statusCode = q.url === '/api/health' ? 200 : 404; s.end()`)}${node(`s.end('<title>Shop</title>')`, 'listen(OTHER)')}`,
    },
    command: js,
    probes: `${PORTS}, ${READY}`,
    fault: { kind: 'notFound', path: '/healthz' },
    field: '"fields":["readinessProbe.httpGet.path","readinessProbe.httpGet.port"]',
    cure: { probes: `${PORTS}, ${readyAt('/api/health')}` },
  },
  {
    name: 'liveness-asks-database',
    needs: ['node'],
    files: { 'app.js': answers(503, DOWN) },
    command: js,
    probes: `${READY}, ${READY.replace('readiness', 'liveness')}`,
    fault: { kind: 'dependencyDown', parts: ['db'] },
    field: '"probe":"liveness"',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'maintenance-page',
    needs: ['node'],
    files: {
      'app.js': answers(
        503,
        '<html><head><title>Site Maintenance</title></head><h1>Back soon</h1>',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', text: 'Site Maintenance' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'port-name-misspelt',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: `${PORTS}, ${READY.replace('port: PORT', 'port: htpp')}`,
    fault: { kind: 'unknownPortName', name: 'htpp' },
    field: 'http',
    cure: { probes: `${PORTS}, ${READY.replace('port: PORT', 'port: http')}` },
  },
  {
    name: 'gunicorn-timeout',
    needs: ['gunicorn'],
    files: { 'app.py': WSGI('time.sleep(30)') },
    command: ['python3', '-m', 'gunicorn', '-b', '0.0.0.0:PORT', '--timeout', '2', 'app:app'],
    probes: readyAt('/healthz', 'timeoutSeconds: 5'),
    fault: { kind: 'errorAnswer', text: "WORKER TIMEOUT, gunicorn's --timeout", at: 'app.py:3' },
    field: 'app.py:3',
    cure: { files: { 'app.py': WSGI('time.sleep(0)') } },
  },
  {
    name: 'goodbye-after-the-error',
    needs: ['sh', 'node'],
    files: {
      'app.js': OK,
      'start.sh': `echo '2026-11-26 10:00:00 ERROR License expired on 2026-10-31'
echo '2026-11-26 10:00:00 INFO stopping engine'
echo '2026-11-26 10:00:00 INFO bye'
exit 3
`,
    },
    command: SCRIPT,
    probes: READY,
    fault: { kind: 'crashed', text: 'License expired on 2026-10-31' },
    cure: { command: js },
  },
  {
    name: 'waits-for-postgres',
    needs: ['sh', 'node'],
    files: {
      'app.js': OK,
      'start.sh': `until false; do echo 'Postgres is unavailable - sleeping'; sleep 1; done\n`,
    },
    command: SCRIPT,
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: 'peer',
    cure: { command: js },
  },
  {
    name: 'wait-for-it-strict',
    needs: ['sh', 'node'],
    files: {
      'app.js': OK,
      'start.sh': `echo 'wait-for-it.sh: timeout occurred after waiting 2 seconds for db:5432' >&2
echo 'wait-for-it.sh: strict mode, refusing to execute subprocess' >&2
exit 124
`,
    },
    command: SCRIPT,
    probes: READY,
    fault: {
      kind: 'crashed',
      text: 'wait-for-it.sh: timeout occurred after waiting 2 seconds for db:5432',
    },
    field: 'peer',
    cure: { command: js },
  },
  {
    name: 'key-of-another-certificate',
    needs: ['node', 'openssl'],
    files: { 'app.js': TLS('b.key') },
    build: KEYS,
    command: js,
    probes: HTTPS,
    fault: { kind: 'crashed', at: 'app.js:2' },
    cure: { files: { 'app.js': TLS('a.key') } },
  },
  {
    name: 'shared-library-missing',
    needs: ['gcc', 'node'],
    files: {
      'app.js': OK,
      'lib.c': 'int cart(void) { return 0; }\n',
      'app.c':
        '#include <unistd.h>\nint cart(void);\nint main(void) { cart(); return execlp("node", "node", "app.js", (char *)0); }\n',
    },
    build: `${LINK} unused.so`,
    command: ['./app'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: 'module',
    cure: { build: `${LINK} libcart.so.1`, command: ['env', 'LD_LIBRARY_PATH=.', './app'] },
  },
  {
    name: 'perl-module-missing',
    needs: ['perl', 'node'],
    files: { 'app.js': OK, 'app.pl': `use lib '.';\nuse Cart;\nexec 'node', 'app.js';\n` },
    command: ['perl', 'app.pl'],
    probes: READY,
    fault: { kind: 'crashed', text: "Can't locate Cart.pm in @INC", at: 'app.pl:2' },
    field: 'module',
    cure: { files: { 'Cart.pm': '1;\n' } },
  },
  {
    name: 'address-of-another-machine',
    needs: ['node'],
    files: { 'app.js': node(`s.end('ok')`, `listen(PORT, '192.0.2.7')`) },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: 'bindAll',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'java-class-version',
    needs: ['java'],
    files: { 'App.java': JAVA },
    build: `javac App.java && printf '\\000\\105' | dd of=App.class bs=1 seek=6 conv=notrunc 2>dd.log`,
    command: ['java', 'App'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: 'runtime',
    cure: { build: 'javac App.java' },
  },
  {
    name: 'grpc-unknown-service',
    needs: ['node'],
    files: {
      'app.js': GRPC(
        `s.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '5', 'grpc-message': 'unknown service' }, { endStream: true });`,
      ),
    },
    command: js,
    probes: 'readinessProbe: {grpc: {port: PORT, service: orders}, periodSeconds: 1}',
    fault: { kind: 'unknownService', service: 'orders' },
    field: 'grpcService',
    cure: {
      files: {
        'app.js': GRPC(
          `s.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true }); s.on('wantTrailers', () => s.sendTrailers({ 'grpc-status': '0' })); s.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));`,
        ),
      },
    },
  },
  {
    name: 'node-watch-after-a-crash',
    needs: ['node'],
    files: { 'app.js': `const settings = {};\nsettings.db.host.trim();\n${OK}` },
    command: ['node', '--watch', 'app.js'],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: 'app.js:2',
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'exec-find-old-heartbeat',
    needs: ['sh'],
    command: ['sh', '-c', `touch -d '1 hour ago' alive; sleep 600`],
    probes: execs('sh', '-c', 'find alive -mmin -1 | grep .'),
    fault: { kind: 'commandFailed', text: 'no line that find alive -mmin -1 writes matches' },
    field: 'runByHand',
    cure: { command: ['sh', '-c', 'touch alive; sleep 600'] },
  },
];
