import { describe, expect, it } from 'vitest';

import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import { explainPod } from '../../src/schedule/explain-pod.js';
import { spanText } from '../../src/schedule/probe-times.js';

const manifest = (container: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n${more}  containers:\n  - name: app\n    image: a\n${container}`;

function explained(container: string, more?: string) {
  const { pods, diagnostics } = loadManifest([
    { file: 'pod.yaml', text: manifest(container, more) },
  ]);
  expect(diagnostics).toEqual([]);
  return explainPod(pods[0]!.pod, pods[0]!.defaulted);
}

/** The failures of the last container as `topic: span`. */
function failures(container: string, more?: string): Record<string, string> {
  const { failures: found = [] } = explained(container, more).containers.at(-1) ?? {};
  return Object.fromEntries(found.map((moment) => [moment.topic, spanText(moment)]));
}

const RULES =
  '\n    restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]';

describe('explainPod', () => {
  it('names the fields it is based on and marks defaults', () => {
    const { life } = explained('    readinessProbe: {httpGet: {port: 80}, periodSeconds: 5}\n')
      .containers[0]!;
    expect(life.find(({ topic }) => topic === 'ready')?.fields.slice(0, 2)).toEqual([
      { path: 'spec.containers[0].readinessProbe.initialDelaySeconds', value: 0, isDefault: true },
      { path: 'spec.containers[0].readinessProbe.periodSeconds', value: 5, isDefault: false },
    ]);
  });

  it('reports the effects of a hang on probes and traffic', () => {
    expect(
      failures(
        '    readinessProbe: {httpGet: {port: 80}, periodSeconds: 5}\n    livenessProbe: {httpGet: {port: 80}, terminationGracePeriodSeconds: 5}\n',
      ),
    ).toMatchObject({
      'hang: not ready': '10 – 16 s after it begins to hang',
      'hang: killed': '20 – 32 s after it begins to hang',
      'hang: restarted': '20 – 37 s after it begins to hang',
      'hang: still sent traffic': '10 – 16 s after it begins to hang',
    });
  });

  it('reports that a TCP probe does not notice a hang', () => {
    const tcp = '    livenessProbe: {tcpSocket: {port: 80}}\n';
    expect(failures(tcp)).toMatchObject({
      'hang: killed': 'never',
      'hang: still sent traffic': 'never',
    });
  });

  it('reports that nothing notices failures without probes', () => {
    expect(failures('')).toMatchObject({
      'slow start: killed': 'never',
      'hang: not ready': 'never',
      'slow answer: a failure': 'never',
      'crash: noticed': '0 – 1 s after it exits',
    });
  });

  it('uses the grace period of the probe that kills', () => {
    const startup = 'startupProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 3}';
    expect(failures(`    ${startup}\n`)['slow start: restarted']).toBe('20 – 36 s after its start');
  });

  it('has no back-off when nothing is restarted', () => {
    expect(explained('', '  restartPolicy: Never\n').containers[0]?.backOff).toEqual([]);
    expect(explained('').containers[0]?.backOff.length).toBe(9);
  });

  const inits =
    '  initContainers:\n  - {name: migrate, image: a}\n  - {name: log, image: a, restartPolicy: Always, startupProbe: {httpGet: {port: 80}, periodSeconds: 2}}\n';

  it('distinguishes init containers and sidecars', () => {
    expect(
      explained('', inits).containers.map(({ name, role, life }) => [
        name,
        role,
        life.map(({ topic }) => topic),
      ]),
    ).toEqual([
      ['migrate', 'init', ['stopped']],
      ['log', 'sidecar', ['start', 'started', 'ready', 'stopped', 'TERM']],
      ['app', 'container', ['start', 'started', 'ready', 'stopped']],
    ]);
  });

  it('names the probe of the sidecar that a container waits for', () => {
    const start = explained('', inits).containers[2]?.life[0];
    expect(start && spanText(start)).toBe('0 – 5 s after the start of log');
    expect(start?.fields[1]).toEqual({
      path: 'spec.initContainers[1].startupProbe.periodSeconds',
      value: 2,
      isDefault: false,
    });
  });

  it.each([
    ['Always', undefined, 'It is restarted at once'],
    ['OnFailure', undefined, 'Unless its exit code is 0'],
    ['Never', undefined, 'It is not restarted.'],
    ['Always', 'Never', 'It is not restarted.'],
    ['Never', 'Always', 'It is restarted at once'],
    ['Never', `Never${RULES}`, 'only when one of its restartPolicyRules'],
  ])('in a pod with %s and a container with %s explains: %s', (policy, own, text) => {
    const container = own === undefined ? '' : `    restartPolicy: ${own}\n`;
    const { failures: found } = explained(container, `  restartPolicy: ${policy}\n`).containers[0]!;
    expect(found[0]?.reason).toContain(text);
  });

  it('has no restart with the policy Never', () => {
    const alive = '    livenessProbe: {httpGet: {port: 80}}\n';
    expect(failures(alive, '  restartPolicy: Never\n')).not.toHaveProperty('hang: restarted');
    expect(failures(alive)).toHaveProperty('hang: restarted');
  });
});
