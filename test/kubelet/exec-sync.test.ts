import { expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { execSync } from '../../src/kubelet/exec-sync.js';
import { RuntimeError } from '../../src/kubelet/ports.js';
import { FakeRuntime } from '../helpers/fake-runtime.js';

it("a command's end is handed on", async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.commands.set('a b', { kind: 'timedOut' });
  expect(await execSync(runtime, 'app-1', ['a', 'b'], 3)).toEqual({ kind: 'timedOut' });
});

it('a runtime that refuses is an end; a bug is thrown on', async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.failures.set('exec', new RuntimeError('no'));
  expect(await execSync(runtime, 'app-1', ['a'], 3)).toEqual({ kind: 'error', message: 'no' });
  runtime.failures.set('exec', new TypeError('bug'));
  await expect(execSync(runtime, 'app-1', ['a'], 3)).rejects.toThrow('bug');
});
