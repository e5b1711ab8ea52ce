import { goQuote } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import type { ApiWarning } from './warning.js';

type ContainerPort = Decoded<'ContainerPort'>;

export interface PortAt {
  readonly field: string;
  readonly port: ContainerPort;
}

/** The parts of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) that look at the ports of all containers. */
export function portWarnings(ports: readonly PortAt[]): readonly ApiWarning[] {
  return [
    ...ports.flatMap((each, index) => overlaps(each, ports.slice(0, index))),
    ...sameNames(ports),
  ];
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
