import type { Container, ContainerPort, IntOrString } from '../../../api/index.js';
import { portHint, type PortWarning, portWarnings } from '../../../manifest/pods/port-warnings.js';
import { remove, set } from '../fix/change.js';
import { CONFIGURE_PROBES, kubernetesIssue, PROBE_CONCEPTS, type Rule } from '../rule.js';
import { isOwnHost, membersByPort, networkPort, portNumber, portsOf } from '../subject/handlers.js';
import { selects } from '../subject/services.js';
import { membersOf, probesOf } from '../subject/subject.js';

export const grpcPortMismatch: Rule = {
  id: 'grpc-port-mismatch',
  severity: 'warning',
  summary: 'a probe speaks gRPC to an HTTP port, or HTTP to a gRPC port',
  reason:
    "A gRPC server answers an HTTP/1.1 request with a protocol error, and an HTTP server does not answer a gRPC request, so every attempt fails. A gRPC probe gives its port as a number, so the port's name does not protect against this.",
  sources: [`${CONFIGURE_PROBES}#define-a-grpc-liveness-probe`, kubernetesIssue(125599)],
  checkProbe: ({ probe, path, member }) => {
    const asked = networkPort(probe);
    if (asked === undefined || asked.field === 'tcpSocket') return [];
    const names = portsOf(asked.port, member.container).flatMap(({ name }) => name ?? []);
    const wrong =
      asked.field === 'grpc' ? /^(?:https?|metrics|prom\w*)(?:-|$)/ : /^grpc(?:-|$)|-grpc$/;
    const name = names.find((each) => wrong.test(each));
    if (name === undefined) return [];
    const spoken = asked.field === 'grpc' ? 'gRPC' : 'HTTP';
    return {
      path: `${path}.${asked.field}.port`,
      message: `speaks ${spoken} to the port named "${name}"`,
      hint: asked.field === 'grpc' ? 'probe the port that serves gRPC' : 'use a grpc probe',
    };
  },
};

export const httpsSchemeMismatch: Rule = {
  id: 'https-scheme-mismatch',
  severity: 'warning',
  summary: 'a probe speaks HTTP to a port named https, or to 443',
  reason: 'An HTTPS server answers an HTTP request with 400 or not at all: every attempt fails.',
  sources: [`${CONFIGURE_PROBES}#http-probes`],
  checkProbe: ({ probe, path, member }) => {
    const { port, scheme = 'HTTP' } = probe.httpGet ?? {};
    if (port === undefined || probe.exec !== undefined) return [];
    if (scheme !== 'HTTP' || !isHttps(port, portsOf(port, member.container))) return [];
    return {
      path: `${path}.httpGet`,
      message: `uses HTTP on port ${port}, whose ${port === 443 ? 'number' : 'name'} says HTTPS`,
      hint: 'set scheme: HTTPS',
      changes: [set(`${path}.httpGet.scheme`, 'HTTPS')],
    };
  },
};

/** Only 443 and the name https are certain enough: https-metrics and http-webhook are names of many servers. */
function isHttps(port: IntOrString, declared: readonly ContainerPort[]): boolean {
  return port === 443 || port === 'https' || declared.some(({ name }) => name === 'https');
}

export const namedPortMissing: Rule = {
  id: 'named-port-missing',
  severity: 'error',
  safeFix: true,
  summary: 'a probe, a hook or a Service names a port that no container has for it',
  reason:
    "The kubelet looks for the name among the container's own ports and fails every attempt. For a Service, the name has to be among the ports of any container of the pod, with the Service's protocol; without it the Service has no endpoint. The API server accepts both.",
  sources: [
    CONFIGURE_PROBES,
    kubernetesIssue(139283),
    'https://github.com/stackrox/kube-linter/issues/455',
  ],
  check: ({ pod }) => portWarnings(pod.spec).map(adviceOfPort),
  checkService: (service, candidates) => {
    const selected = candidates.filter(({ loaded }) => selects(service, loaded.pod));
    if (selected.length === 0 || selected.some(({ isCertain }) => !isCertain)) return [];
    const pods = selected.map(({ loaded: { source } }) => `${source.kind} ${source.name}`);
    const members = selected.flatMap(({ loaded }) => membersOf(loaded.pod));
    const declared = members.flatMap(({ container }) => container.ports ?? []);
    return service.ports.flatMap(({ path, target, protocol }) => {
      const names = declared.flatMap((port) => (port.protocol === protocol && port.name) || []);
      if (typeof target !== 'string' || names.includes(target)) return [];
      // The API server refuses any other name.
      if (!/^(?=.*[a-z])[a-z0-9-]{1,15}$/.test(target)) return [];
      const message = `no container of ${[...new Set(pods)].join(', ')} has a ${protocol} port named "${target}": the Service has no endpoint for it`;
      return adviceOfPort({ field: `${path}.targetPort`, message, ...portHint(target, names) });
    });
  },
};

function adviceOfPort({ field, near, ...warning }: PortWarning) {
  return { path: field, ...warning, ...(near && { changes: [set(field, near)] }) };
}

export const portNotDeclared: Rule = {
  id: 'port-not-declared',
  severity: 'info',
  optIn: true,
  summary: 'a probe uses a port that the container does not declare',
  reason:
    'Declared ports only inform people and tools, so the probe may work: published workloads often leave the port of their health checks undeclared. Sometimes, though, the number was changed in one place and not in the other.',
  sources: ['https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md'],
  checkProbe: ({ probe, path, member }, { members }) => {
    const asked = networkPort(probe);
    const { ports = [] } = member.container;
    if (typeof asked?.port !== 'number' || ports.length === 0) return [];
    const number = asked.port;
    if (portsOf(number, member.container).length > 0) return [];
    // A neighbour's port is another rule's.
    if (membersByPort(members).declared.has(number)) return [];
    const declared = ports.map(({ containerPort }) => containerPort).join(', ');
    return {
      path: `${path}.${asked.field}.port`,
      message: `uses port ${number}; the container declares ${declared}`,
      hint: 'declare the port, or correct the number',
    };
  },
};

export const portOfAnotherContainer: Rule = {
  id: 'port-of-another-container',
  severity: 'warning',
  summary: 'a probe uses a port of another container in the pod',
  reason:
    "Containers of a pod share an address, so the other container answers. This container is restarted for the other's failures, and its own go unnoticed.",
  sources: [PROBE_CONCEPTS, 'https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking'],
  checkProbe: ({ probe, path, member }, { members }) => {
    const asked = networkPort(probe);
    if (typeof asked?.port !== 'number') return [];
    const { port, field } = asked;
    if (portsOf(port, member.container).length > 0) return [];
    const { declared, opened } = membersByPort(members);
    const declares = declared.get(port);
    const opens = opened.get(port)?.find((each) => each !== member);
    const other = declares ?? (namesPort(member.container, port) ? undefined : opens);
    if (other === undefined) return [];
    const how = declares === undefined ? 'opened' : 'declared';
    return {
      path: `${path}.${field}.port`,
      message: `port ${port} is ${how} by container "${other.container.name}": its answers decide the state of "${member.container.name}"`,
      hint: "probe the container's own port",
    };
  },
};

export const probeHostLoopback: Rule = {
  id: 'probe-host-loopback',
  severity: 'warning',
  safeFix: true,
  summary: 'a probe connects to localhost, which is the node',
  reason:
    'The kubelet makes HTTP and TCP probes from the node, where localhost is the node, not the container. Without a host it connects to the pod.',
  sources: [`${CONFIGURE_PROBES}#http-probes`, 'https://github.com/koki/short/issues/208'],
  checkProbe: ({ probe, path }, { pod }) =>
    (['httpGet', 'tcpSocket'] as const).flatMap((field) => {
      const host = probe[field]?.host ?? '';
      // With the node's network it is the same machine.
      if (!isOwnHost(host) || pod.spec.hostNetwork === true) return [];
      return {
        path: `${path}.${field}.host`,
        message: `the kubelet connects from the node, where ${host} is not the container`,
        hint: 'remove it: the kubelet then connects to the pod',
        changes: [remove(`${path}.${field}.host`)],
      };
    }),
};

export const probeOnUdpPort: Rule = {
  id: 'probe-on-udp-port',
  severity: 'warning',
  summary: 'a probe uses a port that is declared as UDP or SCTP',
  reason:
    'HTTP, gRPC and TCP probes connect over TCP. Nothing accepts TCP connections on a UDP port, so every attempt fails.',
  sources: [CONFIGURE_PROBES],
  checkProbe: ({ probe, path, member }) => {
    const asked = networkPort(probe);
    if (asked === undefined) return [];
    const declared = portsOf(asked.port, member.container);
    const [first] = declared;
    if (first?.protocol === undefined) return [];
    if (declared.some(({ protocol }) => protocol === 'TCP')) return [];
    return {
      path: `${path}.${asked.field}.port`,
      message: `connects over TCP to port ${asked.port}, which is declared as ${first.protocol}`,
      hint: 'probe a TCP port, or use an exec probe',
    };
  },
};

export const servicePortInProbe: Rule = {
  id: 'service-port-in-probe',
  severity: 'warning',
  summary: "a probe uses the Service's port or a host port, not the container's",
  reason:
    "The kubelet connects to the pod's address, where only the container's ports answer. The ports of a Service, of its nodes and hostPort are elsewhere, so every attempt is refused.",
  sources: [
    `${CONFIGURE_PROBES}#http-probes`,
    'https://kubernetes.io/docs/concepts/services-networking/service/',
  ],
  checkProbe: ({ probe, path, member: { container } }, { pod, members, services }) => {
    const asked = networkPort(probe);
    const { ports = [] } = container;
    if (typeof asked?.port !== 'number' || pod.spec.hostNetwork === true) return [];
    const number = asked.port;
    if (membersByPort(members).declared.has(number)) return [];
    if (namesPort(container, number)) return [];
    const target = services
      .flatMap((service) => service.ports)
      .filter(({ clientPorts }) => clientPorts.includes(number))
      .flatMap((each) => portsOf(each.target, container))[0];
    const host = ports.find(({ hostPort }) => hostPort === number);
    const found = host ?? target;
    if (found === undefined) return [];
    const whose = host === undefined ? 'the Service' : 'the node';
    return {
      path: `${path}.${asked.field}.port`,
      message: `${number} is a port of ${whose}; there the container's port is ${found.containerPort}`,
      hint: "use the container's port",
      changes: [set(`${path}.${asked.field}.port`, found.containerPort)],
    };
  },
};

/** Reports whether a command or a variable has the number of a port, so that the container may listen on it. */
function namesPort({ command = [], args = [], env = [] }: Container, port: number): boolean {
  const texts = [...command, ...args, ...env.map(({ value = '' }) => value)];
  return texts.some((text) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text));
}

export const serverOnLoopback: Rule = {
  id: 'server-on-loopback',
  severity: 'warning',
  summary: 'the server listens on localhost, but the probe connects to the pod',
  reason:
    "The kubelet connects to the pod's address. A server that listens only on 127.0.0.1 is not reachable there, so every attempt fails.",
  sources: [kubernetesIssue(24306), 'https://github.com/parca-dev/parca-agent/issues/1866'],
  checkProbe: ({ probe, path, member }, { pod }) => {
    const asked = networkPort(probe);
    if (asked === undefined || pod.spec.hostNetwork === true) return [];
    const host = asked.field === 'grpc' ? undefined : probe[asked.field]?.host;
    const number = portNumber(asked.port, member.container);
    const flag = listener(member.container, number);
    if (flag === undefined || host !== undefined) return [];
    return {
      path: `${path}.${asked.field}.port`,
      message: `connects to the pod's address, but the container listens only on localhost: ${flag}`,
      hint: 'make it listen on all addresses, or use an exec probe',
    };
  },
};

/** Returns the argument by which a container listens on a port of localhost. */
function listener({ command = [], args = [] }: Container, port: IntOrString): string | undefined {
  const words = [...command, ...args];
  return words.find((word, index) => {
    const whole =
      word.startsWith('-') && !word.includes('=') ? `${word}=${words[index + 1] ?? ''}` : word;
    const match =
      /^--?[\w.-]*(?:listen|bind|addr|host|web)[\w.-]*=(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)\/?$/.exec(
        whole,
      );
    return match !== null && Number(match[1]) === port;
  });
}

export const tcpProbeOnHttpServer: Rule = {
  id: 'tcp-probe-on-http-server',
  severity: 'info',
  summary: 'a TCP probe checks an HTTP server',
  reason:
    'The operating system accepts connections for a hung process until its backlog is full, so a TCP probe misses failures that an HTTP probe detects.',
  sources: [CONFIGURE_PROBES],
  checkProbe: ({ type, probe, path, member }) => {
    const port = probe.exec ? undefined : probe.tcpSocket?.port;
    if (port === undefined || type === 'startup') return [];
    const number = portNumber(port, member.container);
    const names = portsOf(port, member.container).flatMap(({ name }) => name ?? []);
    const asked = probesOf([member]).some(
      ({ probe: { httpGet } }) => httpGet && portNumber(httpGet.port, member.container) === number,
    );
    if (!asked && !names.some((name) => /^http(?:-|$)/.test(name))) return [];
    return {
      path: `${path}.tcpSocket`,
      message: `port ${port} speaks HTTP: the operating system accepts connections even when the server hangs`,
      hint: 'use httpGet',
    };
  },
};

export const tcpSocketHook: Rule = {
  id: 'tcp-socket-hook',
  severity: 'error',
  summary: 'the kubelet does not run tcpSocket hooks',
  reason:
    'The API server accepts tcpSocket in a hook for backward compatibility, but the kubelet fails it. A failed postStart hook kills the container.',
  sources: ['https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/'],
  checkContainer: ({ container, path }) =>
    (['postStart', 'preStop'] as const)
      .filter((hook) => container.lifecycle?.[hook]?.tcpSocket !== undefined)
      .map((hook) => ({
        path: `${path}.lifecycle.${hook}.tcpSocket`,
        message: 'the API server accepts it, but the kubelet fails it',
        hint: 'use exec, httpGet or sleep',
      })),
};
