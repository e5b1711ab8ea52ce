import { lastRevision, revision, templateKey, withoutHash } from './deployment-util.js';
import type { DeploymentSync } from './new-replica-set.js';
import type { Deployment, ReplicaSet } from './objects.js';
import { rolloutRecreate } from './recreate.js';
import { rolloutRolling } from './rolling.js';
import { checkPausedConditions, isScalingEvent, syncScale } from './sync.js';

/** Ports syncDeployment (pkg/controller/deployment/deployment_controller.go). */
export function syncDeployment(sync: DeploymentSync): void {
  checkPausedConditions(sync);
  if (sync.deployment.spec.paused || isScalingEvent(sync)) syncScale(sync);
  else if (sync.deployment.spec.strategy.type === 'Recreate') rolloutRecreate(sync);
  else rolloutRolling(sync);
}

/**
 * Returns the Deployment with the template of an earlier revision, the last but one if none is named; undefined when
 * there is no such revision. Ports `kubectl rollout undo` (k8s.io/kubectl/pkg/polymorphichelpers/rollback.go).
 */
export function rollbackTo(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  toRevision = 0,
): Deployment | undefined {
  const wanted = toRevision === 0 ? lastRevision(replicaSets) : toRevision;
  const rs = replicaSets.find((each) => revision(each) === wanted);
  if (wanted === 0 || rs === undefined) return undefined;
  const { template } = rs.spec;
  if (templateKey(template) === templateKey(deployment.spec.template)) return deployment;
  return { ...deployment, spec: { ...deployment.spec, template: withoutHash(template) } };
}
