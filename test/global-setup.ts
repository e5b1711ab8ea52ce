import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { env } from 'node:process';

const ROOT = resolve(import.meta.dirname, '..');

/** Builds what tests run, and gives them one folder for all that they write, which goes at the end. */
export default function setup(): () => void {
  build();
  const before = tmpdir();
  const folder = mkdtempSync(join(before, 'kprobe-tests-'));
  // Tests run programs as other users, too.
  chmodSync(folder, 0o711);
  env['TMPDIR'] = folder;
  return () => {
    env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Builds dist/ when it is older than what it is built from. */
function build(): void {
  const built = join(ROOT, 'dist/cli/main.js');
  const sources = [
    join(ROOT, 'package.json'),
    join(ROOT, 'tsdown.config.ts'),
    ...filesIn(join(ROOT, 'src')),
  ];
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  // Declarations take four fifths of a build, and no test here reads them.
  execFileSync('npx', ['tsdown', '--no-dts'], { cwd: ROOT, stdio: 'pipe' });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
