import { writeFileSync } from 'node:fs';

import { afterAll, describe, expect, it } from 'vitest';

import { countText, judge, type Judgment } from './judge.js';
import { PROGRAMS } from './programs.js';
import { isPresent, runProgram } from './run-program.js';

const judged: Judgment[] = [];
afterAll(() => {
  // eslint-disable-next-line no-console -- CI shows the figures.
  console.log(`programs: ${countText(judged)}`);
});

describe.concurrent('a program of the corpus', () => {
  for (const program of PROGRAMS) {
    it.skipIf(!isPresent(program.needs))(
      `has the right cause, and the change cures it: ${program.name}`,
      async () => {
        const { diagnosis, trace } = await runProgram(program);
        if (process.env['UPDATE_CORPUS'] !== undefined) {
          writeFileSync(new URL(`traces/${program.name}.ndjson`, import.meta.url), trace);
        }
        judged.push(judge(program.fault, diagnosis?.fault));
        expect(diagnosis?.fault).toMatchObject(program.fault);
        const changes = JSON.stringify(diagnosis?.changes);
        if (program.field !== undefined) expect(changes).toContain(program.field);
        const proven = program.cure === 'proven' ? { proven: diagnosis! } : {};
        const cured = await runProgram(program, { cured: true, ...proven });
        expect(cured, cured.stderr).toMatchObject({ code: 0 });
      },
    );
  }
});
