import { type Container, containerNamed } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import type { ProcessFacts } from '../../kubelet/ports.js';
import { createProber } from '../../kubelet/prober/prober.js';
import type { Exit } from '../../kubelet/traced-runtime.js';
import type { ProcessChoice } from '../../session/targets/choose-containers.js';
import type { Target } from '../../session/targets/local-target.js';
import type { Observation } from '../../sim/recorded/observe.js';
import type { ProbeType } from '../../trace/event.js';

/** The command, started once as its container. Times are in milliseconds. */
export interface StartedCommand {
  /** Time since the start. */
  age(): number;
  /** Exit of the command, once it has ended by itself. */
  end(): Exit | undefined;
  /** The latest lines of its output. */
  output(): readonly string[];
  /** Undefined where this machine does not show what a process listens on. */
  facts(): Promise<ProcessFacts | undefined>;
  /** Makes an attempt of a probe of the container with these fields. */
  attempt(type: ProbeType, fields: Partial<Container>): Promise<Observation>;
  /** Sends TERM, and KILL at the limit; resolves with the time that it took. */
  stop(): Promise<number>;
}

export const LOCALHOST = '127.0.0.1';
/** Seconds after which a command that ignores TERM is killed. */
export const STOP_LIMIT = 5;
const MAX_LINES = 1000;

export async function startCommand(
  clock: Clock,
  target: Target,
  { pod, container: name }: ProcessChoice,
): Promise<StartedCommand> {
  const container = containerNamed(pod.spec, name) ?? { name, image: '' };
  const lines: string[] = [];
  const ended: { exit?: Exit } = {};
  const runtime = target.createRuntime({
    onExit: (_, exit) => void (ended.exit = exit),
    onOutput: (_, __, text) => void lines.splice(0, lines.push(text) - MAX_LINES),
    onFound: () => undefined,
    onMessage: () => undefined,
    onNote: () => undefined,
  });
  const { id: sandboxID, ips: podIPs } = await runtime.runPodSandbox(pod, 0);
  const config = { pod, container, sandboxID, podIPs, restartCount: 0, hash: '', imageRef: '' };
  const id = await runtime.createContainer(config);
  const prober = createProber({
    transports: target.transports,
    recordEvent: () => undefined,
    execSync: (...call) => runtime.execSync(...call),
  });
  const startedAt = clock.now();
  const age = (): number => clock.now() - startedAt;
  try {
    await runtime.startContainer(id);
  } catch (error) {
    await runtime.close();
    throw error;
  }
  return {
    age,
    end: () => ended.exit,
    output: () => lines,
    facts: async () => runtime.inspect?.(id),
    async attempt(probe, fields) {
      const at = age();
      const probed = { ...container, ...fields };
      const { outcome } = await prober.probe(probe, pod, { podIP: LOCALHOST }, probed, id);
      return { probe, age: at, latency: age() - at, outcome };
    },
    async stop() {
      const begin = clock.now();
      await runtime.stopContainer(id, STOP_LIMIT);
      const took = clock.now() - begin;
      await runtime.close();
      return took;
    },
  };
}

/** Asks again and again until `found` returns something; undefined at the limit, or once the command has ended. */
export async function poll<T>(
  clock: Clock,
  command: StartedCommand,
  { limit, pause }: { readonly limit: number; readonly pause: number },
  found: () => Promise<T | undefined>,
): Promise<T | undefined> {
  while (command.age() < limit && command.end() === undefined) {
    const result = await found();
    if (result !== undefined) return result;
    await sleep(clock, pause);
  }
  return undefined;
}
