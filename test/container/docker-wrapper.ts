import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the shell finds the real CLI. */
const REAL = execFileSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).trim();

/**
 * An environment in which `docker` is this script of shell; `"$DOCKER" "$@"` in it is the real one. kprobe takes its engine
 * for one at `endpoint`, and so uses the command line.
 */
export function dockerWrapper(script: string, endpoint = 'tcp://localhost:1'): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-wrapper-'));
  const context = `test "$1" = context && { echo ${endpoint}; exit; }`;
  const text = ['#!/bin/sh', `DOCKER=${REAL}`, context, script, ''].join('\n');
  writeFileSync(join(folder, 'docker'), text, { mode: 0o755 });
  return { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

/** An environment in which there is nothing of that name, or only what may not be run. */
export function withoutDocker(kind: 'missing' | 'not executable'): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-wrapper-'));
  if (kind === 'not executable') writeFileSync(join(folder, 'docker'), '', { mode: 0o644 });
  return { ...process.env, PATH: folder };
}
