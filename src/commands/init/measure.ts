import { type Container, containerNamed, type Pod } from '../../api/index.js';
import { type Io, orAborted, write } from '../../cli/shared/io.js';
import { RealClock } from '../../clock/real-clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { containerProbes } from '../../kubelet/prober/probe-of.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import type { Exit } from '../../kubelet/traced-runtime.js';
import type { LoadedManifest } from '../../manifest/pods/load-manifest.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { loadTransports } from '../../probe/transports.js';
import { type ProcessChoice, processTargets } from '../../session/targets/choose-containers.js';
import { localTarget } from '../../session/targets/local-target.js';
import type { ObservedRun } from '../../sim/recorded/observe.js';
import { applyChanges, type Suggestion, suggestPod } from '../../suggest/suggest.js';
import { UsageError } from '../../usage-error.js';
import { findPorts, type FoundPort } from './find-ports.js';
import { hasAnswered, measureStart, withProbes } from './measure-start.js';
import { LOCALHOST, startCommand, type StartedCommand, STOP_LIMIT } from './started-command.js';

export interface MeasureInput {
  readonly manifest: LoadedManifest;
  readonly commandLine: readonly string[];
  readonly container: string | undefined;
  /** True when the container declares no ports. */
  readonly isNew: boolean;
  /** Starts that are measured, beside the first one. */
  readonly starts: number;
  /** Milliseconds that a start may take. */
  readonly limit: number;
  readonly io: Io;
}

/** The measured starts of the command, and the probes that follow from them. */
export interface Measured {
  readonly loaded: LoadedPod;
  /** The pod with this container alone, and with the proposed probes. */
  readonly pod: Pod;
  readonly container: Container;
  readonly ports: readonly FoundPort[];
  readonly probed: FoundPort;
  readonly suggestions: readonly Suggestion[];
  /** True when a start had to be killed, since it did not end on TERM. */
  readonly ignoresTerm: boolean;
}

const clock = new RealClock();
const LAST_LINES = 10;

/** Starts the command to find what it listens on, and then again to measure its starts. */
export async function measureCommand(input: MeasureInput): Promise<Measured> {
  const { manifest, isNew, limit, starts, io } = input;
  const [loaded, choice, container] = chosen(input);
  await loadTransports();
  let ignoresTerm = false;
  const run = async <T>(work: (command: StartedCommand) => Promise<T>): Promise<T> => {
    const command = await startCommand(clock, await target(choice, manifest, io), choice);
    try {
      return await orAborted(io.signal, work(command));
    } finally {
      const took = await command.stop();
      ignoresTerm ||= took >= STOP_LIMIT * 1000;
    }
  };
  const ports = await run((command) => portsOf(command, limit));
  const probed = choosePort(ports);
  await write(io.notes, ports.map((port) => `kprobe: ${portText(port)}\n`).join(''));
  // The probed port has the plain name.
  const names = ports.map(({ port, protocol }) => {
    const isProbed = port === probed.port;
    return { containerPort: port, name: isProbed ? protocol : `${protocol}-${port}` };
  });
  const asked = withProbes(isNew ? { ...container, ports: names } : container, probed);
  const runs: ObservedRun[] = [];
  while (runs.length < starts) {
    const next = await run(async (command) => {
      const seen = await measureStart(clock, command, asked, limit);
      const end = command.end();
      if (end !== undefined && hasAnswered(seen)) {
        throw commandError(command, `ended with exit code ${end.exitCode} when it was probed`);
      }
      return seen;
    });
    if (!hasAnswered(next)) {
      throw new RuntimeError(
        `the command answered at port ${probed.port} once, but not when it was started again: does it choose its port itself? Give it a fixed one`,
      );
    }
    runs.push(next);
    await write(io.notes, `kprobe: measured start ${runs.length} of ${starts}\n`);
  }
  const { initContainers: _, ...spec } = choice.pod.spec;
  const alone = { ...choice.pod, spec: { ...spec, containers: [asked] } };
  const suggestions = suggestPod(alone, new Map([[container.name, runs]]));
  const pod = applyChanges(alone, suggestions);
  const [after = asked] = pod.spec.containers;
  return { loaded, pod, container: after, ports, probed, suggestions, ignoresTerm };
}

/** Returns the container that the command runs as; throws a UsageError for one that has probes. */
function chosen({ manifest, commandLine, container: name }: MeasureInput) {
  const pods = manifest.pods.map(({ pod }) => pod);
  const [choice, another] = processTargets(pods, commandLine, name);
  if (another !== undefined) throw new UsageError('kprobe init measures one command');
  const loaded = manifest.pods.find(({ pod }) => pod === choice?.pod);
  const container = choice && containerNamed(choice.pod.spec, choice.container);
  if (choice === undefined || loaded === undefined || container === undefined) {
    throw new UsageError('no command after --');
  }
  const probes = containerProbes(container).map(({ type }) => type);
  if (probes.length > 0) {
    throw new UsageError(
      `container "${container.name}" has probes already (${probes.join(', ')}): kprobe suggest proposes settings for them from a recorded run`,
    );
  }
  return [loaded, choice, container] as const;
}

function target(choice: ProcessChoice, { configMaps, secrets }: LoadedManifest, io: Io) {
  const options = {
    clock,
    host: io.host,
    address: LOCALHOST,
    ports: new Map<number, number>(),
    configMaps,
    secrets,
    kubeletVersion: DEFAULT_RELEASE,
    execAllowed: false,
    processes: [choice],
  };
  return localTarget(options, [choice.pod], io.worker('attempt-worker'));
}

async function portsOf(command: StartedCommand, limit: number): Promise<readonly FoundPort[]> {
  const ports = await findPorts(clock, command, limit);
  if (ports === undefined) {
    throw new RuntimeError('this machine does not show what a process listens on (/proc, or lsof)');
  }
  if (ports.length > 0) return ports;
  const end = command.end();
  const what =
    end === undefined
      ? `listened on no TCP port of ${LOCALHOST} within ${limit / 1000} s: there is nothing to probe`
      : `ended with exit code ${end.exitCode} before it listened on a port${backgroundText(end)}`;
  throw commandError(command, what);
}

function commandError(command: StartedCommand, what: string): RuntimeError {
  const lines = command
    .output()
    .slice(-LAST_LINES)
    .map((line) => `\n  ${line}`);
  return new RuntimeError(`the command ${what}${lines.join('')}`);
}

function backgroundText({ left = [], daemons = [] }: Exit): string {
  if (left.length + daemons.length === 0) return '';
  const kept = daemons.length === 0 ? '' : ` (kprobe does not end ${daemons.join(', ')})`;
  return `: it runs in the background${kept}, and a container ends with its first process; start it in the foreground`;
}

/** Prefers what says most of a server: a path for probes, then a gRPC health service, then /, then any port. */
export function choosePort(ports: readonly FoundPort[]): FoundPort {
  const rank = ({ protocol, liveness, readiness = '/' }: FoundPort): number => {
    if (readiness !== '/') return 0;
    return protocol === 'grpc' ? 1 : liveness === '/' ? 2 : 3;
  };
  const [first] = ports.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) throw new Error('no port was found');
  return first;
}

function portText({ port, protocol, liveness, readiness }: FoundPort): string {
  const paths = [...new Set([liveness, readiness])].filter((path) => path !== undefined);
  return `port ${port} speaks ${protocol}${paths.length === 0 ? '' : `, and answers at ${paths.join(' and ')}`}`;
}
