import { answers, js, JS_OK, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const log = (text: string): string => `console.error(${JSON.stringify(text)});\n`;
const AFTER_START = 2500;
const REFUSED = 'Connection error: connect ECONNREFUSED 127.0.0.1:OTHER';
const NOT_VALID =
  'x509: certificate is valid for results-api.pipelines.svc.cluster.local, not localhost';
const PANIC = `thread 'tokio-runtime-worker' (14) panicked at /usr/local/cargo/git/checkouts/gossip-6a7f5d1b/d3b1a2c/src/delta.rs:413:9:
assertion failed: mtu >= 100
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`;
const ENGINE =
  'Prisma Client could not locate the Query Engine for runtime "debian-openssl-3.0.x".';
const NO_KEY =
  "Missing encryption key to decrypt file with. Ask your team for your master key and write it to /app/config/master.key or put it in the ENV['RAILS_MASTER_KEY'].";

/** Faults that a log names once, before the answers that they explain, and errors that say what they need. */
export const LASTING: readonly ProgramCase[] = [
  {
    name: 'panic-of-a-task',
    needs: ['node'],
    files: {
      'app.js': `let ready = true;
setTimeout(() => {
  ready = false;
  ${log(PANIC)}
  setInterval(() => console.log('WARN control_plane: the control plane is not ready, retrying'), 1500);
}, ${AFTER_START});
${node('s.statusCode = ready ? 200 : 503; s.end(String(ready))')}`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', text: 'panic: assertion failed: mtu >= 100', isLogged: true },
    cure: JS_OK,
  },
  {
    name: 'broker-given-up',
    needs: ['node'],
    files: {
      'app.js': `let n = 0;
const tell = () => {
  n += 1;
  console.log(JSON.stringify({ level: 'ERROR', logger: 'kafkajs', message: '[Connection] ${REFUSED}' }));
  if (n < 4) setTimeout(tell, 300);
  else console.log(JSON.stringify({ level: 50, err: { message: '${REFUSED}' }, msg: 'failed to start the service' }));
};
setTimeout(tell, 200);
${answers(400, '')}`,
    },
    command: js,
    probes: readyAt('/_readiness'),
    fault: { kind: 'errorAnswer', isLogged: true },
    field: '"peer"',
    cure: JS_OK,
  },
  {
    name: 'certificate-of-another-name',
    needs: ['node'],
    files: {
      'app.js': answers(
        503,
        JSON.stringify({
          code: 14,
          message: `connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: ${NOT_VALID}"`,
        }),
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer' },
    field: '"certificateName"',
    cure: JS_OK,
  },
  {
    name: 'runner-that-does-not-return',
    needs: ['node'],
    files: {
      'app.js': answers(
        503,
        '{"status":"OUT_OF_SERVICE","components":{"readinessState":{"status":"OUT_OF_SERVICE"}}}',
      ),
    },
    command: js,
    probes: readyAt('/actuator/health/readiness'),
    fault: { kind: 'dependencyDown', parts: ['readinessState'] },
    field: '"acceptTraffic"',
    cure: JS_OK,
  },
  {
    name: 'port-of-a-plugin-that-is-not-enabled',
    needs: ['node'],
    files: {
      'app.js': `console.log('[INFO] plugin/reload: Running configuration');
require('node:http').createServer((q, s) => {
  s.statusCode = q.url === '/health' ? 200 : 404;
  s.end('404 page not found');
}).listen(OTHER);
`,
    },
    command: js,
    probes: readyAt('/ready'),
    fault: { kind: 'wrongPort' },
    field: '"listenOnPort"',
    cure: JS_OK,
  },
  {
    name: 'engine-of-another-platform',
    needs: ['node'],
    files: {
      'app.js': `throw Object.assign(new Error('${ENGINE}'), { clientVersion: '5.15.0' });\n`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: `Error: ${ENGINE}` },
    field: '"module"',
    cure: JS_OK,
  },
  {
    name: 'key-that-an-error-asks-for',
    needs: ['node'],
    files: { 'app.js': `if (!process.env.KEY) {\n  ${log(NO_KEY)}  process.exit(1);\n}\n${OK}` },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: NO_KEY },
    field: '"RAILS_MASTER_KEY"',
    cure: { command: ['env', 'KEY=x', 'node', 'app.js'] },
  },
];
