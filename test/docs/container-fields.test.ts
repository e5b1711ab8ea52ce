import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fieldsOf } from '../../src/api/decode/index.js';
import { fieldSupport } from '../../src/session/create/unsupported-fields.js';
import { ROOT } from '../helpers/kprobe.js';

const CLASSES = {
  honored: 'honored',
  cluster: 'warned',
  warned: 'warned',
  refused: 'refused',
  noEffect: 'no effect',
} as const;

/** The tables of docs/containers.md, by the beginning of their first heading: field → class. */
function table(heading: string): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, 'docs/containers.md'), 'utf8');
  const [, after = ''] = page.split(`\n| ${heading} |`);
  const rows = after.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return new Map(
    rows.flatMap((row) => {
      const [, fields = '', treatment = ''] = row.split('|').map((cell) => cell.trim());
      const names = fields.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g);
      return [...names].map(([, name = '']) => [name, treatment] as const);
    }),
  );
}

function expected(struct: string): ReadonlyMap<string, string | undefined> {
  return new Map(
    [...fieldsOf(struct).keys()].map((field) => {
      const kind = fieldSupport(struct === 'VolumeSource' ? 'Volume' : struct, field)?.kind;
      return [field, kind && CLASSES[kind]];
    }),
  );
}

const sorted = (map: ReadonlyMap<string, string | undefined>) => [...map].sort();

describe('the tables of fields in docs/containers.md', () => {
  it.each([
    ['field of a pod', ['PodSpec']],
    ["field of a pod's `securityContext`", ['PodSecurityContext']],
    ['field of a container', ['Container']],
    ["field of a container's `securityContext`", ['SecurityContext']],
    [
      'field of `env.valueFrom`, `resources`, `volumeMounts`',
      ['EnvVarSource', 'ResourceRequirements', 'VolumeMount'],
    ],
    ['kind of a volume', ['VolumeSource']],
  ])('have each %s with its class', (heading, structs) => {
    const all = new Map(structs.flatMap((struct) => [...expected(struct)]));
    expect(sorted(table(heading))).toEqual(sorted(all));
  });
});
