import { describe, expect, it } from 'vitest';

import type { EnvVar } from '../../../src/api/index.js';
import { expandContainerCommandOnlyStatic } from '../../../src/kubelet/prober/exec-probe.js';

const env: readonly EnvVar[] = [
  { name: 'VAR_A', value: 'A' },
  { name: 'VAR_B', value: 'B' },
  { name: 'VAR_C', value: 'C' },
  { name: 'VAR_REF', value: '$(VAR_A)' },
  { name: 'VAR_EMPTY', value: '' },
  { name: 'VAR_FROM', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  { name: 'TWICE', value: 'first' },
  { name: 'TWICE', value: 'last' },
];

describe('expandContainerCommandOnlyStatic', () => {
  // The rows of doExpansionTest (third_party/forked/golang/expansion/expand_test.go) and some more.
  it.each([
    ['$(VAR_A)', 'A'],
    ['___$(VAR_B)___', '___B___'],
    ['___$(VAR_C)', '___C'],
    ['$(VAR_A)-$(VAR_A)', 'A-A'],
    ['$(VAR_A)-1', 'A-1'],
    ['$(VAR_A)_$(VAR_B)_$(VAR_C)', 'A_B_C'],
    ['$$(VAR_B)_$(VAR_A)', '$(VAR_B)_A'],
    ['$$(VAR_A)_$$(VAR_B)', '$(VAR_A)_$(VAR_B)'],
    ['f000-$$VAR_A', 'f000-$VAR_A'],
    ['foo\\$(VAR_C)bar', 'foo\\Cbar'],
    ['foo\\\\$(VAR_C)bar', 'foo\\\\Cbar'],
    ['foo\\\\\\\\$(VAR_A)bar', 'foo\\\\\\\\Abar'],
    ['$(VAR_A$(VAR_B))', '$(VAR_A$(VAR_B))'],
    ['$(VAR_A$(VAR_B)', '$(VAR_A$(VAR_B)'],
    ['$(VAR_REF)', '$(VAR_A)'],
    ['%%$(VAR_REF)--$(VAR_REF)%%', '%%$(VAR_A)--$(VAR_A)%%'],
    ['foo$(VAR_EMPTY)bar', 'foobar'],
    ['foo$(VAR_Awhoops!', 'foo$(VAR_Awhoops!'],
    ['f00__(VAR_A)__', 'f00__(VAR_A)__'],
    ['$?_boo_$!', '$?_boo_$!'],
    ['$VAR_A', '$VAR_A'],
    ['$(VAR_DNE)', '$(VAR_DNE)'],
    ['$$$$$$(BIG_MONEY)', '$$$(BIG_MONEY)'],
    ['$$$$$$(VAR_A)', '$$$(VAR_A)'],
    ['$$$$$$$(GOOD_ODDS)', '$$$$(GOOD_ODDS)'],
    ['$$$$$$$(VAR_A)', '$$$A'],
    ['$VAR_A)', '$VAR_A)'],
    ['${VAR_A}', '${VAR_A}'],
    ['$(VAR_B)_______$(A', 'B_______$(A'],
    ['$(VAR_C)_______$(', 'C_______$('],
    ['$(VAR_A)foobarzab$', 'Afoobarzab$'],
    ['foo-\\$(VAR_A', 'foo-\\$(VAR_A'],
    ['--$($($($($--', '--$($($($($--'],
    ['$($($($($--foo$(', '$($($($($--foo$('],
    ['foo0--$($($($(', 'foo0--$($($($('],
    ['$(foo$$var)', '$(foo$$var)'],
    ['$(VAR_FROM)', ''],
    ['$(TWICE)', 'last'],
    ['$é$$é$(VAR_A)é', '$é$éAé'],
    ['$\u{1F600}', '$\u{1F600}'],
    ['$()', '$()'],
    ['', ''],
  ])('expands %j to %j', (written, expanded) => {
    expect(expandContainerCommandOnlyStatic([written], env)).toEqual([expanded]);
  });

  it('keeps references when there are no variables', () => {
    expect(expandContainerCommandOnlyStatic(['sh', '-c', 'echo $(A) $$'])).toEqual([
      'sh',
      '-c',
      'echo $(A) $',
    ]);
  });
});
