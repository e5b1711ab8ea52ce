import { licensePlugin } from 'rolldown-license-plugin';
import { defineConfig, type Rolldown } from 'tsdown';

/** What undici asks of `node:assert`, which is dear to load. */
const ASSERT = `module.exports = (value, message = 'assertion failed') => {
  if (!value) throw message instanceof Error ? message : new Error(message);
};`;
const NOTHING = 'module.exports = {};';

/**
 * Modules that cost a start, and what stands for them: parts of packages that kprobe never comes to (a probe sends no
 * body, and speaks HTTP/2 on a transport of its own; no command is a program of its own), and modules of Node's of
 * which a package uses next to nothing (of `node:http` undici takes a limit that kprobe gives, and a class that
 * kprobe has no object of).
 */
const REPLACED = [
  { importer: /\/undici\/lib\//, module: /\/(?:client-h2|fetch\/body)\.js$/, code: NOTHING },
  { importer: /\/undici\/lib\//, module: /^node:http$/, code: NOTHING },
  { importer: /\/undici\/lib\//, module: /^node:assert$/, code: ASSERT },
  { importer: /\/commander\/lib\//, module: /^node:child_process$/, code: NOTHING },
];

/** Puts other modules where the listed ones are imported. */
const withReplaced: Rolldown.Plugin = {
  name: 'with-replaced',
  resolveId: {
    filter: { id: REPLACED.map(({ module }) => module) },
    handler(module, importer = '') {
      const found = REPLACED.findIndex(
        (each) => each.importer.test(importer) && each.module.test(module),
      );
      return found < 0 ? null : `\0kprobe-replaced-${found}.cjs`;
    },
  },
  load: {
    filter: { id: /kprobe-replaced-\d+\.cjs$/ },
    handler: (id) => REPLACED[Number(/\d+/.exec(id)?.[0])]?.code ?? null,
  },
};

export default defineConfig({
  entry: {
    'cli/main': 'src/cli/main.ts',
    'cli/simulate-worker': 'src/cli/simulate/simulate-worker.ts',
    index: 'src/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: { entry: 'src/index.ts' },
  // Everything is bundled: a start reads a few files instead of hundreds.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  minify: true,
  outputOptions: {
    codeSplitting: {
      // A start reads one file for what it always needs, and one more for single attempts.
      groups: [
        { name: 'base', test: /src\/cli\/(?:program|io)\.ts$|rolldown\/runtime/, priority: 2 },
        {
          name: 'once',
          test: /src\/(?:cli\/(?:commands\/once|once-command)|probe\/http\/http1|render\/once\/text)\.ts$/,
          priority: 1,
        },
      ],
    },
  },
  fixedExtension: false,
  // React without its checks, Ink without its developers' tools.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [
    withReplaced,
    licensePlugin({
      allow: ({ license }) => /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD)$/.test(license),
      failOnViolation: true,
      failOnUnlicensed: true,
      done(packages, context) {
        const texts = packages.map(
          ({ name, version, license, licenseText }) =>
            `${name} ${version} (${license})\n\n${licenseText.trim()}\n`,
        );
        const source = texts.join(`\n${'-'.repeat(80)}\n\n`);
        context.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source });
      },
    }),
  ],
});
