import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An image with a shell, made of this machine's busybox. */
export const IMAGE = 'kprobe-test:1';

export interface DockerOptions {
  readonly input?: Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
  readonly program?: 'docker' | 'podman';
}

/** Runs the engine's CLI to its end; throws with what it said when it fails. */
export function docker(
  args: readonly string[],
  { program = 'docker', ...options }: DockerOptions = {},
): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...options,
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
  ensureImage();
}

/** Makes the image, unless it is there. */
export function ensureImage(options: DockerOptions = {}): void {
  if (docker(['images', '--quiet', IMAGE], options) === '') makeImage(options);
}

function makeImage(options: DockerOptions): void {
  importImage(IMAGE, addBusybox, options);
}

/** Makes an image of what `fill` puts into a folder. */
export function importImage(
  name: string,
  fill: (root: string) => void,
  options: DockerOptions = {},
): void {
  const root = mkdtempSync(join(tmpdir(), 'kprobe-image-'));
  try {
    fill(root);
    const input = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 512 * 1024 * 1024 });
    docker(['import', '--change', 'ENV PATH=/bin', '-', name], { input, ...options });
  } finally {
    rmSync(root, { recursive: true });
  }
}

export function addBusybox(root: string): void {
  for (const folder of ['bin', 'tmp', 'etc', 'proc', 'sys', 'dev']) mkdirSync(join(root, folder));
  const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  execFileSync('cp', ['-L', busybox, join(root, 'bin/busybox')]);
  for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
  }
}

/** Adds this machine's Node and the libraries that it loads. */
export function addNode(root: string): void {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [file] of libraries.matchAll(/\/\S+/g)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    execFileSync('cp', ['-L', file, join(root, file)]);
  }
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(process.execPath, join(root, 'bin/node'));
}

const OURS = ['--filter', 'label=dev.kprobe.session'];

/** Makes a network of the engine's, unless it is there: its containers can publish ports. */
export function ensureNetwork(): string {
  const name = 'kprobe-test';
  const known = docker(['network', 'ls', '--format', '{{.Name}}']).split('\n');
  if (!known.includes(name)) docker(['network', 'create', name]);
  return name;
}

/** The containers that kprobe has made and that are there, of all sessions. */
export function kprobeContainers(options: DockerOptions = {}): readonly string[] {
  return lines(docker(['ps', '--all', ...OURS, '--format', '{{.Names}}'], options));
}

/** All that kprobe has made and that is there. */
export function leftovers(options: DockerOptions = {}): readonly string[] {
  const volumes = docker(['volume', 'ls', '--quiet', ...OURS], options);
  return [...kprobeContainers(options), ...lines(volumes)];
}

function lines(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => line !== '');
}
