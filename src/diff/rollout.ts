import type { Decoded } from '../api/index.js';
import type { StoredForm } from './update/update.js';

/** Consequence of a changed template for its pods. */
export interface Rollout {
  /** `replaced`: new pods take the place of the old ones; `later`: only pods that are made from then on. */
  readonly kind: 'replaced' | 'later';
  readonly text: string;
}

/** Follows the update strategies of pkg/controller; `spec` is that of the changed workload. */
export function rolloutOf(kind: string, { spec }: StoredForm): Rollout {
  switch (kind) {
    case 'Deployment':
      return deployment(spec as Decoded<'DeploymentSpec'>);
    case 'StatefulSet':
      return statefulSet(spec as Decoded<'StatefulSetSpec'>);
    case 'DaemonSet':
      return daemonSet(spec as Decoded<'DaemonSetSpec'>);
    case 'CronJob':
      return later('new Jobs are created from it; existing Jobs stay as they are');
    case 'Job':
      return later('the Job is suspended: its pods are created from it when the Job resumes');
    case 'PodTemplate':
      return later('a PodTemplate alone runs no pods');
    default:
      return later('running pods stay as they are; only new ones are created from it');
  }
}

function deployment({ paused, strategy }: Decoded<'DeploymentSpec'>): Rollout {
  if (paused === true) return later('the Deployment is paused: pods are replaced when it resumes');
  if (strategy?.type === 'Recreate') {
    return replaced('all old pods are stopped, then new ones are created (Recreate)');
  }
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  return replaced(
    `new pods replace the old ones, at most ${maxSurge} extra and ${maxUnavailable} unavailable at a time (RollingUpdate)`,
  );
}

function statefulSet({ updateStrategy }: Decoded<'StatefulSetSpec'>): Rollout {
  if (updateStrategy?.type === 'OnDelete') return onDelete();
  const { partition = 0 } = updateStrategy?.rollingUpdate ?? {};
  const which = partition > 0 ? `the pods from ordinal ${partition} up are` : 'each pod is';
  return replaced(
    `${which} replaced, last one first, each when the previous one is ready (RollingUpdate)`,
  );
}

function daemonSet({ updateStrategy }: Decoded<'DaemonSetSpec'>): Rollout {
  if (updateStrategy?.type === 'OnDelete') return onDelete();
  const { maxUnavailable = 1, maxSurge = 0 } = updateStrategy?.rollingUpdate ?? {};
  const most = maxSurge === 0 ? `${maxUnavailable} unavailable` : `${maxSurge} extra`;
  return replaced(`the pod on each node is replaced, at most ${most} at a time (RollingUpdate)`);
}

function onDelete(): Rollout {
  return later('a pod is replaced when somebody deletes it (OnDelete)');
}

function replaced(text: string): Rollout {
  return { kind: 'replaced', text };
}

function later(text: string): Rollout {
  return { kind: 'later', text };
}
