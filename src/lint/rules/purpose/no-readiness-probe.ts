import type { Container } from '../../../api/index.js';
import { type Change, set } from '../../fix/change.js';
import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { networkPort, portsOf } from '../../subject/handlers.js';
import type { Member } from '../../subject/members.js';
import { isBackend, isBatch } from '../../subject/subject.js';

export const noReadinessProbe: Rule = {
  id: 'no-readiness-probe',
  severity: 'warning',
  summary: 'a Service sends traffic to a container without a readiness probe',
  reason:
    'Without a readiness probe the container counts as ready as soon as it runs, so every rollout sends requests to a server that does not listen yet.',
  sources: [
    PROBE_CONCEPTS,
    'https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md',
    'https://github.com/zegl/kube-score/blob/master/README_PROBES.md',
  ],
  checkContainer: ({ container, path }, subject) => {
    if (isBatch(subject) || !isBackend(subject, container)) return [];
    if (isProbedBySome(container, subject.members)) return [];
    const names = [...new Set(subject.services.map(({ name }) => name))].join(', ');
    return {
      path,
      message: `container "${container.name}" is behind the Service ${names} without a readiness probe: it receives traffic before it listens`,
      hint: 'add a readinessProbe that succeeds once it can serve',
      ...readinessChange(container, path),
    };
  },
};

/** Another container's readiness probe may use this one's port: the pod is not ready before both are. */
function isProbedBySome(container: Container, members: readonly Member[]): boolean {
  if (container.readinessProbe !== undefined) return true;
  return members.some(({ container: { readinessProbe } }) => {
    const port = readinessProbe && networkPort(readinessProbe)?.port;
    return typeof port === 'number' && portsOf(port, container).length > 0;
  });
}

/** A connection is the least that a server of an unknown kind has to accept. */
function readinessChange(
  { ports = [] }: Container,
  path: string,
): { readonly changes?: readonly Change[] } {
  const port = ports.find(({ protocol = 'TCP' }) => protocol === 'TCP');
  if (port === undefined) return {};
  const tcpSocket = { port: port.name ?? port.containerPort };
  return { changes: [set(`${path}.readinessProbe`, { tcpSocket })] };
}
