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

/** A recorded timeout is simulated as an answer that never comes. */
const NEVER = 24 * 3600 * 1000;
/** Milliseconds after which a kubelet's age makes no difference. */
const OLD = 600_000;

interface RecordedScenarioOptions {
  /** Length of the recording in milliseconds. */
  readonly length: number;
  /** The kubelet's age in milliseconds when the recording began; absent for a simulation. */
  readonly kubeletAge?: number;
  /** Returns the pod with other settings. */
  readonly change: (pod: Pod) => Pod;
}

/**
 * Returns a scenario that repeats a recording: each run starts, answers and ends like the recorded run of its number, or
 * the last one; an attempt at another time gets the nearest recorded answer.
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

/** A live kubelet starts with the trace, relists every second from then on, and right after its own actions. */
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

/** Extends each answer to the middle of the time to the next one. */
function spread<Answer>(
  observations: readonly Observation[],
  answerOf: (observation: Observation) => Answer,
): (Answer & { readonly until?: number })[] {
  return observations.map((observation, index) => {
    const next = observations[index + 1];
    return { ...answerOf(observation), ...(next && { until: (observation.age + next.age) / 2 }) };
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
