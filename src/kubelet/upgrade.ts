import { decode } from '../api/decode/index.js';
import {
  type Container,
  containersWithPath,
  type Decoded,
  handlersOf,
  omitUndefined,
  type Pod,
  type v1,
} from '../api/index.js';
import { jsonNodeOf } from '../go/json.js';
import { DIFFERENCE_TEXTS, type DifferenceText } from './difference-texts.js';
import { PROBE_TYPES, probeOf } from './prober/probe-of.js';
import {
  type Difference,
  DIFFERENCES,
  hasDifference,
  isSince,
  type KubeletConfig,
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  nearestRelease,
} from './release.js';
import { isRestartableInitContainer } from './restart-policy.js';

export interface PodDifference extends Omit<Dated, 'since'> {
  /** Release that brings it, or a patch release. */
  readonly since: string;
  /** Fields of the pod that it concerns, such as `spec.containers[0].readinessProbe`, or of its workload. */
  readonly fields: readonly string[];
}

/** A difference that comes with a release, not with a gate alone. */
interface Dated extends Omit<DifferenceText, 'source'> {
  readonly since: KubernetesRelease;
  readonly gate?: string;
  readonly ofWorkload?: true;
}

interface Row extends Dated, Difference {
  readonly since: KubernetesRelease;
  readonly fieldsOf: (pod: Pod, set: Decoded<v1.StatefulSetSpec>) => readonly string[];
}

type DatedName = {
  [N in keyof typeof DIFFERENCES]: (typeof DIFFERENCES)[N] extends { since: string } ? N : never;
}[keyof typeof DIFFERENCES];

function difference(name: DatedName): Omit<Row, 'fieldsOf'> {
  return { ...DIFFERENCES[name], ...DIFFERENCE_TEXTS[name] };
}

/** The differences that concern some pods only; those of the API server and of locked gates beside the kubelet's. */
const ROWS: readonly Row[] = [
  {
    ...difference('keepsSidecarWorkers'),
    fieldsOf: (pod) =>
      pod.spec.restartPolicy === 'Never' ? probes(pod, isRestartableInitContainer) : [],
  },
  {
    since: '1.34',
    now: "The Pod Security Standard baseline refuses `host` in probes and hooks: the pod isn't created where it is enforced.",
    before: 'The Pod Security Standard baseline allows `host` in probes and hooks.',
    fieldsOf: (pod) => handlers(pod, ({ host = '' }) => host !== '').map((at) => `${at}.host`),
  },
  {
    since: '1.35',
    now: 'A probe whose command takes longer than timeoutSeconds fails: the gate is locked.',
    before: 'Clusters that turned the gate off, as GKE did, ignore the timeout of commands.',
    gate: 'ExecProbeTimeout',
    fieldsOf: (pod) =>
      probes(pod, (container, type) => probeOf(container, type)?.exec !== undefined),
  },
  {
    ...difference('requeuesAtBackOffEnd'),
    fieldsOf: (pod) =>
      pod.spec.restartPolicy === 'Never' ? sidecarPolicies(pod) : ['spec.restartPolicy'],
  },
  {
    ...difference('keepsResultsOnRestart'),
    fieldsOf: (pod) => probes(pod, (_, type) => type !== 'liveness'),
  },
  {
    ...difference('restartRules'),
    fieldsOf: ({ spec }) =>
      containersWithPath(spec, 'spec').flatMap(({ container, at }) => {
        if (container.restartPolicyRules !== undefined) return [`${at}.restartPolicyRules`];
        const isOwn = container.restartPolicy !== undefined && spec.containers.includes(container);
        return isOwn ? [`${at}.restartPolicy`] : [];
      }),
  },
  {
    ...difference('sidecarsWait'),
    fieldsOf: (pod) => (pod.spec.restartPolicy === 'Always' ? [] : sidecarPolicies(pod)),
  },
  {
    ...difference('workersEndByExitCode'),
    fieldsOf: (pod) =>
      pod.spec.restartPolicy === 'OnFailure'
        ? probes(pod, (container) => !isRestartableInitContainer(container))
        : [],
  },
  {
    ...difference('cancelsProbesOfEndingPod'),
    fieldsOf: (pod) =>
      probes(
        pod,
        (container, type) => type === 'readiness' && probeOf(container, type)?.exec !== undefined,
      ),
  },
  {
    ...difference('restartsAllContainers'),
    fieldsOf: ({ spec }) =>
      containersWithPath(spec, 'spec').flatMap(({ container, at }) =>
        (container.restartPolicyRules ?? []).flatMap(({ action }, index) =>
          action === 'RestartAllContainers' ? [`${at}.restartPolicyRules[${index}].action`] : [],
        ),
      ),
  },
  { ...difference('completesLostInit'), fieldsOf: (pod) => initContainers(pod, false) },
  {
    ...difference('portsByNameOnly'),
    fieldsOf: (pod) =>
      handlers(
        pod,
        ({ port }, { ports = [] }) =>
          typeof port === 'string' && !ports.some(({ name }) => name === port),
      ).map((at) => `${at}.port`),
  },
  { ...difference('initializesEachSandbox'), fieldsOf: (pod) => initContainers(pod, false) },
  {
    ...difference('countsUnavailableReplicas'),
    ofWorkload: true,
    fieldsOf: (_, { podManagementPolicy, updateStrategy: { type, rollingUpdate } = {} }) => {
      if (type === 'OnDelete') return [];
      const { maxUnavailable = 1 } = rollingUpdate ?? {};
      return [
        ...(podManagementPolicy === 'Parallel' ? ['spec.podManagementPolicy'] : []),
        ...(maxUnavailable === 1 ? [] : ['spec.updateStrategy.rollingUpdate.maxUnavailable']),
      ];
    },
  },
];

/**
 * Returns what changes for a pod and its StatefulSet from one kubelet (`before`) to another (`now`), and which fields of
 * the spec, as it was written and the later API server stores it, the earlier one does not store.
 */
export function podDifferences(
  pod: Pod,
  from: KubeletConfig,
  to: KubeletConfig,
  set: Decoded<v1.StatefulSetSpec> = {},
  written: Decoded<v1.PodSpec> = {},
): readonly PodDifference[] {
  const differences = ROWS.flatMap(({ fieldsOf, now, before, gate, ofWorkload, ...row }) => {
    const isNow = hasDifference(row, to);
    const fields = isNow === hasDifference(row, from) ? [] : fieldsOf(pod, set);
    if (fields.length === 0) return [];
    const texts = isNow ? { now, before } : { now: before, before: now };
    // If the earlier kubelet has this behavior and the later one has not, the change is its end.
    const { since, until = since } = row;
    const isOfPatch = [from, to].some(({ version }) => row.except?.includes(version));
    const isUpgrade = isSince(nearestRelease(from.version), nearestRelease(to.version));
    const release = hasDifference(row, isUpgrade ? from : to) ? until : since;
    const change = isOfPatch ? to.version : release;
    return [{ since: change, ...texts, ...omitUndefined({ gate, ofWorkload }), fields }];
  });
  const named = differences.flatMap(({ fields }) => fields);
  const missing = lostFields(written, from).filter((path) => !named.includes(path));
  return [...differences, ...storedLater(missing, written, from, to)];
}

/** Returns which release after `from` is the first to store each of the fields that `from` does not store. */
function storedLater(
  missing: readonly string[],
  written: object,
  from: KubeletConfig,
  to: KubeletConfig,
): readonly PodDifference[] {
  const later = KUBERNETES_RELEASES.filter(
    (release) => !isSince(release, nearestRelease(from.version)),
  ).map((since) => ({ since, lost: lostFields(written, { ...to, version: since }) }));
  const firstOf = (path: string) => later.find(({ lost }) => !lost.includes(path))?.since;
  return later.flatMap(({ since }) => {
    const fields = missing.filter((path) => firstOf(path) === since);
    return fields.length === 0 ? [] : [{ since, ...STORED, fields }];
  });
}

const STORED = {
  now: 'The API server stores the field.',
  before: 'The API server drops the field, or refuses it as unknown.',
};

/** Returns the fields of a spec that an API server drops, or does not know. */
function lostFields(spec: object, server: KubeletConfig): readonly string[] {
  return decode(jsonNodeOf({ spec }), 'Pod', 'nearest', server).issues.map(({ path }) => path);
}

type ProbeFilter = (container: Container, type: (typeof PROBE_TYPES)[number]) => boolean;

/** Returns the paths of the probes that the kubelet makes. */
function probes({ spec }: Pod, affects: ProbeFilter): readonly string[] {
  return containersWithPath(spec, 'spec').flatMap(({ container, at }) => {
    const isProbed = spec.containers.includes(container) || isRestartableInitContainer(container);
    return PROBE_TYPES.filter(
      (type) => isProbed && probeOf(container, type) !== undefined && affects(container, type),
    ).map((type) => `${at}.${type}Probe`);
  });
}

interface NetworkAction {
  readonly host?: string;
  readonly port: number | string;
}

/** Returns the paths of the actions of probes and hooks that dial a port. */
function handlers(
  { spec }: Pod,
  affects: (action: NetworkAction, container: Container) => boolean,
): readonly string[] {
  return containersWithPath(spec, 'spec').flatMap(({ container, at }) => {
    return handlersOf(container).flatMap(({ name, handler }) =>
      (['httpGet', 'tcpSocket'] as const).flatMap((kind) => {
        const action = handler[kind];
        const isFound = action !== undefined && affects(action, container);
        return isFound ? [`${at}.${name}.${kind}`] : [];
      }),
    );
  });
}

function sidecarPolicies(pod: Pod): string[] {
  return initContainers(pod, true).map((at) => `${at}.restartPolicy`);
}

/** Returns the paths of the init containers that are sidecars, or of those that are not. */
function initContainers({ spec: { initContainers = [] } }: Pod, isSidecar: boolean): string[] {
  return initContainers.flatMap((container, index) =>
    isRestartableInitContainer(container) === isSidecar ? [`spec.initContainers[${index}]`] : [],
  );
}
