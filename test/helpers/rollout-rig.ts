import type { Container, Pod } from '../../src/api/index.js';
import { goLater } from '../../src/clock/clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { DEFAULT_BEHAVIOR } from '../../src/kubelet/release.js';
import {
  type Applied,
  type Change,
  ControlPlane,
  type PodHost,
} from '../../src/rollout/control-plane.js';
import {
  revision,
  templateKey,
  withoutHash,
} from '../../src/rollout/controllers/deployment-util.js';
import type { ApiPod, Deployment, DeploymentSpec } from '../../src/rollout/controllers/objects.js';
import { buildContainer, buildPod } from './builders.js';

/** How pods of one image behave; times are in seconds. */
export interface PodScript {
  /** Age at which a pod is ready; never when absent. */
  readonly readyAfter?: number;
  /** Seconds between changes of readiness from then on. */
  readonly flapsEvery?: number;
  readonly deleteTakes?: number;
}

export interface RolloutRig {
  readonly clock: VirtualClock;
  readonly plane: ControlPlane;
  readonly changes: Change[];
  /** Moves the time, in seconds. */
  advance(seconds: number): Promise<void>;
  deployment(): Deployment;
}

const READY: PodScript = { readyAfter: 1 };

/** Runs the control plane over pods that follow scripts by image. */
export function rolloutRig(
  scripts: Readonly<Record<string, PodScript>> = {},
  nodes: readonly string[] = ['node-1'],
  release = DEFAULT_BEHAVIOR,
): RolloutRig {
  const clock = new VirtualClock(1);
  const changes: Change[] = [];
  const host: PodHost = {
    start: (pod) => run(pod, scripts[pod.spec.containers[0]!.image] ?? READY),
    terminate(pod) {
      const { deleteTakes = 2 } = scripts[pod.spec.containers[0]!.image] ?? READY;
      goLater(clock, () => plane.api.podGone(pod.metadata.uid), deleteTakes * 1000);
    },
  };
  const plane = new ControlPlane({
    clock,
    nodes,
    pods: host,
    release,
    onChange: (change) => changes.push(change),
  });
  const run = ({ metadata: { uid } }: ApiPod, { readyAfter, flapsEvery }: PodScript): void => {
    const report = (ready: boolean): void => {
      plane.api.podChanged(uid, statusOf(ready, clock.now()));
      if (flapsEvery !== undefined) goLater(clock, () => report(!ready), flapsEvery * 1000);
    };
    if (readyAfter !== undefined) goLater(clock, () => report(true), readyAfter * 1000);
  };
  return {
    clock,
    plane,
    changes,
    advance: (seconds) => clock.advance(seconds * 1000),
    deployment: () => plane.snapshot().workloads[0] as Deployment,
  };
}

/** Rolls a Deployment back to a revision, the last but one if none is named, as `kubectl rollout undo` does. */
export function rollBack(plane: ControlPlane, deployment: Deployment, toRevision = 0): void {
  const { store } = plane.api;
  const replicaSets = store.ownedBy(deployment.metadata.uid, 'ReplicaSet');
  const wanted = toRevision || (replicaSets.map(revision).sort((a, b) => b - a)[1] ?? 0);
  const template = replicaSets.find((rs) => revision(rs) === wanted)?.spec.template;
  if (wanted === 0 || template === undefined) return;
  const isSame = templateKey(template) === templateKey(deployment.spec.template);
  const spec = { ...deployment.spec, ...(!isSame && { template: withoutHash(template) }) };
  plane.api.update({ ...deployment, spec });
}

function statusOf(ready: boolean, now: number): Pod['status'] {
  return {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now }],
  };
}

/** Returns a Deployment of four replicas with the API's defaults. */
export function buildDeployment(
  spec: Partial<DeploymentSpec> = {},
  container: Container = buildContainer(),
): Applied & { readonly spec: DeploymentSpec } {
  const labels = { app: 'web' };
  return {
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 4,
      minReadySeconds: 0,
      paused: false,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
      },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...buildPod().spec, containers: [container] } },
      ...spec,
    },
  };
}
