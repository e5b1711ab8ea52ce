import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An image with a shell, made of this machine's busybox. */
export const IMAGE = 'kprobe-test:1';

/** Runs the engine's CLI to its end; throws with what it said when it fails. */
export function docker(args: readonly string[], input?: Uint8Array): string {
  return execFileSync('docker', args, {
    encoding: 'utf8',
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  }).trim();
}

/** Fails clearly when there is no engine; makes the image when there is one. */
export function requireEngine(): void {
  try {
    docker(['version', '--format', '{{.Server.Version}}']);
  } catch (error) {
    throw new Error(
      `the container tests need an engine: as root, run \`export $(.ci/engine start FOLDER)\` first, and \`.ci/engine stop FOLDER\` after; or set DOCKER_HOST`,
      { cause: error },
    );
  }
  if (docker(['images', '--quiet', IMAGE]) === '') makeImage();
}

function makeImage(): void {
  const root = mkdtempSync(join(tmpdir(), 'kprobe-image-'));
  try {
    for (const folder of ['bin', 'tmp', 'etc', 'proc', 'sys', 'dev']) mkdirSync(join(root, folder));
    const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
    execFileSync('cp', ['-L', busybox, join(root, 'bin/busybox')]);
    for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
      if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
    }
    const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 1024 * 1024 });
    docker(['import', '--change', 'ENV PATH=/bin', '-', IMAGE], archive);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The containers that kprobe has made and that are there, of all sessions. */
export function kprobeContainers(): readonly string[] {
  const printed = docker([
    'ps',
    '--all',
    '--filter',
    'label=dev.kprobe.session',
    '--format',
    '{{.Names}}',
  ]);
  return printed.split('\n').filter((name) => name !== '');
}
