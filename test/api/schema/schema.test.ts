import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { fieldsOf, goType } from '../../../src/api/schema/schema.js';
import { API_TABLES } from '../../../src/api/schema/tables.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const structs = [...API_TABLES.matchAll(/^(\w+):/gm)].map(([, name = '']) => name);

test('every struct has fields, and unknown names are strings', () => {
  for (const struct of structs) expect(fieldsOf(struct).size).toBeGreaterThan(0);
  expect(structs.length).toBeGreaterThan(150);
  expect(goType('RestartPolicy')).toMatchObject({ kind: 'scalar', scalar: 'string' });
});

test('an ephemeral container has the fields of a container', () => {
  const common = [...fieldsOf('EphemeralContainerCommon').keys()];
  expect(common).toEqual([...fieldsOf('Container').keys()]);
  expect(fieldsOf('EphemeralContainer').get('env')?.embedded).toEqual(['EphemeralContainerCommon']);
});

test('fields of an inlined struct belong to the outer one and are marked', () => {
  expect(fieldsOf('Probe').get('httpGet')).toMatchObject({
    embedded: ['ProbeHandler'],
    type: { kind: 'pointer', name: 'v1.HTTPGetAction' },
  });
  expect(fieldsOf('Volume').get('emptyDir')?.embedded).toEqual(['VolumeSource']);
});

test.each([
  ['[]Container', '[]v1.Container'],
  ['map[string]string', 'map[string]string'],
  ['map[ResourceName]Quantity', 'map[v1.ResourceName]resource.Quantity'],
  ['*int64', 'int64'],
  ['RestartPolicy', 'v1.RestartPolicy'],
  ['UID', 'types.UID'],
])('the Go type of %s is %s', (text, name) => {
  expect(goType(text).name).toBe(name);
});

test.each(['types.ts', 'scenario-types.ts'])('%s is what generate-types.mjs writes', (file) => {
  const script = join(ROOT, 'scripts/generate-types.mjs');
  const printed = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  expect(printed.stdout).toBe(readFileSync(join(ROOT, 'src/api/schema', file), 'utf8'));
});
