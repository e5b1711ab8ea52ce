import { licensePlugin } from 'rolldown-license-plugin';
import { defineConfig, type Rolldown } from 'tsdown';

/**
 * Parts of packages that kprobe never comes to, and that cost a start: a probe sends no body, and speaks HTTP/2 on a
 * transport of its own; no command is a program of its own.
 */
const UNUSED = [
  { importer: /\/undici\/lib\//, module: /\/(?:client-h2|fetch\/body)\.js$/ },
  { importer: /\/commander\/lib\//, module: /^node:child_process$/ },
];
const EMPTY = '\0kprobe-empty.cjs';

/** Puts an empty module where the listed ones are imported. */
const withoutUnused: Rolldown.Plugin = {
  name: 'without-unused',
  resolveId: {
    filter: { id: UNUSED.map(({ module }) => module) },
    handler: (module, importer = '') =>
      UNUSED.some((each) => each.importer.test(importer) && each.module.test(module))
        ? EMPTY
        : null,
  },
  load: { filter: { id: /kprobe-empty\.cjs$/ }, handler: () => 'module.exports = {};' },
};

export default defineConfig({
  entry: {
    'cli/main': 'src/cli/main.ts',
    'cli/simulate-worker': 'src/cli/simulate-worker.ts',
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
    advancedChunks: {
      // A start reads one file for what it always needs, and one more for single attempts.
      groups: [
        { name: 'base', test: /src\/cli\/(?:program|io)\.ts$/, priority: 2 },
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
    withoutUnused,
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
