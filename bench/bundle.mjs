// A module of the sources as it would be shipped, bundled to a directory that is removed at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'tsdown';

import { patchedInk } from '../scripts/build/patched-ink.mjs';

/** Imports a TypeScript module of this folder. */
export async function bundled(name) {
  const outDir = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    config: false,
    entry: { [name]: join(import.meta.dirname, `${name}.ts`) },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    noExternal: [/.*/],
    // As it is shipped: what React notes for its developers stays in memory.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    plugins: [patchedInk],
    dts: false,
    minify: true,
    fixedExtension: true,
    logLevel: 'silent',
  });
  return import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
}
