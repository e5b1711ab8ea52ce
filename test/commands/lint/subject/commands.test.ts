import { expect, it } from 'vitest';

import { simpleCommands, slowCommand } from '../../../../src/commands/lint/subject/commands.js';

it.each([
  ['a b; c && d || e | f', [['a', 'b'], ['c'], ['d'], ['e'], ['f']]],
  [`echo "a; b" 'c d'e`, [['echo', 'a; b', 'c de']]],
  [
    'x="${A:-}" y=$(cat "$F")\nrun -p"${x}"',
    [
      ['cat', '$F'],
      ['run', '-p${x}'],
    ],
  ],
  [
    'test "$(redis-cli ping)" = PONG',
    [
      ['redis-cli', 'ping'],
      ['test', '$(redis-cli ping)', '=', 'PONG'],
    ],
  ],
  ['a 2>&1 >"/tmp/a b" </dev/null &>/dev/null', [['a']]],
  ['a \\\n  b # not c\nd`e f`', [['a', 'b'], ['e', 'f'], ['d`e f`']]],
  ['[ "$((1 + 2))" = 3 ]', [['[', '$((1 + 2))', '=', '3', ']']]],
  ['if ! a; then b; fi', [['a'], ['b']]],
  ["echo 'open", [['echo', 'open']]],
  ['a$(b $(c)', [['c'], ['b', '$(c)'], ['a$(b $(c)']]],
])('simpleCommands splits %j', (script, expected) => {
  expect(simpleCommands(['sh', '-c', script])).toEqual(expected);
});

it('simpleCommands of a script with thousands of nested substitutions ends', () => {
  const script = '"$('.repeat(5000);
  expect(simpleCommands(['sh', '-c', script]).length).toBeLessThan(300);
});

it('simpleCommands knows no command of a script of 600 kB', () => {
  expect(simpleCommands(['sh', '-c', 'a=$(a '.repeat(100_000)])).toEqual([]);
});

it.each([
  [['cat', '/tmp/ok'], undefined],
  [
    ['bash', '-ec', 'x="a b"\n[[ -f $x ]] && mysqladmin status'],
    ['mysqladmin', 'status'],
  ],
  [
    ['sh', '/probe.sh'],
    ['sh', '/probe.sh'],
  ],
  [['sh', '-c', 'for f in *; do cat $f; done'], undefined],
])('slowCommand of %j is %j', (command, slow) => {
  expect(slowCommand(command)).toEqual(slow);
});
