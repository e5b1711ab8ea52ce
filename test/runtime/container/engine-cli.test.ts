import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';

import { expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { EngineCli } from '../../../src/runtime/container/engine-cli.js';

/** Returns the command line of an engine whose CLI is a shell script, and its folder. */
function fakeCli(script: string, cwd?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const host = { env: { PATH: `${folder}:/usr/bin:/bin` }, cwd: cwd ?? folder } as never;
  return { folder, cli: new EngineCli('docker', new RealClock(), host) };
}

it('a call with an argument that no process can have is not started', async () => {
  const { cli } = fakeCli('exit 0');
  expect(await cli.call(['inspect', 'a\0b'])).toEqual({ kind: 'notStarted', code: 'EINVAL' });
});

it('an aborted call ends while a process that the CLI started keeps its streams open', async () => {
  const { cli, folder } = fakeCli('sleep 30 &\necho $! >pid.new\nmv pid.new pid\nwait');
  const abort = new AbortController();
  const call = cli.call(['exec'], { limit: 0, signal: abort.signal });
  const pid = join(folder, 'pid');
  await expect.poll(() => existsSync(pid)).toBe(true);
  abort.abort();
  try {
    expect(await call).toEqual({ kind: 'timedOut' });
  } finally {
    kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  }
});

it('a call that has ended keeps no listener of its signal', async () => {
  const { cli } = fakeCli('exit 0');
  const { signal } = new AbortController();
  expect(await cli.call(['exec'], { signal })).toMatchObject({ exitCode: 0 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('an error is the first message of the CLI, without its decoration and what it adds', async () => {
  const { cli } = fakeCli(
    'printf \'Error response from daemon: exec: "x": permission denied: unknown\\nError: failed to start containers: 1b0c\\n\' >&2; exit 1',
  );
  await expect(cli.run(['start', '1b0c'])).rejects.toThrow(
    /^exec: "x": permission denied: unknown$/,
  );
});

it('a command that succeeds passes on what it warns of, but not what podman logs', async () => {
  const said = [
    'time="2026-11-30T06:18:39Z" level=warning msg="\\"/\\" is not a shared mount"',
    'Resource limits are not supported and ignored on cgroups V1 rootless systems',
    'WARNING: Your kernel does not support memory limit capabilities. Limitation discarded.',
  ];
  const { cli, folder } = fakeCli('cat said >&2; echo 1b0c');
  writeFileSync(join(folder, 'said'), said.map((line) => `${line}\n\n`).join(''));
  const warnings: string[] = [];
  const onWarning = (line: string): void => void warnings.push(line);
  expect(await cli.run(['create'], { onWarning })).toBe('1b0c');
  expect(warnings).toEqual([said[1], said[2]?.replace('WARNING: ', '')]);
});

it('a call works after the folder in which kprobe was started has been removed', async () => {
  const removed = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  rmSync(removed, { recursive: true });
  const { cli } = fakeCli('exit 0', removed);
  expect(await cli.call(['rm'])).toMatchObject({ exitCode: 0 });
});
