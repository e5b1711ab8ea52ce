import { licensePlugin } from 'rolldown-license-plugin';
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: { entry: 'src/index.ts' },
  // Everything is bundled: a start reads a few files instead of hundreds.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  minify: true,
  fixedExtension: false,
  // React without its checks, Ink without its developers' tools.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [
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
