import type { Pod } from '../../api/index.js';
import {
  type Action,
  DEFAULT_RUN,
  KUBELET_UP,
  type NetworkAnswer,
  type Scenario,
  type ScriptedAnswer,
  type ScriptedRun,
} from '../scenario.js';
import type { Observation, ObservedPod, ObservedRun } from './observe.js';

/** What was not answered in time is taken never to have been. */
const NEVER = 24 * 3600 * 1000;
/** Milliseconds after which a kubelet's age makes no difference. */
const OLD = 600_000;

export interface RecordedScenarioOptions {
  /** Milliseconds that the recording lasted. */
  readonly length: number;
  /** Milliseconds that the kubelet had been up when it began; that of a simulation when absent. */
  readonly kubeletAge?: number;
  /** The pod with other settings. */
  readonly change: (pod: Pod) => Pod;
}

/**
 * A scenario in which the containers do what a trace shows: each run starts, answers and ends as the recorded one of its
 * number, or the last one, did; an attempt at another time gets the answer that was recorded nearest to it.
 */
export function recordedScenario(
  { key, object, addedAt, actions, containers }: ObservedPod,
  { length, kubeletAge, change }: RecordedScenarioOptions,
): Scenario {
  const runs = [...containers].map(([name, observed]) => [name, observed.map(scriptOf)] as const);
  return {
    name: key,
    until: length - addedAt,
    ...ageOf(kubeletAge, addedAt),
    pod: change(object),
    containers: Object.fromEntries(runs),
    actions: actions.map((action): Action =>
      action.do === 'delete' ? action : { at: action.at, do: 'update', pod: change(action.object) },
    ),
  };
}

/** A live kubelet begins with the trace, and relists each second from then on, and just after what it did itself. */
function ageOf(
  kubeletAge: number | undefined,
  addedAt: number,
): Pick<Scenario, 'kubeletUp' | 'kubeletAge' | 'relistLatency'> {
  if (kubeletAge === undefined) return { kubeletUp: KUBELET_UP };
  const seconds = Math.floor(Math.min(kubeletAge, OLD) / 1000);
  const kubeletUp = seconds * 1000 + (addedAt % 1000);
  return { kubeletUp, kubeletAge: Math.max(0, kubeletAge - kubeletUp), relistLatency: 1 };
}

function scriptOf(observed: ObservedRun): ScriptedRun {
  const { answers, end, startTakes, startError } = observed;
  const exec = [...answers]
    .filter(([endpoint]) => endpoint.startsWith(EXEC))
    .map(([endpoint, list]) => [endpoint.slice(EXEC.length), spread(list, execAnswer)] as const);
  const network = [...answers]
    .filter(([endpoint]) => !endpoint.startsWith(EXEC))
    .map(([endpoint, list]) => [endpoint, spread(list, networkAnswer)] as const);
  return {
    ...DEFAULT_RUN,
    startTakes,
    exec: Object.fromEntries(exec),
    network: Object.fromEntries(network),
    ...(startError === undefined ? {} : { startError }),
    ...(end?.kind === 'itself' ? { exitAfter: end.age, exitCode: end.exitCode } : {}),
    ...(end?.kind === 'stopped' ? { stopTakes: end.took, stopExitCode: end.exitCode } : {}),
  };
}

const EXEC = 'exec ';

/** Each answer stands until the middle of the time to the next one. */
function spread<Answer>(
  observations: readonly Observation[],
  answerOf: (observation: Observation) => Answer,
): (Answer & { readonly until?: number })[] {
  return observations.map((observation, index) => {
    const next = observations[index + 1];
    const until = next === undefined ? {} : { until: (observation.age + next.age) / 2 };
    return { ...answerOf(observation), ...until };
  });
}

function takesOf({ latency, timedOutAfter }: Observation): number {
  return timedOutAfter === undefined ? latency : NEVER;
}

function networkAnswer(observation: Observation): NetworkAnswer {
  return {
    takes: takesOf(observation),
    does: { kind: 'recorded', outcome: observation.outcome },
  };
}

function execAnswer(observation: Observation): ScriptedAnswer {
  const { result, output, error } = observation.outcome;
  const isSuccess = result === 'success' || result === 'warning';
  return {
    takes: takesOf(observation),
    exit: isSuccess ? 0 : 1,
    stdout: output,
    stderr: '',
    ...(error === undefined ? {} : { error }),
  };
}
