import { expect, it } from 'vitest';

import { kprobe } from '../../helpers/kprobe.js';

it('explains a rule: what it finds, why, its page and its sources', async () => {
  const { code, stdout } = await kprobe(['lint', '--explain', 'latest-image']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^latest-image {2}warning\nA restart may run another image\.\n\nThe tag /);
  expect(stdout).toMatch(/docs\/rules\/latest-image\.md\n\nSources:\n {2}https:\/\/kubernetes\.io/);
});

it('refuses a rule that is not there', async () => {
  const { code, stderr } = await kprobe(['lint', '--explain', 'latest-imag']);
  expect([code, stderr]).toEqual([
    2,
    'kprobe: no rule "latest-imag" (did you mean latest-image?)\n',
  ]);
});
