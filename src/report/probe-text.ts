import type { Container, IntOrString, Probe } from '../api/index.js';

type Ports = Pick<Container, 'ports'>;

/** Describes a probe's handler: `http :8080/healthz`, `tcp :5432`, `grpc :9000/shop`, `exec cat /tmp/ok`. */
export function handlerText(probe: Probe, container: Ports = {}): string {
  if (probe.exec !== undefined) return `exec ${(probe.exec.command ?? []).map(word).join(' ')}`;
  if (probe.httpGet !== undefined) {
    const { host = '', port, path = '/', scheme = 'HTTP' } = probe.httpGet;
    return `${scheme.toLowerCase()} ${host}:${portText(port, container)}${path}`;
  }
  if (probe.tcpSocket !== undefined) {
    const { host = '', port } = probe.tcpSocket;
    return `tcp ${host}:${portText(port, container)}`;
  }
  if (probe.grpc !== undefined) {
    const { port, service = '' } = probe.grpc;
    return `grpc :${port}${service === '' ? '' : `/${service}`}`;
  }
  return 'no handler';
}

/** `every 10 s, timeout 1 s, 3 to fail` */
export function settingsText(
  probe: Pick<Probe, 'periodSeconds' | 'timeoutSeconds' | 'failureThreshold'>,
): string {
  const { periodSeconds, timeoutSeconds, failureThreshold } = probe;
  return `every ${periodSeconds} s, timeout ${timeoutSeconds} s, ${failureThreshold} to fail`;
}

/** Returns the number of a port, or its name where no container port has it. */
function portText(port: IntOrString, container: Ports): string {
  const named = container.ports?.find(({ name }) => name === port);
  return String(named?.containerPort ?? port);
}

function word(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}
