import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export const ROOT = resolve(import.meta.dirname, '../..');
export const KPROBE = join(ROOT, 'bin/kprobe.js');

export interface KprobeEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KprobeOptions {
  /** The node that runs it, if not the one that runs the tests. */
  readonly node?: string;
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built kprobe with pipes. */
export function startKprobe(args: readonly string[], options: KprobeOptions = {}): ChildProcess {
  const child = spawn(options.node ?? process.execPath, [KPROBE, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(options.input ?? '');
  return child;
}

/** Runs the built kprobe to its end. */
export async function kprobe(
  args: readonly string[],
  options: KprobeOptions = {},
): Promise<KprobeEnd> {
  return ended(startKprobe(args, options));
}

/** Waits for a started kprobe, and gathers what it printed. */
export async function ended(child: ChildProcess): Promise<KprobeEnd> {
  if (child.stdout === null || child.stderr === null) throw new Error('kprobe has no pipes');
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}
