import { expect, it } from 'vitest';

import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { findingText } from '../../../src/diagnosis/words.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const { exec: _, ...SETTINGS } = buildProbe({});
const ADVICE = '. Correct livenessProbe.';

it.each([
  ['httpGet', '10.1.0.9', `${ADVICE}httpGet.host, or remove it: the default is the pod's address`],
  [
    'tcpSocket',
    '10.1.0.9',
    `${ADVICE}tcpSocket.host, or remove it: the default is the pod's address`,
  ],
  ['httpGet', '127.0.0.1', '. Add a startupProbe if it needs longer to start'],
  ['tcpSocket', undefined, '. Add a startupProbe if it needs longer to start'],
] as const)('a refused %s probe of the host %s gets advice about it', (handler, host, advice) => {
  const asked = { port: 8080, ...(host !== undefined && { host }) };
  const livenessProbe = {
    ...SETTINGS,
    ...(handler === 'httpGet' ? { httpGet: { ...asked, path: '/' } } : { tcpSocket: asked }),
  };
  const pod = buildPod({ spec: { containers: [buildContainer({ livenessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  const detail = { address: `${host ?? '10.1.0.5'}:8080`, timings: { total: 1 } };
  const attempt = buildAttempt({ result: 'failure', reason: 'refused', detail });
  expect(findingText(attemptFault({ container: container!, probe: probe! }, attempt))).toBe(
    `nothing listens on ${detail.address}: not up yet, another port, or another address${advice}`,
  );
});
