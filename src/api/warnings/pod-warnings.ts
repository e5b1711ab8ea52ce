import { goQuote } from '../../go/quote.js';
import { containersWithPath } from '../containers-with-path.js';
import type { Decoded } from '../schema/decoded.js';
import { isDNS1123Label } from '../validation/formats.js';
import { ipWarnings } from '../validation/ip.js';
import {
  containerProfileWarnings,
  deprecatedAnnotationWarnings,
  podSeccompWarnings,
} from './annotation-warnings.js';
import { fractionWarnings } from './fraction-warnings.js';
import { overlappingPathWarnings } from './path-warnings.js';
import { portWarnings } from './port-warnings.js';
import { nodeWarnings, podAffinityWarnings } from './scheduling-warnings.js';
import { volumeWarnings } from './volume-warnings.js';
import type { ApiWarning } from './warning.js';

type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;

/** Ports WarningsOnCreate (pkg/registry/core/pod/strategy.go). */
export function warningsForPod(pod: Decoded<'Pod'>): readonly ApiWarning[] {
  const own = nameWarning(pod.metadata?.name ?? '', "the Pod's hostname");
  return [...own, ...warningsForPodTemplate(pod, '')];
}

/** Says that a name, which is used in more than the object, is no DNS label. */
export function nameWarning(name: string, use: string): readonly ApiWarning[] {
  const complaints = isDNS1123Label(name);
  if (complaints.length === 0) return [];
  const message = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(' ')}]`;
  return [{ field: 'metadata.name', message }];
}

/**
 * Ports warningsForPodSpecAndMeta (pkg/api/pod/warnings.go); `at` is the path of a template, and empty for a
 * pod.
 */
export function warningsForPodTemplate(
  template: Decoded<'PodTemplateSpec'> = {},
  at: string,
): readonly ApiWarning[] {
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

/** Of a template: a pod's has been mended by then. */
function graceWarnings(spec: PodSpec, path: string): ApiWarning[] {
  if ((spec.terminationGracePeriodSeconds ?? 0) >= 0) return [];
  const message = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [{ field: `${path}.terminationGracePeriodSeconds`, message }];
}

function addressWarnings({ dnsConfig, hostAliases = [] }: PodSpec, path: string): ApiWarning[] {
  return [
    ...(dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      ipWarnings(server, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...hostAliases.flatMap(({ ip = '' }, index) =>
      ipWarnings(ip, `${path}.hostAliases[${index}].ip`),
    ),
  ];
}

function aliasWarnings({ hostAliases = [] }: PodSpec, path: string): readonly ApiWarning[] {
  const seen = new Set<string>();
  return hostAliases.flatMap(({ ip = '' }, index) => {
    const repeated = seen.has(ip);
    seen.add(ip);
    if (!repeated) return [];
    return [{ field: `${path}.hostAliases[${index}].ip`, message: `duplicate ip ${goQuote(ip)}` }];
  });
}

function pullSecretWarnings(spec: PodSpec, path: string): readonly ApiWarning[] {
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = '' }, index) => ({
    name,
    field: `${path}.imagePullSecrets[${index}].name`,
  }));
  const repeated = secrets.filter(({ name }, index) =>
    secrets.slice(0, index).some((other) => other.name === name),
  );
  return [
    ...repeated.map(({ name, field }) => ({ field, message: `duplicate name ${goQuote(name)}` })),
    ...secrets
      .filter(({ name }) => name === '')
      .map(({ field }) => ({ field, message: 'invalid empty name ""' })),
  ];
}

function resourceWarnings({ resources }: Container, path: string): readonly ApiWarning[] {
  return (['memory', 'ephemeral-storage'] as const).flatMap((resource) =>
    (['limits', 'requests'] as const).flatMap((list) =>
      fractionWarnings(resources?.[list], `${path}.resources.${list}`, resource),
    ),
  );
}

/** A name that stands twice is right only where the later value builds on the earlier. */
function envWarnings(container: Container, path: string): readonly ApiWarning[] {
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
