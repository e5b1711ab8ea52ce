import { expect, test } from 'vitest';

import {
  collectErrors,
  type FieldError,
} from '../../../../src/api/validation/common/field-error.js';
import { validateSuccessPolicy } from '../../../../src/api/validation/workloads/job-policies.js';

type Spec = Parameters<typeof validateSuccessPolicy>[0];

function errorsOf(spec: Spec, path: string): FieldError[] {
  return collectErrors(path, (at) => validateSuccessPolicy(spec, at));
}

const indexed = { completionMode: 'Indexed', completions: 5 } as const;

test('a success policy requires an indexed job', () => {
  const spec = { successPolicy: { rules: [{ succeededCount: 1 }] } };
  expect(errorsOf(spec, 'spec.successPolicy')).toMatchObject([
    { detail: 'requires indexed completion mode' },
  ]);
});

test.each([
  [{ succeededCount: 5 }],
  [{ succeededIndexes: '0-4' }],
  [{ succeededIndexes: '0,2-4', succeededCount: 3 }],
])('%j is a valid success rule for five completions', (rule) => {
  const spec = { ...indexed, successPolicy: { rules: [rule] } };
  expect(errorsOf(spec, 'p')).toEqual([]);
});

test.each([
  [{}, 'p.rules[0]'],
  [{ succeededCount: 6 }, 'p.rules[0].succeededCount'],
  [{ succeededCount: -1 }, 'p.rules[0].succeededCount'],
  [{ succeededIndexes: '0,0' }, 'p.rules[0].succeededIndexes'],
  [{ succeededIndexes: '3-1' }, 'p.rules[0].succeededIndexes'],
  [{ succeededIndexes: '5' }, 'p.rules[0].succeededIndexes'],
  [{ succeededIndexes: 'x' }, 'p.rules[0].succeededIndexes'],
  [{ succeededIndexes: '0-1', succeededCount: 3 }, 'p.rules[0].succeededCount'],
])('%j is an invalid success rule', (rule, field) => {
  const spec = { ...indexed, successPolicy: { rules: [rule] } };
  expect(errorsOf(spec, 'p').map((error) => error.field)).toContain(field);
});

test('a success policy has 1 to 20 rules', () => {
  const many = Array.from({ length: 21 }, () => ({ succeededCount: 1 }));
  for (const rules of [[], many]) {
    expect(errorsOf({ ...indexed, successPolicy: { rules } }, 'p')).toMatchObject([
      { field: 'p.rules' },
    ]);
  }
});
