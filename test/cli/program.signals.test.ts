import { getEventListeners } from 'node:events';

import { afterEach, expect, it, vi } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ROOT } from '../helpers/kprobe.js';

afterEach(() => vi.restoreAllMocks());

/** A process such as `kprobe mcp` runs many commands, and Node keeps a composite signal as long as somebody listens to it. */
it.each([
  [['replay', 'examples/record-replay/run.ndjson', '-q']],
  [
    [
      'replay',
      'examples/record-replay/run.ndjson',
      '--set',
      'app.livenessProbe.failureThreshold=9',
    ],
  ],
  [['suggest', 'examples/record-replay/run.ndjson']],
  [['simulate', 'examples/crash-loop/pod.yaml', '--for', '10s']],
  [['once', '--timeout', '1m', '--exec', '--', 'true']],
  [['once', '--tcp', '127.0.0.1:1']],
  [['lint', 'examples/crash-loop/pod.yaml']],
])('%j listens to no signal when it has ended', async (argv) => {
  const { signal } = new AbortController();
  const signals = [signal];
  const any = AbortSignal.any.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'any').mockImplementation((sources) => {
    const composite = any(sources);
    signals.push(composite);
    return composite;
  });
  const { code, stderr } = await inProcess(argv, { cwd: ROOT, signal });
  expect(code, stderr).toBeLessThan(2);
  expect(signals.flatMap((each) => getEventListeners(each, 'abort'))).toEqual([]);
});
