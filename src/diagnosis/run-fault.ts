import type { PodSpec } from '../api/index.js';
import { isShell } from '../text/shell.js';
import { nameInCluster } from '../trace/cluster-side.js';
import type { ProbeType } from '../trace/event.js';
import type { ContainerView, RunView } from '../trace/summary/container-view.js';
import { currentRun } from '../trace/summary/container-view.js';
import { verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { oneLine } from './answer.js';
import { found, hasAnswered, lastLines, programOutput } from './attempt-context.js';
import { type Advice, advise, type Provision } from './change.js';
import type { Evidence, EvidenceOf, Finding } from './fault.js';
import { hookFailure, hookText, withoutHookKill } from './hook-fault.js';
import { killText } from './kubelet-message.js';
import {
  fatalError,
  isHandled,
  programError,
  reportedError,
  runtimeError,
} from './output/program-output.js';
import { takenPort } from './output/server-readers.js';
import { endMeaning, signalOf } from './rules/exit-meanings.js';
import { errorAdvice, surroundingAdvice, unusedPoolAdvice } from './surroundings.js';

const KILLERS: Readonly<Record<string, ProbeType>> = {
  LivenessProbe: 'liveness',
  StartupProbe: 'startup',
};

/** Returns the probe whose failure made the kubelet kill the run. */
export function killerOf({ killReason = '' }: RunView): ProbeType | undefined {
  return KILLERS[killReason];
}

/** Returns the failures that ended a run's attempts, as far as they are kept, and how many there were. */
export function failedIn(container: ContainerView, type: ProbeType, run: number) {
  const attempts = container.probes.find((probe) => probe.type === type)?.attempts ?? [];
  const inRun = attempts.filter((each) => each.run === run && each.error === undefined);
  const failed = inRun.slice(
    inRun.findLastIndex((each) => verdictOfAttempt(each) === 'success') + 1,
  );
  const [first, last] = [failed[0], failed.at(-1)];
  // Earlier ones may be no longer there, or only counted.
  const before =
    first === attempts[0] || first?.before.lastResult !== 'failure' ? 0 : first.before.resultRun;
  return { failed, last, count: Math.max(failed.length, (last?.resultRun ?? 0) - before) };
}

/** Returns the failures that ended a run's attempts as its last one did. */
export function failuresIn(
  container: ContainerView,
  type: ProbeType,
  run: number,
): EvidenceOf<'failures'> | undefined {
  const { failed, last, count } = failedIn(container, type, run);
  if (last === undefined) return undefined;
  const { reason, statusCode, exitCode } = last;
  const like = failed.filter(
    (each) =>
      each.reason === reason && each.statusCode === statusCode && each.exitCode === exitCode,
  );
  const timeout = container.spec[`${type}Probe`]?.timeoutSeconds ?? 1;
  const times = count - failed.length + like.length;
  return { kind: 'failures', probe: type, count: times, reason, statusCode, exitCode, timeout };
}

/** Returns the run that explains an end: after a run that ended by itself, a worker goes on counting its failures. */
export function causeOfKill(container: ContainerView, run: RunView): RunView {
  const by = killerOf(run);
  const before = container.runs.find((each) => each.run === run.run - 1);
  if (by === undefined || before?.endedAt === undefined || killerOf(before) !== undefined)
    return run;
  const { count } = failedIn(container, by, run.run);
  return count < (container.spec[`${by}Probe`]?.failureThreshold ?? 0) ? before : run;
}

/** The facts about the end of a run that the rules read. */
interface EndContext {
  readonly pod: PodSummary;
  readonly container: ContainerView;
  readonly run: RunView;
  readonly output: readonly string[];
  /** Without `SIG`; undefined where the kubelet asked for the end. */
  readonly signal: string | undefined;
}

const LIKELY = { certainty: 'likely' } as const;

type EndRule = (context: EndContext) => Finding | undefined;

/** Finds why a run ended that no probe had killed. */
export function endFault(pod: PodSummary, container: ContainerView, ended: RunView): Finding {
  const run = withoutHookKill(ended);
  const { run: number, exitCode, signal } = run;
  const output = programOutput(container, run);
  const context = { pod, container, run, output, signal: signalOf(run) };
  const evidence: readonly Evidence[] = [{ kind: 'end', run: number, exitCode, signal }];
  for (const find of END_RULES) {
    const finding = find(context);
    if (finding !== undefined) return { ...finding, evidence };
  }
  return found({ kind: 'unknown' }, [], { evidence });
}

const hookFailed: EndRule = ({ container: { spec }, run: { hookError } }) => {
  if (hookError === undefined) return undefined;
  return hookFailure(hookError.hook, hookError.text, spec);
};

const killedForMemory: EndRule = ({ container, run }) => {
  if (run.oomKilled !== true) return undefined;
  const by = container.spec.resources?.limits?.['memory'] === undefined ? 'system' : 'limit';
  return found({ kind: 'outOfMemory', by }, advise({ do: 'lessMemory', of: by }));
};

const stopped: EndRule = ({ run: { killReason, killed, removed, isLost } }) => {
  if (killReason !== undefined)
    return found({ kind: 'stoppedByKubelet', text: killed ?? killReason }, []);
  if (removed === true) return found({ kind: 'removedByOther' }, []);
  return isLost === true ? found({ kind: 'unknown' }, []) : undefined;
};

const daemonized: EndRule = ({ container, run, output }) => {
  // Processes that an earlier run left behind keep its port from later runs.
  const daemon =
    takenPort(output) === undefined
      ? run
      : (container.runs.find((each) => each.left?.length) ?? run);
  const { left = [], daemons = [] } = daemon;
  if (left.length === 0) return undefined;
  const isNginx = left.some((command) => /^nginx\b/.test(command));
  const changes = advise({ do: 'foreground', ...(isNginx && { program: 'nginx' }) });
  return found({ kind: 'daemonized', left, daemons }, changes);
};

const exitedZero: EndRule = (context) => {
  const { pod, container, run, output } = context;
  if (run.exitCode !== 0) return undefined;
  // A pipe or `|| true` hides the exit code of the program that has crashed.
  if (fatalError(output) ?? reportedError(lastLines(container, run)))
    return ranOutOfMemory(context) ?? reported(context);
  const policy = container.spec.restartPolicy ?? pod.object.spec.restartPolicy;
  const mustRun = policy === 'Always';
  if (mustRun && container.spec.stdin !== true && output.some((each) => ASKS_KEY.test(each)))
    return found({ kind: 'completed', mustRun }, advise({ do: 'provide', what: 'stdin' }), LIKELY);
  const hasServed = hasAnswered(container, run);
  const isSidecar = container.role === 'sidecar';
  const isProbed = container.probes.length > 0;
  const changes = advise({
    do: 'keepRunning',
    ...(isSidecar && { isSidecar }),
    ...(hasServed && { hasServed }),
    ...(isProbed && { isProbed }),
    ...(run.restartedBy === 'user' && { mayBeStopped: true }),
  });
  return found({ kind: 'completed', mustRun }, changes);
};

/** A line of a program that runs until somebody presses a key. */
const ASKS_KEY = /\b(?:hit|press|type) (?:<?(?:enter|return)>?|(?:a|any|the \w+) key|q)\b/i;

const killed: EndRule = ({ container: { spec }, signal, run }) => {
  if (signal !== undefined && run.sentBy !== undefined)
    return found({ kind: 'engineSignal', signal, engine: run.sentBy }, []);
  if (signal !== 'KILL' && signal !== 'TERM') return undefined;
  const { listening, startedAt = 0, endedAt = 0 } = run;
  const { cpuSeconds = Infinity } = listening ?? {};
  if (signal === 'KILL' && endedAt - startedAt >= cpuSeconds) {
    const changes = advise({ do: 'provide', what: 'limit' });
    return found({ kind: 'cpuUsedUp', seconds: cpuSeconds }, changes, LIKELY);
  }
  if (run.signal !== undefined) return found({ kind: 'signalled', signal }, []);
  // A cluster may no longer have the event of a kill from before the watch.
  const isProbed = spec.livenessProbe !== undefined || spec.startupProbe !== undefined;
  const isEarlier = run.evidence !== undefined && (run.endedAt ?? 0) < 0;
  if (isProbed && isEarlier) return found({ kind: 'signalledBefore', signal }, [], LIKELY);
  // A program may end with such an exit code by itself, as a shell does after its child's end.
  return found({ kind: 'signalled', signal, exitCode: run.exitCode ?? 0 }, [], LIKELY);
};

const ranOutOfMemory: EndRule = ({ output }) => {
  const line = output.findLast(
    (each, at) => (NO_MORE_MEMORY.test(each) || HEAP_USED_UP.test(each)) && !isHandled(output, at),
  );
  if (line === undefined) return undefined;
  const text = oneLine(
    line.replace(
      /^.*?(?=FATAL ERROR|There is insufficient|java\.lang|fatal error|MemoryError)/,
      '',
    ),
  );
  const of = NO_MORE_MEMORY.test(line) ? 'system' : 'program';
  const changes = advise({ do: 'lessMemory', of });
  return found({ kind: 'outOfMemory', by: 'program', text }, changes, LIKELY);
};

const portTaken: EndRule = ({ pod, container, run, output }) => {
  const taken = takenPort(output);
  if (taken === undefined) return undefined;
  const { command, args, env, ports } = container.spec;
  const named = JSON.stringify([command, args, env, ports]);
  // The containers of a pod share its ports.
  const [holder] = pod.containers.flatMap((each) => {
    const { sockets = [] } = (each !== container && currentRun(each)?.listening) || {};
    const socket = sockets.find(({ port }) =>
      taken.port === undefined ? new RegExp(`\\b${port}\\b`).test(named) : port === taken.port,
    );
    return socket === undefined ? [] : [{ by: each.name, port: socket.port }];
  });
  const port = taken.port ?? holder?.port;
  const isOwn = run.listening?.sockets.some((socket) => socket.port === port) === true;
  const changes = advise({ do: 'freePort', port, by: holder?.by, ...(isOwn && { isOwn }) });
  return found({ kind: 'portTaken', ...taken, port }, changes);
};

const reported: EndRule = ({ pod, container, run, output, signal }) => {
  // The output before a signal does not explain it, unless the program's runtime reports an error.
  const error = signal === undefined ? programError(output) : runtimeError(output);
  if (error === undefined || signal === 'SEGV') return undefined;
  const { text, at } = error;
  const cure = errorAdvice(error, container.spec);
  // A shell ends with 126 where it may not run a program.
  const isUnable = run.exitCode === 126 && /permission denied/i.test(text);
  if (isUnable) return found({ kind: 'crashed', text, at }, advise({ do: 'executable' }), LIKELY);
  const later = cure.do === 'addToVolume' && laterWriter(pod.object.spec, container, cure.path);
  const isPeer = cure.do === 'provide' && cure.what === 'peer';
  const sidecar = isPeer ? slowSidecar(pod, container, text) : undefined;
  const advice: Advice = later
    ? { do: 'declareFirst', container: later }
    : sidecar
      ? { do: 'addStartupProbe', of: sidecar }
      : cure;
  const isLeft = advice.do === 'provide' && LEFT.includes(advice.what) && wasKilled(container, run);
  const changes = isLeft
    ? advise({ do: 'provide', what: 'killedStart' })
    : advise(hasAnswered(container, run) ? advice : unusedPoolAdvice(advice, text));
  const isLast = error.isLast && cure.do === 'fixError' && ({ isLast: true } as const);
  return found({ kind: 'crashed', text, at, ...isLast }, changes, LIKELY);
};

/** Advice about what a killed start has left behind, at which later starts fail. */
const LEFT: readonly Provision[] = ['emptyFolder', 'lock', 'migration'];

/** Reports whether liveness has killed an earlier run of a container without a startup probe. */
function wasKilled({ spec, runs }: ContainerView, { run }: RunView): boolean {
  return !spec.startupProbe && runs.some((each) => each.run < run && killerOf(each) === 'liveness');
}

/** Returns an init container that starts later, and from which a file in an emptyDir can come, which is empty at first. */
function laterWriter(
  { volumes = [], initContainers = [] }: PodSpec,
  { name, spec }: ContainerView,
  path: string,
): string | undefined {
  const volume = spec.volumeMounts?.find(({ mountPath }) => mountPath === path)?.name;
  const at = initContainers.findIndex((each) => each.name === name);
  if (at < 0 || !volumes.some((each) => each.name === volume && each.emptyDir)) return undefined;
  const later = initContainers.slice(at + 1);
  return later.find(({ volumeMounts = [] }) =>
    volumeMounts.some((mount) => mount.name === volume && mount.readOnly !== true),
  )?.name;
}

/** Returns the sidecar that a container of its pod dials, and that has started and may not listen yet. */
function slowSidecar(
  { containers }: PodSummary,
  { role }: ContainerView,
  text: string,
): string | undefined {
  if (role === 'init' || !/\b(?:localhost|127\.0\.0\.1)\b|::1\b/.test(text)) return undefined;
  const sidecars = containers.filter((each) => each.role === 'sidecar' && currentRun(each));
  const [only] = sidecars;
  return sidecars.length === 1 && !only?.spec.startupProbe ? only?.name : undefined;
}

const signalled: EndRule = ({ signal }) => {
  if (signal === undefined) return undefined;
  const advice: Advice = SENT.test(signal) ? { do: 'handleSignal', signal } : { do: 'fixProgram' };
  return found({ kind: 'signalled', signal }, advise(SIGNAL_ADVICE[signal] ?? advice));
};

/** Signals that ask a program for something, and end one that does not know them. */
const SENT = /^(?:HUP|INT|QUIT|USR[12]|ALRM)$/;

const SIGNAL_ADVICE: Readonly<Record<string, Advice>> = {
  ILL: { do: 'provide', what: 'cpu' },
  BUS: { do: 'provide', what: 'space' },
  XCPU: { do: 'provide', what: 'limit' },
  XFSZ: { do: 'provide', what: 'limit' },
};

const silent: EndRule = ({ pod, container, run }) => {
  const isReported = run.evidence !== undefined && run.wroteNothing !== true;
  const { command = [], args = [] } = container.spec;
  const processes = [...(run.listening?.processes ?? []), ...command, ...args];
  const text = endMeaning(processes, run.exitCode);
  if (text !== undefined) {
    const advice = surroundingAdvice(text, container.spec);
    return found({ kind: 'crashed', text }, advice === undefined ? [] : advise(advice), LIKELY);
  }
  if (!isReported) {
    // kprobe reads all that a program writes that it has started, or knows that a cluster's log has no line.
    const isAllRead =
      run.wroteNothing ?? container.runs.some(({ listening }) => listening?.started);
    const ofEnd = isShell(processes[0]?.split(' ')[0] ?? '') ? 'script' : 'program';
    const changes = isAllRead ? advise({ do: 'logErrors', ofEnd }) : [];
    return found({ kind: 'silentCrash', isReported }, changes);
  }
  const { name, namespace } = pod.object.metadata;
  const previous = currentRun(container) !== undefined;
  const logs = { pod: nameInCluster(name), namespace, container: container.name, previous };
  return found({ kind: 'silentCrash', isReported }, advise({ do: 'logs', logs }));
};

/** The first rule whose evidence is there decides. */
const END_RULES: readonly EndRule[] = [
  hookFailed,
  killedForMemory,
  stopped,
  daemonized,
  exitedZero,
  killed,
  ranOutOfMemory,
  portTaken,
  reported,
  signalled,
  silent,
];

/** Errors of a program to which the system gives no more memory; mlock has another limit. */
const NO_MORE_MEMORY =
  /^# There is insufficient memory for the Java|^eheap_alloc: Cannot allocate|^(?!.*\bm?lock\b).*\bCannot allocate memory\b/;

/** Errors of a program that has used up what its own settings allow. */
const HEAP_USED_UP =
  /java\.lang\.OutOfMemoryError(?!: unable to create)|heap out of memory|fatal error: runtime: out of memory|runtime: out of memory|^MemoryError\b|memory allocation of \d+ bytes failed|Allowed memory size of \d+ bytes exhausted|failed to allocate memory \(NoMemoryError\)|\bSystem\.OutOfMemoryException\b|^terminate called .*'std::bad_alloc'/;

/** The end of a run in short. */
export type EndReason =
  | { readonly kind: 'asked' }
  | { readonly kind: 'notStarted'; readonly text: string }
  | {
      readonly kind: 'killed';
      readonly by: ProbeType;
      readonly failures?: EvidenceOf<'failures'> | undefined;
    }
  | { readonly kind: 'stopped'; readonly text: string }
  | { readonly kind: 'hook'; readonly hook: string; readonly text: string }
  | { readonly kind: 'exited' }
  | {
      readonly kind: 'crashed';
      readonly text?: string | undefined;
      readonly at?: string | undefined;
    };

export function endReason(container: ContainerView, ended: RunView): EndReason {
  const run = withoutHookKill(ended);
  if (run.restartAskedAt !== undefined) return { kind: 'asked' };
  if (run.startError !== undefined) return { kind: 'notStarted', text: run.startError };
  const by = killerOf(run);
  if (by !== undefined) return { kind: 'killed', by, failures: failuresIn(container, by, run.run) };
  if (run.hookError !== undefined) {
    const { hook, text } = run.hookError;
    return { kind: 'hook', hook, text: hookText(text) };
  }
  if (run.killReason !== undefined) return { kind: 'stopped', text: killText(run) };
  if (run.stop !== undefined) return { kind: 'stopped', text: 'stopped' };
  if (run.exitCode === 0) return { kind: 'exited' };
  return {
    kind: 'crashed',
    ...(takenPort(programOutput(container, run)) ?? programError(programOutput(container, run))),
  };
}
