import type { Container } from '../../api/index.js';
import { remove, set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { programOf, simpleCommands } from '../subject/commands.js';

export const graceShorterThanPrestop: Rule = {
  id: 'grace-shorter-than-prestop',
  severity: 'warning',
  safeFix: true,
  summary: 'the preStop hook uses up the grace period',
  reason:
    'The grace period starts with the preStop hook. When the hook uses all of it, the container gets TERM and two seconds later KILL, with no time left to shut down.',
  sources: [
    'https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/',
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination',
  ],
  checkContainer: ({ container, path }, { pod }) => {
    const pause = hookSeconds(container);
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (pause === undefined || pause < grace) return [];
    return {
      path: `${path}.lifecycle.preStop`,
      message: `takes ${pause} s of a grace period of ${grace} s: the container is killed as soon as the hook ends`,
      hint: 'the grace period counts from the start of the hook',
      changes: [set('spec.terminationGracePeriodSeconds', pause + 30)],
    };
  },
};

/** Seconds that a hook sleeps, if known. */
function hookSeconds({ lifecycle }: Container): number | undefined {
  const { sleep, exec } = lifecycle?.preStop ?? {};
  if (sleep !== undefined) return sleep.seconds;
  const sleeps = simpleCommands(exec?.command ?? []).flatMap((words) => {
    const seconds = /^(\d+)s?$/.exec(words[1] ?? '')?.[1];
    return programOf(words) === 'sleep' && seconds !== undefined ? [Number(seconds)] : [];
  });
  return sleeps.length === 0 ? undefined : sleeps.reduce((sum, each) => sum + each, 0);
}

export const probeGraceLongerThanPod: Rule = {
  id: 'probe-grace-longer-than-pod',
  severity: 'warning',
  summary: "a probe's grace period is longer than the pod's",
  reason:
    "The probe's own grace period is meant to be short: a hung container does not exit by itself, and it is restarted only after it is killed.",
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#probe-level-terminationgraceperiodseconds',
    'https://github.com/kubernetes/kubernetes/issues/64715',
  ],
  checkProbe: ({ probe, path }, { pod }) => {
    const own = probe.terminationGracePeriodSeconds;
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (own === undefined || own <= grace) return [];
    return {
      path: `${path}.terminationGracePeriodSeconds`,
      message: `a hung container gets ${own} s to shut down, a healthy one ${grace} s`,
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
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-forced',
  ],
  check: ({ pod, kind }) =>
    // An agent that is one of its kind on the node gives way to the next one at once.
    pod.spec.terminationGracePeriodSeconds !== 0 || kind === 'DaemonSet'
      ? []
      : [
          {
            path: 'spec.terminationGracePeriodSeconds',
            message: 'containers are killed without a chance to shut down',
            hint: 'the default is 30',
            changes: [set('spec.terminationGracePeriodSeconds', 30)],
          },
        ],
};
