import { type Container, containerNamed, omitUndefined, type Pod } from '../api/index.js';
import type { Clock, Timer } from '../clock/clock.js';
import { oneLine } from '../diagnosis/answer.js';
import { listeningPorts, portOf } from '../diagnosis/attempt-context.js';
import { attemptFault } from '../diagnosis/attempt-fault.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import {
  NO_PATH,
  OF_COMMAND,
  type PlannedTrial,
  trialsFor,
  withTrial,
} from '../diagnosis/trials.js';
import { resultWord } from '../diagnosis/words.js';
import { parseContainerID } from '../kubelet/pod-name.js';
import type { ProbeOutcome, ProbeTransports, ProcessFacts, Runtime } from '../kubelet/ports.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { createProber } from '../kubelet/prober/prober.js';
import { behaviorOf, type KubeletConfig } from '../kubelet/release.js';
import { formatLatency } from '../text/duration.js';
import { isClusterSide } from '../trace/cluster-side.js';
import type { Event, EventOf } from '../trace/event.js';
import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { findContainer, findContainerOf, findPod, type Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import { headerFacts } from '../trace/trace-record.js';
import { type ProcessSample, sampleOf } from './process-sample.js';

type AttemptDone = EventOf<'attemptDone'>;

interface EvidenceOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly transports: ProbeTransports;
  readonly kubelet: KubeletConfig;
  readonly summary: () => Summary;
  /** Returns a pod with its secrets, which the summary masks. */
  readonly podOf: (key: string) => Pod | undefined;
  readonly record: (event: Event) => void;
  /** Tries changes of servers that kprobe has started, of all, or none. */
  readonly trials: TrialScope;
  /** Present where changes of settings are replayed. */
  readonly isSimulated?: IsSimulated | undefined;
  /** Seconds. */
  readonly kubeletAge: number;
}

export type TrialScope = 'started' | 'all' | 'none';

const MAX_TRIALS = 9;
/** Milliseconds after which a container that holds up its pod's start is inspected, and between two inspections. */
const START_PATIENCE = 6000;
/** Lines of all pods that are kept for replays. */
const MAX_LINES = 20_000;
/** Kinds of lines that a replay does not use. */
const UNPLAYED: ReadonlySet<TraceLine['kind']> = new Set(['output', 'listening', 'trial', 'note']);

/** Milliseconds between two inspections of a container with a limit on CPU while its attempts succeed. */
const CPU_INTERVAL = 5000;

type RecordedFacts = Omit<ProcessFacts, 'cpu' | 'busyTime'> & { readonly throttled?: number };

/** Gathers what a diagnosis needs beside the engine's events: what a run listens on, and whether a change would help. */
export class EvidenceCollector {
  /** The runs that have answered, by container. */
  readonly #answered = new Map<string, number>();
  readonly #facts = new Map<string, string>();
  readonly #samples = new Map<string, ProcessSample>();
  /** The trials for each probe in each run: their number, and the ids of those that are not made again. */
  readonly #tried = new Map<string, { made: number; readonly ids: Set<string> }>();
  /** The last attempt of each probe that fails. */
  readonly #failed = new Map<string, AttemptDone>();
  /** The probes that have failed since the result of a success was last set. */
  readonly #failing = new Set<string>();
  /** Lines of each pod for replays; undefined once there are too many of them all. */
  #lines: Map<string, TraceLine[]> | undefined = new Map();
  #lineCount = 0;
  readonly #timers: Timer[] = [];
  #isReplaying = false;
  #isClosed = false;

  constructor(private readonly options: EvidenceOptions) {}

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) timer.cancel();
  }

  /** Inspects a container that holds up its pod's start without attempts: an init container, or one in its postStart hook. */
  watchStart({ pod, container, run }: EventOf<'started'>): void {
    const { clock, summary, record } = this.options;
    const holdsUp = (): boolean => {
      const view = findContainerOf(summary(), { pod, container });
      const isRunning = view !== undefined && currentRun(view)?.run === run;
      return isRunning && (view.role === 'init' || view.hook?.name === 'postStart');
    };
    let last = '';
    const inspect = async (): Promise<void> => {
      if (this.#isClosed || !holdsUp()) return;
      const facts = await this.#factsOf(pod, container).catch(() => undefined);
      if (facts === undefined || this.#hasEnded() || !holdsUp()) return;
      const seen = this.#seen(`${pod} ${container}`, run, facts);
      if (last !== JSON.stringify(seen))
        record({ kind: 'listening', pod, container, run, ...seen });
      last = JSON.stringify(seen);
      this.#timers.push(clock.setTimeout(() => void inspect(), START_PATIENCE));
    };
    this.#timers.push(clock.setTimeout(() => void inspect(), START_PATIENCE));
  }

  /** Finds the container by its name: while its postStart hook runs, no status has its id. */
  async #factsOf(key: string, container: string): Promise<ProcessFacts | undefined> {
    const { runtime, podOf } = this.options;
    const uid = podOf(key)?.metadata.uid;
    const pod = (await runtime.getPods(uid)).find((each) => each.uid === uid);
    const found = pod?.containers.find(({ name }) => name === container);
    return found && runtime.inspect?.(found.id);
  }

  /** Inspects the processes before a failure is recorded, and at a run's first success. */
  inspect(event: AttemptDone): void {
    if (this.#isClosed) return;
    const { runtime, summary } = this.options;
    const view = findContainerOf(summary(), event);
    const run = view && currentRun(view)?.run;
    if (view === undefined || run === undefined) return;
    if (probeOf(view.spec, event.probe)?.exec && event.result === 'success') return;
    const key = `${event.pod} ${event.container}`;
    if (event.result === 'success') {
      const { cpu, at = 0 } = this.#samples.get(key) ?? {};
      const isDue = cpu !== undefined && this.options.clock.now() - at >= CPU_INTERVAL;
      if (this.#answered.get(key) === run && !isDue) return;
      this.#answered.set(key, run);
    }
    const found = runtime.inspect?.(parseContainerID(event.containerID));
    if (found instanceof Promise) void found.then((facts) => this.#add(event, run, facts));
    else this.#add(event, run, found);
  }

  #add(event: AttemptDone, run: number, facts: ProcessFacts | undefined): void {
    if (facts === undefined || this.#isClosed) return;
    const { pod, container, detail } = event;
    const key = `${pod} ${container}`;
    const { peers, ...seen } = this.#seen(key, run, facts);
    const port = portOf(detail?.address);
    const sockets = seen.sockets.filter((socket) => facts.started || socket.port === port);
    // A server that answers waits for nobody.
    const relevant = { ...seen, sockets, ...(event.result !== 'success' && peers && { peers }) };
    const text = JSON.stringify([run, relevant]);
    // A program that listens on nothing yet is shown with the time since its start.
    if (this.#facts.get(key) === text && relevant.sockets.length > 0) return;
    this.#facts.set(key, text);
    this.options.record({ kind: 'listening', pod, container, run, ...relevant });
  }

  /** Returns facts to record, with what their counts show since the last sample of this run. */
  #seen(key: string, run: number, facts: ProcessFacts): RecordedFacts {
    const sample = sampleOf(this.#samples.get(key), facts, run, this.options.clock.now());
    this.#samples.set(key, sample);
    const { cpu: _, busyTime: __, state: stateNow, ...others } = facts;
    const isStill = stateNow === 'stopped' || stateNow === 'paused';
    const state = isStill ? stateNow : sample.isBusy ? ('busy' as const) : undefined;
    return { ...others, ...omitUndefined({ state, throttled: sample.throttled }) };
  }

  /** Tries the changes that may help against a failure. */
  try(event: AttemptDone): void {
    const { trials, summary } = this.options;
    const key = probeKey(event);
    if (event.result === 'success') {
      this.#failed.delete(key);
      return;
    }
    this.#failed.set(key, event);
    if (trials === 'none') return;
    const view = findContainerOf(summary(), event);
    const isStarted = view && currentRun(view)?.listening?.started === true;
    if (trials === 'all' || isStarted === true) this.#tryChanges(event, view);
  }

  /** Tries the changes that may end a probe's failure, against any server. Returns the number of attempts. */
  tryNow(probe: Pick<AttemptDone, 'pod' | 'container' | 'probe'>): number {
    const event = this.#failed.get(probeKey(probe));
    if (event === undefined) return 0;
    return this.#tryChanges(event, findContainerOf(this.options.summary(), event));
  }

  #tryChanges(event: AttemptDone, view: ContainerView | undefined): number {
    const { kubelet } = this.options;
    const run = view && currentRun(view)?.run;
    const probe = view?.probes.find(({ type }) => type === event.probe);
    const attempt = probe?.attempts.at(-1);
    if (view === undefined || run === undefined || probe === undefined || attempt === undefined)
      return 0;
    if (view.stopping !== undefined) return 0;
    const container = this.#containerOf(event);
    const spec = container && probeOf(container, event.probe);
    const finding = attemptFault({ container: view, probe }, attempt);
    if (container === undefined || spec === undefined || finding === undefined) return 0;
    const key = `${probeKey(event)} ${run}`;
    const tried = this.#tried.get(key) ?? { made: 0, ids: new Set() };
    this.#tried.set(key, tried);
    const { listening } = currentRun(view) ?? {};
    const { probesHTTP2, probesGRPCOverTLS } = behaviorOf(kubelet);
    const ports = listeningPorts(listening);
    const planned = trialsFor(finding.fault, spec, container, ports).filter((trial) => {
      // A kubelet without the field would send the same request again.
      if (trial.field === 'httpGet.protocol' && !probesHTTP2) return false;
      if (trial.field === 'grpc.mode' && !probesGRPCOverTLS) return false;
      // What failed before the server had begun to listen, or to answer, is tried again.
      // Answers change: what a command asks is asked again after twice as many failures.
      const { resultRun } = attempt;
      const turn = trial.field === OF_COMMAND ? Math.floor(Math.log2(resultRun)) : 0;
      const id = JSON.stringify([trial, listening?.sockets, finding.fault.kind, turn]);
      if (tried.ids.has(id) || tried.made >= MAX_TRIALS) return false;
      tried.ids.add(id);
      tried.made++;
      return true;
    });
    void this.#makeAll(event, run, planned);
    return planned.length;
  }

  /** Makes trials one after the other. */
  async #makeAll(event: AttemptDone, run: number, planned: readonly PlannedTrial[]): Promise<void> {
    for (const trial of planned) {
      // A server may need longer for its first answer.
      if (await this.#make(event, run, trial)) await this.#make(event, run, trial);
    }
  }

  keepLine(line: TraceLine): void {
    if (this.options.isSimulated === undefined || this.#lines === undefined) return;
    if (!('pod' in line) || UNPLAYED.has(line.kind)) return;
    const lines = this.#lines.get(line.pod) ?? [];
    this.#lines.set(line.pod, lines);
    lines.push(withoutDetail(line));
    if (++this.#lineCount > MAX_LINES) this.#lines = undefined;
  }

  /** Plays the run again with the settings that may help against a failure, or after an outage. */
  async replay(event: AttemptDone): Promise<void> {
    const { pod: key, container: name } = event;
    const { isSimulated, record, summary, kubelet, kubeletAge } = this.options;
    if (isSimulated === undefined || isClusterSide(key) || this.#isReplaying) return;
    const probe = probeKey(event);
    if (event.result !== 'success') this.#failing.add(probe);
    // Diagnosing a whole pod at each success would take longer than its attempts.
    else if (event.set === undefined || !this.#failing.delete(probe)) return;
    this.#isReplaying = true;
    const { settingsToReplay, replayChange } = await import('./replayed-changes.js');
    const { t: now } = summary();
    const pod = findPod(summary(), key);
    const container = pod && findContainer(pod, name);
    // The run goes on while it is played.
    const lines = this.#lines?.get(key)?.slice();
    if (pod !== undefined && container !== undefined && lines !== undefined) {
      const header = { ...headerFacts(kubelet), kubeletAge };
      const recorded = { header, lines, pod, container, now };
      for (const setting of settingsToReplay(recorded, isSimulated)) {
        const replayed = await replayChange(recorded, setting);
        if (replayed === undefined || this.#hasEnded()) continue;
        record({ kind: 'replayed', pod: key, container: name, ...replayed });
      }
    }
    this.#isReplaying = false;
  }

  #containerOf({ pod, container }: Pick<AttemptDone, 'pod' | 'container'>): Container | undefined {
    const { spec } = this.options.podOf(pod) ?? {};
    return spec && containerNamed(spec, container);
  }

  /** A method, since TypeScript would assume that a field has not changed after a wait. */
  #hasEnded(): boolean {
    return this.#isClosed;
  }

  /** Makes a trial, and reports whether it ran into the timeout of the probe. */
  async #make(
    { pod: key, container: name, probe, containerID }: AttemptDone,
    run: number,
    trial: PlannedTrial,
  ): Promise<boolean> {
    const { clock, runtime, transports, kubelet, summary, podOf, record } = this.options;
    const [pod, spec] = [podOf(key), this.#containerOf({ pod: key, container: name })];
    if (pod === undefined || spec === undefined || this.#isClosed) return false;
    const prober = createProber({
      transports,
      kubelet,
      recordEvent: () => undefined,
      execSync: (...call) => runtime.execSync(...call),
    });
    const begin = clock.now();
    const attempt = (container: Container) =>
      prober.probe(probe, pod, findPod(summary(), key)?.status ?? {}, container, containerID);
    const container = withTrial(spec, probe, trial);
    const { result, outcome } = await attempt(container);
    const latency = Math.round((clock.now() - begin) * 1000) / 1000;
    const isForAny =
      trial.isOfPath === true &&
      result === 'success' &&
      (await attempt(withTrial(container, probe, NO_PATH))).result === 'success';
    const view = findContainerOf(summary(), { pod: key, container: name });
    const current = view && currentRun(view)?.run;
    if (this.#hasEnded() || current === undefined || view?.stopping !== undefined) return false;
    // A restart that was only simulated leaves the process that was tried.
    if (current !== run && this.options.isSimulated?.(key, name) !== true) return false;
    const isGrpc = probeOf(container, probe)?.grpc !== undefined;
    const word = isForAny
      ? 'it answers any path'
      : `${trialWord(outcome, isGrpc, trial.field === OF_COMMAND)}${trial.field === 'timeoutSeconds' ? ` after ${formatLatency(latency)}` : ''}`;
    record({
      kind: 'trial',
      pod: key,
      container: name,
      probe,
      field: `${probe}Probe.${trial.field}`,
      to: trial.to,
      result: result === 'success' && !isForAny ? 'success' : 'failure',
      word,
      latency,
    });
    return outcome.reason === 'timeout' && trial.field !== 'timeoutSeconds';
  }
}

function probeKey({ pod, container, probe }: Pick<AttemptDone, 'pod' | 'container' | 'probe'>) {
  return `${pod} ${container} ${probe}`;
}

function trialWord(outcome: ProbeOutcome, isGrpc: boolean, isOfCommand: boolean): string {
  const { result, error, statusCode, detail } = outcome;
  const body = isOfCommand ? oneLine(new TextDecoder().decode(detail?.body)) : '';
  if (statusCode !== undefined && body !== '') return `${statusCode}: ${body}`;
  if (result !== 'success' || error !== undefined) return resultWord(outcome);
  return String(statusCode ?? (isGrpc ? 'SERVING' : 'connected'));
}

/** Returns a line without the detail of an attempt, which a replay does not use. */
function withoutDetail(line: TraceLine): TraceLine {
  if (line.kind !== 'attemptDone') return line;
  const { detail: _, ...rest } = line;
  return rest;
}
