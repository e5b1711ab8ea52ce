import { goQuote } from '../../go/quote.js';
import type { Decoded } from '../schema/decoded.js';
import { type ApiWarning, fractionWarnings } from './warning.js';

type Container = Decoded<'Container'>;
type ContainerPort = Decoded<'ContainerPort'>;

interface PortAt {
  readonly field: string;
  readonly port: ContainerPort;
}

/** The parts of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) that look at the ports of all containers. */
export function portWarnings(ports: readonly PortAt[]): readonly ApiWarning[] {
  return [
    ...ports.flatMap((each, index) => [
      ...withoutHostPort(each),
      ...overlaps(each, ports.slice(0, index)),
    ]),
    ...sameNames(ports),
  ];
}

/** The server shows the port as Go prints a struct. */
function withoutHostPort({ field, port }: PortAt): readonly ApiWarning[] {
  const { name = '', hostIP = '', hostPort = 0, containerPort = 0, protocol = '' } = port;
  if (hostIP === '' || hostPort !== 0) return [];
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [{ field, message: `hostIP set without hostPort: ${shown}` }];
}

function overlaps({ field, port }: PortAt, before: readonly PortAt[]): readonly ApiWarning[] {
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

function sameNames(ports: readonly PortAt[]): readonly ApiWarning[] {
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

export function resourceWarnings({ resources }: Container, path: string): readonly ApiWarning[] {
  return (['memory', 'ephemeral-storage'] as const).flatMap((resource) =>
    (['limits', 'requests'] as const).flatMap((list) =>
      fractionWarnings(resources?.[list], `${path}.resources.${list}`, resource),
    ),
  );
}

/** Warns of a variable that is set twice, unless the later value builds on the earlier one. */
export function envWarnings(container: Container, path: string): readonly ApiWarning[] {
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
