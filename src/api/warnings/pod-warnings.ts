import { containersWithPath } from '../containers-with-path.js';
import { goQuote } from '../go-text.js';
import { formatQuantity, isFractional, storedQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { isDNS1123Label } from '../validation/formats.js';
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
  return [...own, ...warningsForPodSpec(pod.spec ?? {}, 'spec')];
}

/** Says that a name, which is used in more than the object, is no DNS label. */
export function nameWarning(name: string, use: string): readonly ApiWarning[] {
  const complaints = isDNS1123Label(name);
  if (complaints.length === 0) return [];
  const message = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(' ')}]`;
  return [{ field: 'metadata.name', message }];
}

/**
 * Ports warningsForPodSpecAndMeta (pkg/api/pod/warnings.go), less what it says of annotations and
 * addresses.
 */
export function warningsForPodSpec(spec: PodSpec, path: string): readonly ApiWarning[] {
  const containers = containersWithPath(spec, path);
  const ports = containers.flatMap(({ container, at }) =>
    (container.ports ?? []).map((port, index) => ({ field: `${at}.ports[${index}]`, port })),
  );
  return [
    ...nodeWarnings(spec, path),
    ...volumeWarnings(spec.volumes, `${path}.volumes`),
    ...overlappingPathWarnings(spec.volumes),
    ...aliasWarnings(spec, path),
    ...pullSecretWarnings(spec, path),
    ...containers.flatMap(({ container, at }) => [
      ...fractionWarnings(container, at),
      ...envWarnings(container, at),
    ]),
    ...portWarnings(ports),
    ...podAffinityWarnings(spec, path),
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

function fractionWarnings(container: Container, path: string): readonly ApiWarning[] {
  return (['memory', 'ephemeral-storage'] as const).flatMap((resource) =>
    (['limits', 'requests'] as const).flatMap((list) => {
      const quantity = storedQuantity(container.resources?.[list]?.[resource] ?? '0');
      if (!isFractional(quantity)) return [];
      const text = goQuote(formatQuantity(quantity));
      const message = `fractional byte value ${text} is invalid, must be an integer`;
      return [{ field: `${path}.resources.${list}[${resource}]`, message }];
    }),
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
