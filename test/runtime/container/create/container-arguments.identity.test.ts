import { describe, expect, it } from 'vitest';

import {
  identityOf,
  type ImageAccounts,
  needsAccounts,
} from '../../../../src/runtime/container/create/container-arguments.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

const IMAGE: ImageAccounts = {
  user: 'app',
  passwd: 'root:x:0:0::/:/bin/sh\napp:x:1000:1500::/:/bin/sh\n',
  group: 'root:x:0:\napp:x:1500:\ntape:x:26:app,other\nvideo:x:44:other\nlog:x:50:app\n',
};

type PodSecurityContext = NonNullable<ReturnType<typeof buildPod>['spec']['securityContext']>;

function identity(securityContext: PodSecurityContext, own = {}, image = IMAGE) {
  const pod = buildPod({ spec: { securityContext } });
  const container = buildContainer({ securityContext: own });
  return identityOf(pod, container, needsAccounts(pod, container) ? image : undefined);
}

describe('the identity of a container', () => {
  it('is left to the engine where a pod says nothing', () => {
    expect(identity({})).toEqual({ user: undefined, groups: [] });
  });

  it('has the groups of the pod, and lets the engine add those of the user', () => {
    const pod = { runAsUser: 1000, fsGroup: 3000, supplementalGroups: [4000] };
    expect(identity(pod)).toEqual({ user: '1000', groups: [3000, 4000] });
  });

  it.each([
    ['a user', { runAsUser: 1000 }],
    ["the image's user", {}],
  ])('has the groups that the image gives %s also where a group is named', (_, user) => {
    const pod = { ...user, runAsGroup: 2000, supplementalGroups: [26] };
    expect(identity(pod)).toEqual({
      user: `${'runAsUser' in user ? 1000 : 'app'}:2000`,
      groups: [26, 50],
    });
  });

  it('has no group of the image with the policy Strict', () => {
    const strict = { supplementalGroupsPolicy: 'Strict', supplementalGroups: [4000] };
    expect(identity(strict, { runAsUser: 1000 })).toEqual({ user: '1000:1500', groups: [4000] });
    expect(identity(strict, { runAsUser: 7 })).toEqual({ user: '7:0', groups: [4000] });
    expect(identity(strict, { runAsGroup: 9 })).toEqual({ user: '0:9', groups: [4000] });
    const withGroup = { ...IMAGE, user: 'app:app' };
    expect(identity(strict, {}, withGroup)).toEqual({ user: undefined, groups: [4000] });
  });
});
