/**
 * victim.ts END FILE ARGS…: runs a container as kprobe does and prints its output. When that is the PID of a grandchild,
 * it ends by END: `wait`, `close`, `exit` or `throw`.
 */
import { RealClock } from '../../src/clock/real-clock.js';
import { LocalRuntime } from '../../src/runtime/local-runtime.js';

const [, , end = '', file = '', ...args] = process.argv;
const container = { name: 'app', image: 'app' };
const pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'uid' },
  spec: { containers: [container], restartPolicy: 'Always' as const },
  status: {},
};
const runtime = new LocalRuntime({
  name: 'process',
  clock: new RealClock(),
  host: { env: process.env, cwd: process.cwd(), kill: (pid, name) => process.kill(pid, name) },
  backingFor: () => ({ kind: 'process', argv: [file, ...args] }),
  address: '127.0.0.1',
  node: { name: 'node', hostIPs: ['127.0.0.1'], allocatable: {} },
  config: { configMaps: [], secrets: [] },
  listener: {
    onExit: () => undefined,
    onOutput: (_id, _stream, text) => process.stdout.write(`${text}\n`, () => comeToEnd(text)),
    onMessage: () => undefined,
    onNote: () => undefined,
    onFound: () => undefined,
  },
});

function comeToEnd(text: string): void {
  if (!text.startsWith('grandchild')) return;
  if (end === 'close') void runtime.close();
  if (end === 'exit') process.exit(0);
  if (end === 'throw') throw new Error('a bug');
}

const about = { sandboxID: 's', restartCount: 0, hash: '', imageRef: '', podIPs: [] };
const id = await runtime.createContainer({ pod, container, ...about });
await runtime.startContainer(id);
