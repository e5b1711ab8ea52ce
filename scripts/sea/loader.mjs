// The main module of the single executable, and of its worker threads: loads the chunks of dist/, which are its assets.
import { posix } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { SourceTextModule, SyntheticModule } from 'node:vm';

/** @type {Map<string, import('node:vm').Module>} */
const modules = new Map();

/** Returns the URL of a worker thread's program: this loader, with the chunk to begin with. */
const worker = (chunk) =>
  `data:text/javascript,${encodeURIComponent(getAsset('loader', 'utf8'))}#${chunk}`;

const resolve = (specifier, from) =>
  specifier.startsWith('.') ? posix.join(from, '..', specifier) : specifier;

/** Returns a module with all that it imports. */
function linked(name) {
  const known = modules.get(name);
  if (known !== undefined) return known;
  if (name.startsWith('node:')) return builtin(name);
  const made = new SourceTextModule(getAsset(name, 'utf8'), {
    identifier: name,
    cachedData: new Uint8Array(getRawAsset(`${name}.cache`)),
    importModuleDynamically: (specifier) => load(resolve(specifier, name)),
    initializeImportMeta(meta) {
      meta.url = `file:///kprobe/${name}`;
      meta.resolve = (specifier) => worker(resolve(specifier, name));
    },
  });
  modules.set(name, made);
  made.linkRequests(made.moduleRequests.map((request) => linked(resolve(request.specifier, name))));
  return made;
}

function builtin(name) {
  const exported = { ...process.getBuiltinModule(name) };
  exported.default = process.getBuiltinModule(name);
  const made = new SyntheticModule(Object.keys(exported), () => {
    for (const [key, value] of Object.entries(exported)) made.setExport(key, value);
  });
  modules.set(name, made);
  return made;
}

async function load(name) {
  const module = linked(name);
  if (module.status === 'unlinked') module.instantiate();
  await module.evaluate();
  return module;
}

// A worker thread's URL is that of `worker`; the executable's own has no fragment.
await load(new URL(import.meta.url).hash.slice(1) || 'cli/main.js');
