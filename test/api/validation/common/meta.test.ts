import { expect, it } from 'vitest';

import { FieldPath } from '../../../../src/api/validation/common/field-error.js';
import { validateObjectMeta } from '../../../../src/api/validation/common/meta.js';

const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
const REQUIRED = ['apiVersion', 'kind', 'name', 'uid'];

/** The errors of ValidateObjectMeta of apimachinery v0.36.3 and v0.37.2, called with the same metadata. */
it.each<[string, string, object, readonly string[]]>([
  [
    'an empty owner',
    '1.36',
    { ownerReferences: [{}] },
    [
      'ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'ownerReferences.kind: Invalid value: "": must not be empty',
      'ownerReferences.name: Invalid value: "": must not be empty',
      'ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ],
  [
    'an empty owner',
    '1.37',
    { ownerReferences: [OWNER, {}] },
    REQUIRED.map((name) => `ownerReferences[1].${name}: Required value: must not be empty`),
  ],
  ...['a/b/c', 'g/', '/'].map((apiVersion): [string, string, object, readonly string[]] => [
    `an owner with the version ${apiVersion}`,
    '1.37',
    { ownerReferences: [{ ...OWNER, apiVersion }] },
    [
      `ownerReferences[0].apiVersion: Invalid value: "${apiVersion}": must be <group>/<version> or <version>`,
    ],
  ]),
  [
    'an event as the owner',
    '1.37',
    { ownerReferences: [{ ...OWNER, apiVersion: '/v1', kind: 'Event' }] },
    [
      'ownerReferences[0]: Invalid value: {"apiVersion":"/v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    'a field manager without an operation',
    '1.37',
    { managedFields: [{}] },
    ['managedFields[0].operation: Required value: must not be empty'],
  ],
  [
    'a field manager with another operation',
    '1.36',
    { managedFields: [{ operation: 'Patch' }] },
    ['managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`'],
  ],
  [
    'a field manager with another operation',
    '1.37',
    { managedFields: [{ operation: 'Patch' }] },
    ['managedFields[0].operation: Unsupported value: "Patch": supported values: "Apply", "Update"'],
  ],
])('refuses %s as Kubernetes %s does', (_, version, meta, messages) => {
  const at = new FieldPath('', [], [], { version });
  validateObjectMeta({ name: 'a', namespace: 'b', ...meta }, at);
  expect(at.errors.map(({ message }) => message)).toEqual(messages);
});
