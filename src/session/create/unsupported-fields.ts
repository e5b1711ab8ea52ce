import { isDeepStrictEqual } from 'node:util';

import { fieldsOf, type GoType } from '../../api/decode/index.js';
import { type Decoded, isObject, type v1 } from '../../api/index.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import type { Problem } from '../targets/permissions.js';

/** The fields of a struct by their support in `--create`; each known field is in exactly one list. */
export interface StructFields {
  /** Fields with which the engine does what a kubelet does, or whose parts are classified, separated by spaces. */
  readonly honored?: string;
  /** Fields for the scheduler, the API server or other parts of a cluster, separated by spaces. One warning names them all. */
  readonly cluster?: string;
  /** Field → what happens without it. */
  readonly warned?: Readonly<Record<string, string>>;
  /** Field → why the pod is not started. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Field → why it changes nothing in an engine. */
  readonly noEffect?: Readonly<Record<string, string>>;
}

const WINDOWS = 'only Windows uses it, and the engine runs Linux containers';
const SELINUX = "the engine's own SELinux label is used";
const owned = (field: string) => ({ warned: { [field]: 'the files belong to root' } });
const NO_RESIZE = 'kprobe does not resize containers in place';

const VOLUME_SOURCES = `gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs persistentVolumeClaim rbd flexVolume
  cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos csi`;

/** The structs of a pod (k8s.io/api v0.36.3), down to the fields that are honored. */
export const FIELDS: Readonly<Record<string, StructFields>> = {
  PodTemplateSpec: { honored: 'metadata spec' },
  ObjectMeta: {
    honored: 'name generateName namespace labels annotations uid',
    noEffect: Object.fromEntries(
      `selfLink resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds ownerReferences
      finalizers managedFields`
        .split(/\s+/)
        .map((field) => [field, 'the API server keeps it']),
    ),
  },
  PodSpec: {
    honored: `volumes initContainers containers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy
      nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext hostname subdomain hostAliases dnsConfig
      readinessGates setHostnameAsFQDN os hostnameOverride`,
    cluster: `nodeSelector serviceAccountName serviceAccount automountServiceAccountToken affinity schedulerName tolerations
      priorityClassName priority preemptionPolicy overhead topologySpreadConstraints schedulingGates schedulingGroup evictionResponders`,
    warned: {
      imagePullSecrets: "images are pulled with the engine's own credentials",
      runtimeClassName: "containers run in the engine's default runtime",
      hostUsers: "containers use the engine's user namespace",
      resourceClaims: 'no device is allocated',
      resources: 'the resources of the whole pod are not limited; those of each container are',
    },
    refused: { ephemeralContainers: 'a pod cannot be created with ephemeral containers' },
    noEffect: { enableServiceLinks: 'there are no Services, so there are no variables of them' },
  },
  PodOS: { honored: 'name' },
  PodReadinessGate: { honored: 'conditionType' },
  HostAlias: { honored: 'ip hostnames' },
  PodDNSConfig: { honored: 'nameservers searches options' },
  PodDNSConfigOption: { honored: 'name value' },
  PodSecurityContext: {
    honored: `runAsUser runAsGroup runAsNonRoot supplementalGroups supplementalGroupsPolicy fsGroup sysctls seccompProfile
      appArmorProfile`,
    warned: { seLinuxOptions: SELINUX, seLinuxChangePolicy: SELINUX, windowsOptions: WINDOWS },
    noEffect: { fsGroupChangePolicy: 'volumes that have an owner to change are made with the pod' },
  },
  Sysctl: { honored: 'name value' },
  SeccompProfile: { honored: 'type localhostProfile' },
  AppArmorProfile: { honored: 'type localhostProfile' },

  Container: {
    honored: `name image command args workingDir ports envFrom env resources restartPolicy restartPolicyRules volumeMounts
      livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
      securityContext stdin tty`,
    warned: { resizePolicy: NO_RESIZE },
    refused: { volumeDevices: 'a block device needs a cluster' },
    noEffect: { stdinOnce: 'nothing attaches to a container' },
  },
  ContainerPort: { honored: 'name hostPort containerPort protocol hostIP' },
  ContainerRestartRule: { honored: 'action exitCodes' },
  ContainerRestartRuleOnExitCodes: { honored: 'operator values' },
  EnvFromSource: { honored: 'prefix configMapRef secretRef' },
  ConfigMapEnvSource: { honored: 'name optional' },
  SecretEnvSource: { honored: 'name optional' },
  EnvVar: { honored: 'name value valueFrom' },
  EnvVarSource: {
    honored: 'fieldRef resourceFieldRef configMapKeyRef secretKeyRef',
    refused: { fileKeyRef: 'kprobe cannot read a variable from a file of a volume' },
  },
  ObjectFieldSelector: { honored: 'apiVersion fieldPath' },
  ResourceFieldSelector: { honored: 'containerName resource divisor' },
  ConfigMapKeySelector: { honored: 'name key optional' },
  SecretKeySelector: { honored: 'name key optional' },
  ResourceRequirements: {
    honored: 'limits requests',
    warned: { claims: 'no device is allocated' },
  },
  VolumeMount: {
    honored: 'name readOnly mountPath subPath mountPropagation subPathExpr',
    warned: {
      recursiveReadOnly: 'mounts below the volume are as the engine makes them',
      bindMountOptions: "the engine's own options are used",
    },
  },
  Probe: {
    honored: `exec httpGet tcpSocket grpc initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold
      terminationGracePeriodSeconds`,
  },
  Lifecycle: { honored: 'postStart preStop stopSignal' },
  LifecycleHandler: { honored: 'exec httpGet tcpSocket sleep' },
  ExecAction: { honored: 'command' },
  HTTPGetAction: { honored: 'path port host scheme httpHeaders protocol' },
  HTTPHeader: { honored: 'name value' },
  TCPSocketAction: { honored: 'port host' },
  GRPCAction: { honored: 'port service mode' },
  SleepAction: { honored: 'seconds' },
  SecurityContext: {
    honored: `capabilities privileged runAsUser runAsGroup runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation
      seccompProfile appArmorProfile`,
    warned: {
      seLinuxOptions: SELINUX,
      windowsOptions: WINDOWS,
      procMount: '/proc is masked as the engine does it',
    },
  },
  Capabilities: { honored: 'add drop' },

  Volume: {
    honored: 'name hostPath emptyDir secret downwardAPI configMap projected ephemeral image',
    refused: Object.fromEntries(
      VOLUME_SOURCES.split(/\s+/).map((source) => [source, `a ${source} volume needs a cluster`]),
    ),
  },
  HostPathVolumeSource: { honored: 'path type' },
  EmptyDirVolumeSource: { honored: 'medium sizeLimit', warned: { mode: 'all may write to it' } },
  EphemeralVolumeSource: {
    warned: { volumeClaimTemplate: 'the volume is an empty folder, and is removed with the pod' },
  },
  ImageVolumeSource: { honored: 'reference pullPolicy' },
  SecretVolumeSource: { honored: 'secretName items defaultMode optional', ...owned('defaultUser') },
  ConfigMapVolumeSource: { honored: 'name items defaultMode optional', ...owned('defaultUser') },
  KeyToPath: { honored: 'key path mode', ...owned('user') },
  DownwardAPIVolumeSource: { honored: 'items defaultMode', ...owned('defaultUser') },
  DownwardAPIVolumeFile: { honored: 'path fieldRef resourceFieldRef mode', ...owned('user') },
  ProjectedVolumeSource: { honored: 'sources defaultMode', ...owned('defaultUser') },
  VolumeProjection: {
    honored: 'secret downwardAPI configMap',
    refused: {
      serviceAccountToken: 'a projected serviceAccountToken needs a cluster',
      clusterTrustBundle: 'a projected clusterTrustBundle needs a cluster',
      podCertificate: 'a projected podCertificate needs a cluster',
    },
  },
  SecretProjection: { honored: 'name items optional' },
  ConfigMapProjection: { honored: 'name items optional' },
  DownwardAPIProjection: { honored: 'items' },
};

/** A toleration that the API server's DefaultTolerationSeconds plugin adds to each pod. */
const toleration = (key: string): object => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

/** Values that need no warning: defaults of the API server and its plugins, and values that request nothing. */
const NEUTRAL: Readonly<Record<string, readonly unknown[]>> = {
  'PodSpec.serviceAccountName': ['default'],
  'PodSpec.serviceAccount': ['default'],
  'PodSpec.automountServiceAccountToken': [false],
  'PodSpec.schedulerName': ['default-scheduler'],
  'PodSpec.priority': [0],
  'PodSpec.preemptionPolicy': ['PreemptLowerPriority'],
  'PodSpec.tolerations[]': [toleration('not-ready'), toleration('unreachable')],
  'PodSpec.hostUsers': [true],
  'Container.resizePolicy[]': [
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    { resourceName: 'memory', restartPolicy: 'NotRequired' },
  ],
  'SecurityContext.procMount': ['Default'],
  'VolumeMount.recursiveReadOnly': ['Disabled'],
};

/** Support of a field by `--create`, with the text about it. */
type FieldSupport =
  | { readonly kind: 'honored' | 'cluster' }
  | { readonly kind: 'warned' | 'refused' | 'noEffect'; readonly text: string };

/** Returns the support of a field of a struct; undefined for a field that is not classified. */
export function fieldSupport(struct: string, field: string): FieldSupport | undefined {
  const { honored = '', cluster = '', ...texts } = FIELDS[struct] ?? {};
  if (honored.split(/\s+/).includes(field)) return { kind: 'honored' };
  if (cluster.split(/\s+/).includes(field)) return { kind: 'cluster' };
  for (const kind of ['warned', 'refused', 'noEffect'] as const) {
    const text = texts[kind]?.[field];
    if (text !== undefined) return { kind, text };
  }
  return undefined;
}

interface FoundField {
  readonly path: string;
  readonly support: FieldSupport;
}

/**
 * Reports the fields of a pod, as it was written, that `--create` does not honor: from the list of those that it does,
 * so that a field of a later API cannot be missed. `isReplaced` selects values that a flag replaces.
 */
export function unsupportedFields(
  { written, positions }: Pick<LoadedPod, 'written' | 'positions'>,
  isReplaced: (path: string) => boolean,
): Problem[] {
  const found = walkStruct('PodSpec', written, 'spec').filter(({ path }) => !isReplaced(path));
  const cluster = found.filter(({ support }) => support.kind === 'cluster');
  const problems = found.flatMap(({ path, support }): Problem[] => {
    if (support.kind === 'warned') {
      return [{ severity: 'warning', field: path, message: support.text }];
    }
    return support.kind === 'refused'
      ? [{ field: path, message: support.text, ...hintFor(path, written) }]
      : [];
  });
  return [...problems, ...clusterProblem(cluster, positions)];
}

export function volumeAt(
  path: string,
  volumes: LoadedPod['written']['volumes'] = [],
): Decoded<v1.Volume> | undefined {
  const index = /^spec\.volumes\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? undefined : volumes[Number(index)];
}

/** Returns a hint about the flag that replaces a volume. */
function hintFor(path: string, { volumes }: LoadedPod['written']): { readonly hint?: string } {
  const volume = volumeAt(path, volumes);
  const name = volume?.persistentVolumeClaim?.claimName ?? volume?.name;
  if (name === undefined) return {};
  return { hint: `--volume ${name}=FOLDER mounts a folder of this machine in its place` };
}

/** Names all fields that only a cluster acts on in one problem. */
function clusterProblem(
  found: readonly FoundField[],
  positions: LoadedPod['positions'],
): Problem[] {
  const [first, ...rest] = found;
  if (first === undefined) return [];
  const others = rest.map(({ path }) => `${path} (line ${positions(path).line})`).join(', ');
  const message = `has no effect without a cluster${others === '' ? '' : `, nor have ${others}`}`;
  return [{ severity: 'warning', field: first.path, message }];
}

const UNKNOWN: FieldSupport = { kind: 'warned', text: 'kprobe does not know this field' };

function walkStruct(struct: string, value: object, path: string): FoundField[] {
  const fields = fieldsOf(struct);
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const type = fields.get(name)?.type;
    if (type === undefined || isNeutral(`${struct}.${name}`, member)) return [];
    const at = `${path}.${name}`;
    const support = fieldSupport(struct, name) ?? UNKNOWN;
    return support.kind === 'honored' ? walk(type, member, at) : [{ path: at, support }];
  });
}

function walk(type: GoType, value: unknown, path: string): FoundField[] {
  switch (type.kind) {
    case 'pointer':
      return walk(type.element, value, path);
    case 'list': {
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      return items.flatMap((item, index) => walk(type.element, item, `${path}[${index}]`));
    }
    case 'struct':
      return isObject(value) ? walkStruct(type.struct, value, path) : [];
    case 'map':
    case 'scalar':
      return [];
  }
}

/** Returns true for an empty value, and for one that every pod of a cluster has. */
function isNeutral(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) {
    const items = NEUTRAL[`${field}[]`] ?? [];
    return value.every((item) => items.some((neutral) => isDeepStrictEqual(item, neutral)));
  }
  if (isObject(value) && Object.keys(value).length === 0) return true;
  return (NEUTRAL[field] ?? []).includes(value);
}
