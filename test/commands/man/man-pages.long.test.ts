import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../../src/cli/program.js';
import { kprobe, ROOT } from '../../helpers/kprobe.js';

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-man-'));
  expect(await kprobe(['__man', folder])).toMatchObject({ code: 0, stderr: '' });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the man pages', () => {
  it.each(COMMANDS.map(({ name }) => name))('has all options of kprobe %s --help', async (name) => {
    const page = readFileSync(join(folder, `kprobe-${name}.1`), 'utf8').replaceAll('\\-', '-');
    const { stdout } = await kprobe([name, '--help']);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, long]) => long);
    expect(options.length).toBeGreaterThan(0);
    for (const option of options)
      expect(page).toMatch(new RegExp(`^\\.B (?:-\\w, )?${option}\\b`, 'm'));
  });

  it('are those of package.json', () => {
    const { man } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly man: readonly string[];
    };
    const pages = ['kprobe', ...COMMANDS.map(({ name }) => `kprobe-${name}`)];
    expect(man).toEqual(pages.map((page) => `./dist/man/${page}.1`));
  });
});

it('names the folder of the man pages that cannot be written', async () => {
  expect(await kprobe(['__man', '/dev/null/man'])).toMatchObject({
    code: 2,
    stderr: 'kprobe: /dev/null/man: no such file or folder\n',
  });
});
