import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { outputFiles } from '../../../../src/cli/shared/output/output-files.js';
import { withLocks } from '../../../../src/cli/shared/output/output-locks.js';
import { UsageError } from '../../../../src/usage-error.js';
import { inProcess } from '../../../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-locks-'));
const at = (name: string): string => join(folder, name);
const locks = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.kprobe-lock'));

writeFileSync(
  at('pod.yaml'),
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: app, image: app }] }\n',
);

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['run', '--record'],
  ['run', '--status-file'],
  ['run', '--report'],
  ['watch', '--record'],
  ['watch', '--report'],
  ['ci', '--record'],
  ['ci', '--report'],
  ['ci', '--write-baseline', '--baseline'],
  ['once', '--report'],
  ['replay', '--report'],
  ['suggest', '--report'],
  ['simulate', '--report'],
  ['simulate', '--trace'],
  ['rollout', '--report'],
])('%s %s of a file that another kprobe writes is refused', async (...words) => {
  const file = at('output');
  const given = words.at(-1) === '--report' ? `tap=${file}` : file;
  const argv = [...words, given, at('pod.yaml')];
  const { code, stderr } = await withLocks([file], () => inProcess(argv));
  expect(stderr).toBe(`kprobe: ${file}: another kprobe (process ${process.pid}) writes it\n`);
  expect(code).toBe(2);
  expect(locks()).toEqual([]);
});

it('a command that has ended keeps no lock', async () => {
  const argv = ['simulate', at('pod.yaml'), '--for', '1s', '--report', `tap=${at('a.tap')}`];
  expect(await inProcess(argv)).toMatchObject({ code: 0 });
  expect(await inProcess(argv)).toMatchObject({ code: 0 });
  expect(locks()).toEqual([]);
});

it('work that fails keeps no lock', async () => {
  const failing = withLocks([at('a'), at('b')], () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(locks()).toEqual([]);
});

it('a file that is refused leaves the others without a lock', async () => {
  await withLocks([at('b')], async () => {
    const refused = withLocks([at('a'), at('b')], () => Promise.resolve());
    await expect(refused).rejects.toThrow(UsageError);
    expect(locks()).toEqual(['b.kprobe-lock']);
  });
});

it.each([
  ['that has ended', '999999999.1'],
  ['whose id is that of another process now', `${process.pid}.1`],
])('a lock of a process %s does not count', async (_, owner) => {
  mkdirSync(join(at('a.kprobe-lock'), owner), { recursive: true });
  const [held] = await withLocks([at('a')], () =>
    Promise.resolve(readdirSync(at('a.kprobe-lock'))),
  );
  expect(held).toMatch(new RegExp(`^${process.pid}\\.`));
  expect(locks()).toEqual([]);
});

it('of two that find a lock of an ended process at the same moment, one holds it', async () => {
  mkdirSync(at('a.kprobe-lock/999999999.1'), { recursive: true });
  let refuse = (): void => undefined;
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const take = async (): Promise<string> => {
    try {
      return await withLocks([at('a')], () => refused.then(() => 'held'));
    } catch {
      refuse();
      return 'refused';
    }
  };
  const results = await Promise.all([take(), take()]);
  expect(results.sort()).toEqual(['held', 'refused']);
  expect(locks()).toEqual([]);
});

it('a folder for traces whose lock is refused is not made', async () => {
  const { code } = await withLocks([at('traces')], () =>
    inProcess(['simulate', '--trace', at('traces'), at('pod.yaml')]),
  );
  expect(code).toBe(2);
  expect(existsSync(at('traces'))).toBe(false);
});

it('recordings that lint reads are no output', () => {
  expect(outputFiles({ record: [at('a')] }, {})).toEqual([]);
  expect(outputFiles({ record: at('a') }, {})).toEqual([at('a')]);
});

it('two names of one file have one lock', async () => {
  writeFileSync(at('file'), '');
  symlinkSync(at('file'), at('link'));
  await withLocks([at('file'), at('link')], () => {
    expect(locks()).toEqual(['file.kprobe-lock']);
    return Promise.resolve();
  });
});

it('a file that another kprobe writes by another hard link is refused', async () => {
  writeFileSync(at('first'), '');
  linkSync(at('first'), at('second'));
  await withLocks([at('first')], async () => {
    const refused = withLocks([at('second')], () => Promise.resolve());
    await expect(refused).rejects.toThrow(/second: another kprobe/);
  });
  await withLocks([at('second')], () => Promise.resolve());
});

it.each(['/dev/null', at('none/file'), '/proc/none'])('%s has no lock', async (path) => {
  expect(await withLocks([path], () => Promise.resolve('done'))).toBe('done');
});
