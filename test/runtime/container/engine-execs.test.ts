import { expect, it } from 'vitest';

import { type ExecResult, HELD_UP } from '../../../src/kubelet/ports.js';
import type { Engine } from '../../../src/runtime/container/engine.js';
import { EngineExecs } from '../../../src/runtime/container/engine-execs.js';
import { LateClock } from '../../helpers/late-clock.js';

const SUCCESS: ExecResult = {
  kind: 'exited',
  exitCode: 0,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
};

it.each<[string, number, Partial<ExecResult>]>([
  ['that ended at once succeeds', 0, { kind: 'exited', exitCode: 0 }],
  [
    'that ended while kprobe was held up beyond the timeout is an error',
    5000,
    { message: HELD_UP },
  ],
])('a command in a container %s', async (_, heldUp, expected) => {
  const clock = new LateClock();
  let end: (result: ExecResult) => void = () => undefined;
  const running = new Promise<ExecResult>((resolve) => (end = resolve));
  const engine = {
    exec: () => running,
    inspect: () => Promise.resolve([]),
    ping: () => Promise.resolve(undefined),
  } as Partial<Engine> as Engine;
  const execs = new EngineExecs({ engine, clock, host: { kill: () => undefined } as never });
  const onLeftovers = (): void => undefined;
  const exec = { id: 'c', name: 'app', command: ['true'], timeoutSeconds: 1, onLeftovers };
  const result = execs.run(exec);
  end(SUCCESS);
  if (heldUp > 0) clock.fireAt(heldUp);
  expect(await result).toMatchObject(expected);
});
