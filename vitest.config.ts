import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/package/**', 'test/container/**', 'test/terminal/**'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      { test: { name: 'package', include: ['test/package/**/*.test.ts'] } },
      {
        test: {
          name: 'container',
          include: ['test/container/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          name: 'terminal',
          include: ['test/terminal/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
});
