import { expect, it } from 'vitest';

import { levelsBy } from '../../../src/lint/config/config.js';
import { readConfig } from '../../../src/lint/config/read-config.js';
import type { RuleLevel } from '../../../src/lint/rule.js';
import { RULES } from '../../../src/lint/rules.js';

function read(text: string): ReturnType<typeof readConfig> {
  return readConfig({ file: '.kprobe.yaml', text });
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
  ['without a word about it, a rule counts for what it is', '', 'late-ready', 'info'],
  ['without a word about it, a rule of choice is off', '', 'liveness-probe-missing', 'off'],
  ['a rule is switched off', 'rules: {late-ready: off}', 'late-ready', 'off'],
  ['a rule is switched off with quotes', 'rules: {late-ready: "off"}', 'late-ready', 'off'],
  ['a rule gets another severity', 'rules: {late-ready: error}', 'late-ready', 'error'],
  [
    'a rule of choice is switched on',
    'rules: {liveness-probe-missing: info}',
    'liveness-probe-missing',
    'info',
  ],
  [
    'the star stands for what is not named',
    'rules: {"*": off, late-ready: info}',
    'stall-restarts',
    'off',
  ],
  ['a name goes over the star', 'rules: {"*": off, late-ready: info}', 'late-ready', 'info'],
  [
    'an override is about its paths',
    'overrides: [{paths: ["charts/**"], rules: {late-ready: error}}]',
    'late-ready',
    'error',
  ],
  [
    'an override goes over the rules',
    'rules: {late-ready: off}\noverrides: [{paths: ["*.yaml"], rules: {late-ready: error}}]',
    'late-ready',
    'error',
  ],
  [
    'the last of two overrides holds',
    'overrides: [{paths: ["*"], rules: {late-ready: error}}, {paths: ["charts/"], rules: {late-ready: warning}}]',
    'late-ready',
    'warning',
  ],
  [
    'an override leaves other paths alone',
    'overrides: [{paths: ["deploy/**"], rules: {late-ready: error}}]',
    'late-ready',
    'info',
  ],
])('%s', (_, text, id, level) => {
  expect(levelOf(text, id, 'charts/web/pod.yaml')).toBe(level);
});

it('says what fails a run', () => {
  expect(read('failOn: warning').config.failOn).toBe('warning');
});

it.each([
  [
    'a rule that does not exist',
    'rules:\n  late-redy: off\n',
    '2:3 rules.late-redy: unknown rule (did you mean "late-ready"?)',
  ],
  ['an unknown field', 'rule: {}\n', '1:1 rule: unknown field (did you mean "rules"?)'],
  [
    'a severity that there is not',
    'rules:\n  late-ready: loud\n',
    '2:15 rules.late-ready: must be one of off, error, warning, info',
  ],
  [
    'true, which says nothing',
    'rules: {late-ready: true}\n',
    '1:21 rules.late-ready: must be one of off, error, warning, info',
  ],
  ['a list for an object', 'rules: [late-ready]\n', '1:8 rules: must be an object'],
  ['an object for a list', 'overrides: {paths: a}\n', '1:12 overrides: must be a list'],
  [
    'an override without paths',
    'overrides:\n- rules: {}\n',
    '2:3 overrides[0].paths: is required: a list such as ["charts/**"]',
  ],
  [
    'a path that is no text',
    'overrides: [{paths: [a, 1]}]\n',
    '1:25 overrides[0].paths[1]: must be a string such as "charts/**"',
  ],
  ['off for what fails a run', 'failOn: off\n', '1:9 failOn: must be one of error, warning, info'],
  [
    'a key that stands twice',
    'rules: {}\nrules: {}\n',
    '2:1 rules: set twice (remove one of the two)',
  ],
  [
    'two documents',
    'rules: {}\n---\nrules: {}\n',
    '3:1 : a configuration must be a single document',
  ],
  ['no YAML', 'rules: [\n', '1:8 : not YAML: a "{" or "[" is opened and never closed'],
  ['a text', 'hello\n', '1:1 : must be an object'],
])('%s is an error with its place', (_, text, error) => {
  const found = read(text).diagnostics.map(
    ({ line, column, field, message, hint }) =>
      `${line}:${column} ${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
  expect(found).toEqual([error]);
});
