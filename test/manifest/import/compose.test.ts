import { describe, expect, it } from 'vitest';

import { importCompose, type ImportedCompose } from '../../../src/manifest/import/compose.js';

function service(fields: string): ImportedCompose {
  const text = `services:\n  web:\n    image: web:1\n${fields.replace(/^/gm, '    ')}\n`;
  return importCompose({ file: 'compose.yaml', text });
}

describe('importCompose', () => {
  it.each([
    [
      'a list',
      'test: ["CMD", "curl", "-f", "http://localhost"]',
      ['CMD', 'curl', '-f', 'http://localhost'],
    ],
    [
      'a string for the shell',
      'test: curl -f http://localhost',
      ['CMD-SHELL', 'curl -f http://localhost'],
    ],
    ['with $$ for a dollar sign', 'test: echo $$HOME', ['CMD-SHELL', 'echo $HOME']],
    ['disabled', 'disable: true', ['NONE']],
  ])('reads a test that is %s', (_, line, test) => {
    const [container] = service(`healthcheck:\n  ${line}`).containers;
    expect(container?.healthcheck?.test).toEqual(test);
  });

  it("reads durations and uses Docker's defaults for the others", () => {
    const [container] = service(
      'healthcheck:\n  test: x\n  interval: 1m30s\n  retries: 5',
    ).containers;
    expect(container?.healthcheck).toEqual({
      test: ['CMD-SHELL', 'x'],
      interval: 90_000,
      timeout: 30_000,
      startPeriod: 0,
      startInterval: 5000,
      retries: 5,
    });
  });

  it('reads all forms of ports', () => {
    const { containers } = service('ports: ["8080:80", 81, {target: 82}]\nexpose: ["83"]');
    expect(containers[0]?.ports).toEqual([80, 81, 82, 83]);
  });

  it.each([
    ['an invalid duration', 'interval: soon', 'error', '"soon" is no duration'],
    ['invalid retries', 'retries: some', 'error', 'must be a whole number from 1'],
    ['a variable of Compose', 'test: echo $HOME', 'warning', 'a variable of its own environment'],
  ])('reports %s', (_, line, severity, text) => {
    const { diagnostics } = service(
      `healthcheck:\n  ${line}${line.startsWith('test') ? '' : '\n  test: x'}`,
    );
    expect(diagnostics).toMatchObject([
      { severity, message: expect.stringContaining(text) as string },
    ]);
  });
});
