import type { Probe } from '../../../api/index.js';
import { longerPeriod, remove, set } from '../fix/change.js';
import { CONFIGURE_PROBES, kubernetesIssue, POD_LIFECYCLE, type Rule } from '../rule.js';
import { onlySleeps, preStopSeconds, programOf, slowCommand } from '../subject/commands.js';

export const livenessFailureThresholdOne: Rule = {
  id: 'liveness-failure-threshold-one',
  severity: 'warning',
  summary: 'one failed attempt restarts the container',
  reason:
    'A single lost packet, a garbage collection pause or a busy node is enough. That is why the default is 3.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'liveness' || probe.failureThreshold !== 1
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: 'one failed attempt restarts the container',
          hint: 'require several in a row; the default is 3',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};

export const readinessFailureThresholdOne: Rule = {
  id: 'readiness-failure-threshold-one',
  severity: 'info',
  summary: 'one slow answer takes the pod out of the Service',
  reason:
    'With a short timeout, a single late answer makes the pod not ready until the next attempt. Under load this happens to all replicas, and none is left.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'readiness' || probe.failureThreshold !== 1 || probe.timeoutSeconds > 2
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: `one answer that takes more than ${probe.timeoutSeconds} s makes the pod not ready for ${probe.periodSeconds} s or more`,
          hint: 'require two or three failures in a row, or a longer timeout',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};

export const oneSecondTimeout: Rule = {
  id: 'one-second-timeout',
  severity: 'warning',
  summary: 'one second is too short for this probe',
  reason:
    'On a busy node, starting a command in a container takes much of the default second, and a garbage collection pause takes all of it. Before 1.20 the kubelet did not enforce the timeout of exec probes, so many such timeouts were never tested.',
  sources: [
    CONFIGURE_PROBES,
    'https://github.com/cloudability/metrics-agent/issues/191',
    kubernetesIssue(101035),
  ],
  checkProbe: ({ probe, path }) => {
    if (probe.timeoutSeconds !== 1 || probe.periodSeconds === 1) return [];
    const slow = slowPart(probe);
    if (slow === undefined) return [];
    const timeout = Math.max(2, Math.min(5, probe.periodSeconds - 1));
    return {
      path,
      message: `allows one second for ${slow}`,
      hint: `timeoutSeconds: ${timeout} tolerates a busy node`,
      changes: [set(`${path}.timeoutSeconds`, timeout)],
    };
  },
};

function slowPart({ exec, httpGet }: Probe): string | undefined {
  const slow = slowCommand(exec?.command ?? []);
  if (slow !== undefined) return `a command started in the container (${programOf(slow)})`;
  const path = httpGet?.path ?? '';
  return exec === undefined && /\/actuator\/health(?!\/(?:live|readi)ness)|deep|full/i.test(path)
    ? `${path}, which checks more than the server`
    : undefined;
}

export const timeoutEqualsPeriod: Rule = {
  id: 'timeout-equals-period',
  severity: 'info',
  optIn: true,
  summary: 'the timeout is as long as the period',
  reason:
    'While a container hangs, attempts follow each other without a pause, so an overloaded server is probed all the time.',
  sources: [CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    // No timeout is shorter than a period of one second.
    if (timeoutSeconds !== periodSeconds || timeoutSeconds === 1) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `as long as the period, ${periodSeconds} s: while the container hangs, attempts follow each other without a pause`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};

export const timeoutExceedsPeriod: Rule = {
  id: 'timeout-exceeds-period',
  severity: 'warning',
  summary: 'the timeout is longer than the period',
  reason:
    'The kubelet makes one attempt at a time and drops the ticks that it misses: while a container hangs, failures are a timeout apart instead of a period, and the restart comes later than the settings suggest.',
  sources: ['https://github.com/openshift/openshift-docs/pull/32219', CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    if (timeoutSeconds <= periodSeconds) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `a timeout of ${timeoutSeconds} s with a period of ${periodSeconds} s: while the container hangs, ticks are dropped and failures are a timeout apart`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};

export const graceShorterThanPrestop: Rule = {
  id: 'grace-shorter-than-prestop',
  severity: 'warning',
  safeFix: true,
  summary: 'the preStop hook uses up the grace period',
  reason:
    'The grace period starts with the preStop hook. When it is over, the kubelet ends the hook, sends TERM, and KILL two seconds later, so the hook does not finish and the container has hardly any time to shut down.',
  sources: [
    'https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/',
    `${POD_LIFECYCLE}#pod-termination`,
  ],
  checkContainer: ({ container, path }, { pod }) => {
    const pause = preStopSeconds(container);
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (pause === undefined || pause < grace) return [];
    return {
      path: `${path}.lifecycle.preStop`,
      message:
        pause === grace
          ? `takes the whole grace period of ${grace} s: the container gets TERM then, and is killed 2 s later`
          : `takes ${pause} s, but the grace period is ${grace} s: the kubelet ends the hook then, and kills the container 2 s later`,
      hint: 'the grace period counts from the start of the hook',
      changes: [set('spec.terminationGracePeriodSeconds', pause + 30)],
    };
  },
};

export const probeGraceLongerThanPod: Rule = {
  id: 'probe-grace-longer-than-pod',
  severity: 'warning',
  summary: "a probe's grace period is longer than the pod's",
  reason:
    "The probe's own grace period is meant to be short: a hung container does not exit by itself, and it is restarted only after it is killed.",
  sources: [
    `${CONFIGURE_PROBES}#probe-level-terminationgraceperiodseconds`,
    kubernetesIssue(64715),
  ],
  checkProbe: ({ probe, path }, { pod }) => {
    const probeGracePeriod = probe.terminationGracePeriodSeconds;
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (probeGracePeriod === undefined || probeGracePeriod <= grace) return [];
    return {
      path: `${path}.terminationGracePeriodSeconds`,
      message: `a hung container gets ${probeGracePeriod} s to shut down, a healthy one ${grace} s`,
      hint: "make it shorter than the pod's, or remove it",
      changes: [remove(`${path}.terminationGracePeriodSeconds`)],
    };
  },
};

export const zeroGracePeriod: Rule = {
  id: 'zero-grace-period',
  severity: 'warning',
  summary: 'containers are killed without a chance to shut down',
  reason:
    'With a grace period of 0 a container has no time to react to TERM: connections break, and a StatefulSet may run two instances of the same pod at once.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#deployment-and-scaling-guarantees',
    `${POD_LIFECYCLE}#pod-termination-forced`,
  ],
  check: ({ pod, kind }) =>
    // An agent that is one of its kind on the node gives way to the next one at once.
    pod.spec.terminationGracePeriodSeconds !== 0 ||
    kind === 'DaemonSet' ||
    pod.spec.containers.every(onlySleeps)
      ? []
      : {
          path: 'spec.terminationGracePeriodSeconds',
          message: 'containers are killed without a chance to shut down',
          hint: 'the default is 30',
          changes: [set('spec.terminationGracePeriodSeconds', 30)],
        },
};
