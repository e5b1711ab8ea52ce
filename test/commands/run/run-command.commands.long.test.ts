import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';
import { processesWith } from '../../helpers/processes-with.js';

let folder = '';
let pod = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-commands-'));
  pod = join(folder, 'pod.yaml');
  const inits = '[{name: migrate, image: m:1}, {name: proxy, image: p:1, restartPolicy: Always}]';
  writeFileSync(
    pod,
    `{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {initContainers: ${inits}, containers: [{name: app, image: a:1}]}}`,
  );
});

const MIGRATE = ['migrate=sh', '-c', 'sleep 0.2; echo migrated'];
const PROXY = `proxy=sh -c 'echo proxying; sleep 987'`;
const APP = ['app=sh', '-c', 'echo serving; sleep 987'];

/** Writes a `.kprobe.yaml` with commands in a folder of its own. */
function configured(name: string, start: string): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, '.kprobe.yaml'), `rules: {}\nstart:\n${start}\n`);
  return cwd;
}

const CONFIGURED = `  app: sh -c 'echo serving; sleep 987'
  shop/proxy: ${PROXY.slice('proxy='.length)}
  migrate: sh -c 'sleep 0.2; echo migrated'`;

/** Returns the events of a kind, without times. */
function events(stdout: string, pattern: RegExp): readonly string[] {
  return stdout
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .slice(1)
        .join(' '),
    );
}

describe.concurrent('a command for each container', () => {
  it('starts init container, sidecar and app in the order of the kubelet', async () => {
    const words = [...APP, '--', PROXY, '--', ...MIGRATE];
    const end = await inProcess(['run', pod, '--logs', '--', ...words]);
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(events(end.stdout, /Started/)).toEqual([
      'shop/migrate Normal Started Container started',
      'shop/proxy Normal Started Container started',
      'shop/app Normal Started Container started',
    ]);
    // The app starts with the sidecar, so which of them writes first is open.
    const output = events(end.stdout, /Output/);
    expect(output[0]).toBe('shop/migrate Output stdout migrated');
    expect(new Set(output.slice(1))).toEqual(
      new Set(['shop/proxy Output stdout proxying', 'shop/app Output stdout serving']),
    );
    expect(end.stdout).not.toContain('count as completed');
  });

  it('does not start the app while an init container fails', async () => {
    const words = [...APP, '--', 'migrate=sh -c "exit 3"', '--', PROXY];
    const end = await inProcess(['run', pod, '--max-restarts', '1', '--', ...words]);
    expect(end.code).toBe(1);
    const started = events(end.stdout, /Started/);
    expect(new Set(started)).toEqual(new Set(['shop/migrate Normal Started Container started']));
    expect(started).toHaveLength(2);
  });

  it('restarts a sidecar that ends, and that alone', async () => {
    const words = [...APP, '--', 'proxy=sh -c "sleep 0.5; exit 4"', '--', ...MIGRATE];
    const end = await inProcess(['run', pod, '--until', 'restarted', '--', ...words]);
    expect(end.code).toBe(0);
    expect(events(end.stdout, /Started/).filter((line) => /proxy/.test(line))).toHaveLength(2);
    expect(events(end.stdout, /Started/).filter((line) => /app/.test(line))).toHaveLength(1);
  });

  it('is refused with exit code 2 for an unknown container, before anything starts', async () => {
    const end = await inProcess(['run', pod, '--', ...APP, '--', 'envoy=x']);
    expect(end).toMatchObject({ code: 2, stdout: '' });
    expect(end.stderr).toContain('no container "envoy" (containers: app, migrate, proxy)');
  });

  it('starts the commands of .kprobe.yaml with --start', async () => {
    const cwd = configured('start', CONFIGURED);
    const end = await inProcess(['run', pod, '--start'], { cwd });
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(events(end.stdout, /Started/)).toHaveLength(3);
  });

  it('starts no command of .kprobe.yaml without --start', async () => {
    const cwd = configured('unasked', CONFIGURED);
    const end = await inProcess(['run', pod], { cwd });
    expect(end.stdout).toContain('attached to 127.0.0.1');
  });

  it.each([
    ['an unknown container', '  app: sleep 9\n  envoy: x', [], 'start.envoy by .kprobe.yaml:4'],
    ['an empty command', '  app:', [], '.kprobe.yaml:3:3: error: start.app: must be a command'],
    ['a name of no container', '  App: x', [], '.kprobe.yaml:3:3: error: start.App: must be the'],
    ['an open quote', '  app: sh "x', [], 'a quote is not closed'],
    ['no commands', '  {}', [], '--start: .kprobe.yaml names no commands'],
    ['a command after -- too', '  app: x', ['--', 'true'], '--start and a command after --'],
  ])('refuses --start with %s, before anything starts', async (name, start, words, message) => {
    const end = await inProcess(['run', pod, '--start', ...words], {
      cwd: configured(name, start),
    });
    expect(end).toMatchObject({ code: 2, stdout: '' });
    expect(end.stderr).toContain(message);
  });

  it('refuses --start without a .kprobe.yaml', async () => {
    const end = await inProcess(['run', pod, '--start'], { cwd: folder });
    expect(end).toMatchObject({ code: 2, stdout: '' });
    expect(end.stderr).toContain('--start needs a .kprobe.yaml');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with all its processes on %s', async (name) => {
    const word = `kprobe-test-commands-${name}-${process.pid}`;
    const words = [...APP, '--', PROXY, '--', ...MIGRATE];
    const child = startKprobe(['run', pod, '--logs', '--for', '10m', '--', ...words], {
      env: { KPROBE_TEST_WORD: word },
    });
    const end = ended(child);
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: Buffer) => {
        if (text.includes('serving')) resolve();
      });
    });
    // kprobe, its watchdog, and a shell and its sleep for each of two containers; a shell prints before it starts its sleep.
    await vi.waitFor(() => expect(processesWith(word).length).toBeGreaterThanOrEqual(5), 60_000);
    child.kill(name);
    expect((await end).code).toBe(128 + constants.signals[name]);
    await vi.waitFor(() => expect(processesWith(word)).toEqual([]), 60_000);
  });
});
