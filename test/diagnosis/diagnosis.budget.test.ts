import { expect, it } from 'vitest';

import { advise } from '../../src/diagnosis/change.js';
import { withBudget } from '../../src/diagnosis/diagnosis.js';
import type { Finding } from '../../src/diagnosis/fault.js';
import { findingText } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const startupProbe = buildProbe({ periodSeconds: 2, failureThreshold: 5 });
const object = buildPod({
  spec: { containers: [buildContainer({ name: 'app', startupProbe })] },
});
const container = fold(EMPTY_SUMMARY, podLine(object)).pods[0]!.containers[0]!;

const finding = (fault: Finding['fault'], changes: Finding['changes'] = []): Finding => ({
  ...{ fault, changes, certainty: 'proven', evidence: [] },
});
const RAISE = 'Raise startupProbe.failureThreshold if it needs longer to start';

it.each([
  [
    'a cause with advice',
    finding({ kind: 'rateLimited', status: 429 }, advise({ do: 'fixError', at: 'a.js:1' })),
    'the server limits the rate of requests (429), those of probes too; the startup budget is 10 s. Fix what the error names, or the program at a.js:1',
  ],
  ['no cause', finding({ kind: 'unknown' }), `the startup budget is 10 s. ${RAISE}`],
  [
    'a program that has listened nowhere for 20 s: it may need still longer',
    {
      ...finding({ kind: 'notListening', address: '127.0.0.1:80', program: 'nowhere' }),
      evidence: [{ kind: 'listening', sockets: [], processes: ['sleep'], after: 20 }],
    } satisfies Finding,
    'nothing listens on 127.0.0.1:80: the program listens on no port 20.0 s after its start (it runs sleep); the startup budget is 10 s. Raise startupProbe.failureThreshold if it needs longer to start',
  ],
  [
    'a port that was not tried',
    finding({ kind: 'wrongPort', port: 80, listens: [{ address: '0.0.0.0', port: 81 }] }),
    'nothing listens on port 80; the program listens on port 81; the startup budget is 10 s',
  ],
  [
    'a port that was tried in vain',
    {
      ...finding({ kind: 'wrongPort', port: 80, listens: [{ address: '0.0.0.0', port: 81 }] }),
      evidence: [
        {
          kind: 'trial',
          field: 'startupProbe.httpGet.port',
          to: 81,
          isSuccess: false,
          result: '404',
        },
      ],
    } satisfies Finding,
    `nothing listens on port 80; the program listens on port 81, which answers the probe with 404; the startup budget is 10 s. ${RAISE}`,
  ],
])('adds the startup budget to %s', (_, before, text) => {
  expect(findingText(withBudget(container, false, before))).toBe(text);
});

it('advises no larger budget before half of it is used', () => {
  const text = findingText(withBudget(container, false, finding({ kind: 'unknown' }), true));
  expect(text).toBe('the startup budget is 10 s');
});
