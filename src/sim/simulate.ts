import { allContainers, type Pod } from '../api/index.js';
import { goLater, midpoint, seeded } from '../clock/clock.js';
import { VirtualClock } from '../clock/virtual-clock.js';
import { applyDefaultImageTag } from '../kubelet/containers/image-manager.js';
import { Kubelet, type KubeletOptions } from '../kubelet/kubelet.js';
import { podKey } from '../kubelet/pod-name.js';
import { DEFAULT_KUBELET, type KubeletConfig } from '../kubelet/release.js';
import { TracedRuntime } from '../kubelet/traced-runtime.js';
import type { Event } from '../trace/event.js';
import { toTraceLine, type TraceLine } from '../trace/trace-line.js';
import type { Scenario } from './scenario.js';
import { ScriptedRuntime, type ScriptedWorld } from './scripted-runtime.js';
import { scriptedTransports } from './scripted-transports.js';

/** Milliseconds from one call of `isDone` to the next. */
const STEP = 5000;

/**
 * Runs a scenario in virtual time; the trace begins when the pod is added. The same seed draws the same numbers; without
 * a seed nothing is random: each wait of the kubelet is the middle of its range. It ends soon after
 * `isDone`, which gets the simulated seconds, returns true.
 */
export async function simulate(
  scenario: Scenario,
  write: (line: TraceLine) => void,
  seed?: number,
  isDone?: (seconds: number) => boolean,
): Promise<void> {
  const random = seeded(seed ?? 1);
  const clock = new VirtualClock(seed === undefined ? midpoint : random);
  let added: number | undefined = undefined;
  const record = (event: Event): void => {
    if (added !== undefined) write(toTraceLine(event, clock.now(), added));
  };
  const updates = scenario.actions.flatMap((action) => (action.do === 'update' ? action.pod : []));
  const kubelet = simulatedKubelet({
    clock,
    containers: scenario.containers,
    world: { random, present: neverPulled([scenario.pod, ...updates]) },
    emit: record,
    age: scenario.kubeletAge ?? 0,
    relistLatency: scenario.relistLatency ?? 0,
    config: scenario.kubelet,
  });
  await clock.advance(scenario.kubeletStart ?? 0);
  kubelet.start();
  await clock.advance(scenario.kubeletUp);
  added = clock.now();
  record({ kind: 'pod', pod: podKey(scenario.pod), object: scenario.pod });
  kubelet.update('ADD', scenario.pod);
  schedule(scenario, clock, kubelet, record);
  await advance(clock, scenario.until, isDone);
  kubelet.stop();
}

async function advance(
  clock: VirtualClock,
  until: number,
  isDone?: (seconds: number) => boolean,
): Promise<void> {
  const step = isDone === undefined ? until : STEP;
  for (let at = 0; at < until && isDone?.(at / 1000) !== true; at += step) {
    await clock.advance(Math.min(step, until - at));
  }
}

function schedule(
  { actions, pod }: Scenario,
  clock: VirtualClock,
  kubelet: Kubelet,
  record: (event: Event) => void,
): void {
  let current: Pod = pod;
  for (const action of actions) {
    const act = (): void => {
      record({ kind: 'action', pod: podKey(current), do: action.do });
      if (action.do === 'update') current = action.pod;
      kubelet.update(action.do === 'update' ? 'UPDATE' : 'REMOVE', current);
    };
    goLater(clock, act, action.at);
  }
}

const HOST_IP = '127.0.0.1';

interface SimulatedKubelet extends Omit<
  KubeletOptions,
  'runtime' | 'transports' | 'hostIP' | 'collectsGarbage' | 'config' | 'runsHooks'
> {
  readonly containers: Scenario['containers'];
  readonly world: ScriptedWorld;
  readonly config?: KubeletConfig | undefined;
}

export function simulatedKubelet({ clock, containers, world, ...options }: SimulatedKubelet) {
  const runtime = new TracedRuntime(
    options.emit,
    (listener) => new ScriptedRuntime(clock, containers, listener, world),
  );
  return new Kubelet({
    ...options,
    clock,
    runtime,
    transports: scriptedTransports(clock, (id) => runtime.inner.container(id)),
    // Garbage collection would make the results of a scenario depend on when its kubelet started.
    collectsGarbage: false,
    hostIP: HOST_IP,
    config: options.config ?? DEFAULT_KUBELET,
  });
}

/** Returns the images with imagePullPolicy Never: a simulated node has them. */
export function neverPulled(pods: readonly Pod[]): string[] {
  return pods
    .flatMap(({ spec }) => allContainers(spec))
    .filter(({ imagePullPolicy }) => imagePullPolicy === 'Never')
    .flatMap(({ image }) => {
      const defaulted = applyDefaultImageTag(image);
      return defaulted.ok ? defaulted.value : [];
    });
}
