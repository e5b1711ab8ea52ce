import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';

import { readBaseline, writeBaseline } from '../../../src/commands/ci/baseline.js';
import { UsageError } from '../../../src/usage-error.js';
import { ROOT } from '../../helpers/kprobe.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WEB = { target: 'process', pods: ['default/web'] };
const MEASURE = {
  ...{ pod: 'default/web', name: 'app startup', words: 'startup took', limit: 30, resolution: 1 },
  path: 'spec',
};

const path = join(folder, 'baseline.json');

async function written(): Promise<Record<string, unknown>> {
  const starts = [[{ ...MEASURE, seconds: 2.00004 }], [{ ...MEASURE, seconds: 2.5 }]];
  await writeBaseline(path, WEB, starts);
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

describe('a baseline', () => {
  it('has the seconds of every start, as its schema says, and is read again', async () => {
    const file = await written();
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'schemas/ci-baseline.schema.json'), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    expect(validate(file) ? [] : validate.errors).toEqual([]);
    expect(file['measures']).toEqual([
      { pod: 'default/web', name: 'app startup', seconds: [2, 2.5] },
    ]);
    expect(await readBaseline({ baseline: path }, WEB)).toEqual(file);
  });

  it.each<[string, (file: Record<string, unknown>) => string, string]>([
    [
      'of another pod',
      (file) => JSON.stringify({ ...file, pods: ['default/api'] }),
      'is the baseline of default/api, not of default/web',
    ],
    [
      'of another target',
      (file) => JSON.stringify({ ...file, target: 'created' }),
      'was measured with --create, not with a command after --',
    ],
    [
      'of another version',
      (file) => JSON.stringify({ ...file, baseline: 2 }),
      'is a baseline of version 2; this kprobe reads version 1: remove it, and write it again',
    ],
    ['that is broken JSON', (file) => JSON.stringify(file).slice(0, 50), 'is not JSON: '],
    ['that is empty', () => '', 'is not JSON: '],
    ['that is other JSON', () => '{"name": "web"}', 'is not a baseline of kprobe ci'],
    ['that is a list', () => '[1]', 'is not a baseline of kprobe ci'],
    [
      'without its pods',
      (file) => JSON.stringify({ ...file, pods: undefined }),
      'missing or wrong fields',
    ],
    [
      'with a text for seconds',
      (file) => JSON.stringify({ ...file, measures: [{ pod: 'a', name: 'b', seconds: ['1'] }] }),
      'missing or wrong fields',
    ],
    [
      'without starts',
      (file) => JSON.stringify({ ...file, measures: [{ pod: 'a', name: 'b', seconds: [] }] }),
      'missing or wrong fields',
    ],
  ])('%s is refused, and not overwritten', async (_, change, message) => {
    writeFileSync(path, change(await written()));
    const before = readFileSync(path, 'utf8');
    for (const flags of [{ baseline: path }, { baseline: path, writeBaseline: true }] as const) {
      const reading = readBaseline(flags, WEB);
      await expect(reading).rejects.toThrow(message);
      await expect(reading).rejects.toBeInstanceOf(UsageError);
    }
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('that is missing is refused, unless it is to be written', async () => {
    const missing = { baseline: join(folder, 'missing.json') };
    await expect(readBaseline(missing, WEB)).rejects.toThrow(
      'there is no such file; --write-baseline writes it',
    );
    expect(await readBaseline({ ...missing, writeBaseline: true }, WEB)).toBeUndefined();
  });

  it.each([
    ['a folder', () => folder, 'is a folder'],
    ['a file in no folder', () => join(folder, 'none/baseline.json'), 'no such file or folder'],
  ])('that is %s is refused before the run', async (_, where, message) => {
    const reading = readBaseline({ baseline: where(), writeBaseline: true }, WEB);
    await expect(reading).rejects.toThrow(message);
  });
});
