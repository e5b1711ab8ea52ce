import { describe, expect, it } from 'vitest';

import type { SecurityContext } from '../../../src/api/index.js';
import { verifyRunAsNonRoot } from '../../../src/kubelet/containers/run-as-non-root.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const NON_ROOT: SecurityContext = { runAsNonRoot: true };

function verify(imageUser: string, own: SecurityContext, ofPod?: SecurityContext) {
  const container = buildContainer({ name: 'app', securityContext: own });
  const spec = { containers: [container], ...(ofPod ? { securityContext: ofPod } : {}) };
  return verifyRunAsNonRoot(buildPod({ spec }), container, imageUser);
}

describe('an image may run as', () => {
  it.each([
    ['anybody, when nothing forbids root', '0', {}, undefined],
    [
      'anybody, when the container allows what its pod forbids',
      '0',
      { runAsNonRoot: false },
      NON_ROOT,
    ],
    ['a number', '1000', NON_ROOT, undefined],
    ['a number, whatever its group', '1000:0', NON_ROOT, undefined],
    ['the greatest number', '2147483647', NON_ROOT, undefined],
    ['anybody, when the container says as whom', 'root', { ...NON_ROOT, runAsUser: 7 }, undefined],
    ['anybody, when the pod says as whom', '', NON_ROOT, { runAsUser: 7 }],
  ] as const)('%s', (_, user, own, ofPod) => {
    expect(verify(user, own, ofPod)).toBeUndefined();
  });
});

describe('an image may not run as', () => {
  const invalid = (uid: string): string =>
    `image has an invalid user id (${uid}). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive`;
  const unknown = (user: string): string =>
    `image has non-numeric user (${user}), cannot verify user is non-root`;

  it.each([
    ['nobody in particular', '', 'image will run as root'],
    ['a group alone', ':1000', 'image will run as root'],
    ['root', '0', 'image will run as root'],
    ['root, written otherwise', '+00:5', 'image will run as root'],
    ['a name', 'node', unknown('node')],
    ['a number beyond all', '9223372036854775808', unknown('9223372036854775808')],
    ['a number that is too great', '2147483648', invalid('2147483648')],
    ['a negative number', '-1', invalid('-1')],
  ])('%s', (_, user, why) => {
    expect(verify(user, NON_ROOT)).toContain(`container has runAsNonRoot and ${why} (pod: "`);
  });

  it('root, when the spec says so itself', () => {
    expect(verify('1000', { ...NON_ROOT, runAsUser: 0 })).toContain(
      "container's runAsUser breaks non-root policy",
    );
  });
});
