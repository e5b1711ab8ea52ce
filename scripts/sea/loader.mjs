// The main module of the single executable, and of its worker threads: loads the chunks of dist/, which are its assets.
import { posix } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { compileFunction, constants } from 'node:vm';

const PARAMETERS = ['exports', 'require', 'module', '__filename'];

/** @type {Map<string, { exports: object }>} */
const modules = new Map();

const { Worker, ...threads } = process.getBuiltinModule('node:worker_threads');

/** A worker thread's program is this loader, with the chunk to begin with. */
class ChunkWorker extends Worker {
  constructor({ pathname }, options) {
    const program = encodeURIComponent(getAsset('loader', 'utf8'));
    super(new URL(`data:text/javascript,${program}#${pathname.slice(1)}`), options);
  }
}

const builtin = (name) =>
  /\bworker_threads$/.test(name)
    ? { ...threads, Worker: ChunkWorker }
    : process.getBuiltinModule(name);

/** Returns what a chunk exports. */
function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const cachedData = new Uint8Array(getRawAsset(`${name}.cache`));
  // Chunks load Node's modules by `import()`, too.
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const options = { filename: name, cachedData, importModuleDynamically };
  const chunk = compileFunction(getAsset(name, 'utf8'), PARAMETERS, options);
  const require = (id) => (id.startsWith('.') ? load(posix.join(name, '..', id)) : builtin(id));
  chunk(module.exports, require, module, `/${name}`);
  return module.exports;
}

// A worker thread's URL is that of `ChunkWorker`; the executable's own has no fragment.
load(new URL(import.meta.url).hash.slice(1) || 'cli/main.js');
