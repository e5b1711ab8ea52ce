import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

/** Where CI wants a report that it can count. */
const report = process.env['KPROBE_TEST_REPORT'];

export default defineConfig({
  test: {
    // Tests wait for servers and processes more than they compute: no core is left out.
    maxWorkers: availableParallelism(),
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    projects: [
      {
        test: {
          name: 'unit',
          // Many tests start processes, and machines are busy.
          testTimeout: 60_000,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            'test/**/*.long.test.ts',
            'test/{browser,package,sea,site,container,real-cluster,terminal,versions}/**',
          ],
          // No test changes what others see, and modules are loaded once: 28 s of CPU in place of 73 for the pure tests.
          isolate: false,
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // What takes longer than `npm test` may: `npm run test:all` runs it too.
          name: 'long',
          testTimeout: 60_000,
          include: ['test/**/*.long.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // The single executable, which Node 26 makes: `npm run sea`.
          name: 'sea',
          include: ['test/sea/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // The site of the documentation, whose packages lie in docs/site.
          name: 'site',
          include: ['test/site/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // Every command on every Node, in the folder that KPROBE_NODES names.
          name: 'versions',
          include: ['test/versions/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          maxConcurrency: availableParallelism(),
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'container',
          include: ['test/container/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          // One engine: what it holds is counted, and how long it takes is measured.
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          // A real Kubernetes: KPROBE_TEST_CLUSTER is its kubeconfig, from .ci/cluster.
          name: 'cluster',
          include: ['test/real-cluster/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          // One cluster: its faults concern every pod.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // The HTML report in Chromium.
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'terminal',
          include: ['test/terminal/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          testTimeout: 60_000,
        },
      },
    ],
  },
});
