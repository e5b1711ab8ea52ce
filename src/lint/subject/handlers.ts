import type { Container, ContainerPort, IntOrString, Probe } from '../../api/index.js';

/** A text that two probes share when they ask the same of the same. */
export function handlerKey(
  { exec, httpGet, tcpSocket, grpc }: Probe,
  container: Container,
): string {
  if (exec !== undefined) return JSON.stringify(['exec', exec.command]);
  if (httpGet !== undefined) {
    const { path = '/', port, host = '', scheme = 'HTTP', httpHeaders = [] } = httpGet;
    const headers = httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]).sort();
    return JSON.stringify(['httpGet', path, portNumber(port, container), host, scheme, headers]);
  }
  if (tcpSocket !== undefined) {
    const { port, host = '' } = tcpSocket;
    return JSON.stringify(['tcpSocket', portNumber(port, container), host]);
  }
  return JSON.stringify(['grpc', grpc?.port, grpc?.service ?? '']);
}

/** The port that a probe asks over the network, and its field below the probe. */
export function networkPort(
  probe: Probe,
): { readonly field: 'httpGet' | 'tcpSocket' | 'grpc'; readonly port: IntOrString } | undefined {
  if (probe.exec !== undefined) return undefined;
  for (const field of ['httpGet', 'tcpSocket', 'grpc'] as const) {
    const handler = probe[field];
    if (handler !== undefined) return { field, port: handler.port };
  }
  return undefined;
}

/** A named port's number, where the container has it. */
export function portNumber(port: IntOrString, container: Container): IntOrString {
  return typeof port === 'number' ? port : (portsOf(port, container)[0]?.containerPort ?? port);
}

/** What a container declares of a port. */
export function portsOf(port: IntOrString, { ports = [] }: Container): readonly ContainerPort[] {
  return ports.filter(({ name, containerPort }) =>
    typeof port === 'number' ? containerPort === port : name === port,
  );
}
