import { set } from '../fix/change.js';
import { POD_LIFECYCLE, PROBE_CONCEPTS, type Rule } from '../rule.js';
import { preStopSeconds } from '../subject/commands.js';

const ALB_ANNOTATIONS =
  'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/';

export const drainMismatch: Rule = {
  id: 'drain-mismatch',
  severity: 'warning',
  summary: "the pod's shutdown does not fit the load balancer's drain",
  reason:
    'A load balancer lets the requests of a removed pod finish for as long as it drains. A pod that is killed before that cuts them off; a preStop hook that sleeps for longer has nothing left to wait for, and holds up every rollout.',
  sources: [`${POD_LIFECYCLE}#pod-termination`, ALB_ANNOTATIONS],
  check: ({ balancerLimits, pod, members }) => {
    const drain = balancerLimits.find(({ kind }) => kind === 'drain');
    if (drain === undefined) return [];
    const { seconds, source } = drain;
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    const early =
      seconds <= grace
        ? []
        : {
            path: 'spec.terminationGracePeriodSeconds',
            message: `the load balancer drains for ${seconds} s (${source}), but containers are killed after ${grace} s`,
            hint: 'make the grace period as long as the drain, or the drain shorter',
            changes: [set('spec.terminationGracePeriodSeconds', seconds)],
          };
    const late = members.flatMap(({ container, path }) => {
      const pause = preStopSeconds(container);
      if (pause === undefined || pause <= seconds) return [];
      return {
        path: `${path}.lifecycle.preStop`,
        message: `sleeps for ${pause} s, but the load balancer closes the connections after ${seconds} s (${source})`,
        hint: 'sleep for no longer than the drain, or let the load balancer drain for longer',
      };
    });
    return [early, late].flat();
  },
};

export const timeoutAboveLoadBalancer: Rule = {
  id: 'timeout-above-load-balancer',
  severity: 'warning',
  summary: 'the readiness probe waits longer than the load balancer does',
  reason:
    'A container that takes longer to answer than the load balancer waits counts as ready, so it stays in the Service while its clients get 504, or the load balancer removes it by its own health check.',
  sources: [PROBE_CONCEPTS, ALB_ANNOTATIONS],
  checkProbe: ({ type, probe, path }, { balancerLimits }) => {
    const limit = balancerLimits
      .filter(({ kind, seconds }) => kind !== 'drain' && seconds < probe.timeoutSeconds)
      .sort((a, b) => a.seconds - b.seconds)[0];
    if (type !== 'readiness' || limit === undefined) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `waits ${probe.timeoutSeconds} s for an answer, the load balancer ${limit.seconds} s (${limit.source})`,
      hint: 'wait no longer than the load balancer',
      changes: [set(`${path}.timeoutSeconds`, limit.seconds)],
    };
  },
};
