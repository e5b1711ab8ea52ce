import { describe, expect, it } from 'vitest';

import { validateUpdate } from '../../../src/commands/diff/diff-objects.js';
import { storedForm } from '../../../src/commands/diff/update/update.js';
import { loadPods, workloadYaml } from '../../helpers/loaded.js';

const APP = 'containers: [{name: app, image: a:1}]';
const ONCE = `restartPolicy: Never, ${APP}`;
const SELECTOR = 'selector: {matchLabels: {app: web}}';
const SERVICE = `${SELECTOR}, serviceName: web`;
const SUSPENDED = 'suspend: true';
const NEAR =
  'requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: web}}, topologyKey: zone}]';
const NEW_IMAGE = (spec: string): string => spec.replace('a:1', 'a:2');

type Change = readonly [spec: string, podSpec: string, labels?: string];

function refused(kind: string, before: Change, after: Change): string[] {
  const [old, now] = [before, after].map((change) =>
    storedForm(kind, loadPods(workloadYaml(kind, ...change))[0]!.stored),
  );
  return validateUpdate(kind, now!, old!).refused.map(({ path }) => path);
}

describe('a workload', () => {
  it.each<[string, string, Change, Change]>([
    ['Deployment', 'template', [SELECTOR, APP], [SELECTOR, NEW_IMAGE(APP)]],
    ['Deployment', 'replicas', [SELECTOR, APP], [`replicas: 3, ${SELECTOR}`, APP]],
    ['DaemonSet', 'template', [SELECTOR, APP], [SELECTOR, NEW_IMAGE(APP)]],
    ['ReplicaSet', 'template', [SELECTOR, APP], [SELECTOR, NEW_IMAGE(APP)]],
    ['StatefulSet', 'template', [SERVICE, APP], [SERVICE, NEW_IMAGE(APP)]],
    ['StatefulSet', 'minReadySeconds', [SERVICE, APP], [`minReadySeconds: 3, ${SERVICE}`, APP]],
    [
      'CronJob',
      'template',
      ['schedule: "* * * * *"', ONCE],
      ['schedule: "* * * * *"', NEW_IMAGE(ONCE)],
    ],
    ['CronJob', 'schedule', ['schedule: "* * * * *"', ONCE], ['schedule: "1 * * * *"', ONCE]],
    ['Job', 'parallelism', ['completions: 2', ONCE], ['completions: 2, parallelism: 2', ONCE]],
    [
      'Job',
      'completions, with its parallelism, when they are indexed',
      ['completionMode: Indexed, completions: 1', ONCE],
      ['completionMode: Indexed, completions: 2, parallelism: 2', ONCE],
    ],
    [
      'Job',
      'resources while it is suspended',
      [SUSPENDED, ONCE],
      [SUSPENDED, ONCE.replace('}]', ', resources: {limits: {cpu: 1}}}]')],
    ],
    [
      'Job',
      'node selector while it is suspended',
      [SUSPENDED, ONCE],
      ['', `nodeSelector: {a: b}, ${ONCE}`],
    ],
    ['Job', 'labels while it is suspended', [SUSPENDED, ONCE], ['', ONCE, 'app: other']],
  ])('of kind %s may change its %s', (kind, _, before, after) => {
    expect(refused(kind, before, after)).toEqual([]);
  });

  it.each<[string, string, Change, Change, string[]]>([
    [
      'Deployment',
      'selector',
      [SELECTOR, APP],
      ['selector: {matchLabels: {a: b}}', APP, 'a: b'],
      ['spec.selector.matchLabels.app', 'spec.selector.matchLabels.a'],
    ],
    [
      'DaemonSet',
      'selector',
      [SELECTOR, APP, 'app: web, a: b'],
      ['selector: {matchLabels: {app: web, a: b}}', APP, 'app: web, a: b'],
      ['spec.selector.matchLabels.a'],
    ],
    [
      'StatefulSet',
      'serviceName',
      [SERVICE, APP],
      [`${SELECTOR}, serviceName: other`, APP],
      ['spec.serviceName'],
    ],
    [
      'StatefulSet',
      'podManagementPolicy',
      [SERVICE, APP],
      [`${SERVICE}, podManagementPolicy: Parallel`, APP],
      ['spec.podManagementPolicy'],
    ],
    [
      'Job',
      'template',
      ['', ONCE],
      ['', NEW_IMAGE(ONCE)],
      ['spec.template.spec.containers[0].image'],
    ],
    [
      'Job',
      'image while it is suspended',
      [SUSPENDED, ONCE],
      [SUSPENDED, NEW_IMAGE(ONCE)],
      ['spec.template.spec.containers[0].image'],
    ],
    [
      'Job',
      'pod affinity while it is suspended',
      [SUSPENDED, ONCE],
      [SUSPENDED, `affinity: {podAffinity: {${NEAR}}}, ${ONCE}`],
      ['spec.template.spec.affinity'],
    ],
    [
      'Job',
      'completions',
      ['completions: 1', ONCE],
      ['completions: 2', ONCE],
      ['spec.completions'],
    ],
    [
      'Job',
      'completions without its parallelism',
      ['completionMode: Indexed, completions: 1', ONCE],
      ['completionMode: Indexed, completions: 2', ONCE],
      ['spec.completions'],
    ],
    ['Job', 'managedBy', ['', ONCE], ['managedBy: a.b/c', ONCE], ['spec.managedBy']],
  ])('of kind %s may not change its %s', (kind, _, before, after, paths) => {
    expect(refused(kind, before, after)).toEqual(paths);
  });

  it('gets the words of the server', () => {
    const [old, now] = ['{app: web}', '{a: b}'].map((labels) =>
      storedForm(
        'Deployment',
        loadPods(
          workloadYaml('Deployment', `selector: {matchLabels: ${labels}}`, APP, 'app: web, a: b'),
        )[0]!.stored,
      ),
    );
    expect(validateUpdate('Deployment', now!, old!).errors).toEqual([
      {
        type: 'FieldValueInvalid',
        field: 'spec.selector',
        detail: 'field is immutable',
        message: 'spec.selector: Invalid value: field is immutable',
      },
    ]);
  });
});
