/** By the end of the module's name: what Ink 6.8 has, and what takes its place. */
const CHANGES = {
  // Keeps every text that it was ever given, each second of each countdown: of 20 probes 0.5 MB in 300 frames.
  'measure-text.js': [
    'cache.set(text, dimensions);',
    'if (cache.size > 999) cache.clear(); cache.set(text, dimensions);',
  ],
  'wrap-text.js': ['cache[cacheKey] = wrappedText;', ''],
  // Measures each text anew in each frame.
  'render-node-to-output.js': [
    "import widestLine from 'widest-line';",
    "import measureText from './measure-text.js'; const widestLine = (text) => measureText(text).width;",
  ],
  // Loses an Escape that comes in one piece with a key such as `/` or `:`.
  'parse-keypress.js': [
    String.raw`/^(?:\x1b)([a-zA-Z0-9])$/`,
    String.raw`/^(?:\x1b)([!-Z\\\]-~])$/`,
  ],
  // For developers of Ink.
  'reconciler.js': [/await (?:import\('\.\/devtools\.js'\)|loadPackageJson\(\))/g, '{}'],
};

export const patchedInk = {
  name: 'patched-ink',
  transform: {
    filter: {
      id: /\/ink\/build\/(?:measure-text|wrap-text|render-node-to-output|parse-keypress|reconciler)\.js$/,
    },
    /** @type {(code: string, id: string) => string} */
    handler(code, id) {
      const [from = '', to = ''] = CHANGES[id.slice(id.lastIndexOf('/') + 1)] ?? [];
      const changed = code.replace(from, to);
      if (changed === code) throw new Error(`${id} is not that of Ink 6.8`);
      return changed;
    },
  },
};
