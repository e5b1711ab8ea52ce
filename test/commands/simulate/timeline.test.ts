import { describe, expect, it } from 'vitest';

import { Timeline } from '../../../src/commands/simulate/timeline.js';
import {
  EMPTY_BEHAVIOR,
  type PodBehaviorSpec,
  podScenario,
} from '../../../src/sim/pod-scenario.js';
import { simulateScenarios } from '../../../src/sim/simulate-scenarios.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { verdictOf } from '../../../src/trace/summary/verdict.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const readinessProbe = buildProbe({ exec: { command: ['ready'] }, periodSeconds: 2 });
const livenessProbe = buildProbe({ exec: { command: ['live'] }, periodSeconds: 5 });

interface Shown {
  readonly said?: Partial<PodBehaviorSpec>;
  readonly seconds?: number;
  readonly color?: boolean;
  readonly unicode?: boolean;
}

async function show({ said, seconds = 60, color = false, unicode = true }: Shown) {
  const pod = buildPod({
    spec: { containers: [buildContainer({ readinessProbe, livenessProbe })] },
  });
  const { scenario } = podScenario(pod, { ...EMPTY_BEHAVIOR, ...said }, { until: seconds * 1000 });
  let text = '';
  const timeline = new Timeline((part) => (text += part), {
    seconds,
    columns: 72,
    theme: { color, unicode },
    plain: !color,
  });
  const { summary, verdict } = await simulateScenarios([scenario], (line, now) =>
    timeline.line(line, now),
  );
  timeline.end({ t: seconds, kind: 'goal', verdict, exitCode: 1 }, summary);
  return text;
}

const hangs = { hangsAt: [{ value: { from: 20_000, to: 30_000 } }] };

describe('a timeline', () => {
  it('has a lane for each container and probe, and lists the events', async () => {
    expect(await show({ said: hangs })).toMatchInlineSnapshot(`
      "            ╷0:00       ╷0:12       ╷0:24       ╷0:36       ╷0:48
      app         S█████████████████████████▄▄▄▄██████████████████████████████
        readiness ↑ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ─✗─✗─↓✗─✗ ↑✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓
        liveness       ↑    ✓    ✓    ─✗   ─✗   ✓    ✓    ✓    ✓    ✓    ✓

      █ ready  ▄ not ready  ▂ not started  ▒ TERM to end  ░ back-off
      · not running  S start  T TERM  E end  R restart
      ✓ success  ✗ failure  ! error  ↑ ↓ result changed  ─ attempt in progress

          0.000s  web      Status   Phase       Pending
          0.000s  web/app  Status   State       waiting ContainerCreating, not started, not ready
          0.000s  web      Status   Ready       False ContainersNotReady: containers with unready status: [app]
          0.630s  web      Status   Phase       Running
          0.630s  web/app  Status   State       running, started, not ready
          0.637s  web/app  Status   State       running, started, ready
          0.637s  web      Status   Ready       True
         25.630s  web/app  Status   State       running, started, not ready
         25.630s  web      Status   Ready       False ContainersNotReady: containers with unready status: [app]
         30.010s  web/app  Status   State       running, started, ready
         30.010s  web      Status   Ready       True
         60.000s  default/web ready after 0.6 s (exit code 1)
      "
    `);
  });

  it('fits its width and has one legend', async () => {
    const rows = (await show({})).split('\n\n').slice(0, 2).join('\n').split('\n');
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(72);
    expect(rows.filter((row) => row.includes('✓ success'))).toHaveLength(1);
  });

  it('shows a run that is not ready when the previous run was not ready either', async () => {
    const said = {
      hangsAt: [{ value: { from: 10_000, to: 90_000 } }],
      readyAfter: [
        { container: 'app', probe: 'readiness' as const, value: { from: 9000, to: 9000 } },
      ],
    };
    const lanes = (await show({ said })).split('\n');
    expect(lanes.find((row) => row.startsWith('app'))).toMatch(/^app +S▄+█+▄+R▄+█+▄+R▄+█+$/);
  });

  it('shows every attempt, even those that the summary has dropped', async () => {
    const lanes = (await show({ seconds: 4000 })).split('\n');
    const readiness = lanes.find((row) => row.startsWith('  readiness'));
    expect(readiness?.trimEnd()).toMatch(/^ {2}readiness ↑✓+$/);
  });

  it('uses only ASCII without Unicode', async () => {
    expect(await show({ said: hangs, unicode: false })).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('has colors when enabled', async () => {
    expect(await show({ color: true })).toContain('\u001b[32m█');
  });

  it('lists events once that differ only in numbers, where there are many', async () => {
    const diesAfter = [{ value: { from: 5000, to: 5000 } }];
    const text = await show({ said: { diesAfter }, seconds: 3600 });
    expect(text).toMatch(
      / 5\.\d+s {2}web\/app {2}Run +Ended +exit code 1 \(\d+ times, last at 3\d+\.\d+s\)\n/,
    );
    expect(text.match(/Run +Ended/g)).toHaveLength(1);
    expect(text).not.toContain('more: -o lines');
  });

  it('limits the listed events and counts the rest', () => {
    let text = '';
    const look = { color: false, unicode: true };
    const timeline = new Timeline((part) => (text += part), {
      seconds: 60,
      columns: 72,
      theme: look,
      plain: true,
    });
    const summary = fold(EMPTY_SUMMARY, {
      t: 0,
      kind: 'pod',
      pod: 'default/web',
      object: buildPod(),
    });
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const event = { type: 'Normal', reason: 'Killing', message: letter } as const;
      timeline.line({ t: 1, kind: 'event', pod: 'default/web', ...event }, summary);
    }
    const verdict = verdictOf(EMPTY_SUMMARY);
    timeline.end({ t: 60, kind: 'goal', verdict, exitCode: 1 }, EMPTY_SUMMARY);
    expect(text).toMatch(/ t\n {11}and 6 more: -o lines shows all\n/);
  });
});
