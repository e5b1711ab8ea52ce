import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CustomKinds, definedKinds } from '../../../src/manifest/crds/custom-kinds.js';
import { SourceFile } from '../../../src/manifest/documents/source-file.js';
import { validateSource } from '../../../src/manifest/verdict/validate.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures/crds');

function read(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8');
}

interface Answer {
  readonly doc: number;
  readonly ok: boolean;
  readonly message?: string;
}

function kindsOf(text: string, isComplete = false): CustomKinds {
  return new CustomKinds(definedKinds(new SourceFile({ file: 'crds.yaml', text })), isComplete);
}

function validate(text: string, customKinds: CustomKinds) {
  const options = { as: 'direct', strictKinds: false, customKinds } as const;
  return validateSource({ file: 'objects.yaml', text }, options);
}

/** Answers of a v1.36.3 API server to dry runs of objects.yaml, once it had the kinds of definitions.yaml. */
const answers = read('answers.ndjson')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);
const definitions = read('definitions.yaml');
const kinds = kindsOf(definitions);
const objects = read('objects.yaml');
const { verdicts, diagnostics } = validate(objects, kinds);

/** 2^63, which JavaScript cannot tell from the largest int64; a list with a format of strings; a fraction; CEL. */
const OTHER_VERDICT = [22, 55, 69, 83];
/** Several errors of one field, of which the server has others: numbers of a wrong type and format, choices. */
const OTHER_WORDS = [4, 6, 13, 14, 18, 20, 44, 46, 51, 57, 62, 64, 68];

describe('a custom resource', () => {
  it.each(verdicts.map((verdict) => [objects.split('---\n')[verdict.doc] ?? '', verdict] as const))(
    'has the answer of a server: %s',
    (_, { doc, ok, status, decode }) => {
      const { ok: accepted, message } = answers[doc] ?? {};
      expect(ok).toBe(OTHER_VERDICT.includes(doc) ? accepted === false : accepted);
      const odd = [...OTHER_VERDICT, ...OTHER_WORDS];
      if (!odd.includes(doc)) expect(status?.message ?? decode).toBe(message);
    },
  );

  it.each([
    ['example.com/v1alpha1', 'Shop', 'write "apiVersion: example.com/v1" or'],
    ['example.com/v2', 'Shop', 'write "apiVersion: example.com/v1" or'],
    ['example.com/v1', 'Shopp', 'did you mean "Shop"?'],
  ])('of %s %s is refused with a hint', (apiVersion, kind, hint) => {
    expect(kinds.find({ apiVersion, kind })).toMatchObject({
      kind: 'unknown',
      hint: expect.stringContaining(hint) as string,
    });
  });

  it('of a group without a definition passes, but for a cluster without the group', () => {
    const type = { apiVersion: 'example.org/v1', kind: 'Shop' };
    expect(kinds.find(type)).toBeUndefined();
    expect(kindsOf(definitions, true).find(type)).toMatchObject({
      message: 'no matches for kind "Shop" in version "example.org/v1"',
    });
  });

  it('of a kind with rules in CEL is named', () => {
    expect(kinds.kindsWithCEL).toEqual(['Rule']);
  });

  it('has its errors at their lines, with hints', () => {
    const found = diagnostics.find(({ field }) => field === 'spec.labels.a');
    expect(found?.source).toContain('labels: {a: 1}');
    const shop =
      'apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\nspec: {replica: 1}\n';
    expect(validate(shop, kinds).diagnostics.map(({ hint }) => hint)).toContain(
      'did you mean "replicas"?',
    );
  });

  it.each([
    ['a type that no schema has', 'type: object', 'type: thing'],
    ['a limit that is no number', 'maxLength: 5', 'maxLength: five'],
  ])('of a schema with %s is an error', (_, from, to) => {
    const wrong = kindsOf(definitions.replaceAll(from, to));
    const { rejected, diagnostics: found } = validate(objects.split('---\n')[0] ?? '', wrong);
    expect([rejected, found.map(({ severity }) => severity)]).toEqual([0, ['error']]);
    expect(found[0]?.message).toContain('the schema of its CustomResourceDefinition is invalid');
  });

  it('has the errors of the probes in its pod template as well', () => {
    const template = 'spec: {containers: [{name: a, image: a, livenessProbe: {}}]}';
    const text = `apiVersion: example.com/v1beta1\nkind: Shop\nmetadata: {name: a}\nspec: {template: {${template}}}\n`;
    const { answers: found, diagnostics: errors } = validate(text, kinds);
    expect(found[0]?.ok).toBe(false);
    expect(errors.map(({ message }) => message)).toEqual([
      'example.com/v1beta1 Shop is deprecated',
      'Required value: must specify a handler type',
    ]);
  });
});
