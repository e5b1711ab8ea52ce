import { describe, expect, it } from 'vitest';

import { runsLines } from '../../src/report/runs-text.js';
import { summarizeRuns } from '../../src/sim/many-runs.js';
import { lineText } from '../../src/text/line.js';

const run = {
  readyAfter: null,
  readyFor: null,
  restarts: 0,
  unready: null,
  crashLooped: false,
  good: false,
};
const app = { container: 'app', state: 'running', lastState: '', message: '' };
const crash = { ...app, state: 'waiting CrashLoopBackOff', lastState: 'terminated Error 1' };

/** The line that explains why a single run was not ready. */
function why(obstacle: typeof app & { readonly probe?: 'startup' | 'readiness' }): string {
  const lines = runsLines('web', 60, summarizeRuns([{ ...run, obstacles: [obstacle] }])).map(
    lineText,
  );
  return lines[lines.indexOf('  why it was not ready at the end') + 1] ?? '';
}

describe('runsLines, when some runs were not ready at the end', () => {
  it.each([
    ['a failing probe', { ...app, probe: 'readiness', message: 'Readiness probe failed: 503' }],
    ['a probe that has not failed', { ...app, probe: 'startup' }],
    ['a crash loop', crash],
    ['a crash loop after probe failures', { ...crash, message: 'Liveness probe failed: 503' }],
    ['an exit', { ...crash, state: 'terminated Error 1' }],
  ] as const)('reports %s', (_, obstacle) => {
    expect(why(obstacle)).toMatchSnapshot();
  });

  it('escapes control characters and shortens long messages', () => {
    const text = why({ ...app, state: 'waiting', message: `\u001b[2J${'x'.repeat(10_000)}` });
    expect(text).toContain('\\x1b[2J');
    expect(text.length).toBeLessThan(220);
  });

  it('names what a good end is, and for how long it lasts', () => {
    const good = { ...run, good: true, obstacles: [] };
    const runs = [2, 40, 50].map((readyFor) => ({ ...good, readyFor }));
    const lines = runsLines('web', 60, summarizeRuns(runs)).map(lineText);
    expect(lines.slice(0, 2)).toEqual([
      'web, 3 runs of 60.0 s',
      '  ready or succeeded at the end  100.0 %, ready for 2.0 s or longer (p50 40.0 s)',
    ]);
  });

  it('has no reasons when all runs were ready', () => {
    const lines = runsLines('web', 60, summarizeRuns([{ ...run, good: true, obstacles: [] }]));
    expect(lines.map(lineText)).not.toContain('  why it was not ready at the end');
  });
});
