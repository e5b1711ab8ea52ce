import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** Builds dist/ when it is older than what it is built from: tests that run kprobe run what is there. */
export default function setup(): void {
  const built = join(ROOT, 'dist/cli/main.js');
  const sources = [
    join(ROOT, 'package.json'),
    join(ROOT, 'tsdown.config.ts'),
    ...filesIn(join(ROOT, 'src')),
  ];
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: 'pipe' });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
