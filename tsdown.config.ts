import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: { entry: 'src/index.ts' },
  // Everything is bundled: a start reads a few files instead of hundreds.
  deps: { alwaysBundle: [/.*/] },
  minify: true,
  fixedExtension: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    {
      // Ink would look for React's developer tools, which are not in the bundle, where DEV=true is set.
      name: 'ink-without-devtools',
      transform: {
        filter: { id: /\/ink\/build\/(?:utils|devtools)\.js$/ },
        handler: (_, id) =>
          id.endsWith('utils.js') ? 'export const isDev = () => false;' : 'export {};',
      },
    },
  ],
});
