import { expect, it } from 'vitest';

import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { firstChange } from '../../../src/diagnosis/words.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { TrialView } from '../../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

/** The change for a 404 so many seconds after the start of a program. */
function changeFor(
  path: string,
  seconds: number,
  output: readonly string[] = [],
  tried: readonly Pick<TrialView, 'field' | 'to'>[] = [],
): string | undefined {
  const { exec: _, ...settings } = buildProbe({});
  const readinessProbe = { ...settings, httpGet: { path, port: 8080 } };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const trials = tried.map(({ field, to }): TrialView => {
    const name = `readinessProbe.httpGet.${field}`;
    return { run: 0, field: name, to, result: 'success', word: '200', latency: 1 };
  });
  const finding = attemptFault(
    {
      container: {
        ...container!,
        runs: [{ run: 0, startedAt: 0 }],
        output: output.map((text) => ({ t: 0, run: 0, stream: 'stdout', text })),
      },
      probe: { ...container!.probes[0]!, trials },
    },
    buildAttempt({ result: 'failure', statusCode: 404, endedAt: seconds }),
  );
  return finding && firstChange(finding);
}

it.each([
  [5, 'Correct readinessProbe.httpGet.path, unless the server is still starting'],
  [35, 'Correct readinessProbe.httpGet.path'],
])('a 404 after %i s of a run may be one of its start: %s', (seconds, change) => {
  expect(changeFor('/ready', seconds)).toBe(change);
});

it.each([
  ['/health/ready', 'Keycloak 19.0.1 on JVM started', 'Set KC_HEALTH_ENABLED in env'],
  ['/ping', 'NOTICE: fpm is running, pid 1', 'Set ping.path in its configuration'],
  ['/ping', 'Traefik version 2.10.1 built', 'Set ping in its configuration'],
  ['/shop', 'Traefik version 2.10.1 built', 'Correct readinessProbe.httpGet.path'],
])('a server without %s that writes %j is told: %s', (path, line, change) => {
  expect(changeFor(path, 5, [line])).toContain(change);
});

it('a 404 at a path that a mesh has rewritten is about the path of the template', () => {
  expect(changeFor('/app-health/app/readyz', 35)).toBe(
    "Correct the path of readinessProbe in the pod's template",
  );
});

const COMMON = { field: 'path', to: '/healthz' };
const PORT = { field: 'port', to: 8081 };

it.each([
  [[COMMON], 'Set readinessProbe.httpGet.path to /healthz (tried: 200)'],
  [[COMMON, PORT], 'Set readinessProbe.httpGet.port to 8081 (tried: 200)'],
  [
    [{ field: 'path', to: '/ready/' }, PORT],
    'Set readinessProbe.httpGet.path to /ready/ (tried: 200)',
  ],
])(
  'of the values that were tried, %j, the one nearest to the probe counts: %s',
  (tried, change) => {
    expect(changeFor('/ready', 5, [], tried)).toBe(change);
  },
);
