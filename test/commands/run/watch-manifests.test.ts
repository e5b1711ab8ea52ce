import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import type { Io } from '../../../src/cli/shared/io.js';
import { watchManifests } from '../../../src/commands/run/watch-manifests.js';

/** Watches a file; `changes` and `problems` are what was reported. */
function watching() {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  const file = join(folder, 'pod.yaml');
  writeFileSync(file, 'a: 1\n');
  const changes: string[] = [];
  const problems: string[] = [];
  const io = { signal: new AbortController().signal } as Io;
  const stop = watchManifests(
    [file],
    {},
    io,
    [{ file, text: 'a: 1\n' }],
    ([source]) => changes.push(source?.text ?? ''),
    (problem) => problems.push(problem.replace(folder, '')),
  );
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  return { folder, file, changes, problems };
}

it('waits while a named pipe stands in the place of a file', async () => {
  const { folder, file, changes, problems } = watching();
  renameSync(file, join(folder, 'aside'));
  execFileSync('mkfifo', [file]);
  await setTimeout(1200);
  rmSync(file);
  writeFileSync(file, 'a: 2\n');
  await expect.poll(() => changes).toEqual(['a: 2\n']);
  expect(problems).toEqual([]);
});

it('says once that a file is gone, and goes on when it is back', async () => {
  const problem = '/pod.yaml: no such file or folder';
  const { file, changes, problems } = watching();
  rmSync(file);
  await expect.poll(() => problems, { timeout: 10_000 }).toEqual([problem]);
  writeFileSync(file, 'a: 2\n');
  await expect.poll(() => changes, { timeout: 10_000 }).toEqual(['a: 2\n']);
  rmSync(file);
  await expect.poll(() => problems, { timeout: 10_000 }).toEqual([problem, problem]);
});
