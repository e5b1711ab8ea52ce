import { goLater } from '../../../clock/clock.js';
import { VirtualClock } from '../../../clock/virtual-clock.js';
import { ControlPlane } from '../../../rollout/control-plane.js';
import type { ApiPod, Deployment, DeploymentSpec } from '../../../rollout/controllers/objects.js';
import { isPodReady, isTerminating } from '../../../rollout/controllers/pod-util.js';
import { type LeastEndpoints, leastEndpoints } from '../../../rollout/recorder.js';
import { appliedWorkload, restarted } from '../../../rollout/workload.js';
import { probeTimes } from '../../../schedule/probe-times.js';
import { counted } from '../../../text/count.js';
import { DEPLOYMENTS, type Rule } from '../rule.js';
import { simulateAlone } from '../subject/simulate-alone.js';
import { probesOf, type Subject } from '../subject/subject.js';

export const rolloutWithoutEndpoints: Rule = {
  id: 'rollout-without-endpoints',
  severity: 'warning',
  summary: 'a rollout leaves less than half of the endpoints',
  reason:
    'maxUnavailable lets the Deployment stop old pods before new ones are ready, and the readiness probe decides how long that takes. kprobe simulates the controllers and the kubelet with containers that answer from the start: slower ones make it worse.',
  sources: [`${DEPLOYMENTS}#max-unavailable`],
  check: async (subject) => {
    const spec = deploymentSpec(subject);
    const slowest = await slowestReadiness(subject);
    if (spec?.strategy.type !== 'RollingUpdate' || slowest === undefined) return [];
    const { maxUnavailable } = spec.strategy.rollingUpdate;
    if (spec.replicas > MAX_REPLICAS || maxUnavailable === DEFAULT_SHARE) return [];
    const { count: fewest, seconds } = await simulateFewestEndpoints(spec, slowest.readyAt);
    if (2 * fewest >= spec.replicas || seconds < SHORT) return [];
    const shown = String(maxUnavailable).replace('%', ' %');
    return {
      path: slowest.path,
      message: `simulated: with maxUnavailable ${shown} and this readiness probe the rollout of ${counted(spec.replicas, 'replica')} has ${counted(fewest, 'endpoint')} for ${seconds.toFixed(0)} s`,
      hint: 'set maxUnavailable to 0 and maxSurge to 1 or more, or make the probe succeed sooner',
    };
  },
};

/** Replicas: more have more endpoints left, and take longer to simulate. */
const MAX_REPLICAS = 100;
/** Seconds without enough endpoints that any rollout may have. */
const SHORT = 3;
const DEFAULT_SHARE = '25%';

/** The readiness probe that succeeds last in a pod whose containers answer from their start. */
async function slowestReadiness(
  subject: Subject,
): Promise<{ readonly path: string; readonly readyAt: number } | undefined> {
  let slowest: { readonly path: string; readonly readyAt: number } | undefined;
  for (const { container, path } of subject.members) {
    if (container.readinessProbe === undefined) continue;
    const latest = [container.startupProbe, container.readinessProbe].reduce(
      (sum, probe) =>
        sum + (probe === undefined ? 0 : probeTimes(probe).recovers.to + probe.initialDelaySeconds),
      MARGIN,
    );
    const { readyAt } = await simulateAlone(
      subject,
      container,
      {},
      Math.min(latest, HOUR),
      'ready',
    );
    if (readyAt === undefined || readyAt <= (slowest?.readyAt ?? -1)) continue;
    slowest = { path: `${path}.readinessProbe`, readyAt };
  }
  return slowest;
}

/** Seconds. */
const HOUR = 3600;
const MARGIN = 10;

export const flappingHidesDeadline: Rule = {
  id: 'flapping-hides-deadline',
  severity: 'info',
  optIn: true,
  summary: 'a flapping readiness probe keeps progressDeadlineSeconds from firing',
  reason:
    'The Deployment counts every rise of its ready replicas as progress and restarts the deadline (DeploymentProgressing, pkg/controller/deployment/util). Pods that get ready again and again, but never for minReadySeconds, make a rollout that neither ends nor fails. kprobe simulates the controllers to prove it.',
  sources: [
    `${DEPLOYMENTS}#progress-deadline-seconds`,
    'https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/controller/deployment/util/deployment_util.go',
  ],
  check: async (subject) => {
    const spec = deploymentSpec(subject);
    const found = probesOf(subject.members).find(({ type }) => type === 'readiness');
    if (spec === undefined || found === undefined) return [];
    const { progressDeadlineSeconds: deadline = Infinity } = spec;
    const up = spec.minReadySeconds - 1;
    const down = Math.ceil(probeTimes(found.probe).recovers.to) + 1;
    if (up < 1 || up + down >= deadline || deadline > DAY || spec.replicas === 0) return [];
    const waited = PROOF * deadline;
    const after = await simulateFlapping({ ...spec, replicas: 1 }, [up, down], waited);
    const progressing = after?.status.conditions.find(({ type }) => type === 'Progressing');
    if (progressing?.status !== 'True' || after?.status.availableReplicas !== 0) return [];
    return {
      path: found.path,
      message: `simulated: a pod that is ready for ${up} s and then not for ${down} s is never available, and after ${waited} s the Deployment still reports progress (progressDeadlineSeconds ${deadline})`,
      hint: 'let the pipeline wait with a limit of its own (kubectl rollout status --timeout), and alert on unavailable replicas',
    };
  },
};

/** Number of deadlines that a simulation waits for. */
const PROOF = 3;
/** Seconds. */
const DAY = 86_400;

const STRATEGIES: readonly string[] = ['RollingUpdate', 'Recreate'];

/** The spec of a Deployment with the API's defaults; one with a strategy that the API does not have is never rolled out. */
function deploymentSpec({ kind, loaded }: Subject): DeploymentSpec | undefined {
  if (kind !== 'Deployment') return undefined;
  const workload = appliedWorkload(loaded);
  if (workload.kind !== kind || !STRATEGIES.includes(workload.spec.strategy.type)) return undefined;
  return { ...workload.spec, paused: false };
}

const METADATA = { name: 'app', namespace: 'default' };
/** Seconds that a pod takes to end, and that a rollout may take in addition to waiting for pods. */
const END = 1;
const ROLLOUT_MARGIN = 5;

/** Rolls a Deployment out under the simulated controllers; its pods are ready `readyAfter` seconds after their creation. */
async function simulateFewestEndpoints(
  spec: DeploymentSpec,
  readyAfter: number,
): Promise<LeastEndpoints> {
  const clock = new VirtualClock(1);
  let points = [{ t: 0, endpoints: spec.replicas }];
  const plane = planeOf(
    clock,
    (pod) => goLater(clock, () => report(plane, pod, true, clock.now()), readyAfter * 1000),
    () => {
      const endpoints = plane
        .snapshot()
        .pods.filter((pod) => isPodReady(pod) && !isTerminating(pod)).length;
      points.push({ t: clock.now() / 1000, endpoints });
    },
  );
  const deployment = { kind: 'Deployment', metadata: METADATA, spec } as const;
  plane.apply(deployment);
  const wave = (readyAfter + spec.minReadySeconds + END + ROLLOUT_MARGIN) * 1000;
  await clock.advance(wave);
  points = points.slice(-1).map((point) => ({ ...point, t: clock.now() / 1000 }));
  plane.apply(restarted(deployment, ''));
  await clock.advance(wave * spec.replicas);
  plane.stop();
  return leastEndpoints(points, clock.now() / 1000);
}

/** Creates a Deployment whose pods are ready and not ready for so many seconds in turn; returns it after a time. */
async function simulateFlapping(
  spec: DeploymentSpec,
  [up, down]: readonly [number, number],
  seconds: number,
): Promise<Deployment | undefined> {
  const clock = new VirtualClock(1);
  const flap = (pod: ApiPod, isReady: boolean): void => {
    report(plane, pod, isReady, clock.now());
    goLater(clock, () => flap(pod, !isReady), (isReady ? up : down) * 1000);
  };
  const plane = planeOf(clock, (pod) => flap(pod, false));
  plane.apply({ kind: 'Deployment', metadata: METADATA, spec });
  await clock.advance(seconds * 1000);
  plane.stop();
  const [workload] = plane.snapshot().workloads;
  return workload?.kind === 'Deployment' ? workload : undefined;
}

function planeOf(
  clock: VirtualClock,
  start: (pod: ApiPod) => void,
  onChange?: () => void,
): ControlPlane {
  const plane: ControlPlane = new ControlPlane({
    clock,
    nodes: ['node-1'],
    pods: {
      start,
      terminate: (pod) => goLater(clock, () => plane.api.podGone(pod.metadata.uid), END * 1000),
    },
    ...(onChange && { onChange }),
  });
  return plane;
}

function report(plane: ControlPlane, pod: ApiPod, isReady: boolean, now: number): void {
  const status = isReady ? 'True' : 'False';
  const condition = { type: 'Ready', status, lastTransitionTime: now } as const;
  plane.api.podChanged(pod.metadata.uid, {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [condition],
  });
}
