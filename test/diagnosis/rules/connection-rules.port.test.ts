import { expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { findingText } from '../../../src/diagnosis/words.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { TrialView } from '../../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const ANSWERED = { result: 'success', word: '200' } as const;
const NOT_FOUND = { result: 'failure', word: '404' } as const;
const LISTENS = 'nothing listens on port 8080; the program listens on port 8081';

/** The text of a refused attempt at port 8080, so many seconds after the start of a program that listens on 8081. */
function textAfter(
  seconds: number,
  type: 'liveness' | 'readiness',
  trial?: Partial<TrialView>,
  portBefore?: number,
  port = 8081,
  more: Partial<Container> = {},
) {
  const { exec: _, ...settings } = buildProbe({});
  const spec = { ...settings, httpGet: { path: '/', port: 8080 } };
  const pod = buildPod({
    spec: { containers: [buildContainer({ [`${type}Probe`]: spec, ...more })] },
  });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  const sockets = [{ address: '0.0.0.0', port }];
  const listening = { t: 1, started: true, sockets, processes: ['app'] };
  const before = { ...listening, sockets: [{ address: '0.0.0.0', port: portBefore ?? port }] };
  const field = `${type}Probe.httpGet.port`;
  const trials = trial && [{ t: 2, run: 1, field, to: port, latency: 1, ...trial } as TrialView];
  return findingText(
    attemptFault(
      {
        container: {
          ...container!,
          runs: [
            { run: 0, startedAt: 0, listening: before },
            { run: 1, startedAt: 0, listening },
          ],
        },
        probe: { ...probe!, trials: trials ?? [] },
      },
      buildAttempt({ run: 1, ...{ result: 'failure', reason: 'refused' }, endedAt: seconds }),
    ),
  );
}

it.each([
  [3, `${LISTENS}. Perhaps set readinessProbe.httpGet.port to 8081`],
  [11, `${LISTENS}. Set readinessProbe.httpGet.port to 8081 (tried: 200)`],
])('another port that answers after %i s of a run is proposed: %s', (seconds, text) => {
  expect(textAfter(seconds, 'readiness', ANSWERED)).toBe(text);
});

it.each([
  [11, 'PORT', '8080', true],
  [11, 'PORT', '9000', false],
  [11, 'MAX_UPLOADS', '8080', false],
  [3, 'PORT', '8080', false],
])(
  '%i s after its start, a program with the variable %s=%s is said not to read it: %s',
  (...row) => {
    const [seconds, name, value, isSaid] = row;
    const text = textAfter(seconds, 'readiness', ANSWERED, undefined, 8081, {
      env: [{ name, value }],
    });
    expect(text?.includes(', and does not take its port from PORT. Set the variable')).toBe(isSaid);
  },
);

it('a port that is another one than before is not proposed, and both are named', () => {
  expect(textAfter(11, 'readiness', ANSWERED, 8079)).toBe(
    'nothing listens on port 8080; the program listens on port 8081, and in an earlier run on port 8079. Let the program listen on port 8080 of 0.0.0.0, all addresses',
  );
});

it.each([
  [11, '. Let the program listen on port 8080 of 0.0.0.0, all addresses'],
  [3, ''],
])(
  'a port that the system may have chosen is not proposed %i s after the start',
  (seconds, text) => {
    expect(textAfter(seconds, 'readiness', ANSWERED, undefined, 43_471)).toBe(
      `nothing listens on port 8080; the program listens on port 43471${text}`,
    );
  },
);

it('another port that answers with an error is not proposed: liveness may only be too early', () => {
  expect(textAfter(3, 'liveness', NOT_FOUND)).toBe(
    `${LISTENS}, which answers the probe with 404. Add a startupProbe if it needs longer to start`,
  );
  expect(textAfter(3, 'readiness', NOT_FOUND)).toContain(`${LISTENS}, which answers`);
});

it('names the port of another probe that succeeds in the same run of a cluster, which may be at its start in the next', () => {
  const { exec: _, ...settings } = buildProbe({});
  const probeAt = (port: number) => ({ ...settings, tcpSocket: { port } });
  const spec = { livenessProbe: probeAt(9090), readinessProbe: probeAt(8080) };
  const pod = buildPod({ spec: { containers: [buildContainer(spec)] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const ready = buildAttempt({ run: 1, result: 'success', evidence: 'inferred' });
  const probes = container!.probes.map((probe) =>
    probe.type === 'readiness' ? { ...probe, attempts: [ready] } : probe,
  );
  const probe = probes.find(({ type }) => type === 'liveness')!;
  const textIn = (run: number) => {
    const failed = { result: 'failure', reason: 'refused', evidence: 'seen' } as const;
    const finding = attemptFault(
      { container: { ...container!, probes }, probe },
      buildAttempt({ run, ...failed }),
    );
    return findingText(finding);
  };
  expect(textIn(1)).toBe('nothing listens on port 9090; the program listens on port 8080');
  expect(textIn(2)).toContain('not up yet, another port, or another address');
});

it.each([
  [[8080, 8081], 'Add a startupProbe if it needs longer to start'],
  [[8080], 'Perhaps set livenessProbe.httpGet.port to 8081'],
])('a port that opens late may be one of those that the container declares: %j', (...row) => {
  const [declared, advice] = row;
  const ports = declared.map((containerPort) => ({ containerPort }));
  expect(textAfter(3, 'liveness', ANSWERED, undefined, 8081, { ports })).toBe(
    `${LISTENS}. ${advice}`,
  );
});
