import type { Container, Probe } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import { containerProbes } from '../../kubelet/prober/probe-of.js';
import { endpointOf } from '../../sim/endpoint.js';
import { isSuccess, type Observation, type ObservedRun } from '../../sim/recorded/observe.js';
import { type FoundPort, handlerAt, MEASURING } from './find-ports.js';
import { poll, type StartedCommand } from './started-command.js';

/** Milliseconds between two attempts at a server that starts, and at one that has started. */
const PAUSE = 25;
const STARTED_PAUSE = 50;
/** Answers of a started server that are measured, unless it fails this often in a row. */
const ANSWERS = 10;
const MAX_FAILURES = 3;

/** Returns the container with the probes that fit what was found; their settings are to be measured. */
export function withProbes(container: Container, found: FoundPort): Container {
  const { port, protocol, liveness, readiness } = found;
  const declared = container.ports?.find(({ containerPort }) => containerPort === port);
  // A gRPC probe takes no name.
  const name = protocol === 'grpc' ? port : (declared?.name ?? port);
  // An HTTP server without a path that succeeds accepts connections at least.
  const hasPaths = protocol === 'http' || protocol === 'https';
  const at = (path: string | undefined): Probe => ({
    ...MEASURING,
    ...handlerAt(hasPaths && path === undefined ? 'tcp' : protocol, name, path),
  });
  // Liveness waits longer than readiness: what stops traffic for a while is no reason to restart.
  const livenessProbe = { ...at(liveness), timeoutSeconds: 1, failureThreshold: 6 };
  const readinessProbe = { ...at(readiness), timeoutSeconds: 1, periodSeconds: 5 };
  const isAlive = !hasPaths || liveness !== undefined;
  return { ...container, readinessProbe, ...(isAlive && { livenessProbe }) };
}

/** Measures one start: attempts at each endpoint until it succeeds, and some more. */
export async function measureStart(
  clock: Clock,
  command: StartedCommand,
  container: Container,
  limit: number,
): Promise<ObservedRun> {
  const answers = new Map<string, Observation[]>();
  await Promise.all(
    [...probesByEndpoint(container)].map(async ([endpoint, { type, probe }]) => {
      const list: Observation[] = [];
      answers.set(endpoint, list);
      const { timeoutSeconds } = MEASURING;
      const fields = { ...container, [`${type}Probe`]: { ...probe, timeoutSeconds } };
      const attempt = (): Promise<Observation> => command.attempt(type, fields);
      // The time of the first answer is a part of the start: a server that listens may answer only once it is ready.
      const atEnd = (seen: Observation) => ({ ...seen, age: seen.age + seen.latency, latency: 0 });
      const isUp = await poll(clock, command, { limit, pause: PAUSE }, async () => {
        const seen = await attempt();
        list.push(atEnd(seen));
        return isSuccess(seen) || undefined;
      });
      let failures = 0;
      for (let count = 0; isUp && count < ANSWERS && failures < MAX_FAILURES; count++) {
        await sleep(clock, STARTED_PAUSE);
        const seen = await attempt();
        list.push(seen);
        failures = isSuccess(seen) ? 0 : failures + 1;
      }
    }),
  );
  return { run: 0, startedAt: 0, startTakes: 0, answers };
}

/** Returns whether an endpoint of the container has answered. */
export function hasAnswered({ answers }: ObservedRun): boolean {
  return [...answers.values()].every((list) => list.some(isSuccess));
}

/** Returns a probe for each endpoint; where two have the same, the liveness probe. */
function probesByEndpoint(container: Container) {
  const found = containerProbes(container).flatMap(({ type, probe }) => {
    const endpoint = endpointOf(probe, container);
    return endpoint === undefined ? [] : [[endpoint, { type, probe }] as const];
  });
  return new Map(found);
}
