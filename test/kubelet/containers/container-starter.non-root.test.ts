import { describe, expect, it } from 'vitest';

import type { SecurityContext } from '../../../src/api/index.js';
import { verifyRunAsNonRoot } from '../../../src/kubelet/containers/container-starter.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const NON_ROOT: SecurityContext = { runAsNonRoot: true };

function verify(
  imageUser: string,
  containerContext: SecurityContext,
  podContext?: SecurityContext,
) {
  const container = buildContainer({ name: 'app', securityContext: containerContext });
  const spec = { containers: [container], ...(podContext ? { securityContext: podContext } : {}) };
  return verifyRunAsNonRoot(buildPod({ spec }), container, imageUser);
}

describe('verifyRunAsNonRoot accepts', () => {
  it.each([
    ['root when runAsNonRoot is not set', '0', {}, undefined],
    [
      'root when the container overrides the runAsNonRoot of the pod',
      '0',
      { runAsNonRoot: false },
      NON_ROOT,
    ],
    ['a numeric user', '1000', NON_ROOT, undefined],
    ['a numeric user with group 0', '1000:0', NON_ROOT, undefined],
    ['the greatest user ID', '2147483647', NON_ROOT, undefined],
    [
      'any user when the container sets runAsUser',
      'root',
      { ...NON_ROOT, runAsUser: 7 },
      undefined,
    ],
    ['any user when the pod sets runAsUser', '', NON_ROOT, { runAsUser: 7 }],
  ] as const)('%s', (_, user, containerContext, podContext) => {
    expect(verify(user, containerContext, podContext)).toBeUndefined();
  });
});

describe('verifyRunAsNonRoot rejects', () => {
  const invalid = (uid: string): string =>
    `image has an invalid user id (${uid}). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive`;
  const unknown = (user: string): string =>
    `image has non-numeric user (${user}), cannot verify user is non-root`;

  it.each([
    ['an image without a user', '', 'image will run as root'],
    ['an image with only a group', ':1000', 'image will run as root'],
    ['root', '0', 'image will run as root'],
    ['root written as +00', '+00:5', 'image will run as root'],
    ['a user name', 'node', unknown('node')],
    ['a user ID beyond 64 bits', '9223372036854775808', unknown('9223372036854775808')],
    ['a user ID beyond 32 bits', '2147483648', invalid('2147483648')],
    ['a negative user ID', '-1', invalid('-1')],
  ])('%s', (_, user, message) => {
    expect(verify(user, NON_ROOT)).toContain(`container has runAsNonRoot and ${message} (pod: "`);
  });

  it('a runAsUser of 0', () => {
    expect(verify('1000', { ...NON_ROOT, runAsUser: 0 })).toContain(
      "container's runAsUser breaks non-root policy",
    );
  });
});
