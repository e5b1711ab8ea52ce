import { defineConfig } from 'vitest/config';

/** Real servers, processes and timeouts on shared machines: what a stall has failed is tried again. */
const retry = 2;

/** Where CI wants a report that it can count. */
const report = process.env['KPROBE_TEST_REPORT'];

export default defineConfig({
  test: {
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    projects: [
      {
        test: {
          name: 'unit',
          // Many tests start processes, and machines are busy.
          testTimeout: 60_000,
          retry,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/package/**', 'test/container/**', 'test/terminal/**'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 60_000,
          retry,
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
          retry,
        },
      },
      {
        test: {
          name: 'terminal',
          include: ['test/terminal/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          testTimeout: 60_000,
          retry,
        },
      },
    ],
  },
});
