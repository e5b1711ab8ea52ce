import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

/** Where CI wants a report that it can count. */
const report = process.env['KPROBE_TEST_REPORT'];

/** How many times over `npm run fuzz` runs every property. */
const RUNS_FACTOR = Number(process.env['KPROBE_TEST_RUNS'] ?? 1);

/** Milliseconds that nothing takes but what hangs, on any machine: no test is about them. */
const PATIENCE = {
  testTimeout: 600_000 * RUNS_FACTOR,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
} as const;

// JSX is compiled as for users: with React's development build, the tests of the UI take a third more CPU.
process.env['NODE_ENV'] = 'production';

/** Tests that reach nothing outside of this machine: extra certificates would cost each start of Node 50 ms of CPU. */
const LOCAL = { ...PATIENCE, env: { NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: '' } } as const;

/** Other tests, some of which run npm: for production, it leaves out what kprobe is built with. */
const OTHER = { ...PATIENCE, env: { NODE_ENV: 'test' } } as const;

export default defineConfig({
  test: {
    // Tests wait for servers and processes more than they compute: no core is left out.
    maxWorkers: availableParallelism(),
    // The next run need not compile src again: 20 s of CPU.
    experimental: { fsModuleCache: true },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    projects: [
      {
        test: {
          ...LOCAL,
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            'test/**/*.long.test.ts',
            'test/**/*.e2e.test.ts',
            'test/**/*.live.test.ts',
            'test/{browser,package,sea,site,container,real-cluster,terminal,versions}/**',
          ],
          // No test changes what others see, and modules are loaded once: 28 s of CPU in place of 73 for the pure tests.
          isolate: false,
          // Some tests wait: with one more worker than cores (two), `npm test` takes 87 s in place of 98.
          maxWorkers: availableParallelism() + 1,
          // With workers of their own, they run before or after other projects, not beside them.
          sequence: { groupOrder: 1 },
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // What takes longer than `npm test` may: `npm run test:all` runs it too.
          ...LOCAL,
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          // As the unit tests: modules are loaded once.
          isolate: false,
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // Kubernetes' end-to-end tests as processes: they wait more than they compute.
          ...LOCAL,
          name: 'e2e',
          include: ['test/**/*.e2e.test.ts'],
          globalSetup: 'test/global-setup.ts',
          maxConcurrency: 24,
        },
      },
      {
        test: {
          // The programs of the corpus, each in its real runtime where that is installed: run by hand, to record them anew.
          ...LOCAL,
          name: 'live',
          include: ['test/**/*.live.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          ...OTHER,
          name: 'package',
          include: ['test/package/**/*.test.ts'],
        },
      },
      {
        test: {
          // The single executable, which Node 26 makes: `npm run sea`.
          ...OTHER,
          name: 'sea',
          include: ['test/sea/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // The site of the documentation, whose packages lie in docs/site.
          ...OTHER,
          name: 'site',
          include: ['test/site/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          // Every command on every Node, in the folder that KPROBE_NODES names.
          ...LOCAL,
          name: 'versions',
          include: ['test/versions/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          maxConcurrency: availableParallelism(),
        },
      },
      {
        test: {
          ...LOCAL,
          name: 'container',
          include: ['test/container/**/*.test.ts'],
          exclude: ['test/container/**/*.timed.test.ts'],
          globalSetup: 'test/global-setup.ts',
          // One engine: what it holds is counted, and how long it takes is measured.
          fileParallelism: false,
        },
      },
      {
        test: {
          // An engine, where it is measured when kprobe and the engine do something: nothing runs beside.
          ...LOCAL,
          name: 'container-timed',
          include: ['test/container/**/*.timed.test.ts'],
          globalSetup: 'test/global-setup.ts',
          fileParallelism: false,
        },
      },
      {
        test: {
          // A real Kubernetes: KPROBE_TEST_CLUSTER is its kubeconfig, from .ci/cluster.
          ...LOCAL,
          name: 'cluster',
          include: ['test/real-cluster/**/*.test.ts'],
          exclude: ['test/real-cluster/**/*.timed.test.ts'],
          globalSetup: 'test/global-setup.ts',
          // One cluster: its faults concern every pod.
          fileParallelism: false,
        },
      },
      {
        test: {
          // The same cluster, where it is measured when a kubelet does something: nothing runs beside.
          ...LOCAL,
          name: 'cluster-timed',
          include: ['test/real-cluster/**/*.timed.test.ts'],
          globalSetup: 'test/global-setup.ts',
          fileParallelism: false,
        },
      },
      {
        test: {
          // The HTML report in Chromium.
          ...OTHER,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
        },
      },
      {
        test: {
          ...LOCAL,
          name: 'terminal',
          include: ['test/terminal/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
});
