import { expect, test } from 'vitest';

import { FieldPath } from '../../../src/api/validation/common/field-error.js';
import { warnAboutTemplate } from '../../../src/api/warnings/pod-warnings.js';

test.each([
  ['seccomp.security.alpha.kubernetes.io/pod', 'seccompProfile'],
  ['container.seccomp.security.alpha.kubernetes.io/app', 'seccompProfile'],
  ['container.apparmor.security.beta.kubernetes.io/app', 'appArmorProfile'],
])('the deprecated annotation %s causes a warning that names %s', (key, field) => {
  const at = new FieldPath();
  warnAboutTemplate({ metadata: { annotations: { [key]: 'unconfined' } } }, at);
  expect(at.warnings.map((warning) => warning.field)).toEqual([`metadata.annotations[${key}]`]);
  expect(at.warnings[0]?.message).toContain(`use the "${field}" field instead`);
});

test('an annotation that only begins like a deprecated one causes no warning', () => {
  const at = new FieldPath();
  const key = 'seccomp.security.alpha.kubernetes.io/pods';
  warnAboutTemplate({ metadata: { annotations: { [key]: 'unconfined' } } }, at);
  expect(at.warnings).toEqual([]);
});
