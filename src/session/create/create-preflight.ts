import {
  type ConfigMap,
  type Container,
  containersWithPath,
  type Pod,
  type Secret,
  type Volume,
} from '../../api/index.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import {
  appArmorProfile,
  seccompFile,
  seccompProfile,
} from '../../runtime/container/create/container-arguments.js';
import { setUpHostPath } from '../../runtime/container/create/pod-mounts.js';
import { type ConfigSource, findConfig } from '../../runtime/environment/environment-variables.js';
import { needsFlag, type Problem, problemOf } from '../targets/permissions.js';
import { isAddedToken, type Replacements } from './replacements.js';
import { unsupportedFields, volumeAt } from './unsupported-fields.js';

export interface PreflightFlags {
  readonly hostPathAllowed: boolean;
  readonly privilegedAllowed: boolean;
  /** Warnings become errors. */
  readonly strict: boolean;
}

interface CreatePreflightOptions extends PreflightFlags {
  readonly config: ConfigSource;
  /** True if the pods have no network interface but loopback. */
  readonly isIsolated: boolean;
  /** Folders in place of volumes. */
  readonly volumes: Replacements['volumes'];
  /** Properties of the engine's machine that security profiles depend on. */
  readonly machine: {
    readonly hasAppArmor: boolean;
    readonly hasFile: (path: string) => boolean;
  };
}

/** Reports what a manifest needs that an engine does not have or do, or that needs the user's permission. */
export function createPreflight(
  pods: readonly LoadedPod[],
  options: CreatePreflightOptions,
): Diagnostic[] {
  return pods.flatMap((loaded) =>
    podProblems(loaded, options)
      .map((problem) => problemOf(loaded, problem))
      .map((found) => (options.strict ? { ...found, severity: 'error' as const } : found))
      .sort((a, b) => a.line - b.line),
  );
}

function podProblems(loaded: LoadedPod, options: CreatePreflightOptions): Problem[] {
  const { pod } = loaded;
  const { spec } = pod;
  const namespaces = (['hostPID', 'hostIPC'] as const)
    .filter((field) => spec[field] === true && !options.privilegedAllowed)
    .map((at) => needsFlag(`spec.${at}`, "shares this machine's namespace", '--allow-privileged'));
  const volumes = (spec.volumes ?? []).flatMap((volume, index) =>
    volumeProblems(loaded, volume, `spec.volumes[${index}]`, options),
  );
  const containers = containersWithPath(spec, 'spec').flatMap(({ container, at }) => [
    ...privilegeProblems(container, at, options),
    ...missingReferences(pod, environmentReferences(container, at), options.config),
    ...hostPortProblems(pod, container, at, options),
    ...limitProblems(container, at),
    ...profileProblems(pod, container, at, options),
  ]);
  return [
    ...namespaces,
    ...volumes,
    ...containers,
    ...tokenProblems(loaded, options),
    ...osProblems(pod),
    ...sysctlProblems(pod),
    ...unsupportedFields(loaded, (path) => isReplaced(loaded, path, options)),
  ];
}

function tokenProblems({ written }: LoadedPod, { volumes }: CreatePreflightOptions): Problem[] {
  const index = (written.volumes ?? []).findIndex(isAddedToken);
  if (index === -1 || volumes.has('kube-api-access')) return [];
  const hint = '--volume kube-api-access=FOLDER mounts one';
  const message = 'no service account token is mounted';
  return [{ ...warning(`spec.volumes[${index}].projected`, message), hint }];
}

function osProblems({ spec: { os } }: Pod): Problem[] {
  if (os === undefined || os.name === 'linux') return [];
  return [{ field: 'spec.os.name', message: `a pod for ${os.name} needs a ${os.name} node` }];
}

/** Ports the check of (*patternAllowlist).Admit (pkg/kubelet/sysctl/allowlist.go): a node allows only these by default. */
function sysctlProblems({ spec: { securityContext = {} } }: Pod): Problem[] {
  return (securityContext.sysctls ?? []).flatMap(({ name }, index) => {
    const message = `a kubelet refuses ${name} unless --allowed-unsafe-sysctls has it`;
    const field = `spec.securityContext.sysctls[${index}].name`;
    return SAFE_SYSCTLS.includes(name.replaceAll('/', '.')) ? [] : [warning(field, message)];
  });
}

/** pkg/kubelet/sysctl/safe_sysctls.go */
const SAFE_SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Reports security profiles that the engine's machine does not have. */
function profileProblems(
  pod: Pod,
  container: Container,
  path: string,
  { machine }: CreatePreflightOptions,
): Problem[] {
  const problems: Problem[] = [];
  const file = seccompFile(seccompProfile(pod, container));
  if (file !== undefined && !machine.hasFile(file)) {
    const at = container.securityContext?.seccompProfile === undefined ? 'spec' : path;
    const field = `${at}.securityContext.seccompProfile.localhostProfile`;
    problems.push({ field, message: `there is no ${file} on this machine` });
  }
  const { type = 'Unconfined' } = appArmorProfile(pod, container) ?? {};
  if (type !== 'Unconfined' && !machine.hasAppArmor) {
    const at = container.securityContext?.appArmorProfile === undefined ? 'spec' : path;
    const message = 'this machine has no AppArmor, and a kubelet would refuse the pod';
    problems.push(warning(`${at}.securityContext.appArmorProfile`, message));
  }
  return problems;
}

/** Returns true for a field of something that a flag replaces, or of a StatefulSet's new claim. */
function isReplaced(
  { pod, written }: LoadedPod,
  path: string,
  { volumes }: CreatePreflightOptions,
) {
  if (TOKEN_FIELDS.includes(path)) return volumes.has('kube-api-access');
  const volume = volumeAt(path, written.volumes);
  if (volume !== undefined && isAddedToken(volume)) return true;
  const volumeOfPod = pod.spec.volumes?.find(({ name }) => name === volume?.name);
  return (
    volumeOfPod !== undefined &&
    (isReplacement(volumeOfPod, written) || isNewClaim(pod, volumeOfPod))
  );
}

const TOKEN_FIELDS: readonly string[] = [
  'spec.serviceAccountName',
  'spec.serviceAccount',
  'spec.automountServiceAccountToken',
];

/** Returns true for a folder that a flag gives in place of the manifest's volume. */
function isReplacement({ name, hostPath }: Volume, written: LoadedPod['written']): boolean {
  const original = written.volumes?.find((volume) => volume.name === name);
  return hostPath !== undefined && original?.hostPath === undefined;
}

function volumeProblems(
  { pod, written }: LoadedPod,
  volume: Volume,
  path: string,
  options: CreatePreflightOptions,
): Problem[] {
  if (isNewClaim(pod, volume)) {
    const message = `volume ${volume.name}: the claim is an empty folder, and is removed with the pod`;
    return [warning(`${path}.persistentVolumeClaim`, message)];
  }
  const { emptyDir, hostPath } = volume;
  if (hostPath !== undefined && !options.hostPathAllowed && !isReplacement(volume, written)) {
    const message = `would mount ${hostPath.path} of this machine`;
    return [needsFlag(`${path}.hostPath`, message, '--allow-host-path')];
  }
  const problem = hostPath && setUpHostPath(hostPath, false);
  if (problem !== undefined) return [{ field: `${path}.hostPath.type`, message: problem }];
  const { medium = '', sizeLimit } = emptyDir ?? {};
  if (medium !== '' && medium !== 'Memory') {
    return [warning(`${path}.emptyDir.medium`, 'the volume is on disk')];
  }
  if (sizeLimit !== undefined && medium === '') {
    const message = 'a volume on disk has no limit here; a kubelet evicts a pod that exceeds it';
    return [warning(`${path}.emptyDir.sizeLimit`, message)];
  }
  return missingReferences(pod, volumeReferences(volume, path), options.config);
}

/** Reports whether a StatefulSet makes the claim for its first pod: a new claim is empty. */
function isNewClaim({ metadata }: Pod, { name, persistentVolumeClaim: claim }: Volume): boolean {
  const { claimName } = (claim ?? {}) as { readonly claimName?: string };
  const isOfSet = metadata.labels?.['statefulset.kubernetes.io/pod-name'] === metadata.name;
  return isOfSet && claimName === `${name}-${metadata.name}`;
}

function privilegeProblems(
  { securityContext }: Container,
  path: string,
  { privilegedAllowed }: CreatePreflightOptions,
): Problem[] {
  if (securityContext?.privileged !== true || privilegedAllowed) return [];
  const field = `${path}.securityContext.privileged`;
  return [needsFlag(field, 'would have all rights on this machine', '--allow-privileged')];
}

function hostPortProblems(
  { spec }: Pod,
  { ports = [] }: Container,
  path: string,
  { isIsolated }: CreatePreflightOptions,
): Problem[] {
  if (!isIsolated || spec.hostNetwork === true) return [];
  return ports.flatMap(({ hostPort = 0 }, index) =>
    hostPort === 0
      ? []
      : warning(`${path}.ports[${index}].hostPort`, 'the pod has no network for a host port'),
  );
}

function limitProblems({ resources }: Container, path: string): Problem[] {
  return Object.keys(resources?.limits ?? {})
    .filter((name) => !['cpu', 'memory'].includes(name))
    .map((name) => warning(`${path}.resources.limits`, `the limit of ${name} is not set`));
}

function warning(field: string, message: string): Problem {
  return { severity: 'warning', field, message };
}

/** A ConfigMap or Secret that a volume or a variable refers to. */
interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  /** Path of the name. */
  readonly field: string;
  readonly name: string;
  readonly key?: string | undefined;
  readonly optional?: boolean | undefined;
}

type Source = Partial<Record<'name' | 'secretName' | 'key', string>> & Pick<Reference, 'optional'>;

function references(source: object = {}, path: string): Reference[] {
  return Object.entries(source).flatMap(([type, to]: [string, Source | undefined]) => {
    if (!/^(?:configMap|secret)(?:Key)?(?:Ref)?$/.test(type) || to === undefined) return [];
    const kind = type.startsWith('secret') ? 'Secret' : 'ConfigMap';
    const { secretName, name = secretName ?? '', key, optional } = to;
    const field = `${path}.${type}.${secretName === undefined ? 'name' : 'secretName'}`;
    return { kind, field, name, key, optional };
  });
}

function volumeReferences(volume: Volume, path: string): Reference[] {
  const projected = (volume.projected?.sources ?? []).flatMap((source, index) =>
    references(source, `${path}.projected.sources[${index}]`),
  );
  return [...references(volume, path), ...projected];
}

function environmentReferences({ env = [], envFrom = [] }: Container, path: string): Reference[] {
  return [
    ...env.flatMap(({ valueFrom }, index) =>
      references(valueFrom, `${path}.env[${index}].valueFrom`),
    ),
    ...envFrom.flatMap((source, index) => references(source, `${path}.envFrom[${index}]`)),
  ];
}

/** Reports missing objects and keys; the kubelet would wait for them to start the container. */
function missingReferences(
  pod: Pod,
  found: readonly Reference[],
  { configMaps, secrets }: ConfigSource,
): Problem[] {
  const { namespace } = pod.metadata;
  return found.flatMap(({ kind, field, name, key, optional }) => {
    if (optional === true) return [];
    const object = findConfig<ConfigMap | Secret>(
      kind === 'Secret' ? secrets : configMaps,
      pod,
      name,
    );
    if (object === undefined) {
      const message = `no ${kind} ${namespace}/${name} in the manifests`;
      return [{ field, message, hint: 'add its manifest' }];
    }
    if (key === undefined || Object.hasOwn(object.data, key)) return [];
    const message = `${kind} ${namespace}/${name} has no key ${key}`;
    return [{ field: field.replace(/name$/, 'key'), message }];
  });
}
