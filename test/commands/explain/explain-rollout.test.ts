import { describe, expect, it } from 'vitest';

import { explainWithRollouts } from '../../../src/commands/explain/explain.js';
import type { ExplainedRollout } from '../../../src/commands/explain/explain-rollout.js';
import { rolloutText } from '../../../src/commands/explain/explain-text.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { planRollout } from '../../../src/rollout/plan-rollout.js';
import { simulateRollout } from '../../../src/rollout/rollout.js';
import { deploymentYaml } from '../../helpers/deployment-yaml.js';
import { rolloutRequest } from '../../helpers/rollout-request.js';

const deployment = (replicas: number, spec = ''): string =>
  deploymentYaml(
    replicas,
    'readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 10, periodSeconds: 5}',
  ).replace('  replicas', `${spec}  replicas`);
const rolling = (surge: string, unavailable: string): string =>
  `  strategy: {rollingUpdate: {maxSurge: ${surge}, maxUnavailable: ${unavailable}}}\n`;

async function rollouts(text: string): Promise<readonly (ExplainedRollout | undefined)[]> {
  const sources = [{ file: 'web.yaml', text }];
  const explained = await explainWithRollouts(loadManifest(sources).pods, sources);
  return explained.map(({ rollout }) => rollout);
}

const textOf = async (text: string): Promise<string> => rolloutText((await rollouts(text))[0]!);

describe('a rollout in explain', () => {
  it('is that of kprobe rollout without options', async () => {
    const text = deployment(4, rolling('0', '75%'));
    const [rollout] = await rollouts(text);
    const { plan } = planRollout(rolloutRequest(text));
    const outcome = await simulateRollout(plan!);
    const { doneAt } = outcome.rollout!;
    expect(rollout?.simulated).toMatchObject({ doneAt, leastReady: outcome.leastReady.count });
  });

  it('says in one sentence how long how few endpoints are ready, and with which settings', async () => {
    expect(await textOf(deployment(4, rolling('0', '75%')))).toMatch(
      /^simulated: rolled out in \d\d\.0 s; at least 1 of 4 replicas ready, 1 ready endpoint for 1\d\.0 s \(maxSurge 0, maxUnavailable 75 %\)$/,
    );
  });

  it('says so where no replica is missed', async () => {
    expect(await textOf(deployment(2, rolling('1', '0')))).toMatch(
      /; never fewer than 2 ready replicas \(maxSurge 1, maxUnavailable 0\)$/,
    );
  });

  it.each([
    ['  paused: true\n', 4, 'a change does not roll out: the Deployment is paused'],
    ['', 0, 'nothing rolls out: 0 replicas'],
    ['', 31, 'not simulated: too many replicas for explain; see kprobe rollout'],
  ])('is not simulated with %j and %d replicas', async (spec, replicas, text) => {
    const [rollout] = await rollouts(deployment(replicas, spec));
    expect(rollout).toMatchObject({ workload: 'Deployment web', settings: { replicas } });
    expect(rollout?.simulated).toBeUndefined();
    expect(rolloutText(rollout!)).toBe(text);
  });

  it('is simulated for the first replicas of many workloads, each with its own Service', async () => {
    const named = (name: string): string => deployment(12).replaceAll('web', name);
    const service =
      '---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {app: a}, publishNotReadyAddresses: true}\n';
    const text = [named('a'), service, '---\n', named('b'), '---\n', named('c')].join('');
    const all = await rollouts(text);
    expect(all.map((each) => each?.workload)).toEqual(
      ['a', 'b', 'c'].map((n) => `Deployment ${n}`),
    );
    expect(all.map((each) => each?.simulated?.leastReady)).toEqual([9, 9, undefined]);
    const [a = 0, b = 0] = all.map((each) => each?.simulated?.leastEndpoints.seconds);
    expect([a < 5, b > 10]).toEqual([true, true]);
  });

  it('says what is assumed of the files, and not of the autoscaler of another workload', async () => {
    const scaler = (name: string): string =>
      `---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: ${name}}\nspec: {scaleTargetRef: {kind: Deployment, name: ${name}}}\n`;
    const [rollout] = await rollouts(deployment(1) + scaler('web') + scaler('api'));
    expect(rollout?.assumed).toEqual([
      'all old replicas are available when it begins',
      'nodes start containers at once',
      'containers answer from their start, and end right after TERM',
      'HorizontalPodAutoscaler web: the number of replicas stays 1',
    ]);
  });

  it.each([
    ['DaemonSet', 'minReadySeconds: 2', 'maxSurge 0, maxUnavailable 1, minReadySeconds 2'],
    ['StatefulSet', 'replicas: 2', 'OrderedReady'],
    ['Deployment', 'strategy: {type: Recreate}', 'Recreate'],
  ])('of a %s with %s says %s', async (kind, field, settings) => {
    const text = await textOf(
      `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: web}\nspec: {${field}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: b:1}]}}}\n`,
    );
    expect(text).toMatch(/^simulated: rolled out in /);
    expect(text.endsWith(` (${settings})`)).toBe(true);
  });
});
