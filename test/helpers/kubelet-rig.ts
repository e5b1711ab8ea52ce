import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Kubelet, type KubeletOptions } from '../../src/kubelet/kubelet.js';
import type { Runtime } from '../../src/kubelet/ports.js';
import { TracedRuntime } from '../../src/kubelet/traced-runtime.js';
import {
  DEFAULT_ANSWER,
  DEFAULT_RUN,
  type ScriptedAnswer,
  type ScriptedRun,
} from '../../src/sim/scenario.js';
import { ScriptedRuntime } from '../../src/sim/scripted-runtime.js';
import type { Event } from '../../src/trace/event.js';
import { fakeTransports } from './fake-transports.js';

/** What a run differs in from one that goes on for ever, ends with 143 at a TERM and answers 0 to every command. */
export type RunOverrides = Omit<Partial<ScriptedRun>, 'exec'> & {
  readonly exec?: Readonly<Record<string, readonly Partial<ScriptedAnswer>[]>>;
};

export function buildRun({ exec = {}, ...overrides }: RunOverrides = {}): ScriptedRun {
  const answers = Object.entries(exec).map(([line, given]) => [
    line,
    given.map((answer) => ({ ...DEFAULT_ANSWER, ...answer })),
  ]);
  return { ...DEFAULT_RUN, ...overrides, exec: Object.fromEntries(answers) as ScriptedRun['exec'] };
}

export interface KubeletRigOptions extends Partial<
  Omit<KubeletOptions, 'clock' | 'runtime' | 'emit'>
> {
  /** The runs of each container, by its name. */
  readonly containers?: Readonly<Record<string, readonly RunOverrides[]>>;
  /** Puts something between the kubelet and the scripted runtime. */
  readonly wrap?: (runtime: ScriptedRuntime, clock: VirtualClock) => Runtime;
}

/** A kubelet on a virtual clock that has just started, an hour old by its own account, with a scripted runtime. */
export function createKubeletRig({ containers = {}, wrap, ...options }: KubeletRigOptions = {}) {
  const clock = new VirtualClock(1, 0);
  const events: { readonly t: number; readonly event: Event }[] = [];
  const emit = (event: Event): void => void events.push({ t: clock.now() / 1000, event });
  const scripts = Object.entries(containers).map(([name, runs]) => [name, runs.map(buildRun)]);
  const runtime = new TracedRuntime(emit, (listener) => {
    const byName = Object.fromEntries(scripts) as Record<string, ScriptedRun[]>;
    const scripted = new ScriptedRuntime(clock, byName, listener);
    return wrap?.(scripted, clock) ?? scripted;
  });
  const { transports } = fakeTransports();
  const kubelet = new Kubelet({
    clock,
    runtime,
    emit,
    transports,
    age: 3_600_000,
    hostIP: '192.0.2.1',
    config: { version: '1.36' },
    ...options,
  });
  kubelet.start();
  /** What happened to the containers since the last time, with the second: `0.003 start app`, `9 exit app 137`. */
  const runs = (): string[] => events.splice(0).flatMap(({ t, event }) => runText(t, event));
  const advance = (seconds: number): Promise<void> => clock.advance(seconds * 1000);
  return { clock, kubelet, events, runs, advance };
}

function runText(t: number, event: Event): string[] {
  switch (event.kind) {
    case 'started':
      return [`${t} start ${event.container}`];
    case 'stop':
      return [`${t} stop ${event.container} ${event.gracePeriod}`];
    case 'exited':
      return [`${t} exit ${event.container} ${event.exitCode}`];
    default:
      return [];
  }
}
