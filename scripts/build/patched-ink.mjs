/** By the end of the module's name: what Ink 6.8 has, and what takes its place. */
const CHANGES = {
  // Keeps every text that it was ever given, each second of each countdown: of 20 probes 0.5 MB in 300 frames.
  'measure-text.js': [
    [
      'cache.set(text, dimensions);',
      'if (cache.size > 999) cache.clear(); cache.set(text, dimensions);',
    ],
  ],
  'wrap-text.js': [['cache[cacheKey] = wrappedText;', '']],
  // Measures each text anew in each frame.
  'render-node-to-output.js': [
    [
      "import widestLine from 'widest-line';",
      "import measureText from './measure-text.js'; const widestLine = (text) => measureText(text).width;",
    ],
  ],
  // Parses each line anew in each frame, and makes an object for each blank. A frame has up to a hundred lines; five
  // thousand of them took 150 MB.
  'output.js': [
    [
      'caches = new OutputCaches();',
      `static kept = new OutputCaches();
    static blank = { type: 'char', value: ' ', fullWidth: false, styles: [] };
    caches = Object.values(Output.kept).some(({ size }) => size > 499)
      ? (Output.kept = new OutputCaches())
      : Output.kept;`,
    ],
    [/row\.push\(\{[^}]*\}\)/, 'row.push(Output.blank)'],
  ],
  // Compares the styles of all neighboring characters; those of one run of text can be the same array.
  'styledChars.js': [
    ['styles: [...codes]', 'styles: codes'],
    [
      /else \{(?=\s+ret \+= ansiCodesToString\(diffAnsiCodes\(chars\[i - 1\])/,
      'else if (chars[i - 1].styles !== char.styles) {',
    ],
  ],
  // Loses an Escape that comes in one piece with a key such as `/` or `:`.
  'parse-keypress.js': [
    [
      String.raw`/^(?:\x1b)([a-zA-Z0-9])$/`,
      String.raw`/^(?:\x1b)([!-Z\\\]-~])$/`,
    ],
  ],
  // Loads Node's HTTP client to read the WebAssembly in its own source: a tenth of the time to the first frame.
  'yoga-wasm-base64-esm.js': [['w||"function"!=typeof fetch?Promise', 'true?Promise']],
  // For developers of Ink.
  'reconciler.js': [[/await (?:import\('\.\/devtools\.js'\)|loadPackageJson\(\))/g, '{}']],
};

export const patchedInk = {
  name: 'patched-ink',
  transform: {
    filter: {
      id: /\/(?:ink\/build|ansi-tokenize\/build|yoga-layout\/dist\/binaries)\/(?:measure-text|wrap-text|output|styledChars|render-node-to-output|parse-keypress|reconciler|yoga-wasm-base64-esm)\.js$/,
    },
    /** @type {(code: string, id: string) => string} */
    handler(code, id) {
      const changes = CHANGES[id.slice(id.lastIndexOf('/') + 1)];
      return changes.reduce((before, [from, to]) => {
        const changed = before.replace(from, to);
        if (changed === before) throw new Error(`${id} is not that of Ink 6.8`);
        return changed;
      }, code);
    },
  },
};
