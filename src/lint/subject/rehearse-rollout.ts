import { goLater } from '../../clock/clock.js';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { ControlPlane } from '../../rollout/control-plane.js';
import type { ApiPod, Deployment, DeploymentSpec } from '../../rollout/controllers/objects.js';
import { isPodReady, isTerminating } from '../../rollout/controllers/pod-util.js';
import { type LeastEndpoints, leastEndpoints } from '../../rollout/least-endpoints.js';
import { restarted } from '../../rollout/workload.js';

const METADATA = { name: 'app', namespace: 'default' };
/** Seconds: a pod's end, and what a rollout may take beside the waits for pods. */
const END = 1;
const MARGIN = 5;

/** Rolls a Deployment out under the simulated controllers; its pods are ready so many seconds after their creation. */
export async function rehearseRollout(
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
  const wave = (readyAfter + spec.minReadySeconds + END + MARGIN) * 1000;
  await clock.advance(wave);
  points = points.slice(-1).map((point) => ({ ...point, t: clock.now() / 1000 }));
  plane.apply(restarted(deployment, ''));
  await clock.advance(wave * spec.replicas);
  plane.stop();
  return leastEndpoints(points, clock.now() / 1000);
}

/** Creates a Deployment whose pods are ready and not ready for so many seconds in turn; returns it after a time. */
export async function rehearseFlapping(
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
