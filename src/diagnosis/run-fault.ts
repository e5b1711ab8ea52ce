import type { ProbeType } from '../trace/event.js';
import type { ContainerState, ContainerView, RunView } from '../trace/summary/container-view.js';
import { currentRun } from '../trace/summary/container-view.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { shortened } from './answer.js';
import { advise, type Evidence, type Finding } from './fault.js';
import { hookErrorText } from './kubelet-message.js';
import { programError, takenPort } from './program-output.js';

const KILLERS: Readonly<Record<string, ProbeType>> = {
  LivenessProbe: 'liveness',
  StartupProbe: 'startup',
};

/** Returns the probe whose failure made the kubelet kill the run. */
export function killerOf({ killReason = '' }: RunView): ProbeType | undefined {
  return KILLERS[killReason];
}

export function outputOf({ output }: ContainerView, { run }: RunView): readonly string[] {
  return output.filter((line) => line.run === run).map(({ text }) => text);
}

/** Returns the failures that ended a run's attempts. */
export function failuresIn(
  container: ContainerView,
  type: ProbeType,
  run: number,
): Extract<Evidence, { kind: 'failures' }> | undefined {
  const attempts = container.probes.find((probe) => probe.type === type)?.attempts ?? [];
  const inRun = attempts.filter((each) => each.run === run && each.error === undefined);
  const failed = inRun.slice(
    inRun.findLastIndex((each) => verdictOfAttempt(each) === 'success') + 1,
  );
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  const timeout = container.spec[`${type}Probe`]?.timeoutSeconds ?? 1;
  return { kind: 'failures', probe: type, count: failed.length, ...resultOf(last), timeout };
}

function resultOf({ reason, statusCode, exitCode }: AttemptView) {
  return { reason, statusCode, exitCode };
}

/** Finds why a run ended that no probe had killed. */
export function endFault(pod: PodSummary, container: ContainerView, run: RunView): Finding {
  const evidence: readonly Evidence[] = [
    { kind: 'end', run: run.run, exitCode: run.exitCode, signal: run.signal },
  ];
  const certain = { certainty: 'proven', evidence } as const;
  const { hookError } = run;
  if (hookError !== undefined) {
    const { hook } = hookError;
    const text = hookErrorText(hookError.text);
    return {
      ...certain,
      fault: { kind: 'hookFailed', hook, text },
      changes: advise({ do: 'hook', hook }),
    };
  }
  const states = run === container.runs.at(-1) ? [container.lastState, container.state] : [];
  if (run.oomKilled === true || states.some(wasOutOfMemory)) {
    const by =
      run.oomKilled === true && container.spec.resources?.limits?.['memory'] === undefined
        ? 'system'
        : 'limit';
    return {
      ...certain,
      fault: { kind: 'outOfMemory', by },
      changes: advise({ do: 'lessMemory', field: by === 'limit' }),
    };
  }
  if (run.killReason !== undefined) {
    return {
      ...certain,
      fault: { kind: 'stoppedByKubelet', text: run.killed ?? run.killReason },
      changes: [],
    };
  }
  if (run.removed === true) return { ...certain, fault: { kind: 'removedByOther' }, changes: [] };
  const output = outputOf(container, run);
  if (run.exitCode === 0) {
    if (run.left !== undefined && run.left.length > 0) {
      return {
        ...certain,
        fault: { kind: 'daemonized', left: run.left },
        changes: advise({ do: 'foreground' }),
      };
    }
    const policy = container.spec.restartPolicy ?? pod.object.spec.restartPolicy;
    return {
      ...certain,
      fault: { kind: 'completed', mustRun: policy === 'Always' },
      changes: advise({ do: 'keepRunning' }),
    };
  }
  const memory = output.findLast((line) => OUT_OF_MEMORY.test(line));
  const signal = signalOf(run);
  if (signal === 'KILL' || signal === 'TERM') {
    return { ...certain, fault: { kind: 'signalled', signal }, changes: [] };
  }
  if (memory !== undefined) {
    const text = shortened(
      memory.replace(/^.*?(?=FATAL ERROR|java\.lang|fatal error|MemoryError)/, ''),
    );
    return {
      ...certain,
      certainty: 'likely',
      fault: { kind: 'outOfMemory', by: 'program', text },
      changes: advise({ do: 'lessMemory', field: false }),
    };
  }
  const taken = takenPort(output);
  if (taken !== undefined) {
    return {
      ...certain,
      fault: { kind: 'portTaken', ...taken },
      changes: advise({ do: 'freePort', port: taken.port }),
    };
  }
  const error = signal === 'SEGV' ? undefined : programError(output);
  if (error !== undefined) {
    const { text, at } = error;
    return {
      ...certain,
      certainty: 'likely',
      fault: { kind: 'crashed', text, at },
      changes: advise({ do: 'fixProgram', at }),
    };
  }
  if (signal !== undefined) {
    return {
      ...certain,
      fault: { kind: 'signalled', signal },
      changes: advise({ do: 'fixProgram' }),
    };
  }
  if (run.evidence === undefined)
    return { ...certain, fault: { kind: 'silentCrash', isReported: false }, changes: [] };
  const { name, namespace } = pod.object.metadata;
  const previous = currentRun(container) !== undefined;
  const logs = { pod: podName(name), namespace, container: container.name, previous };
  return {
    ...certain,
    fault: { kind: 'silentCrash', isReported: true },
    changes: advise({ do: 'logs', logs }),
  };
}

/** Returns the name of a pod in its cluster, without the mark that kprobe shows it with. */
function podName(name: string): string {
  return name.split('@')[0] ?? name;
}

const OUT_OF_MEMORY =
  /java\.lang\.OutOfMemoryError|heap out of memory|fatal error: runtime: out of memory|runtime: out of memory|^MemoryError\b|memory allocation of \d+ bytes failed|Allowed memory size of \d+ bytes exhausted|failed to allocate memory \(NoMemoryError\)/;

function wasOutOfMemory(state: ContainerState): boolean {
  return state.kind === 'terminated' && state.reason === 'OOMKilled';
}

const SIGNALS: ReadonlyMap<number, string> = new Map([
  [132, 'ILL'],
  [134, 'ABRT'],
  [135, 'BUS'],
  [136, 'FPE'],
  [137, 'KILL'],
  [139, 'SEGV'],
  [143, 'TERM'],
]);

/** Returns the signal that ended a run, if the kubelet did not ask for its end. */
function signalOf({ signal, exitCode = 0, stop }: RunView): string | undefined {
  if (stop !== undefined) return undefined;
  return signal?.replace(/^SIG/, '') ?? SIGNALS.get(exitCode);
}

/** The end of a run in short. */
export type RunEnd =
  | { readonly kind: 'asked' }
  | { readonly kind: 'notStarted'; readonly text: string }
  | {
      readonly kind: 'killed';
      readonly by: ProbeType;
      readonly failures?: Extract<Evidence, { kind: 'failures' }> | undefined;
    }
  | { readonly kind: 'stopped'; readonly text: string }
  | { readonly kind: 'hook'; readonly hook: string; readonly text: string }
  | { readonly kind: 'exited' }
  | {
      readonly kind: 'crashed';
      readonly text?: string | undefined;
      readonly at?: string | undefined;
    };

export function runEnd(container: ContainerView, run: RunView): RunEnd {
  if (run.restartAskedAt !== undefined) return { kind: 'asked' };
  if (run.startError !== undefined) return { kind: 'notStarted', text: run.startError };
  const by = killerOf(run);
  if (by !== undefined) return { kind: 'killed', by, failures: failuresIn(container, by, run.run) };
  if (run.hookError !== undefined) {
    const { hook, text } = run.hookError;
    return { kind: 'hook', hook, text: hookErrorText(text) };
  }
  if (run.killReason !== undefined) return { kind: 'stopped', text: run.killed ?? '' };
  if (run.exitCode === 0) return { kind: 'exited' };
  return {
    kind: 'crashed',
    ...(takenPort(outputOf(container, run)) ?? programError(outputOf(container, run))),
  };
}
