import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';

const PAGE = readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8');

/** Lines of a folder's sources that hold a text. */
function grep(folder: string, wanted: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => readFileSync(join(ROOT, folder, path), 'utf8').split('\n'))
    .filter((line) => line.includes(wanted));
}

describe('the README of a room', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it.each(rooms)('of src/%s says what it is, and names files that are there', (room) => {
    const text = readFileSync(join(ROOT, 'src', room, 'README.md'), 'utf8');
    const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) {
      const path = file.startsWith('src/') ? file : join('src', room, file);
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  });
});

describe('docs/internals/architecture.md', () => {
  const behaviors = [...PAGE.matchAll(/^\| (.+) \| `(.+)` in `(src\/\w+)` \|$/gm)];

  it('lists ten behaviors', () => {
    expect(behaviors).toHaveLength(10);
  });

  it.each(
    behaviors.map(([, behavior = '', wanted = '', folder = '']) => [behavior, wanted, folder]),
  )('finds %s with one grep', (_, wanted, folder) => {
    const { length } = grep(folder, wanted);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(9);
  });

  it.each([
    ['one probe result', 20],
    ['one `once --http`', 16],
  ])('follows the path of %s in at most %i files, which are there', (path, most) => {
    const section = PAGE.split(`## The path of ${path}\n`)[1]?.split('\n## ')[0] ?? '';
    const files = [...section.matchAll(/^ {4}(\S+\.[jt]s)(?:, (\S+\.ts))? /gm)].flatMap(
      ([, file = '', beside]) => (beside === undefined ? [file] : [file, join(file, '..', beside)]),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(most);
    for (const file of files) {
      const place = file.startsWith('bin/') ? file : join('src', file);
      expect(() => readFileSync(join(ROOT, place)), place).not.toThrow();
    }
  });

  const tasks = PAGE.split('## Three tasks, and the files that they open\n')[1]?.split('\n## ')[0];
  const files = (tasks ?? '')
    .split(/\n\n(?=\S)/)
    .map((task) => [...task.matchAll(/^ {4}(\S+) {2,}\S/gm)].map(([, file = '']) => file))
    .filter(({ length }) => length > 0);

  it('names the files of three tasks', () => {
    expect(files).toHaveLength(3);
  });

  it.each(files.map((task) => [task.length, task] as const))(
    'lets a newcomer do a task with %i files, at most 8, which are there',
    (count, task) => {
      expect(count).toBeLessThanOrEqual(8);
      expect(task.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    },
  );
});
