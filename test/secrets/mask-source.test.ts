import { expect, it } from 'vitest';

import { linesOf, maskSourceLine } from '../../src/secrets/mask-source.js';

it.each([
  ['  value: hunter2', 1, '  value: ***'],
  ['  - {name: A, value: "hun,ter2"}', 1, '  - {name: A, value: ***}'],
  ['{"env":[{"name":"A","value":"hunter2"}]}', 1, '{"env":[{"name":"A","value":***}]}'],
  ['  value: $(OTHER)', 1, '  value: $(OTHER)'],
  ['  - value: |\n      hunter2', 2, '      ***'],
  ['  command: [redis-cli, -a, hunter2]', 1, '  command: [redis-cli, -a, ***'],
  ['  command: [check, --password=hunter2]', 1, '  command: [check, --password=***'],
  ['  password: hunter2', 1, '  password: ***'],
  ['kind: Secret\nstringData:\n  a: hunter2\n---\nkind: Pod', 3, '  a: ***'],
  ['kind: Secret\n---\nkind: Pod\nspec:\n  a: hunter2', 5, '  a: hunter2'],
  ['  periodSeconds: 10', 1, '  periodSeconds: 10'],
])('of %j, line %i', (text, line, masked) => {
  expect(maskSourceLine(linesOf(text), line)).toBe(masked);
});
