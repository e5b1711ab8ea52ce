import type { Inspected } from '../inspect.js';

/** Where a port of a container can be reached from here, and how; or why it cannot. */
export type ContainerAddress =
  | {
      readonly kind: 'address';
      readonly host: string;
      readonly port: number;
      readonly how: 'host network' | 'published' | 'container address' | 'mapped' | 'within';
    }
  | { readonly kind: 'none'; readonly why: string };

/** The published port, this machine's own on the host network, or the container's address where that can be reached. */
export function containerAddress(
  container: Inspected,
  port: number,
  isNativeLinux: boolean,
): ContainerAddress {
  const { name, networkMode, published, ips } = container;
  if (networkMode === 'host') {
    return { kind: 'address', host: '127.0.0.1', port, how: 'host network' };
  }
  const bound = published.find((p) => p.containerPort === port && p.protocol === 'tcp');
  if (bound !== undefined) {
    return {
      kind: 'address',
      host: loopback(bound.hostIP),
      port: bound.hostPort,
      how: 'published',
    };
  }
  const [ip] = ips;
  if (isNativeLinux && ip !== undefined) {
    return { kind: 'address', host: ip, port, how: 'container address' };
  }
  if (networkMode === 'none') {
    return { kind: 'none', why: `${name} has no network; add --via exec` };
  }
  return {
    kind: 'none',
    why: `port ${port} of ${name} is not published; start it with -p ${port}:${port}, or add --via exec`,
  };
}

/** Where a port that is bound to all addresses of this machine answers here. */
function loopback(hostIP: string): string {
  if (hostIP === '' || hostIP === '0.0.0.0') return '127.0.0.1';
  return hostIP === '::' ? '::1' : hostIP;
}
