import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { docker, IMAGE, kprobeContainers, leftovers, requireEngine } from './engine.js';
import type { Kprobe } from './kprobe.js';
import { startKprobe } from './kprobe.js';
import { podFile } from './pod-file.js';

const WITH_VOLUME = 'kprobe-test-volume:1';

beforeAll(() => {
  requireEngine();
  const made = docker(['create', '--network', 'none', IMAGE, 'true']);
  docker(['commit', '--change', 'VOLUME /data', made, WITH_VOLUME]);
  docker(['rm', made]);
});

const started: Kprobe[] = [];
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-host-path-'));
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  await startKprobe(['down']).exitCode;
  expect(leftovers()).toEqual([]);
});

function kprobe(...args: string[]): Kprobe {
  const run = startKprobe(args);
  started.push(run);
  return run;
}

const SERVE = 'trap "exit 143" TERM; while :; do sleep 0.1; done';
const shell = (script: string) => ({ command: ['sh', '-c', script] });

/** A pod whose container mounts this machine's folder at /mnt. */
function hostPod(script: string, mount: object, hostPath: object = {}): string {
  return podFile(
    { ...shell(script), volumeMounts: [{ name: 'dir', mountPath: '/mnt', ...mount }] },
    { volumes: [{ name: 'dir', hostPath: { path: folder, ...hostPath } }] },
  );
}

describe('a hostPath volume', () => {
  it.each([
    ['an absolute link', (name: string) => symlinkSync('/etc', name)],
    ['a relative link', (name: string) => symlinkSync(`${'../'.repeat(20)}etc`, name)],
  ])('refuses a subPath that leaves it through %s', async (_, link) => {
    link(join(folder, 'etclink'));
    const pod = hostPod(`ls /mnt; ${SERVE}`, { subPath: 'etclink' });
    const run = kprobe('run', pod, '--create', '--allow-host-path', '--logs', '--for', '170s');
    await run.until(/waiting CreateContainerConfigError/);
    await run.until(
      'failed to prepare subPath for volumeMount "dir" of container "app": a link in etclink leads out of',
    );
    expect(run.output).not.toContain('passwd');
    expect(kprobeContainers().filter((name) => name.includes('-app-'))).toEqual([]);
  });

  it('mounts a subPath that a link within it leads to, and creates one that is missing', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    const pod = hostPod(`echo written > /mnt/file; ${SERVE}`, { subPath: 'link/new' });
    const run = kprobe('run', pod, '--create', '--allow-host-path', '--for', '170s');
    await run.until(/started, ready/);
    await expect.poll(() => existsSync(join(folder, 'real/new/file'))).toBe(true);
    expect(readFileSync(join(folder, 'real/new/file'), 'utf8')).toBe('written\n');
  });

  it.each(['File', 'Socket', 'CharDevice', 'BlockDevice'])(
    'of type %s that is a folder is refused before anything starts',
    async (type) => {
      const run = kprobe('run', hostPod(SERVE, {}, { type }), '--create', '--allow-host-path');
      expect(await run.exitCode).toBe(2);
      expect(run.output).toMatch(
        /spec\.volumes\[0\]\.hostPath\.type: hostPath type check failed: /,
      );
    },
  );

  it('of type DirectoryOrCreate is created with the pod', async () => {
    const path = join(folder, 'a/b');
    const pod = hostPod(SERVE, {}, { path, type: 'DirectoryOrCreate' });
    const run = kprobe('run', pod, '--create', '--allow-host-path', '--for', '170s');
    await run.until(/started, ready/);
    expect(statSync(path).isDirectory()).toBe(true);
  });
});

const volumes = () => docker(['volume', 'ls', '--quiet']).split('\n').filter(Boolean);

describe('what a run leaves', () => {
  it('is no anonymous volume of a container that was replaced', async () => {
    const before = volumes();
    const pod = podFile(shell(SERVE), {
      initContainers: [
        { name: 'init', image: WITH_VOLUME, imagePullPolicy: 'Never', ...shell('exit 1') },
      ],
    });
    const run = kprobe('run', pod, '--create', '--for', '170s');
    await run.until(/(?:Ended +exit code 1[^]*){3}/);
    // The pod's own, and those of the two newest runs.
    const made = () => volumes().filter((name) => !before.includes(name));
    await expect.poll(() => made().length).toBeLessThanOrEqual(3);
    await run.end();
    expect(volumes()).toEqual(before);
  });

  it('has its label, also when somebody removed the volume; its files are written again', async () => {
    const before = volumes();
    const pod = podFile(
      {
        ...shell(`cat /info/name; echo; ${SERVE}`),
        volumeMounts: [{ name: 'info', mountPath: '/info' }],
      },
      {
        volumes: [
          {
            name: 'info',
            downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
          },
        ],
      },
    );
    const run = kprobe('run', pod, '--create', '--logs', '--for', '170s');
    await run.until(/started, ready/);
    const own = volumes().filter((name) => !before.includes(name));
    // It would create a sandbox between the two, and a volume in use is not removed.
    run.kill('SIGSTOP');
    docker(['rm', '--force', '--volumes', ...kprobeContainers()]);
    docker(['volume', 'rm', '--force', ...own]);
    run.kill('SIGCONT');
    await run.until(/restarts 1/);
    await run.until(/Output +stdout +pod[^]*Output +stdout +pod/);
    const left = docker(['volume', 'ls', '--quiet', '--filter', 'label=dev.kprobe.session']);
    expect(left.split('\n')).toEqual(own);
    await run.end();
    expect(readdirSync(folder)).toEqual([]);
    expect(volumes()).toEqual(before);
  });
});
