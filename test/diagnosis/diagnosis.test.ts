import { describe, expect, it } from 'vitest';

import { diagnosePod, diagnosisText, isPast } from '../../src/diagnosis/diagnosis.js';
import { runSentence } from '../../src/diagnosis/past-run.js';
import { summaryAt } from '../helpers/ui.js';

async function podAt(seconds: number, name: string) {
  const { pods } = await summaryAt(seconds, name);
  return pods[0]!;
}

describe('diagnosePod', () => {
  it('says why a restarted container fails again, and when it is killed', async () => {
    const [worst] = diagnosePod(await podAt(34.2, 'web'), 34.2);
    expect(diagnosisText(worst!)).toBe(
      'app killed 1 ×: liveness 2 × exit 1; cat: healthy: No such file or directory → 1 more failure, earliest in 1.8 s → killed with TERM, 5 s grace, then restarted at once. Fix what the command checks, or correct livenessProbe.exec.command',
    );
  });

  it('gives the earliest and the latest start after a back-off', async () => {
    const [worst] = diagnosePod(await podAt(9, 'crash-loop'), 9);
    expect(worst).toMatchObject({ container: 'worker', what: 'worker crashed 2 × (exit 1)' });
    expect(worst?.next?.text).toBe('CrashLoopBackOff of 10 s; starts again in 5.7 – 12 s');
    expect(isPast(worst!)).toBe(false);
  });

  it('keeps the cause of each earlier run', async () => {
    const app = (await podAt(34.2, 'web')).containers.find(({ name }) => name === 'app')!;
    expect(runSentence(app, app.runs[0]!)).toBe('liveness 3 × exit 1');
  });

  it('finds nothing wrong before anything fails', async () => {
    expect(diagnosePod(await podAt(0.5, 'web'), 0.5)).toEqual([]);
  });
});
