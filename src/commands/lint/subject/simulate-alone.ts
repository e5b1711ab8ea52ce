import type { Container, Pod, Probe } from '../../../api/index.js';
import { containerProbes } from '../../../kubelet/prober/probe-of.js';
import { DEFAULT_KUBELET, type KubeletConfig } from '../../../kubelet/release.js';
import type { PodBehaviorSpec } from '../../../sim/pod-scenario.js';
import { KUBELET_UP } from '../../../sim/scenario.js';
import type { ProbeType } from '../../../trace/event.js';
import type { TraceLine } from '../../../trace/trace-line.js';

/** Behavior of a container's application; times are seconds since its start. */
export interface Behavior {
  /** Time of the first success of a probe. */
  readonly upAfter?: number;
  /** Time from which the application does not answer. */
  readonly hangsFrom?: number;
  /** Time from which it answers again; absent when it never does. */
  readonly hangsUntil?: number;
  /** True if it ends only when it is killed. */
  readonly ignoresTerm?: boolean;
}

/** Actions of a simulated kubelet on a container that runs alone; times are seconds since its first start. */
export interface SimulatedAlone {
  readonly starts: readonly number[];
  /** The times at which the kubelet asked the runtime to stop it. */
  readonly kills: readonly number[];
  readonly readyAt?: number;
  readonly attempts: readonly { readonly probe: ProbeType; readonly at: number }[];
}

interface Stage {
  readonly pod: Pod;
  readonly simulations: Map<string, Promise<SimulatedAlone>>;
  readonly kubelet?: KubeletConfig | undefined;
}

/** End of a simulation, before its time is over. */
type Goal = 'ready' | 'restarted';

/**
 * Runs a container alone under a simulated kubelet for so many seconds, or until the goal is reached. Repeated
 * simulations are not made again.
 */
export function simulateAlone(
  { pod, simulations, kubelet = DEFAULT_KUBELET }: Stage,
  container: Container,
  behavior: Behavior,
  seconds: number,
  goal?: Goal,
): Promise<SimulatedAlone> {
  const alone = podOfContainer(pod, container);
  const key = JSON.stringify([alone.spec, behavior, seconds, goal]);
  const simulation = simulations.get(key) ?? run({ pod: alone, kubelet }, behavior, seconds, goal);
  simulations.set(key, simulation);
  return simulation;
}

const NAME = 'app';

/** A kubelet as old as in other scenarios, but not simulated while it has no pods: it relists at the same times. */
const SETTLED = { kubeletUp: KUBELET_UP % 1000, kubeletAge: KUBELET_UP - (KUBELET_UP % 1000) };

async function run(
  { pod, kubelet }: { readonly pod: Pod; readonly kubelet: KubeletConfig },
  behavior: Behavior,
  seconds: number,
  goal?: Goal,
): Promise<SimulatedAlone> {
  const { EMPTY_BEHAVIOR, podScenario } = await import('../../../sim/pod-scenario.js');
  const { simulate } = await import('../../../sim/simulate.js');
  const spec = { ...EMPTY_BEHAVIOR, ...behaviorSpecOf(behavior) };
  const { scenario } = podScenario(pod, spec, { until: seconds * 1000 });
  const lines: TraceLine[] = [];
  const starts = () => lines.filter(({ kind }) => kind === 'started').length;
  const isReached = () => (goal === 'restarted' ? starts() > 1 : lines.some(isReady));
  const write = (line: TraceLine): void => void lines.push(line);
  await simulate({ ...scenario, ...SETTLED, kubelet }, write, undefined, goal && isReached);
  return summaryOf(lines);
}

/** Returns the same behavior for every run. */
function behaviorSpecOf({
  upAfter,
  hangsFrom,
  hangsUntil,
  ignoresTerm,
}: Behavior): Partial<PodBehaviorSpec> {
  return {
    readyAfter:
      upAfter === undefined ? [] : [{ value: { from: upAfter * 1000, to: upAfter * 1000 } }],
    hangsAt:
      hangsFrom === undefined
        ? []
        : [{ value: { from: hangsFrom * 1000, to: (hangsUntil ?? Infinity) * 1000 } }],
    stopTakes: ignoresTerm === true ? [{ value: Number.MAX_SAFE_INTEGER }] : [],
  };
}

/** A pod with the one container, whose probes are commands of their own names. */
function podOfContainer({ spec }: Pod, container: Container): Pod {
  const probes = containerProbes(container).map(({ type, probe }) => {
    return [`${type}Probe`, asCommand(probe, type)] as const;
  });
  const grace = spec.terminationGracePeriodSeconds;
  return {
    metadata: { name: NAME, namespace: 'default', uid: NAME },
    spec: {
      containers: [{ name: NAME, image: NAME, ...Object.fromEntries(probes) }],
      restartPolicy: 'Always',
      ...(grace !== undefined && { terminationGracePeriodSeconds: grace }),
    },
    status: { phase: 'Pending' },
  };
}

function asCommand(probe: Probe, type: ProbeType): Probe {
  const { httpGet: _http, tcpSocket: _tcp, grpc: _grpc, exec: _exec, ...numbers } = probe;
  return { ...numbers, exec: { command: [type] } };
}

function summaryOf(lines: readonly TraceLine[]): SimulatedAlone {
  const origin = lines.find(({ kind }) => kind === 'started')?.t ?? 0;
  const since = ({ t }: TraceLine): number => t - origin;
  const ready = lines.find(isReady);
  return {
    starts: lines.filter(({ kind }) => kind === 'started').map(since),
    kills: lines.filter(({ kind }) => kind === 'stop').map(since),
    ...(ready && { readyAt: since(ready) }),
    attempts: lines.flatMap((line) =>
      line.kind === 'attempt' ? [{ probe: line.probe, at: since(line) }] : [],
    ),
  };
}

function isReady(line: TraceLine): boolean {
  return line.kind === 'status' && line.containers.some((each) => each.ready);
}
