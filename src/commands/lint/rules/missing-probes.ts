import type { Container } from '../../../api/index.js';
import { type Change, set } from '../fix/change.js';
import { POD_LIFECYCLE, PROBE_CONCEPTS, type Rule } from '../rule.js';
import { networkPort, portsOf } from '../subject/handlers.js';
import { isBackend, isBatch, type Member } from '../subject/subject.js';

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

export const readinessProbeMissing: Rule = {
  id: 'readiness-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a serving container has no readiness probe',
  reason:
    'Like no-readiness-probe, but also for containers whose Service is not in the manifests. kube-linter and Polaris want a readiness probe on every container.',
  sources: [
    PROBE_CONCEPTS,
    'https://github.com/FairwindsOps/polaris/blob/master/docs/checks/reliability.md',
    'https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md',
  ],
  checkContainer: ({ container, path }, subject) =>
    isBatch(subject) || container.readinessProbe !== undefined || isBackend(subject, container)
      ? []
      : {
          path,
          message: `container "${container.name}" has no readiness probe: it counts as ready as soon as it runs`,
        },
};

export const livenessProbeMissing: Rule = {
  id: 'liveness-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a container has no liveness probe',
  reason:
    'A container that hangs is never restarted. kube-linter and Polaris want a liveness probe on every container; the Kubernetes documentation does not: a process that exits when it is broken needs none.',
  sources: [
    POD_LIFECYCLE,
    'https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md',
    'https://github.com/FairwindsOps/polaris/blob/master/docs/checks/reliability.md',
  ],
  checkContainer: ({ container, path }, subject) =>
    isBatch(subject) || container.livenessProbe !== undefined
      ? []
      : {
          path,
          message: `container "${container.name}" has no liveness probe: if it hangs, it is not restarted`,
        },
};

export const startupProbeMissing: Rule = {
  id: 'startup-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a liveness probe runs from the start',
  reason:
    'Without a startup probe the liveness probe must allow for the slowest start, and then takes just as long to detect a hang; otherwise it kills slow starts.',
  sources: [PROBE_CONCEPTS, 'https://github.com/stackrox/kube-linter/issues/505'],
  checkContainer: ({ container, path }) =>
    container.livenessProbe === undefined || container.startupProbe !== undefined
      ? []
      : {
          path,
          message: `container "${container.name}" has a liveness probe but no startup probe: the liveness probe must allow for the slowest start`,
        },
};

export const sidecarWithoutStartupProbe: Rule = {
  id: 'sidecar-without-startup-probe',
  severity: 'info',
  summary: 'containers do not wait until the sidecar is up',
  reason:
    'The kubelet starts the next container once the sidecar has started; without a startup probe that is as soon as its process runs. A readiness probe does not delay the others.',
  sources: ['https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/'],
  checkContainer: ({ isSidecar, container, path }) => {
    if (!isSidecar || container.startupProbe !== undefined) return [];
    if (container.readinessProbe === undefined && (container.ports ?? []).length === 0) return [];
    return {
      path,
      message: `the containers after sidecar "${container.name}" start as soon as its process runs, not when it serves`,
      hint: 'a startup probe makes them wait',
    };
  },
};
