import { goQuote } from '../../go/quote.js';
import type { Decoded, v1 } from '../schema/schema.js';
import { visitContainersWithPath } from '../validation/common/checks.js';
import type { FieldPath } from '../validation/common/field-error.js';
import { sortedEntries } from '../values/objects.js';
import { warnAboutNodes, warnAboutPodAffinity } from './scheduling-warnings.js';
import { warnAboutOverlappingPaths, warnAboutVolumes } from './volume-warnings.js';
import { warnAboutClaim, warnAboutFraction, warnAboutIP, warnAboutName } from './warning.js';

type PodSpec = Decoded<v1.PodSpec>;
type Container = Decoded<v1.Container>;
type ContainerPort = Decoded<v1.ContainerPort>;
type Template = Decoded<v1.PodTemplateSpec>;
type Annotations = Readonly<Record<string, string>>;

const BYTE_RESOURCES = ['memory', 'ephemeral-storage'];

const SECCOMP_MESSAGE = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/**
 * Deprecated annotations, or the prefixes of their keys: deprecatedAnnotations (pkg/api/pod/warnings.go). kprobe reads
 * none of them; a server still turns those of AppArmor into fields.
 */
const DEPRECATED: readonly (readonly [key: string, message: string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    'security.alpha.kubernetes.io/sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  ['seccomp.security.alpha.kubernetes.io/pod', SECCOMP_MESSAGE],
  ['container.seccomp.security.alpha.kubernetes.io/', SECCOMP_MESSAGE],
  [
    'container.apparmor.security.beta.kubernetes.io/',
    'deprecated since v1.30; use the "appArmorProfile" field instead',
  ],
];

/** Ports WarningsOnCreate (pkg/registry/core/pod/strategy.go). */
export function warnAboutPod(pod: Decoded<v1.Pod>, at: FieldPath): void {
  warnAboutName(pod.metadata?.name ?? '', "the Pod's hostname", at);
  warnAboutTemplate(pod, at);
}

/** Ports warningsForPodSpecAndMeta (pkg/api/pod/warnings.go); `at` is the path of a template, and empty for a pod. */
export function warnAboutTemplate({ spec = {}, metadata }: Template = {}, at: FieldPath): void {
  const specAt = at.child('spec');
  warnAboutNodes(spec, specAt);
  warnAboutAnnotations(metadata?.annotations, at.child('metadata.annotations'));
  warnAboutVolumes(spec.volumes, specAt.child('volumes'));
  warnAboutOverlappingPaths(spec.volumes, at);
  warnAboutRepeats(spec, specAt);
  for (const resource of BYTE_RESOURCES) {
    warnAboutFraction(spec.overhead, resource, specAt.child('overhead'));
  }
  visitContainersWithPath(spec, specAt, (container, containerAt) => {
    warnAboutResources(container, containerAt.child('resources'));
    warnAboutEnv(container, containerAt.child('env'));
  });
  warnAboutPorts(spec, specAt);
  // Only a template can have a negative grace period: the server has already set that of a pod to 1.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const message = 'must be >= 0; negative values are invalid and will be treated as 1';
    specAt.child('terminationGracePeriodSeconds').warn(message);
  }
  warnAboutPodAffinity(spec, specAt);
  specAt.child('dnsConfig.nameservers').each(spec.dnsConfig?.nameservers, warnAboutIP);
  specAt.child('hostAliases').each(spec.hostAliases, ({ ip = '' }, aliasAt) => {
    warnAboutIP(ip, aliasAt.child('ip'));
  });
}

function warnAboutAnnotations(annotations: Annotations | undefined, at: FieldPath): void {
  for (const [deprecated, message] of DEPRECATED) {
    for (const [key] of sortedEntries(annotations)) {
      const isPrefix = deprecated.endsWith('/');
      if (isPrefix ? key.startsWith(deprecated) : key === deprecated) at.item(key).warn(message);
    }
  }
}

function warnAboutRepeats(
  { hostAliases = [], imagePullSecrets = [] }: PodSpec,
  at: FieldPath,
): void {
  const addresses = hostAliases.map(({ ip = '' }) => ip);
  at.child('hostAliases').each(addresses, (ip, aliasAt, index) => {
    if (addresses.indexOf(ip) < index) aliasAt.child('ip').warn(`duplicate ip ${goQuote(ip)}`);
  });
  const names = imagePullSecrets.map(({ name = '' }) => name);
  const secretsAt = at.child('imagePullSecrets');
  secretsAt.each(names, (name, secretAt, index) => {
    if (names.indexOf(name) === index) return;
    secretAt.child('name').warn(`duplicate name ${goQuote(name)}`);
  });
  secretsAt.each(names, (name, secretAt) => {
    if (name === '') secretAt.child('name').warn('invalid empty name ""');
  });
}

function warnAboutResources({ resources }: Container, at: FieldPath): void {
  for (const resource of BYTE_RESOURCES) {
    for (const list of ['limits', 'requests'] as const) {
      warnAboutFraction(resources?.[list], resource, at.child(list));
    }
  }
}

/** Warns of a variable that is set twice, unless the later value builds on the earlier one. */
function warnAboutEnv({ env }: Container, at: FieldPath): void {
  const seen = new Set<string>();
  at.each(env, ({ name = '', value = '', valueFrom }, variableAt) => {
    const hidden = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const builds = valueFrom === undefined && value !== reference && value.includes(reference);
    if (!hidden || builds) return;
    const message = `hides previous definition of ${goQuote(name)}`;
    variableAt.warn(`${message}, which may be dropped when using apply`);
  });
}

/** The parts of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) about the ports of all containers. */
function warnAboutPorts(spec: PodSpec, at: FieldPath): void {
  const ports: { readonly port: ContainerPort; readonly at: FieldPath }[] = [];
  visitContainersWithPath(spec, at, (container, containerAt) => {
    containerAt
      .child('ports')
      .each(container.ports, (port, portAt) => void ports.push({ port, at: portAt }));
  });
  ports.forEach(({ port, at: portAt }, index) => {
    warnAboutHostIP(port, portAt);
    for (const other of ports.slice(0, index)) {
      const kind = portConflict(port, other.port);
      if (kind !== undefined) portAt.warn(`${kind} port definition with ${other.at.path}`);
    }
  });
  const first = new Map<string, string>();
  for (const { port, at: portAt } of ports) {
    const { name = '' } = port;
    const other = first.get(name);
    if (name === '') continue;
    if (other === undefined) first.set(name, portAt.path);
    else {
      const use = `services and probes that select ports by name will use ${other}`;
      portAt.warn(`duplicate port name ${goQuote(name)} with ${other}, ${use}`);
    }
  }
}

/** Warns of a host IP without a host port; the server shows the port as Go prints a struct. */
function warnAboutHostIP(port: ContainerPort, at: FieldPath): void {
  const { name = '', hostIP = '', hostPort = 0, containerPort = 0, protocol = '' } = port;
  if (hostIP === '' || hostPort !== 0) return;
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  at.warn(`hostIP set without hostPort: ${shown}`);
}

function portConflict(a: ContainerPort, b: ContainerPort): string | undefined {
  if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined;
  const [aPort, bPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  const [aIP, bIP] = [a.hostIP ?? '', b.hostIP ?? ''];
  if (aIP === bIP && aPort === bPort) return 'duplicate';
  if (aPort === 0 || bPort === 0) return 'overlapping';
  return aPort === bPort && (aIP === '') !== (bIP === '') ? 'dangerously ambiguous' : undefined;
}

const COMPLETIONS_SOFT_LIMIT = 100_000;
const PARALLELISM_SOFT_LIMIT = 10_000;

export function warnAboutWorkload(
  name: string,
  template: Template | undefined,
  path: string,
  at: FieldPath,
): void {
  warnAboutName(name, 'Pod names and hostnames', at);
  warnAboutTemplate(template, at.child(path));
}

/** Ports WarningsOnCreate of Jobs and CronJobs, and WarningsForJobSpec (pkg/api/job/warnings.go). */
export function warnAboutJob(name: string, spec: Decoded<v1.JobSpec> = {}, at: FieldPath): void {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isLarge = completions > COMPLETIONS_SOFT_LIMIT && parallelism > PARALLELISM_SOFT_LIMIT;
  warnAboutName(name, 'Pod names and hostnames', at);
  if (completionMode === 'Indexed' && isLarge) {
    const message =
      'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
    at.warn(message);
  }
  warnAboutTemplate(template, at.child('template'));
}

/** Ports WarningsOnCreate (pkg/registry/apps/statefulset/strategy.go). */
export function warnAboutStatefulSet(
  { template, volumeClaimTemplates, revisionHistoryLimit = 0 }: Decoded<v1.StatefulSetSpec> = {},
  at: FieldPath,
): void {
  warnAboutTemplate(template, at.child('template'));
  at.child('volumeClaimTemplates').each(volumeClaimTemplates, ({ spec }, claimAt) => {
    warnAboutClaim(spec?.resources, claimAt);
  });
  if (revisionHistoryLimit >= 0) return;
  const message = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  at.child('revisionHistoryLimit').warn(message);
}
