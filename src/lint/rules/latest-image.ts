import { containersWithPath, imageTag } from '../../api/index.js';
import type { Rule } from '../rule.js';

export const latestImage: Rule = {
  id: 'latest-image',
  severity: 'warning',
  summary: 'a restart may come up with another image',
  reason:
    'The tag latest means another image tomorrow, and it is pulled anew at each start of a container: a liveness probe then also decides which version runs, and no rollback brings the one before back.',
  sources: ['https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting'],
  check: ({ pod }) =>
    containersWithPath(pod.spec, 'spec').flatMap(({ container, at }) => {
      const { image, imagePullPolicy } = container;
      if (imageTag(image) !== 'latest' || imagePullPolicy !== 'Always') return [];
      return {
        path: `${at}.image`,
        message: `${image} is pulled at every start: a restart may bring another version`,
        hint: 'name a version, or a digest',
      };
    }),
};
