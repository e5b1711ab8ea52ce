import { expect, it } from 'vitest';

import { FAULTS } from '../../../src/commands/demo/faults.js';
import { kprobe } from '../../helpers/kprobe.js';

it.each<[string, RegExp, number?]>([
  ['hang', /liveness \d × timeout at 1 s/],
  ['slow-start', /startup \d+ × HTTP 503; the answer says: loading the catalog/],
  ['crash', /Error: DATABASE_URL is not set/],
  ['not-ready', /readiness \d+ × HTTP 503; the answer says that database is down/, 1],
  ['wrong-port', /the program listens on port (\d+);.* Set startupProbe\.httpGet\.port to \1/],
])('kprobe demo %s ends with the cause and the lesson', async (name, cause, exitCode = 0) => {
  const { stdout, stderr, code } = await kprobe(['demo', name]);
  const text = stdout.slice(stdout.lastIndexOf('  Cause  ')).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(cause);
  expect(text).toContain(`Lesson: ${FAULTS.find((fault) => fault.name === name)?.lesson}`);
  expect([stderr, code]).toEqual(['', exitCode]);
  expect(stdout).toContain(`(exit code ${exitCode})`);
});
