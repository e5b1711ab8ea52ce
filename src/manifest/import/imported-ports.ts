/** A port as a container of a manifest declares it; TCP is the default. */
export interface ImportedPort {
  readonly containerPort: number;
  readonly protocol?: string;
}

const SPEC =
  /^(?:(?:\[[^\]]*\]:|[\d.]+:)?(\d+(?:-\d+)?)?:)?(\d+)(?:-(\d+))?(?:\/(tcp|udp|sctp))?$/i;

/** Returns the container ports of `8080:80`, `127.0.0.1::53/udp` and `3000-3005`; undefined for another text. Ports nat.ParsePortSpec (go-connections). */
export function parsePorts(text: string): readonly ImportedPort[] | undefined {
  const [match, host, first, last = first, protocol = 'tcp'] = SPEC.exec(text) ?? [];
  if (match === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  const [hostFrom, hostTo] = (host ?? '').split('-').map(Number);
  if (from < 1 || to < from || to > 65_535) return undefined;
  const hostCount = (hostTo ?? hostFrom ?? 0) - (hostFrom ?? 0);
  if (host !== undefined && to > from && hostCount !== to - from) return undefined;
  return Array.from({ length: to - from + 1 }, (_, index) => importedPort(from + index, protocol));
}

function importedPort(containerPort: number, protocol: string): ImportedPort {
  const upper = protocol.toUpperCase();
  return upper === 'TCP' ? { containerPort } : { containerPort, protocol: upper };
}

export function uniquePorts(ports: readonly ImportedPort[]): readonly ImportedPort[] {
  const byKey = new Map(ports.map((port) => [`${port.containerPort}/${port.protocol}`, port]));
  return [...byKey.values()];
}
