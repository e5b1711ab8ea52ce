import type { ObjectMeta } from '../schema/stored.js';

/** Label of the pods of a Deployment's ReplicaSet (DefaultDeploymentUniqueLabelKey, pkg/apis/apps/types.go). */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Returns the owner that controls an object. Ports GetControllerOf (apimachinery/pkg/apis/meta/v1/controller_ref.go). */
export function controllerOf<O extends { readonly controller?: boolean | undefined }>({
  ownerReferences = [],
}: {
  readonly ownerReferences?: readonly O[] | undefined;
}): O | undefined {
  return ownerReferences.find(({ controller }) => controller === true);
}

/** Returns the name of the Deployment of a pod: that of its ReplicaSet without the hash of the template. */
export function deploymentOf(metadata: ObjectMeta): string | undefined {
  const { kind, name = '' } = controllerOf(metadata) ?? {};
  const { [POD_TEMPLATE_HASH]: hash = '' } = metadata.labels ?? {};
  const isDeployed = kind === 'ReplicaSet' && hash !== '' && name.endsWith(`-${hash}`);
  return isDeployed ? name.slice(0, -hash.length - 1) : undefined;
}
