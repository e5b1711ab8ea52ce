import { containersWithPath, imageTag } from '../../../api/index.js';
import type { Rule } from '../../rule.js';

/** Name that kubebuilder writes, which each project's build or kustomization replaces. */
const KUBEBUILDER_PLACEHOLDER = 'controller:latest';

export const latestImage: Rule = {
  id: 'latest-image',
  severity: 'warning',
  summary: 'a restart may run another image',
  reason:
    'The tag latest may mean another image tomorrow, and the kubelet pulls it at every container start. A failed liveness probe can then change the version that runs, and a rollback does not bring the previous one back.',
  sources: ['https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting'],
  check: ({ pod }) =>
    containersWithPath(pod.spec, 'spec').flatMap(({ container, at }) => {
      const { image, imagePullPolicy } = container;
      if (imageTag(image) !== 'latest' || imagePullPolicy !== 'Always') return [];
      if (image === KUBEBUILDER_PLACEHOLDER) return [];
      return {
        path: `${at}.image`,
        message: `${image} is pulled at every start: a restart may bring another version`,
        hint: 'name a version, or a digest',
      };
    }),
};
