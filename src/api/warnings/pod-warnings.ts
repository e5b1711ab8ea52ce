import { goQuote } from '../../go/quote.js';
import { containersWithPath } from '../helpers/containers.js';
import type { Decoded } from '../schema/schema.js';
import {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  isSameProfile,
  SECCOMP_CONTAINER_KEY_PREFIX,
  SECCOMP_POD_KEY,
} from '../validation/pod/pod-annotations.js';
import { nodeWarnings, podAffinityWarnings } from './scheduling-warnings.js';
import { overlappingPathWarnings, volumeWarnings } from './volume-warnings.js';
import {
  type ApiWarning,
  type ApiWarnings,
  claimWarnings,
  fractionWarnings,
  ipWarnings,
  nameWarning,
} from './warning.js';

type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;
type Annotations = Readonly<Record<string, string>>;

/** Annotations that do nothing any more: deprecatedAnnotations (pkg/api/pod/warnings.go). */
const DEPRECATED: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
};
const SECCOMP_MESSAGE = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Ports WarningsOnCreate (pkg/registry/core/pod/strategy.go). */
export function warningsForPod(pod: Decoded<'Pod'>): ApiWarnings {
  const own = nameWarning(pod.metadata?.name ?? '', "the Pod's hostname");
  return [...own, ...warningsForPodTemplate(pod, '')];
}

/**
 * Ports warningsForPodSpecAndMeta (pkg/api/pod/warnings.go); `at` is the path of a template, and empty for a
 * pod.
 */
export function warningsForPodTemplate(
  template: Decoded<'PodTemplateSpec'> = {},
  at: string,
): ApiWarnings {
  const { spec = {} } = template;
  const prefix = at === '' ? '' : `${at}.`;
  const path = `${prefix}spec`;
  const annotationsPath = `${prefix}metadata.annotations`;
  const annotations = template.metadata?.annotations ?? {};
  const containers = containersWithPath(spec, path);
  const ports = containers.flatMap(({ container, at }) =>
    (container.ports ?? []).map((port, index) => ({ field: `${at}.ports[${index}]`, port })),
  );
  return [
    ...nodeWarnings(spec, path),
    ...deprecatedAnnotationWarnings(annotations, annotationsPath),
    ...volumeWarnings(spec.volumes, `${path}.volumes`),
    ...overlappingPathWarnings(spec.volumes),
    ...aliasWarnings(spec, path),
    ...pullSecretWarnings(spec, path),
    ...fractionWarnings(spec.overhead, `${path}.overhead`, 'memory'),
    ...fractionWarnings(spec.overhead, `${path}.overhead`, 'ephemeral-storage'),
    ...podSeccompWarnings(annotations, spec, annotationsPath),
    ...containers.flatMap(({ container, at }) => [
      ...containerProfileWarnings(annotations, spec, container, annotationsPath),
      ...resourceWarnings(container, at),
      ...envWarnings(container, at),
    ]),
    ...portWarnings(ports),
    ...graceWarnings(spec, path),
    ...podAffinityWarnings(spec, path),
    ...addressWarnings(spec, path),
  ];
}

/** A template alone can have a negative grace period: the server has set a pod's to 1 by then. */
function graceWarnings(spec: PodSpec, path: string): ApiWarnings {
  if ((spec.terminationGracePeriodSeconds ?? 0) >= 0) return [];
  const message = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [{ field: `${path}.terminationGracePeriodSeconds`, message }];
}

function addressWarnings({ dnsConfig, hostAliases = [] }: PodSpec, path: string): ApiWarnings {
  return [
    ...(dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      ipWarnings(server, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...hostAliases.flatMap(({ ip = '' }, index) =>
      ipWarnings(ip, `${path}.hostAliases[${index}].ip`),
    ),
  ];
}

function aliasWarnings({ hostAliases = [] }: PodSpec, path: string): ApiWarnings {
  const seen = new Set<string>();
  return hostAliases.flatMap(({ ip = '' }, index) => {
    const repeated = seen.has(ip);
    seen.add(ip);
    if (!repeated) return [];
    return [{ field: `${path}.hostAliases[${index}].ip`, message: `duplicate ip ${goQuote(ip)}` }];
  });
}

function pullSecretWarnings(spec: PodSpec, path: string): ApiWarnings {
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = '' }, index) => ({
    name,
    field: `${path}.imagePullSecrets[${index}].name`,
  }));
  const names = secrets.map(({ name }) => name);
  const repeated = secrets.filter(({ name }, index) => names.indexOf(name) !== index);
  const unnamed = secrets.filter(({ name }) => name === '');
  return [
    ...repeated.map(({ name, field }) => ({ field, message: `duplicate name ${goQuote(name)}` })),
    ...unnamed.map(({ field }) => ({ field, message: 'invalid empty name ""' })),
  ];
}

function deprecatedAnnotationWarnings(annotations: Annotations, path: string): ApiWarnings {
  return Object.entries(DEPRECATED)
    .filter(([key]) => annotations[key] !== undefined)
    .map(([key, message]) => ({ field: `${path}[${key}]`, message }));
}

/** Warns of a pod's seccomp annotation without the field that replaced it. */
function podSeccompWarnings(annotations: Annotations, spec: PodSpec, path: string): ApiWarnings {
  if (annotations[SECCOMP_POD_KEY] === undefined || spec.securityContext?.seccompProfile) return [];
  return [{ field: `${path}[${SECCOMP_POD_KEY}]`, message: SECCOMP_MESSAGE }];
}

/** Warns of a container's profile annotations; AppArmor's only in a template, since the server warns of a pod's before. */
function containerProfileWarnings(
  annotations: Annotations,
  spec: PodSpec,
  container: Container,
  path: string,
): ApiWarnings {
  const { name = '', securityContext } = container;
  const warnings: ApiWarning[] = [];
  const seccompKey = `${SECCOMP_CONTAINER_KEY_PREFIX}${name}`;
  if (annotations[seccompKey] !== undefined && !securityContext?.seccompProfile) {
    warnings.push({ field: `${path}[${seccompKey}]`, message: SECCOMP_MESSAGE });
  }
  const key = `${APP_ARMOR_KEY_PREFIX}${name}`;
  const annotation = annotations[key];
  const isTemplate = path !== 'metadata.annotations';
  if (!isTemplate || annotation === undefined || securityContext?.appArmorProfile) return warnings;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && isSameProfile(ofPod, appArmorFieldForAnnotation(annotation))) return warnings;
  const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
  return [...warnings, { field: `${path}[${key}]`, message }];
}

const COMPLETIONS_SOFT_LIMIT = 100_000;
const PARALLELISM_SOFT_LIMIT = 10_000;

/** Returns the warnings of most workloads: those of the name, then those of the template. */
export function warningsForWorkload(
  name: string,
  template: Decoded<'PodTemplateSpec'> | undefined,
  path: string,
): ApiWarnings {
  const own = nameWarning(name, 'Pod names and hostnames');
  return [...own, ...warningsForPodTemplate(template, path)];
}

/** Ports WarningsOnCreate of Jobs and CronJobs, and WarningsForJobSpec (pkg/api/job/warnings.go). */
export function warningsForJob(
  name: string,
  spec: Decoded<'JobSpec'> = {},
  path: string,
): ApiWarnings {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isLarge = completions > COMPLETIONS_SOFT_LIMIT && parallelism > PARALLELISM_SOFT_LIMIT;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...nameWarning(name, 'Pod names and hostnames'),
    ...(completionMode === 'Indexed' && isLarge ? [{ field: path, message }] : []),
    ...warningsForPodTemplate(template, `${path}.template`),
  ];
}

/** Ports WarningsOnCreate (pkg/registry/apps/statefulset/strategy.go). */
export function warningsForStatefulSet(spec: Decoded<'StatefulSetSpec'> = {}): ApiWarnings {
  const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = spec;
  const field = 'spec.revisionHistoryLimit';
  const message = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [
    ...warningsForPodTemplate(template, 'spec.template'),
    ...volumeClaimTemplates.flatMap((claim, index) =>
      claimWarnings(claim.spec?.resources, `spec.volumeClaimTemplates[${index}]`),
    ),
    ...(revisionHistoryLimit < 0 ? [{ field, message }] : []),
  ];
}

type ContainerPort = Decoded<'ContainerPort'>;

interface PortAt {
  readonly field: string;
  readonly port: ContainerPort;
}

/** The parts of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) that look at the ports of all containers. */
export function portWarnings(ports: readonly PortAt[]): ApiWarnings {
  return [
    ...ports.flatMap((each, index) => [
      ...withoutHostPort(each),
      ...overlaps(each, ports.slice(0, index)),
    ]),
    ...sameNames(ports),
  ];
}

/** The server shows the port as Go prints a struct. */
function withoutHostPort({ field, port }: PortAt): ApiWarnings {
  const { name = '', hostIP = '', hostPort = 0, containerPort = 0, protocol = '' } = port;
  if (hostIP === '' || hostPort !== 0) return [];
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [{ field, message: `hostIP set without hostPort: ${shown}` }];
}

function overlaps({ field, port }: PortAt, before: readonly PortAt[]): ApiWarnings {
  return before
    .filter((other) => keyOf(other.port) === keyOf(port))
    .flatMap((other) => {
      const how = relation(port, other.port);
      return how === undefined
        ? []
        : [{ field, message: `${how} port definition with ${other.field}` }];
    });
}

function keyOf({ containerPort = 0, protocol = '' }: ContainerPort): string {
  return `${containerPort}/${protocol}`;
}

function relation(a: ContainerPort, b: ContainerPort): string | undefined {
  const [aPort, bPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  const [aIP, bIP] = [a.hostIP ?? '', b.hostIP ?? ''];
  if (aIP === bIP && aPort === bPort) return 'duplicate';
  if (aPort === 0 || bPort === 0) return 'overlapping';
  return aPort === bPort && (aIP === '') !== (bIP === '') ? 'dangerously ambiguous' : undefined;
}

function sameNames(ports: readonly PortAt[]): ApiWarnings {
  const first = new Map<string, string>();
  return ports.flatMap(({ field, port: { name = '' } }) => {
    const other = first.get(name);
    if (name === '') return [];
    if (other === undefined) {
      first.set(name, field);
      return [];
    }
    const use = `services and probes that select ports by name will use ${other}`;
    return [{ field, message: `duplicate port name ${goQuote(name)} with ${other}, ${use}` }];
  });
}

export function resourceWarnings({ resources }: Container, path: string): ApiWarnings {
  return (['memory', 'ephemeral-storage'] as const).flatMap((resource) =>
    (['limits', 'requests'] as const).flatMap((list) =>
      fractionWarnings(resources?.[list], `${path}.resources.${list}`, resource),
    ),
  );
}

/** Warns of a variable that is set twice, unless the later value builds on the earlier one. */
export function envWarnings(container: Container, path: string): ApiWarnings {
  const seen = new Set<string>();
  return (container.env ?? []).flatMap(({ name = '', value = '', valueFrom }, index) => {
    const hidden = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const builds = valueFrom === undefined && value !== reference && value.includes(reference);
    if (!hidden || builds) return [];
    const message = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    return [{ field: `${path}.env[${index}]`, message }];
  });
}
