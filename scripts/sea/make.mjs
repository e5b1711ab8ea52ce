// Makes one executable of dist/ and of the Node 26 that runs this: DIR/kprobe, with its licenses beside it.
//   node make.mjs DIR
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const BUILD = resolve(process.argv[2]);
const PARTS = join(BUILD, 'parts');
/** As the loader calls a chunk. */
const PARAMETERS = ['exports', 'require', 'module', '__filename'];

rmSync(PARTS, { recursive: true, force: true });
mkdirSync(PARTS, { recursive: true });

/** Asset → file: each chunk, and its code as V8 has compiled it. */
const assets = { loader: join(import.meta.dirname, 'loader.mjs') };
const chunks = readdirSync(DIST, { recursive: true }).filter((file) => file.endsWith('.js'));
for (const [index, chunk] of chunks.entries()) {
  const compiled = join(PARTS, `${index}.cache`);
  const source = readFileSync(join(DIST, chunk), 'utf8');
  const options = { filename: chunk, produceCachedData: true };
  writeFileSync(compiled, compileFunction(source, PARAMETERS, options).cachedData);
  assets[chunk] = join(DIST, chunk);
  assets[`${chunk}.cache`] = compiled;
}

const node = join(PARTS, 'node');
copyFileSync(process.execPath, node);
execFileSync('strip', process.platform === 'darwin' ? ['-S', '-x', node] : [node]);

const config = join(PARTS, 'sea.json');
const output = join(BUILD, 'kprobe');
writeFileSync(
  config,
  JSON.stringify({
    ...{ main: assets.loader, mainFormat: 'module', useCodeCache: true, assets },
    // That Node's loader of `import()` serves chunks, too, is an experiment of Node.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ...{ executable: node, output, disableExperimentalSEAWarning: true },
  }),
);
execFileSync(process.execPath, ['--build-sea', config], { stdio: 'inherit' });
if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', output]);

copyFileSync(join(ROOT, 'LICENSE'), join(BUILD, 'LICENSE'));
copyFileSync(join(DIST, 'third-party-licenses.txt'), join(BUILD, 'third-party-licenses.txt'));
copyFileSync(licenseOfNode(), join(BUILD, 'LICENSE.node'));
rmSync(PARTS, { recursive: true });

/** Node's downloads have it beside bin/, its package on npm in a package within. */
function licenseOfNode() {
  const home = join(dirname(process.execPath), '..');
  const files = readdirSync(home, { recursive: true });
  return join(
    home,
    files.find((file) => /^(?:node_modules\/node-[^/]+\/)?LICENSE$/.test(file)),
  );
}
