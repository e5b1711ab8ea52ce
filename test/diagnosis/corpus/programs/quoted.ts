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

const logs = (line: string): string => `console.error(${JSON.stringify(line)});\n`;
const ends = (...lines: readonly string[]): string =>
  `${lines.map(logs).join('')}process.exit(3);\n`;
/** Faults of programs whose log has errors of something else, and of checks that hide what they read. */
export const QUOTED: readonly ProgramCase[] = [
  {
    name: 'license-after-a-cache-it-does-without',
    needs: ['node'],
    files: {
      'app.js': ends(
        'ERROR cache: dial tcp 10.0.0.9:11211: i/o timeout; continuing without a cache',
        'the subscription key has ended, and the license expired',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: 'the subscription key has ended, and the license expired' },
    field: '"license"',
    cure: JS_OK,
  },
  {
    name: 'memory-of-a-job',
    needs: ['node'],
    files: {
      'app.js': ends(
        '[job 12] java.lang.OutOfMemoryError: Java heap space',
        '[job 12] tried again',
        'settings.json: required key "queue" is missing',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: 'settings.json: required key "queue" is missing' },
    cure: JS_OK,
  },
  {
    name: 'vault-not-initialized',
    needs: ['node'],
    files: { 'app.js': answers(501, '{"initialized":false,"sealed":true,"standby":true}') },
    command: js,
    probes: readyAt('/v1/sys/health'),
    fault: { kind: 'errorAnswer' },
    field: '"initialization"',
    cure: JS_OK,
  },
  {
    name: 'upstream-resets',
    needs: ['node'],
    files: { 'app.js': ends('Error: read ECONNRESET 127.0.0.1:5672') },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"peerCuts"',
    cure: JS_OK,
  },
  {
    name: 'cpu-limit-that-kills',
    needs: ['node', 'sh'],
    files: {
      'app.js': OK,
      'run.sh': 'ulimit -t 1\nexec node -e "for (;;);"\n',
    },
    command: ['sh', 'run.sh'],
    probes: READY,
    fault: { kind: 'cpuUsedUp', seconds: 1 },
    field: '"limit"',
    cure: { command: js },
  },
  {
    name: 'exec-hides-a-503',
    needs: ['node', 'curl'],
    files: { 'app.js': answers(503, 'pool exhausted') },
    command: js,
    probes: execs('curl', '-fs', 'http://127.0.0.1:PORT/state'),
    fault: { kind: 'commandFailed' },
    field: '"fixAnswer"',
    cure: { files: { 'app.js': node(`s.end('ready')`) } },
  },
];
