import { expect, it } from 'vitest';

import type { RuleLevel } from '../../../../src/cli/shared/config/config.js';
import { levelsBy } from '../../../../src/cli/shared/config/config.js';
import { readConfig } from '../../../../src/cli/shared/config/read-config.js';
import { RULES } from '../../../../src/commands/lint/rules.js';

function read(text: string): ReturnType<typeof readConfig> {
  return readConfig({ file: '.kprobe.yaml', text }, { rules: RULES.map(({ id }) => id) });
}

function levelOf(text: string, id: string, file: string): RuleLevel {
  const { config, diagnostics } = read(text);
  expect(diagnostics).toEqual([]);
  return levelsBy(config, (path) => path)(
    RULES.find((rule) => rule.id === id)!,
    file,
  );
}

it.each([
  ['a rule has its own severity by default', '', 'late-ready', 'info'],
  ['an opt-in rule is off by default', '', 'liveness-probe-missing', 'off'],
  ['a rule can be turned off', 'rules: {late-ready: off}', 'late-ready', 'off'],
  [
    'a rule can be turned off with a quoted "off"',
    'rules: {late-ready: "off"}',
    'late-ready',
    'off',
  ],
  ['a rule can get another severity', 'rules: {late-ready: error}', 'late-ready', 'error'],
  [
    'an opt-in rule can be turned on',
    'rules: {liveness-probe-missing: info}',
    'liveness-probe-missing',
    'info',
  ],
  [
    '"*" applies to rules that are not named',
    'rules: {"*": off, late-ready: info}',
    'stall-restarts',
    'off',
  ],
  ['a named rule wins over "*"', 'rules: {"*": off, late-ready: info}', 'late-ready', 'info'],
  [
    'an override applies to its paths',
    'overrides: [{paths: ["charts/**"], rules: {late-ready: error}}]',
    'late-ready',
    'error',
  ],
  [
    'an override wins over the rules',
    'rules: {late-ready: off}\noverrides: [{paths: ["*.yaml"], rules: {late-ready: error}}]',
    'late-ready',
    'error',
  ],
  [
    'the last matching override wins',
    'overrides: [{paths: ["*"], rules: {late-ready: error}}, {paths: ["charts/"], rules: {late-ready: warning}}]',
    'late-ready',
    'warning',
  ],
  [
    'an override does not apply to other paths',
    'overrides: [{paths: ["deploy/**"], rules: {late-ready: error}}]',
    'late-ready',
    'info',
  ],
])('%s', (_, text, id, level) => {
  expect(levelOf(text, id, 'charts/web/pod.yaml')).toBe(level);
});

it('failOn is read', () => {
  expect(read('failOn: warning').config.failOn).toBe('warning');
});

it.each([
  [
    'an unknown rule',
    'rules:\n  late-redy: off\n',
    '2:3 rules.late-redy: unknown rule (did you mean "late-ready"?)',
  ],
  ['an unknown field', 'rule: {}\n', '1:1 rule: unknown field (did you mean "rules"?)'],
  [
    'an unknown severity',
    'rules:\n  late-ready: loud\n',
    '2:15 rules.late-ready: must be one of off, error, warning, info',
  ],
  [
    'true as a severity',
    'rules: {late-ready: true}\n',
    '1:21 rules.late-ready: must be one of off, error, warning, info',
  ],
  ['a list instead of an object', 'rules: [late-ready]\n', '1:8 rules: must be an object'],
  ['an object instead of a list', 'overrides: {paths: a}\n', '1:12 overrides: must be a list'],
  [
    'an override without paths',
    'overrides:\n- rules: {}\n',
    '2:3 overrides[0].paths: is required: a list such as ["charts/**"]',
  ],
  [
    'a path that is not a string',
    'overrides: [{paths: [a, 1]}]\n',
    '1:25 overrides[0].paths[1]: must be a string such as "charts/**"',
  ],
  ['failOn with off', 'failOn: off\n', '1:9 failOn: must be one of error, warning, info'],
  ['a duplicate key', 'rules: {}\nrules: {}\n', '2:1 rules: set twice (remove one of the two)'],
  [
    'two documents',
    'rules: {}\n---\nrules: {}\n',
    '3:1 : a configuration must be a single document',
  ],
  ['invalid YAML', 'rules: [\n', '1:8 : not YAML: a "{" or "[" is opened and never closed'],
  ['a string', 'hello\n', '1:1 : must be an object'],
])('%s is an error with its position', (_, text, error) => {
  const found = read(text).diagnostics.map(
    ({ line, column, field, message, hint }) =>
      `${line}:${column} ${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
  expect(found).toEqual([error]);
});
