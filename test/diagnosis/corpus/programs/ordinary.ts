import {
  answers,
  execs,
  js,
  JS_OK,
  node,
  OK,
  type ProgramCase,
  READY,
  readyAt,
} from './program-case.js';

const UNTIL = 'until curl -sf http://localhost:PORT/; do sleep 0.1; done';
const CANNOT = 'echo "timeout: failed to connect service \\"localhost:PORT\\" within 1s"; exit 2';
const SUM =
  'echo "[ready] queue connection failed: refused"; echo "[ready] Readiness checks failed!"; exit 1';
const LISTED = '[+]ping ok\n[-]controller failed: reason withheld\nhealthz check failed\n';
const MISSING =
  'E0706 15:51:20.000000       8 reflector.go:178] tools/cache/reflector.go:125: Failed to list *v1beta1.Ingress: the server could not find the requested resource';
const logs = (line: string): string =>
  `setInterval(() => console.error(${JSON.stringify(line)}), 200);\n`;
const POOL = {
  status: 'DOWN',
  components: {
    db: {
      status: 'DOWN',
      details: {
        error:
          'java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.',
      },
    },
  },
};
const REVIVES = `setInterval(() => console.log(JSON.stringify({
  '@timestamp': new Date(), message: 'Unable to revive connection: http://elasticsearch:9200/',
})), 200);
`;
const CODE =
  'code=$(curl -s -o /dev/null -w "%{http_code}" localhost:PORT); echo "got HTTP code $code"; [ "$code" = 200 ]';

/** Drawn from public threads on 2026-11-30, as ordinary faults: what was wrong or had no advice at first. */
export const ORDINARY: readonly ProgramCase[] = [
  {
    name: 'exec-waits-for-another-port',
    needs: ['node', 'sh', 'curl'],
    files: { 'app.js': node(`s.end('ok')`, 'listen(OTHER)') },
    command: js,
    probes: execs('sh', '-c', UNTIL),
    fault: { kind: 'wrongPort' },
    cure: JS_OK,
  },
  {
    name: 'exec-waits-for-no-server',
    needs: ['node', 'sh', 'curl'],
    files: { 'app.js': 'setInterval(() => {}, 1000);\n' },
    command: js,
    probes: execs('sh', '-c', UNTIL),
    fault: { kind: 'notListening', program: 'nowhere' },
    cure: JS_OK,
  },
  {
    name: 'exec-speaks-another-protocol',
    needs: ['node', 'sh'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('sh', '-c', CANNOT),
    fault: { kind: 'commandFailed' },
    field: '"matchProtocol"',
    cure: { probes: READY },
  },
  {
    name: 'exec-with-its-own-limit',
    needs: ['node', 'curl'],
    files: { 'app.js': node(`setTimeout(() => s.end('ok'), 700)`) },
    command: js,
    probes: execs('curl', '-sf', '--max-time', '0.3', 'http://127.0.0.1:PORT/'),
    fault: { kind: 'commandFailed' },
    field: '"commandLimit"',
    cure: JS_OK,
  },
  {
    name: 'exec-pattern-without-a-shell',
    needs: ['node', 'sh'],
    files: { 'app.js': OK, 'ready.txt': 'ready' },
    command: js,
    probes: execs('grep', '-q', 'ready', './*.txt'),
    fault: { kind: 'notExpanded', words: ['./*.txt'] },
    cure: { probes: execs('sh', '-c', 'grep -q ready ./*.txt') },
  },
  {
    name: 'exec-sums-up-its-checks',
    needs: ['sh'],
    command: ['sleep', '60'],
    probes: execs('sh', '-c', SUM),
    fault: { kind: 'commandFailed', text: '[ready] queue connection failed: refused' },
    cure: { probes: execs('true') },
  },
  {
    name: 'reason-withheld',
    needs: ['node'],
    files: { 'app.js': logs(MISSING) + answers(500, LISTED) },
    command: js,
    probes: READY,
    fault: { kind: 'dependencyDown', parts: ['controller'] },
    field: '"definition"',
    cure: JS_OK,
  },
  {
    name: 'pool-without-its-database',
    needs: ['node'],
    files: { 'app.js': answers(503, JSON.stringify(POOL)) },
    command: js,
    probes: readyAt('/actuator/health'),
    fault: { kind: 'dependencyDown', parts: ['db'] },
    field: '"peer"',
    cure: JS_OK,
  },
  {
    name: 'exec-hides-what-the-log-repeats',
    needs: ['node', 'sh', 'curl'],
    files: { 'app.js': REVIVES + answers(503, 'not ready yet') },
    command: js,
    probes: execs('sh', '-c', CODE),
    fault: { kind: 'commandFailed' },
    field: '"peer"',
    cure: JS_OK,
  },
];
