import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import type { Io } from '../../../src/cli/shared/io.js';
import { watchManifests } from '../../../src/commands/run/watch-manifests.js';

it('waits while a named pipe stands in the place of a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  const file = join(folder, 'pod.yaml');
  writeFileSync(file, 'a: 1\n');
  const changes: string[] = [];
  const io = { signal: new AbortController().signal } as Io;
  const stop = watchManifests([file], {}, io, [{ file, text: 'a: 1\n' }], ([source]) => {
    changes.push(source?.text ?? '');
  });
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  renameSync(file, join(folder, 'aside'));
  execFileSync('mkfifo', [file]);
  await setTimeout(1200);
  rmSync(file);
  writeFileSync(file, 'a: 2\n');
  await expect.poll(() => changes).toEqual(['a: 2\n']);
});
