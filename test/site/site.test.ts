import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../src/cli/program.js';
import { ROOT } from '../helpers/kprobe.js';

const SITE = join(ROOT, 'build/site');
const read = (file: string): string => readFileSync(join(SITE, file), 'utf8');
const pages = (): readonly string[] =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));

// The generator fails on a link that leads nowhere.
beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'site'], { cwd: ROOT, stdio: 'pipe' });
}, 600_000);

describe("the documentation's site", () => {
  it('has a page for each of docs/', () => {
    const sources = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
    const expected = sources.map((file) => join('docs', file.replace(/md$/, 'html')));
    expect(pages()).toEqual(expect.arrayContaining([...expected, 'index.html']));
  });

  it("has each command's help", () => {
    const text = read('docs/commands.html');
    for (const { name } of COMMANDS) expect(text).toContain(`Usage: kprobe ${name}`);
  });

  it('has the library', () => {
    expect(read('docs/library/index.html')).toContain('loadManifest');
  });

  it('loads nothing from elsewhere', () => {
    const loaded = pages().flatMap((page) => [
      ...read(page).matchAll(
        /<(?:script|img|iframe)[^>]* src="https?:[^"]*|<link[^>]* href="https?:[^"]*/g,
      ),
    ]);
    expect(loaded.map(([tag]) => tag)).toEqual([]);
  });

  it('brings the index of its search along', () => {
    const chunks = readdirSync(join(SITE, 'assets/chunks'));
    const index = chunks.find((file) => file.includes('localSearchIndex')) ?? '';
    expect(read(join('assets/chunks', index)).includes('"crashloopbackoff"')).toBe(true);
  });
});
