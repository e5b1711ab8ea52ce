import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { holdsScenarios, loadScenarios } from '../../src/sim/load-scenarios.js';
import { ROOT } from '../helpers/kprobe.js';

const text = readFileSync(join(ROOT, 'schemas/scenario.schema.json'), 'utf8');
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(text) as object,
);

const POD = `
pod:
  spec:
    containers:
      - name: app
        image: web:1
        readinessProbe: { httpGet: { port: 80 } }`;

const BEGIN = 'name: a\nuntil: 60s\n';
/** A scenario with the given script for its container. */
const doing = (container: string): string => `${BEGIN}containers: {app: ${container}}`;

const examples = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  // Files of CI systems have no apiVersion either.
  .filter((path) => path.endsWith('.yaml') && !path.startsWith('ci/'))
  .map((path) => ({ file: path, text: readFileSync(join(ROOT, 'examples', path), 'utf8') }))
  .filter(holdsScenarios);

describe('the schema for scenario files', () => {
  it('is what scripts/scenario-schema.mjs generates', () => {
    const script = join(ROOT, 'scripts/scenario-schema.mjs');
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe(text);
  });

  it('accepts each example', () => {
    expect(examples.length).toBeGreaterThan(1);
    const invalid = examples.filter((example) => !validate(load(example.text)));
    expect(invalid.map(({ file }) => file)).toEqual([]);
  });

  it('accepts the documented scenario', () => {
    const page = readFileSync(join(ROOT, 'docs/simulate.md'), 'utf8');
    const written = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
    expect(load(written)).toHaveProperty('containers.orders');
    expect(validate(load(written))).toBe(true);
  });

  it('accepts one scenario or a list', () => {
    expect(validate([load('{name: a, until: 60s}')])).toBe(true);
    expect(validate([])).toBe(false);
  });

  it.each([
    ['an unknown field', doing('{readyAftr: 5s}')],
    ['a time without its unit', 'name: a\nuntil: "60"'],
    ['a number for a time', 'name: a\nuntil: 60'],
    ['a name that is not a valid file name', 'name: a/b\nuntil: 60s'],
    ['an unknown probe type', doing('{probes: {ready: {latency: 5s}}}')],
    ['an action without a time', `${BEGIN}actions: [{do: delete}]`],
    ['an unknown action', `${BEGIN}actions: [{at: 1s, do: stop}]`],
    ['an unknown status', doing('{runs: [{grpc: {"80": [{status: serving}]}}]}')],
    ['a scenario with a pod but no until', 'name: a'],
  ])('rejects %s, as the command does', (_, written) => {
    const whole = `${written}${POD}`;
    expect(validate(load(whole))).toBe(false);
    expect(loadScenarios([{ file: 'a.yaml', text: whole }]).diagnostics).not.toEqual([]);
  });

  it.each(['2s', '1m30s', '1.5h', '0', '-1s', '+1s', '2', '2 s', '1s±500ms', '1s +- 500ms'])(
    'agrees with the command on %s as an amount',
    (amount) => expectAgreement('latency', amount),
  );

  it.each(['1s..2s', '1s .. 2s', '1s..', '..2s', '1s..2', '1s±', '1s±1s±1s', 'soon'])(
    'agrees with the command on %s as an amount or a window',
    (amount) => {
      expectAgreement('latency', amount);
      expectAgreement('hangsAt', amount);
    },
  );

  it.each(['2%', '0.02', '.5', '1', '100%', '100.0 %', '101%', '1.5', '2', '-1%', '00.5'])(
    'agrees with the command on %s as a share',
    (share) => expectAgreement('failRate', share),
  );
});

/** Expects the schema and the command to agree on whether a value is valid. */
function expectAgreement(field: string, amount: string): void {
  const value = field === 'hangsAt' ? `["${amount}"]` : `"${amount}"`;
  const written = `${doing(`{${field}: ${value}}`)}${POD}`;
  const { diagnostics } = loadScenarios([{ file: 'a.yaml', text: written }]);
  expect(validate(load(written))).toBe(diagnostics.length === 0);
}
