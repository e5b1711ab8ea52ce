import { afterEach, describe, expect, it } from 'vitest';

import { seeded } from '../../../src/clock/clock.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import type { PodFact } from '../../../src/rollout/traffic/pod-fact.js';
import { simulateTraffic, type TrafficOptions } from '../../../src/rollout/traffic/traffic.js';
import { freePort } from '../../helpers/free-port.js';
import { LocalRig, node } from '../../runtime/local-rig.js';
import { type LoadResult, sendLoad } from './load-generator.js';

/*
 * Real servers as process targets, and a real load: of two pods one is deleted. What the simulation predicts from the
 * times of TERM, of the end and of the endpoint's removal is compared with what clients counted.
 */

const clock = new RealClock();
const RATE = 100;
const SECONDS = 5;
/** Milliseconds from the begin of the load to the deletion. */
const DELETED_AT = 1500;

interface Case {
  /** At TERM the app ends at once, finishes its requests, or takes no notice. */
  readonly onTerm: 'exit' | 'close' | 'ignore';
  readonly serviceTime: number;
  readonly keepAlive?: boolean;
  /** Milliseconds from the deletion to TERM, and to the endpoint's removal. */
  readonly preStop?: number;
  readonly removedAfter: number;
  readonly gracePeriodSeconds?: number;
}

interface Counted {
  readonly load: LoadResult;
  readonly facts: readonly PodFact[];
}

const rigs: LocalRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ runtime }) => runtime.close(0)));
});

async function startApp({ onTerm, serviceTime }: Case): Promise<App> {
  const port = await freePort();
  const rig = LocalRig.of(node('http-app.js', String(port), String(serviceTime), onTerm));
  rigs.push(rig);
  const id = await rig.start();
  await rig.line('ready');
  return { rig, id, port };
}

interface App {
  readonly rig: LocalRig;
  readonly id: string;
  readonly port: number;
}

const READY = { ready: true, serving: true, terminating: false };
const DRAINING = { ready: false, serving: true, terminating: true };

async function measure(test: Case): Promise<Counted> {
  const [stays, goes] = [await startApp(test), await startApp(test)];
  const begin = clock.now();
  const facts: PodFact[] = [stays, goes].flatMap(({ port }) => [
    { at: -2000, pod: String(port), kind: 'started' },
    { at: -1000, pod: String(port), kind: 'endpoint', conditions: READY },
  ]);
  let ports = [stays.port, goes.port];
  const removal = sleep(DELETED_AT + test.removedAfter).then(() => (ports = [stays.port]));
  const ending = end(test, goes, () => clock.now() - begin);
  const load = await sendLoad({
    clock,
    rate: RATE,
    seconds: SECONDS,
    keepAlive: test.keepAlive ?? false,
    random: seeded(7),
    ports: () => ports,
  });
  await removal;
  return { load, facts: [...facts, ...(await ending)].sort((a, b) => a.at - b.at) };
}

/** Deletes the pod as a kubelet does, and returns what happened when. */
async function end(test: Case, { rig, id, port }: App, now: () => number): Promise<PodFact[]> {
  const { preStop = 0, gracePeriodSeconds = 30 } = test;
  const pod = String(port);
  await sleep(DELETED_AT);
  const deletedAt = now();
  await sleep(preStop);
  const termAt = now();
  await rig.runtime.stopContainer(id, gracePeriodSeconds - preStop / 1000);
  const killed = rig.exits.some(({ exitCode }) => exitCode === 137);
  return [
    { at: deletedAt, pod, kind: 'deleted', gracePeriodSeconds },
    { at: deletedAt, pod, kind: 'endpoint', conditions: DRAINING },
    { at: termAt, pod, kind: 'term' },
    { at: now(), pod, kind: 'ended', killed },
  ];
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, milliseconds);
  });
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The range of what 200 runs predict, wider by the requests in the time by which this machine was late. */
function predicted(test: Case, { facts, load }: Counted): Record<'refused' | 'cut', Range> {
  const options: Omit<TrafficOptions, 'random'> = {
    rate: RATE,
    from: 0,
    to: SECONDS * 1000,
    serviceTime: { from: test.serviceTime, to: Math.max(test.serviceTime, load.longest) },
    keepAlive: test.keepAlive ?? false,
    onTerm: test.onTerm === 'ignore' ? 'serve' : 'close',
    propagation: { from: test.removedAfter, to: test.removedAfter },
    nodes: 1,
  };
  const runs = Array.from({ length: 200 }, (_, run) => {
    const { losses } = simulateTraffic(facts, { ...options, random: seeded(run + 1) });
    const sum = (begin: string): number =>
      losses.filter(({ cause }) => cause.startsWith(begin)).reduce((all, l) => all + l.count, 0);
    return { refused: sum('refused'), cut: sum('cut') };
  });
  const slack = Math.ceil((RATE * (load.late + 20)) / 1000);
  const range = (of: 'refused' | 'cut'): Range => {
    const counts = runs.map((run) => run[of]);
    return { from: Math.min(...counts) - slack, to: Math.max(...counts) + slack };
  };
  return { refused: range('refused'), cut: range('cut') };
}

describe('counted losses beside predicted ones', () => {
  it.each<[string, Case, 'refused' | 'cut' | undefined]>([
    [
      'TERM long before the endpoint is removed',
      { onTerm: 'close', serviceTime: 20, removedAfter: 1000 },
      'refused',
    ],
    [
      'a preStop sleep that is longer than the removal takes',
      { onTerm: 'close', serviceTime: 20, removedAfter: 1000, preStop: 1500 },
      undefined,
    ],
    [
      'an app that ends at TERM with requests in flight',
      { onTerm: 'exit', serviceTime: 500, removedAfter: 10, preStop: 100 },
      'cut',
    ],
    [
      'kept connections to an app that takes no notice of TERM',
      {
        onTerm: 'ignore',
        serviceTime: 300,
        removedAfter: 100,
        keepAlive: true,
        gracePeriodSeconds: 2,
      },
      'cut',
    ],
    [
      'kept connections that the app closes at TERM',
      { onTerm: 'close', serviceTime: 20, removedAfter: 1000, keepAlive: true },
      undefined,
    ],
  ])('agree with %s', async (_, test, loss) => {
    const counted = await measure(test);
    const { refused, cut } = predicted(test, counted);
    const { load } = counted;
    expect(load.answered + load.refused + load.cut).toBe(RATE * SECONDS);
    expect(load.refused).toBeGreaterThanOrEqual(refused.from);
    expect(load.refused).toBeLessThanOrEqual(refused.to);
    expect(load.cut).toBeGreaterThanOrEqual(cut.from);
    expect(load.cut).toBeLessThanOrEqual(cut.to);
    if (loss !== undefined) expect(load[loss]).toBeGreaterThan(0);
  });
});
