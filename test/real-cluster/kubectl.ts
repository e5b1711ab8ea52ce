import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Folder of the cluster that `.ci/cluster up` started. */
export function clusterFolder(): string {
  return dirname(kubeconfig());
}

export function kubeconfig(): string {
  const path = process.env['KPROBE_TEST_CLUSTER'];
  if (path === undefined) {
    throw new Error('the cluster tests need KPROBE_TEST_CLUSTER: see .ci/cluster');
  }
  return path;
}

/** Runs kubectl as the cluster's administrator, and returns what it prints. */
export function kubectl(args: readonly string[], input = ''): string {
  const [program, flags] = command();
  const options = { input, encoding: 'utf8', stdio: 'pipe', maxBuffer: Infinity } as const;
  return execFileSync(program, [...flags, ...args], options);
}

function command(): readonly [string, readonly string[]] {
  const folder = clusterFolder();
  const programs = readFileSync(join(folder, 'bin'), 'utf8').trim();
  const flags = ['--kubeconfig', kubeconfig(), '--cache-dir', join(folder, 'kubectl')];
  return [join(programs, 'kubectl'), flags];
}

/** Creates or changes objects. */
export function apply(namespace: string, objects: readonly object[]): void {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  kubectl(['apply', '-n', namespace, '-f', '-'], JSON.stringify(list));
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: unknown;
}

/** Watches a path of the API until the process is killed. */
export function watchRaw(path: string, onEvent: (event: WatchEvent) => void): ChildProcess {
  const [program, flags] = command();
  const child = spawn(program, [...flags, 'get', '--raw', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(child.stdout).on('line', (line) => onEvent(JSON.parse(line) as WatchEvent));
  return child;
}

/** Creates a namespace whose pods can start: they need its service account. */
export function createNamespace(name: string): void {
  kubectl(['create', 'namespace', name]);
  kubectl(['wait', '--for=create', 'serviceaccount/default', '-n', name, '--timeout=170s']);
}
