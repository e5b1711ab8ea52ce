import { expect, it } from 'vitest';

import { PodObserver } from '../../src/cluster/observe/pod-observer.js';
import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { eventFacts } from '../../src/diagnosis/event-meaning.js';
import { diagnosisText, eventMeaning } from '../../src/diagnosis/words.js';
import type { Event } from '../../src/trace/event.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type PodSummary } from '../../src/trace/summary/summary.js';
import { toTraceLine } from '../../src/trace/trace-line.js';
import { clusterPod } from '../helpers/watched-cluster.js';

/** Returns the pods of a cluster in which this pod is as old as a minute. */
function podsOf(spec: object, status: object, more: readonly Event[] = []): readonly PodSummary[] {
  const { metadata, spec: before } = clusterPod('web');
  const now = Date.now();
  const events = new PodObserver().pod({ metadata, spec: { ...before, ...spec }, status }, now);
  const lines = [...events, ...more].map((event) => toTraceLine(event, now, now));
  return lines.reduce(fold, EMPTY_SUMMARY).pods;
}

it.each([
  [
    'that no scheduler takes up',
    { nodeName: undefined, schedulerName: 'volcano' },
    [],
    [
      'the pod waits: no scheduler volcano has taken it up: it does not run, or has another name. Correct schedulerName',
    ],
  ],
  [
    'whose claim of a device is not there',
    { nodeName: undefined, resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-1' }] },
    [],
    [
      'the pod waits: its scheduler waits, perhaps for the ResourceClaim or the template of gpu. Correct resourceClaims',
    ],
  ],
  [
    'whose volume is not bound',
    { nodeName: undefined, volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
    [],
    [
      'the pod waits: its scheduler waits, perhaps for the PersistentVolumeClaim data to be bound. See why its PersistentVolumeClaim is not bound (kubectl describe pvc)',
    ],
  ],
  [
    'whose node is not there',
    { nodeName: 'node-7' },
    [],
    [
      'the pod waits: no node node-7 has taken it up: it does not run, or has another name. Correct nodeName',
    ],
  ],
  ['that a scheduler has bound', {}, [{ type: 'PodScheduled', status: 'True' }], []],
])('a pod %s is diagnosed after a while', (_, spec, conditions, expected) => {
  const pods = podsOf(spec, { phase: 'Pending', conditions });
  expect(pods.flatMap((pod) => diagnosePod(pod, 0)).map(diagnosisText)).toEqual(expected);
  expect(pods.flatMap((pod) => diagnosePod(pod, -58))).toEqual([]);
});

it('leaves what the pod waits for to the cluster side, where there is one', () => {
  const [pod] = podsOf({ nodeName: 'node-7' }, { phase: 'Pending' });
  expect(diagnosePod({ ...pod!, hasClusterSide: true }, 0)).toEqual([]);
});

it.each([
  ['1 Insufficient cpu.', 'Lower resources.requests'],
  ['1 Insufficient hugepages-2Mi.', 'Add a node that has it, or take it out of resources.limits'],
  ['1 Insufficient nvidia.com/gpu.', 'Add a node that has it, or take it out of resources.limits'],
  [
    "1 node(s) didn't match pod affinity rules.",
    'Correct podAffinity, or start the pods that it asks for',
  ],
  ["1 node(s) didn't match pod anti-affinity rules.", 'Correct podAntiAffinity, or add a node'],
  [
    "1 node(s) didn't satisfy existing pods anti-affinity rules.",
    'Correct podAntiAffinity, or add a node',
  ],
  [
    "1 node(s) didn't match pod topology spread constraints.",
    'Correct topologySpreadConstraints, or add a node',
  ],
  [
    "1 node(s) didn't match pod topology spread constraints (missing required label).",
    'Label the nodes with the topologyKey of topologySpreadConstraints, or correct it',
  ],
  [
    "1 node(s) didn't match PersistentVolume's node affinity.",
    'Use a volume that such a node can reach',
  ],
  [
    "1 node(s) didn't find available persistent volumes to bind.",
    'See why its PersistentVolumeClaim is not bound (kubectl describe pvc)',
  ],
])('the scheduler leaves nodes out for %s: %s', (reason, change) => {
  const text = `0/1 nodes are available: ${reason} preemption: 0/1 nodes are available.`;
  expect(eventMeaning(eventFacts(text, [])!).change).toBe(change);
});

it.each([
  [
    'SysctlForbidden',
    'forbidden sysctl: "kernel.msgmax"',
    'Correct securityContext.sysctls, or allow',
  ],
  ['NodeAffinity', 'Predicate NodeAffinity failed', 'Correct nodeSelector and affinity'],
  ['NodePorts', 'Predicate NodePorts failed', 'Set a hostPort that a node has free'],
  ['OutOfcpu', 'Node did not have enough resource: cpu', 'Lower resources.requests'],
  ['Evicted', 'The node was low on resource: memory. ', 'Set resources.requests for memory'],
  ['Evicted', 'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ', 'emptyDir.sizeLimit'],
  [
    'Evicted',
    'Container app exceeded its local ephemeral storage limit "1Mi". ',
    'Raise resources.limits.ephemeral-storage',
  ],
  [
    'Evicted',
    'Pod ephemeral local storage usage exceeds the total limit of containers 1Mi. ',
    'Raise resources.limits.ephemeral-storage',
  ],
])('a pod that a kubelet rejects or evicts (%s: %s) has advice: %s', (reason, message, advice) => {
  const pods = podsOf({}, { phase: 'Failed', reason, message });
  const [text = ''] = pods.flatMap((pod) => diagnosePod(pod, 0)).map(diagnosisText);
  expect(text).toContain(`. ${advice}`.replace('. emptyDir', 'emptyDir'));
});

it.each([
  [
    'PreemptionByScheduler',
    'default-scheduler: preempting to accommodate a higher priority pod',
    '. Give it a priorityClassName as high as that of the pod that takes its place, or add a node',
  ],
  [
    'DeletionByTaintManager',
    'Taint manager: deleting due to NoExecute taint',
    '. Add a toleration of the taint',
  ],
  ['EvictionByEvictionAPI', 'Eviction API: evicting', ''],
  [
    'TerminationByKubelet',
    'The node was low on resource: memory. ',
    '. Set resources.requests for memory to what the pod uses',
  ],
])(
  'a pod that is taken away (%s) is told why, before and while it ends',
  (reason, message, advice) => {
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason, message }];
    const [pod] = podsOf({}, { phase: 'Running', conditions });
    for (const each of [pod!, { ...pod!, deletedAt: -1 }]) {
      expect(diagnosePod(each, 0).map(diagnosisText)).toEqual([
        `the pod is taken away: ${message}${advice}`,
      ]);
    }
  },
);

const CRASHED = { exitCode: 4, reason: 'Error', startedAt: time(90), finishedAt: time(12) };

/** A time of so many seconds ago. */
function time(ago: number): string {
  return new Date(Date.now() - ago * 1000).toISOString();
}

it('a crash from before kprobe came is past once the probe has found its container ready again', () => {
  const readinessProbe = { tcpSocket: { port: 80 } };
  const [spec, bare] = [{ readinessProbe }, {}].map((probes) => ({
    containers: [{ name: 'app', image: 'a', ...probes }],
  }));
  const urgencies = (spec: object, restartCount: number) => {
    const state = { running: { startedAt: time(9) } };
    const common = { name: 'app', image: 'a', imageID: 'a', ready: true, started: true };
    const container = { ...common, restartCount, state, lastState: { terminated: CRASHED } };
    const pods = podsOf(spec, { phase: 'Running', containerStatuses: [container] });
    return pods.flatMap((pod) => diagnosePod(pod, 0)).map(({ urgency }) => urgency);
  };
  expect(urgencies(spec!, 1)).toEqual(['past']);
  expect(urgencies(spec!, 2)).toEqual(['restarting']);
  expect(urgencies(bare!, 1)).toEqual(['down']);
});

it('a failed pod of a Job needs no repair once the Job is complete', () => {
  const { metadata, spec } = clusterPod('web', {
    metadata: { labels: { 'batch.kubernetes.io/job-name': 'import' } },
  });
  const state = { terminated: CRASHED };
  const container = { name: 'app', ready: false, restartCount: 0, state, lastState: {} };
  const status = { phase: 'Failed', containerStatuses: [container] };
  const now = Date.now();
  const events = new PodObserver().pod({ metadata, spec, status }, now);
  const failed = events.map((event) => toTraceLine(event, now, now)).reduce(fold, EMPTY_SUMMARY);
  const job = { kind: 'workload', namespace: 'shop', sentence: '', failed: false } as const;
  const after = (workload: string, done: boolean) => {
    const { pods } = fold(failed, { t: 1, ...job, workload, done });
    return pods.flatMap((pod) => diagnosePod(pod, 1)).length;
  };
  expect(after('job/import', false)).toBe(1);
  expect(after('job/other', true)).toBe(1);
  expect(after('job/import', true)).toBe(0);
});

/** Returns what is said of a new pod after an event that warns. */
function warned(reason: string, message: string, changes: object = {}): readonly string[] {
  const { metadata, spec } = clusterPod('web');
  const [now, observer] = [Date.now(), new PodObserver()];
  const event = {
    metadata: { uid: 'e' },
    involvedObject: { uid: metadata.uid },
    ...{ type: 'Warning', reason, count: 1, message },
  };
  const pod = {
    metadata,
    spec: { ...spec, ...changes },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
  };
  const events = [...observer.pod(pod, now), ...observer.event(event, now)];
  const { pods } = events.map((each) => toTraceLine(each, now, now)).reduce(fold, EMPTY_SUMMARY);
  return pods.flatMap((each) => diagnosePod(each, 9)).map(diagnosisText);
}

it.each([
  [
    'failed to setup network for sandbox "7be": no IP addresses available in range set',
    'Look at the container runtime and the network plugin of the node; the manifest is rarely wrong',
  ],
  [
    'unable to get OCI runtime for sandbox "7be": no runtime for "kata" is configured',
    'Correct runtimeClassName',
  ],
])('names the sandbox that a node cannot make: %s', (text, advice) => {
  const message = `Failed to create pod sandbox: rpc error: code = Unknown desc = ${text}`;
  expect(warned('FailedCreatePodSandBox', message)).toEqual([
    `the pod waits: its sandbox cannot be made: ${text}. ${advice}`,
  ]);
});

const TOKEN = { volumes: [{ name: 'token', projected: { sources: [] } }] };
const limited = (memory: string): object => ({
  ...TOKEN,
  containers: [{ name: 'app', image: 'a', resources: { limits: { memory } } }],
});

it.each<[string, string, object, string]>([
  [
    'FailedMount',
    'MountVolume.NewMounter initialization failed for volume "pv-7" : path "/mnt/ssd" does not exist',
    TOKEN,
    'the volume pv-7 cannot be mounted: path "/mnt/ssd" does not exist. Correct the PersistentVolume pv-7',
  ],
  [
    'FailedAttachVolume',
    'AttachVolume.Attach failed for volume "pv-7" : disk is gone',
    TOKEN,
    'the volume pv-7 cannot be mounted: disk is gone. Correct the PersistentVolume pv-7',
  ],
  [
    'FailedMount',
    'MountVolume.SetUp failed for volume "token" : bad mode',
    TOKEN,
    'the volume token cannot be mounted: bad mode. Correct volumes[].projected',
  ],
  [
    'FailedMount',
    'MountVolume.SetUp failed for volume "token" : driver name x.csi not found in the list of registered CSI drivers',
    TOKEN,
    'the volume token cannot be mounted: driver name x.csi not found in the list of registered CSI drivers. Install what mounts such a volume on the node (its driver, or tools as those of NFS), or correct volumes',
  ],
  [
    'FailedMount',
    'MountVolume.SetUp failed for volume "token" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs nfs:/x /var/lib/x\nOutput: mount: /var/lib/x: unknown filesystem type \'nfs\'.\n       dmesg(1) may have more',
    TOKEN,
    "the volume token cannot be mounted: unknown filesystem type 'nfs'. Install what mounts such a volume on the node (its driver, or tools as those of NFS), or correct volumes",
  ],
  [
    'FailedMount',
    'MountVolume.SetUp failed for volume "token" : write ca.crt: no space left on device',
    limited('64m'),
    'the volume token cannot be mounted: write ca.crt: no space left on device. Perhaps set resources.limits.memory to 64Mi',
  ],
  [
    'FailedMount',
    'MountVolume.SetUp failed for volume "token" : write ca.crt: no space left on device',
    limited('64Mi'),
    'the volume token cannot be mounted: write ca.crt: no space left on device',
  ],
])('says what is wrong with a volume: %s %s', (reason, message, spec, expected) => {
  expect(warned(reason, message, spec)).toEqual([`the pod waits: ${expected}`]);
});

const GATES = { readinessGates: [{ conditionType: 'lb/web' }] };
const READY_APP = {
  name: 'app',
  ready: true,
  started: true,
  restartCount: 0,
  containerID: 'containerd://a',
  state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
};

it.each([
  [[], 'is not True. Let the controller that lb/web belongs to set it, or remove the gate'],
  [
    [
      {
        type: 'lb/web',
        status: 'False',
        reason: 'Target.FailedHealthChecks',
        message: 'got [404]',
      },
    ],
    'is not True: got [404]. Correct what that condition says: its controller (lb/web) then sets it to True',
  ],
  [
    [{ type: 'lb/web', status: 'False', reason: 'Target.Unused' }],
    'is not True: Target.Unused. Correct what that condition says',
  ],
])('a closed readiness gate with the conditions %j has the text: %s', (conditions, text) => {
  const status = { phase: 'Running', conditions, containerStatuses: [READY_APP] };
  const [pod] = podsOf(GATES, status);
  expect(diagnosePod(pod!, 0).map(diagnosisText).join()).toContain(text);
});

const CLAIM = { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] };

it.each([
  [
    'ProvisioningFailed',
    'storageclass.storage.k8s.io "fast" not found',
    'no node takes it: storageclass.storage.k8s.io "fast" not found. Correct storageClassName of the PersistentVolumeClaim, or make that class or a PersistentVolume that fits',
  ],
  [
    'ExternalProvisioning',
    "Waiting for a volume to be created either by the external provisioner 'openebs.io/local' or manually by the system administrator.",
    'Install openebs.io/local or look at its log',
  ],
])('an event %s of its claim says why a pod has no node', (reason, message, text) => {
  const unschedulable = {
    ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
    message: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
  };
  for (const conditions of [[], [unschedulable]]) {
    const spec = { nodeName: undefined, ...CLAIM };
    const [{ key }] = podsOf(spec, {}) as [PodSummary];
    const event = { kind: 'event', pod: key, type: 'Warning', reason, message } as const;
    const pods = podsOf(spec, { phase: 'Pending', conditions }, [event]);
    expect(pods.flatMap((each) => diagnosePod(each, 0)).map(diagnosisText)[0]).toContain(text);
  }
});
