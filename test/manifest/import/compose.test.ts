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
    ['disabled by a word', 'disable: on', ['NONE']],
    ['a word that YAML 1.1 takes for a boolean', 'test: yes', ['CMD-SHELL', 'yes']],
    ['with such a word', 'test: [CMD, echo, No, "off"]', ['CMD', 'echo', 'No', 'off']],
  ])('reads a test that is %s', (_, line, test) => {
    const [container] = service(`healthcheck:\n  ${line}`).containers;
    expect(container?.healthcheck?.test).toEqual(test);
  });

  it('keeps the names of services that YAML 1.1 takes for booleans', () => {
    const names = ['on', 'y', 'No', 'OFF', '"true"', 'once'];
    const text = `services:\n${names.map((name) => `  ${name}: {image: a}\n`).join('')}`;
    const { containers } = importCompose({ file: 'compose.yaml', text });
    expect(containers.map(({ name }) => name).toSorted()).toEqual(
      ['on', 'y', 'No', 'OFF', 'true', 'once'].toSorted(),
    );
  });

  it.each(['1e3', '0x10', '007', '1_000', '12'])(
    'refuses %s as a name, unless in quotes',
    (name) => {
      const imported = (key: string): ImportedCompose =>
        importCompose({ file: 'compose.yaml', text: `services:\n  ${key}: {image: a}\n` });
      const message = `${name} is a number, not a name`;
      expect(imported(name).diagnostics).toEqual([
        expect.objectContaining({ severity: 'error', line: 2, column: 3, message }),
      ]);
      expect(imported(`"${name}"`)).toMatchObject({ containers: [{ name }], diagnostics: [] });
    },
  );

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
    const { containers } = service('ports: ["8080:80", 81, {target: 82}]\nexpose: ["83/udp"]');
    expect(containers[0]?.ports).toEqual([
      { containerPort: 80 },
      { containerPort: 81 },
      { containerPort: 82 },
      { containerPort: 83, protocol: 'UDP' },
    ]);
  });

  it.each([
    ['an invalid duration', 'interval: soon', 'error', '"soon" is not a duration'],
    ['invalid retries', 'retries: some', 'error', 'must be a whole number, 0 or more'],
    ['a variable without a value', 'test: echo $HOME', 'warning', 'HOME is not set: it is empty'],
    ['a required variable', 'test: "${A:?why}"', 'error', 'variable A has no value: why'],
    ['a test without CMD', 'test: [curl, x]', 'error', 'must begin with CMD, CMD-SHELL or NONE'],
    ['CMD without a command', 'test: [CMD]', 'error', 'there is no command after CMD'],
    ['a number in a command', 'test: [CMD, nc, 80]', 'error', 'must be a string'],
    ['a time below 1 ms', 'timeout: 1us', 'error', '1us is too short'],
    ['a start_interval alone', 'start_interval: 2s', 'error', 'requires start_period'],
    ['a field that does not exist', 'intervall: 2s', 'error', 'unknown field'],
  ])('reports %s', (_, line, severity, text) => {
    const { diagnostics } = service(
      `healthcheck:\n  ${line}${line.startsWith('test') ? '' : '\n  test: x'}`,
    );
    expect(diagnostics).toMatchObject([
      { severity, line: 5, message: expect.stringContaining(text) as string },
    ]);
  });

  it('reports a service that is there twice', () => {
    const text = 'services:\n  web: {image: x}\n  web: {image: y}\n';
    const { diagnostics } = importCompose({ file: 'compose.yaml', text });
    expect(diagnostics).toMatchObject([
      { severity: 'error', line: 3, message: 'set twice, first on line 2' },
    ]);
  });

  it('reports services and files that it does not read', () => {
    const text = 'include: [a.yaml]\nservices:\n  web:\n    image: x\n    extends: base\n';
    const { diagnostics } = importCompose({ file: 'compose.yaml', text });
    expect(diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '1: other compose files are not read',
      '5: the service that it extends is not read',
    ]);
  });
});
