import { fileURLToPath } from 'node:url';

import { licensePlugin } from 'rolldown-license-plugin';
import { defineConfig, type Rolldown } from 'tsdown';

import { patchedInk } from './scripts/build/patched-ink.mjs';

/**
 * Leaves out what costs a start or space and is never used: commander imports `node:child_process` for commands that
 * are programs of their own, undici and prom-client all that they export.
 */
const UNUSED = [
  { module: /^node:child_process$/, importer: /\/commander\/lib\// },
  {
    module:
      /^\.\/lib\/(?:mock|interceptor|cache|dispatcher\/(?:balanced-pool|h2c-client|retry-agent|round-robin-pool)|handler\/(?:redirect|retry)-handler|web\/(?:cookies|eventsource|websocket\/stream))\b/,
    importer: /\/undici\/index\.js$/,
  },
  // Schemas of zod 3: those of the tools of `mcp` are of zod 4.
  { module: /^(?:zod\/v3|zod-to-json-schema)$/, importer: /\/@modelcontextprotocol\/sdk\// },
  // What zod says in other languages than English, a twentieth of all code.
  { module: /^\.\.\/locales\/index\.js$/, importer: /\/zod\/v4\// },
  // Exemplars, other ways to export, and figures of this process itself.
  { module: /^@opentelemetry\/api$/, importer: /\/prom-client\/lib\// },
  {
    module: /^\.\/lib\/(?:pushgateway|cluster|summary|defaultMetrics)$/,
    importer: /\/prom-client\/index\.js$/,
  },
];

const withoutUnused: Rolldown.Plugin = {
  name: 'without-unused',
  resolveId: {
    filter: { id: UNUSED.map(({ module }) => module) },
    handler: (id, importer = '') =>
      UNUSED.some((one) => one.module.test(id) && one.importer.test(importer))
        ? '\0nothing.cjs'
        : null,
  },
  load: {
    filter: { id: /nothing\.cjs$/ },
    handler: () => 'module.exports = {};',
  },
};

/**
 * Makes string-width build what takes ICU 25 ms when it is first needed, and count lines, blocks and arrows as it counts
 * ASCII: hardly a text of ours has anything else.
 */
const lazyStringWidth: Rolldown.Plugin = {
  name: 'lazy-string-width',
  transform: {
    filter: { id: /\/string-width\/index\.js$/ },
    handler: (code) =>
      code
        .replace(
          'const segmenter = new Intl.Segmenter();',
          'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };',
        )
        .replace(
          '[\\u0020-\\u007E]*',
          '[\\x20-\\x7e\\xb7\\u2013\\u2026\\u2190-\\u21ff\\u2500-\\u25c0\\u2713\\u2717]*',
        )
        .replace(
          /const rgiEmojiRegex = (.*);/,
          'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= $1).test(text) };',
        ),
  },
};

/** Keeps undici's warning that its SOCKS5 is experimental from those who name such a proxy in their kubeconfig. */
const quietSocks: Rolldown.Plugin = {
  name: 'quiet-socks',
  transform: {
    filter: { id: /\/undici\/lib\/dispatcher\/socks5-proxy-agent\.js$/ },
    handler: (code) =>
      code.replace(
        'let experimentalWarningEmitted = false',
        'let experimentalWarningEmitted = true',
      ),
  },
};

/** Takes the ES modules of yaml, which leave out what is not used, and ask for no environment variable at each token. */
const yamlModules: Rolldown.Plugin = {
  name: 'yaml-modules',
  resolveId: {
    filter: { id: /^yaml$/ },
    handler: () => ({
      id: fileURLToPath(new URL('node_modules/yaml/browser/dist/index.js', import.meta.url)),
      moduleSideEffects: false,
    }),
  },
};

/** Gives Ink the layout that it need not await while it loads. */
const awaitedYoga: Rolldown.Plugin = {
  name: 'awaited-yoga',
  resolveId: {
    filter: { id: /^yoga-layout$/ },
    handler: () => fileURLToPath(new URL('src/tui/yoga.ts', import.meta.url)),
  },
};

export default defineConfig({
  entry: {
    'cli/main': 'src/cli/main.ts',
    'cli/attempt-worker': 'src/probe/attempt-worker.ts',
    'cli/simulate-worker': 'src/commands/simulate/simulate-worker.ts',
    'cli/rollout-worker': 'src/commands/rollout/rollout-worker.ts',
    index: 'src/index.ts',
  },
  // A start of ES modules takes 7 ms more (docs/internals/benchmarks.md).
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  dts: { entry: 'src/index.ts' },
  // Everything is bundled: a start reads a few files instead of hundreds.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  minify: true,
  outputOptions: {
    codeSplitting: {
      // A start reads one file for what it always needs, one for what most commands share, one more for single attempts,
      // and one for manifests. Without the second, a group would take the network's modules with it.
      groups: [
        {
          name: 'base',
          test: /src\/cli\/(?:program|shared\/io)\.ts$/,
          priority: 4,
        },
        {
          name: 'shared',
          test: /src\/(?:api\/helpers\/containers|cli\/shared\/(?:cluster-options|kubelet\/kubelet-flags|options|output-style|reports\/reports)|clock\/(?:real-clock|ticker)|kubelet\/prober\/prober|text\/(?:count|duration)|trace\/trace-mask)\.ts$/,
          priority: 3,
        },
        {
          name: 'once',
          test: /src\/(?:commands\/once\/(?:once-(?:options|command)|attempt-text)|probe\/http\/http-probe)\.ts$/,
          priority: 2,
        },
        {
          name: 'manifest',
          // The library's declarations are one file. What few commands need (the readers of Dockerfiles and CRDs, js-yaml)
          // is not in this group: with it, validating a pod reads 770 kB, not 450, and takes 2.5 × a bare node, not 2.1.
          test: /(?:src\/(?:api|go\/yaml|manifest)|node_modules\/yaml)\/(?!(?:import|crds|documents\/dump-yaml)\b|.*\.d\.ts$)/,
          priority: 1,
        },
      ],
    },
  },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // React without its checks.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [
    withoutUnused,
    lazyStringWidth,
    patchedInk,
    quietSocks,
    yamlModules,
    awaitedYoga,
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
        const type = JSON.stringify({ type: 'commonjs' });
        context.emitFile({ type: 'asset', fileName: 'package.json', source: type });
      },
    }),
  ],
});
