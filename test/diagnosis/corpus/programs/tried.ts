import { answers, js, JS_OK, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const YELLOW = `{"status":"yellow","timed_out":true}`;
const WEB = `import com.sun.net.httpserver.HttpServer;
public class Web {
  public static void main(String[] args) throws Exception {
    var server = HttpServer.create(new java.net.InetSocketAddress(PORT), 0);
    server.createContext("/", q -> { q.sendResponseHeaders(200, -1); q.close(); });
    server.start();
  }
}
`;
/** A health service of gRPC that knows one name. */
const NAMED = `require('node:http2').createServer().on('stream', (s) => {
  s.on('data', (message) => {
    const serving = message.includes('shop.v1.Orders');
    const headers = { ':status': 200, 'content-type': 'application/grpc' };
    if (!serving) return s.respond({ ...headers, 'grpc-status': '5' }, { endStream: true });
    s.respond(headers, { waitForTrailers: true });
    s.on('wantTrailers', () => s.sendTrailers({ 'grpc-status': '0' }));
    s.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
  });
}).listen(PORT);
console.log('serving shop.v1.Orders');
`;

/** A second unprepared set of 2026-11-29: faults that were wrong or without advice at first; a trial shows what helps against some. */
export const TRIED: readonly ProgramCase[] = [
  {
    name: 'closes-for-another-host',
    needs: ['node'],
    files: {
      'app.js': node(
        `if (!q.headers.host.startsWith('localhost')) return q.socket.destroy(); s.end()`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'closedEarly', after: 'nothing' },
    field: 'httpGet.httpHeaders',
    cure: 'proven',
  },
  {
    name: 'handler-closes-at-once',
    needs: ['node'],
    files: {
      'app.js': node(`if (q.url === '/healthz') q.socket.destroy(); s.statusCode = 404; s.end()`),
    },
    command: js,
    probes: READY,
    fault: { kind: 'closedEarly', after: 'nothing' },
    field: '"fixHandler"',
    cure: JS_OK,
  },
  {
    name: 'handler-waits-for-ever',
    needs: ['node'],
    files: { 'app.js': node(`if (q.url !== '/healthz') { s.statusCode = 404; s.end() }`) },
    command: js,
    probes: READY,
    fault: { kind: 'noAnswer', accepted: true },
    field: '"fixHandler"',
    cure: JS_OK,
  },
  {
    name: 'error-that-nothing-logs',
    needs: ['node'],
    files: { 'app.js': answers(500, '') },
    command: js,
    probes: READY,
    fault: { kind: 'statusOnly', status: 500 },
    field: '"logErrors"',
    cure: JS_OK,
  },
  {
    name: 'query-that-waits-for-green',
    needs: ['node'],
    files: {
      'app.js': node(
        `if (q.url.includes('green')) { s.statusCode = 408; s.end('${YELLOW}') } else s.end()`,
      ),
    },
    command: js,
    probes: readyAt('"/_cluster/health?wait_for_status=green"'),
    fault: { kind: 'errorAnswer' },
    field: '"field":"readinessProbe"',
    cure: { probes: readyAt('"/_cluster/health?wait_for_status=yellow"') },
  },
  {
    name: 'grpc-named-service',
    needs: ['node'],
    files: { 'app.js': NAMED },
    command: js,
    probes: 'readinessProbe: {grpc: {port: PORT}, periodSeconds: 1}',
    fault: { kind: 'unknownService', service: '' },
    field: 'shop.v1.Orders',
    cure: 'proven',
  },
  {
    name: 'post-start-never-ends',
    needs: ['node', 'sh'],
    files: { 'app.js': OK },
    command: js,
    probes: `${READY}, lifecycle: {postStart: {exec: {command: [tail, -f, /dev/null]}}}`,
    fault: { kind: 'hookRunning' },
    field: '"goesOn"',
    cure: {
      probes: `${READY}, lifecycle: {postStart: {exec: {command: [tail, -n, '1', /dev/null]}}}`,
    },
  },
  {
    name: 'java-heap-sizes',
    needs: ['java'],
    files: { 'Web.java': WEB },
    command: ['java', '-Xms64m', '-Xmx16m', 'Web.java'],
    probes: READY,
    fault: {
      kind: 'crashed',
      text: 'Initial heap size set to a larger value than the maximum heap size',
    },
    field: '"correct"',
    cure: { command: ['java', '-Xms16m', '-Xmx64m', 'Web.java'] },
  },
  {
    name: 'node-env-file',
    needs: ['node'],
    files: { 'app.js': OK },
    command: ['node', '--env-file=.env', 'app.js'],
    probes: READY,
    fault: { kind: 'crashed', text: 'node: .env: not found' },
    field: '"file"',
    cure: { files: { 'app.js': OK, '.env': 'A=1\n' } },
  },
];
