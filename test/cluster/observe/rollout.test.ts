import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readClusterEvent } from '../../../src/cluster/observe/decode-objects.js';
import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';
import { type RolloutState, rolloutState } from '../../../src/cluster/observe/rollout.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { toTraceLine } from '../../../src/trace/trace-line.js';

type Fields = Readonly<Record<string, unknown>>;

interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly ownerReferences?: readonly Fields[];
  };
  readonly involvedObject?: Fields;
}

/** Deployments of a real cluster, 73 s after they were created with a progress deadline of 60 s. */
const FILE = new URL('../../fixtures/cluster/rollouts.json', import.meta.url);
const LISTS = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<
  Record<'deployments' | 'replicaSets' | 'pods' | 'events', readonly Listed[]>
>;
const NOW = Date.parse('2026-11-22T14:50:31Z');

const ownedBy = (owners: readonly Listed[], list: readonly Listed[]) =>
  list.filter(({ metadata }) =>
    owners.some((owner) => owner.metadata.uid === metadata.ownerReferences?.[0]?.['uid']),
  );

const podsOf = (pods: readonly Listed[]) =>
  pods
    .flatMap((pod) => {
      const observer = new PodObserver();
      for (const event of LISTS.events) {
        if (event.involvedObject?.['uid'] === pod.metadata.uid) observer.event(event, NOW);
      }
      return observer.pod(pod, NOW);
    })
    .map((event) => toTraceLine(event, NOW, NOW))
    .reduce(fold, EMPTY_SUMMARY).pods;

const stateOf = (name: string, change: object = {}, ofPod: object = {}): RolloutState => {
  const found = LISTS.deployments.filter(({ metadata }) => metadata.name === name);
  const replicaSets = ownedBy(found, LISTS.replicaSets);
  const pods = podsOf(ownedBy(replicaSets, LISTS.pods).map((pod) => ({ ...pod, ...ofPod })));
  const workload = { ...found[0], ...change };
  return rolloutState({
    workload,
    kind: 'Deployment',
    replicaSets,
    endpointSlices: [],
    pods,
    now: NOW,
    t: 0,
  });
};

/** The status of a Deployment of which so many pods are available. */
const deployed = (availableReplicas: number): object => ({
  status: { observedGeneration: 9, replicas: 2, updatedReplicas: 2, availableReplicas },
});

describe('rolloutState of a Deployment of a real cluster', () => {
  it.each([
    ['good', /^good: complete, 2 of 2 updated and available$/],
    [
      'unready',
      /^unready: 2 of 2 updated, 0 available, progress deadline of 60 s exceeded, waiting for readiness of unready-67dff79b4-\w+ app: failed for 7\d s; db: connection refused \(and 1 more\)$/,
    ],
    [
      'port',
      /waiting for readiness of port-\S+ app: refused for [\w.]+ ?s; nothing listens on 127\.0\.0\.1:21120: .*\. Raise progressDeadlineSeconds if it needs longer to start$/,
    ],
    ['crash', /, crash-\S+: app crashed 4 × \(exit 3\): its status has no message \(and 1 more\)/],
    [
      'absent',
      /: app cannot start: Container image "local\/absent:1" is not present with pull policy/,
    ],
    ['big', /, big-\S+ cannot be scheduled: 1 Insufficient cpu \(and/],
    [
      'quota',
      /^quota: 1 of 3 updated, .*, pods cannot be created: pods "quota-\S+" is forbidden: exceeded quota/,
    ],
  ])('says what blocks %s', (name, sentence) => {
    const { event, stable } = stateOf(name);
    expect(event.sentence).toMatch(sentence);
    expect(event.done).toBe(name === 'good');
    expect(stable).not.toMatch(/ for \d+ s| deadline in/);
  });

  it('waits for the readiness of a container that has no status yet', () => {
    const { stable } = stateOf('good', deployed(1), {
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
    expect(stable).toMatch(/, waiting for readiness of good-\S+ app \(and 1 more\)/);
  });

  it('fails when the progress deadline is exceeded, as kubectl rollout status does', () => {
    expect(stateOf('port').event).toMatchObject({ done: false, failed: true });
    expect(stateOf('crash').event).toMatchObject({ done: false, failed: false });
    expect(stateOf('crash').event.sentence).not.toMatch(/deadline/);
  });
});

const spec = { replicas: 3, progressDeadlineSeconds: 600 };
const condition = { type: 'Progressing', status: 'True', lastUpdateTime: '2026-11-22T14:49:50Z' };

describe('rolloutState', () => {
  it.each<[string, string, object, string]>([
    [
      'a Deployment with old pods',
      'Deployment',
      {
        spec,
        status: { replicas: 4, updatedReplicas: 3, availableReplicas: 3, conditions: [condition] },
      },
      'web: 3 of 3 updated, waiting for 1 old pod to end; progress deadline in 9m19s',
    ],
    [
      'a Deployment whose pods are not yet ready for long enough',
      'Deployment',
      {
        spec: { ...spec, minReadySeconds: 20 },
        status: { replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 1 },
      },
      'web: 3 of 3 updated, 1 available: a pod has to stay ready for 20 s (minReadySeconds)',
    ],
    [
      'a paused Deployment',
      'Deployment',
      {
        spec: { ...spec, paused: true },
        status: { replicas: 3, updatedReplicas: 1, availableReplicas: 3 },
      },
      'web: 1 of 3 updated, paused until kubectl rollout resume',
    ],
    [
      'a Deployment without replicas',
      'Deployment',
      { spec: { replicas: 0 } },
      'web: complete, 0 of 0 updated and available: spec.replicas is 0',
    ],
    [
      'a StatefulSet without replicas',
      'StatefulSet',
      { spec: { replicas: 0 } },
      'web: complete, 0 of 0 updated and ready: spec.replicas is 0',
    ],
    [
      'a ReplicaSet without replicas',
      'ReplicaSet',
      { spec: { replicas: 0 } },
      'web: complete, 0 of 0 available: spec.replicas is 0',
    ],
    [
      'a Deployment that has just been changed',
      'Deployment',
      { metadata: { name: 'web', generation: 2 }, spec, status: { observedGeneration: 1 } },
      'web: changed, waiting for its controller to see the change',
    ],
    [
      'a StatefulSet under way',
      'StatefulSet',
      {
        spec,
        status: { readyReplicas: 2, updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
      },
      'web: 1 of 3 updated, 2 ready',
    ],
    [
      'a new StatefulSet whose first pod is not ready',
      'StatefulSet',
      { spec, status: { updatedReplicas: 1, updateRevision: 'a', currentRevision: 'a' } },
      'web: 1 of 3 updated, 0 ready',
    ],
    [
      'a DaemonSet that no node fits',
      'DaemonSet',
      { status: { desiredNumberScheduled: 0, updatedNumberScheduled: 0, numberAvailable: 0 } },
      'web: complete, 0 of 0 updated and available: no node fits its nodeSelector, affinity and tolerations',
    ],
    [
      'a StatefulSet up to its partition',
      'StatefulSet',
      {
        spec: {
          ...spec,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
        },
        status: { readyReplicas: 3, updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
      },
      'web: complete, 1 of 1 updated and ready, updateStrategy.rollingUpdate.partition keeps 2 at the earlier template: lower it to update them',
    ],
    [
      'a DaemonSet',
      'DaemonSet',
      { status: { desiredNumberScheduled: 5, updatedNumberScheduled: 2, numberAvailable: 4 } },
      'web: 2 of 5 updated, 4 available',
    ],
    [
      'a workload that is updated by hand',
      'DaemonSet',
      { spec: { updateStrategy: { type: 'OnDelete' } } },
      'web: OnDelete, pods are updated when you delete them',
    ],
    [
      'a ReplicaSet',
      'ReplicaSet',
      { spec, status: { availableReplicas: 3 } },
      'web: complete, 3 of 3 available',
    ],
    [
      'a Job under way',
      'Job',
      { spec: { completions: 3 }, status: { active: 1, succeeded: 1, failed: 1 } },
      'web: 1 of 3 succeeded, 1 pod failed',
    ],
    [
      'a Job whose pod has failed',
      'Job',
      { spec: { backoffLimit: 3 }, status: { failed: 2 } },
      'web: 0 of 1 succeeded, 2 pods failed, another pod is made after a back-off: backoffLimit 3 leaves 2',
    ],
    [
      'a Job whose second pod has succeeded, but is not counted yet',
      'Job',
      { status: { failed: 1, uncountedTerminatedPods: { succeeded: ['uid-2'] } } },
      'web: 0 of 1 succeeded, 1 pod failed',
    ],
    [
      'a Job whose policy decides about failed pods',
      'Job',
      { spec: { backoffLimit: 3, podFailurePolicy: {} }, status: { failed: 2 } },
      'web: 0 of 1 succeeded, 2 pods failed',
    ],
    [
      'a Job that has failed, and ends its pods',
      'Job',
      {
        status: {
          failed: 1,
          conditions: [
            { type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded', message: 'late' },
          ],
        },
      },
      'web: 0 of 1 succeeded, 1 pod failed, DeadlineExceeded: late. Raise activeDeadlineSeconds if it needs longer',
    ],
    [
      'a suspended Job',
      'Job',
      { spec: { suspend: true } },
      'web: 0 of 1 succeeded, suspended: spec.suspend is true',
    ],
    ['nothing but a name', 'Deployment', {}, 'web: 0 of 1 updated'],
  ])('describes %s', (_, kind, fields, sentence) => {
    const workload = { metadata: { name: 'web', namespace: 'default' }, ...fields };
    const { event } = rolloutState({ ...OF_A_JOB, workload, kind });
    expect(event.sentence).toBe(sentence);
  });

  it.each([
    [
      'OrderedReady',
      ', waiting for POD, which has the earlier template: if it cannot become ready, delete it',
    ],
    ['Parallel', ''],
  ])('a StatefulSet (%s) waits for a pod of the earlier template', (podManagementPolicy, waits) => {
    const conditions = [{ type: 'Ready', status: 'False' }];
    const [pod] = podsOf([
      Object.assign({ ...LISTS.pods[0]! }, { status: { phase: 'Running', conditions } }),
    ]);
    const status = { updateRevision: 'db-2', currentRevision: 'db-1', observedGeneration: 9 };
    const workload = { metadata: { name: 'db' }, spec: { podManagementPolicy }, status };
    const { event } = rolloutState({ ...OF_A_JOB, kind: 'StatefulSet', workload, pods: [pod!] });
    const name = pod!.object.metadata.name;
    expect(event.sentence).toBe(`db: 0 of 1 updated, 0 ready${waits.replace('POD', name)}`);
  });

  it.each([
    [
      'Deployment',
      { replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
      'the Deployment was deleted',
    ],
    ['Job', { conditions: [{ type: 'Complete', status: 'True' }] }, 'complete, 0 of 1 succeeded'],
  ])('says that a %s was deleted, unless that changes nothing', (kind, status, text) => {
    const workload = { metadata: { name: 'web' }, status };
    const { event } = rolloutState({ ...OF_A_JOB, kind, workload, isDeleted: true });
    const isJob = kind === 'Job';
    expect(event).toMatchObject({ sentence: `web: ${text}`, done: isJob, failed: !isJob });
  });

  it.each([
    ['names why pods cannot be created', [], true],
    ['takes pods for evidence that they can be created again', LISTS.pods.slice(0, 1), false],
  ])('%s', (_, pods, isNamed) => {
    const failedCreate = readClusterEvent({
      message: 'Error creating: pods "web-" is forbidden: serviceaccount "a" not found',
      lastTimestamp: '2020-01-01T00:00:00Z',
    });
    const workload = { metadata: { name: 'web' }, status: { desiredNumberScheduled: 1 } };
    const seen = { ...OF_A_JOB, kind: 'DaemonSet', workload, pods: podsOf(pods), failedCreate };
    const { sentence } = rolloutState(seen).event;
    const text =
      ', pods cannot be created: pods "web-" is forbidden: serviceaccount "a" not found. Add the ServiceAccount a to the manifests, or correct serviceAccountName';
    expect(sentence.endsWith(text)).toBe(isNamed);
  });

  it.each([
    ['web-x7k2p', true],
    ['shop-x7k2p', false],
  ])('is in the same state when the name that was made for a pod is %s: %s', (pod, isSame) => {
    const stateOf = (name: string) => {
      const message = `Error creating: pods "${name}" is forbidden: violates PodSecurity`;
      const failedCreate = readClusterEvent({ message, lastTimestamp: '2020-01-01T00:00:00Z' });
      const workload = { metadata: { name: 'web' }, spec: {}, status: {} };
      return rolloutState({ ...OF_A_JOB, workload, failedCreate });
    };
    const [first, second] = [stateOf('web-b4rtz'), stateOf(pod)];
    expect(first.event.sentence).toContain('pods "web-b4rtz" is forbidden');
    expect(second.stable === first.stable).toBe(isSame);
  });

  it('does not take a pod that has failed for what holds a Job up', () => {
    const [failed] = podsOf(
      LISTS.pods.slice(0, 1).map((pod) => ({ ...pod, status: { phase: 'Failed' } })),
    );
    const workload = { metadata: { name: 'web' }, spec: {}, status: { active: 1, failed: 1 } };
    const { event } = rolloutState({ ...OF_A_JOB, workload, pods: [failed!] });
    expect(event.sentence).toBe('web: 0 of 1 succeeded, 1 pod failed');
  });

  it('does not take a pod whose containers have completed for what holds a Job up', () => {
    const [running] = podsOf(LISTS.pods.slice(0, 1));
    const containers = running!.containers.map((container) => ({
      ...container,
      state: { kind: 'terminated', text: '', exitCode: 0, reason: 'Completed' } as const,
    }));
    const done = { ...running!, phase: 'Running', conditions: {}, containers } as const;
    const workload = { metadata: { name: 'web' }, spec: {}, status: { active: 1 } };
    const { event } = rolloutState({ ...OF_A_JOB, workload, pods: [done] });
    expect(event.sentence).toBe('web: 0 of 1 succeeded');
  });

  it('names the container that runs on in the pod of a Job, beside one that has completed', () => {
    const good = LISTS.pods.filter(({ metadata }) => metadata.name.startsWith('good'));
    const [pod] = podsOf(good);
    const { object, containers } = pod!;
    const [app] = containers;
    const state = { kind: 'terminated', text: '', exitCode: 0, reason: 'Completed' } as const;
    const work = { ...app!, name: 'work', ready: false, state, runs: [], probes: [] };
    const runs = [{ run: 0, startedAt: 0 }];
    const proxy = { ...app!, name: 'proxy', ready: true, runs, probes: [] };
    const spec = { ...object.spec, restartPolicy: 'Never' as const };
    const beside = {
      ...{ ...pod!, phase: 'Running', conditions: {}, events: [] },
      ...{ containers: [work, proxy], object: { ...object, spec } },
    } as const;
    const workload = { metadata: { name: 'web' }, spec: {}, status: { active: 1 } };
    const { event } = rolloutState({ ...OF_A_JOB, workload, pods: [beside] });
    expect(event.sentence).toBe(
      `web: 0 of 1 succeeded, waiting for the end of proxy in ${object.metadata.name}. If proxy only helps the others, make it an init container with restartPolicy: Always, which ends after them`,
    );
  });

  it('counts no deadline down for a Deployment that has been complete', () => {
    const conditions = [{ ...condition, reason: 'NewReplicaSetAvailable' }];
    const status = { replicas: 3, updatedReplicas: 3, availableReplicas: 2, conditions };
    const workload = { metadata: { name: 'web' }, spec, status };
    const { event } = rolloutState({ ...OF_A_JOB, kind: 'Deployment', workload });
    expect(event.sentence).toBe('web: 3 of 3 updated, 2 available');
  });

  it.each([
    ['Complete', 'CompletionsReached', 'web: complete, 1 of 1 succeeded', { done: true }],
    [
      'Failed',
      'BackoffLimitExceeded',
      'web: 1 of 1 succeeded, BackoffLimitExceeded: why',
      { done: false, failed: true },
    ],
  ])('takes the end of a Job from its condition %s', (type, reason, sentence, end) => {
    const conditions = [{ type, status: 'True', reason, message: 'why' }];
    const workload = { metadata: { name: 'web' }, status: { succeeded: 1, conditions } };
    const { event } = rolloutState({ ...OF_A_JOB, workload });
    expect(event).toMatchObject({ sentence, ...end });
    expect(event).not.toHaveProperty('replicas');
  });

  it.each([
    [
      'Deployment',
      { replicas: 4, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 1 },
      { desired: 3, current: 4, updated: 2, ready: 3, available: 1 },
    ],
    ['ReplicaSet', { replicas: 4 }, { desired: 3, current: 4, ready: 0, available: 0 }],
    [
      'DaemonSet',
      {
        ...{ desiredNumberScheduled: 5, currentNumberScheduled: 4, updatedNumberScheduled: 3 },
        ...{ numberReady: 2, numberAvailable: 1 },
      },
      { desired: 5, current: 4, updated: 3, ready: 2, available: 1 },
    ],
  ])(
    'counts the replicas of a %s, and is another state with other counts',
    (kind, status, replicas) => {
      const of = (more: object) =>
        rolloutState({
          ...OF_A_JOB,
          ...{
            kind,
            workload: { metadata: { name: 'web' }, spec, status: { ...status, ...more } },
          },
        });
      const { event, stable } = of({});
      expect(event.replicas).toEqual(replicas);
      expect(stable).not.toBe(of({ readyReplicas: 9, numberReady: 9 }).stable);
    },
  );
});

describe('the endpoints of a workload', () => {
  const [pod] = podsOf(LISTS.pods.slice(0, 1));
  const uid = pod?.object.metadata.uid;
  const endpoint = (of: string | undefined, ready: boolean) => ({
    ...{ targetRef: { kind: 'Pod', uid: of }, conditions: { ready } },
  });
  it.each([
    ['none belongs to a Service', [endpoint('other', true)], undefined],
    ['none is ready', [endpoint(uid, false)], 0],
    ['one pod is in two slices', [endpoint(uid, true), endpoint(uid, true)], 1],
  ])('are counted by their pods where %s', (_, endpoints, count) => {
    const { event } = rolloutState({
      ...{ ...OF_A_JOB, kind: 'StatefulSet', workload: { metadata: { name: 'web' } } },
      ...{ pods: [pod!], endpointSlices: endpoints.map((each) => ({ endpoints: [each] })) },
    });
    expect(event.replicas?.endpoints).toBe(count);
  });
});

const OF_A_JOB = { kind: 'Job', replicaSets: [], endpointSlices: [], pods: [], now: NOW, t: 0 };
