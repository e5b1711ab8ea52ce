import { expect, it } from 'vitest';

import { probeEvent } from '../../../src/kubelet/prober/probe-event.js';

it.each([
  ['success', { result: 'success', output: 'ok' }, undefined],
  ['unknown', { result: 'unknown', output: '' }, undefined],
  ['failure', { result: 'failure', output: 'no' }, ['Unhealthy', 'Startup probe failed: no']],
  ['warning', { result: 'warning', output: 'hm' }, ['ProbeWarning', 'Startup probe warning: hm']],
  [
    'error',
    { result: 'unknown', output: '', error: 'bad port' },
    ['Unhealthy', 'Startup probe errored and resulted in unknown state: bad port'],
  ],
  [
    'error after a failure',
    { result: 'failure', output: '', error: 'unexpected EOF' },
    ['Unhealthy', 'Startup probe errored and resulted in failure state: unexpected EOF'],
  ],
] as const)('tells of a %s in the words of the kubelet', (_, outcome, told) => {
  const event = probeEvent('startup', outcome);
  expect(event).toEqual(told && { type: 'Warning', reason: told[0], message: told[1] });
});

it('keeps the bytes of an output that is no text', () => {
  const outcome = {
    result: 'failure',
    output: '\ufffd',
    outputBytes: Uint8Array.of(0xff),
  } as const;
  expect(probeEvent('liveness', outcome)).toEqual({
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'Liveness probe failed: \ufffd',
    messageBytes: new Uint8Array([...Buffer.from('Liveness probe failed: '), 0xff]),
  });
});
