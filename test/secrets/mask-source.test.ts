import { expect, it } from 'vitest';

import { linesOf, maskSourceLine } from '../../src/secrets/mask-source.js';

it.each([
  ['  value: hunter2', 1, '  value: ***'],
  ['  - {name: A_TOKEN, value: "hun,ter2"}', 1, '  - {name: A_TOKEN, value: ***}'],
  ['  - {name: A, value: "hun,ter2"}', 1, '  - {name: A, value: "hun,ter2"}'],
  ['  - name: A_TOKEN\n    value: hunter2', 2, '    value: ***'],
  ['  - value: hunter2\n    name: A_TOKEN', 1, '  - value: ***'],
  ['  - name: A\n    value: hunter2', 2, '    value: hunter2'],
  ['  - name: A\n  - value: hunter2\n    name: A_TOKEN', 2, '  - value: ***'],
  ['  - name: A_TOKEN\n    value: |\n      hunter2', 3, '      ***'],
  ['  - name: A\n    value: |\n      hunter2', 3, '      hunter2'],
  [
    '{"env":[{"name":"KEY_A_KEY","value":"hunter2"}]}',
    1,
    '{"env":[{"name":"KEY_A_KEY","value":***}]}',
  ],
  [
    '{"env":[{"name":"A","value":"a"},{"name":"B","value":"b"}]}',
    1,
    '{"env":[{"name":"A","value":***},{"name":"B","value":***}]}',
  ],
  ['  value: $(OTHER)', 1, '  value: $(OTHER)'],
  ['  - value: |\n      hunter2', 2, '      ***'],
  ['  command: [redis-cli, -a, hunter2]', 1, '  command: [redis-cli, -a, ***'],
  ['  command: [check, --password=hunter2]', 1, '  command: [check, --password=***'],
  ['  - --password\n  - hunter2', 2, '  - ***'],
  ['  "redis-cli",\n  "-a",\n  "hunter2"', 3, '  "***"'],
  ['  - check\n  - hunter2', 2, '  - hunter2'],
  ['  password: hunter2', 1, '  password: ***'],
  ['kind: Secret\nstringData:\n  a: hunter2\n---\nkind: Pod', 3, '  a: ***'],
  ['kind: Secret\n---\nkind: Pod\nspec:\n  a: hunter2', 5, '  a: hunter2'],
  ['addresses:\n- value: 10.0.0.1', 2, '- value: 10.0.0.1'],
  ['  addresses:\n    - type: IPAddress\n      value: 10.0.0.1', 3, '      value: 10.0.0.1'],
  ['"addresses": [\n  {\n    "value": "10.0.0.1"', 3, '    "value": "10.0.0.1"'],
  ['spec:\n  password:\n    value: hunter2', 3, '    value: ***'],
  ['env:\n- value: hunter2', 2, '- value: ***'],
  ['env:\n- name: A_TOKEN\n  # why\n  value: hunter2', 4, '  value: ***'],
  ['  extraEnvVars: [\n    {\n      "value": "hunter2"', 3, '      "value": ***'],
  [
    'addresses:\n  - {value: a}\nenv: [{name: A, value: b}, {name: B, value: c}]',
    3,
    'env: [{name: A, value: ***}, {name: B, value: ***}]',
  ],
  ['data: {b: c, password: hunter2}', 1, 'data: {b: c, password: ***}'],
  ['env: [{value: hunter2, name: A_TOKEN}]', 1, 'env: [{value: ***, name: A_TOKEN}]'],
  ['a: &a {b: {token: &b !!str hunter2}}', 1, 'a: &a {b: {token: &b !!str ***}}'],
  [
    'volumes: [{name: a, secret: {secretName: b}}]',
    1,
    'volumes: [{name: a, secret: {secretName: b}}]',
  ],
  ['  periodSeconds: 10', 1, '  periodSeconds: 10'],
])('of %j, line %i', (text, line, masked) => {
  expect(maskSourceLine(linesOf(text), line)).toBe(masked);
});
