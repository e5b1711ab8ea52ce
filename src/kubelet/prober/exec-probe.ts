import type { EnvVar } from '../../api/index.js';
import { latin1, outputOf } from '../../go/byte-string.js';
import { formatDuration } from '../../go/duration.js';
import { goQuote } from '../../go/quote.js';
import type { ExecResult, ProbeOutcome, Runtime } from '../ports.js';
import { runtimeErrorMessage } from '../sync-result.js';

/** Bytes of output that are read: 10 KiB (maxReadLength, pkg/probe/exec/exec.go). */
const MAX_READ_LENGTH = 10 * 1024;

/** Returns the runtime's execSync with a RuntimeError as a result. */
export function execSync(runtime: Runtime): Runtime['execSync'] {
  return (id, command, timeoutSeconds) =>
    runtime
      .execSync(id, command, timeoutSeconds)
      .catch((error: unknown) => ({ kind: 'error', message: runtimeErrorMessage(error) }));
}

/** Ports execProber.Probe (pkg/probe/exec/exec.go) and the errors of ExecSync (cri-client, remote_runtime.go). */
export function execOutcome(
  end: ExecResult,
  command: readonly string[],
  timeoutSeconds: number,
): ProbeOutcome {
  const outcome = outcomeOf(end, command, timeoutSeconds);
  if (end.elapsed === undefined) return outcome;
  const via = end.via === undefined ? {} : { via: end.via };
  const detail = { address: command.join(' '), ...via, timings: { total: end.elapsed } };
  if (end.kind !== 'exited') return { ...outcome, detail };
  const response = `exit code ${end.exitCode}`;
  return { ...outcome, detail: { ...detail, response, body: limitedOutput(end) } };
}

function outcomeOf(
  end: ExecResult,
  command: readonly string[],
  timeoutSeconds: number,
): ProbeOutcome {
  if (end.kind === 'error') {
    return { result: 'unknown', output: '', error: end.message, reason: end.reason };
  }
  if (end.kind === 'timedOut') {
    const limit = formatDuration(timeoutSeconds * 1000);
    const message = end.message ?? `${goQuote(command.join(' '))} timed out after ${limit}`;
    return { result: 'failure', reason: 'timeout', output: `command timed out: ${message}` };
  }
  const { exitCode, stdout, stderr } = end;
  const result = exitCode === 0 ? 'success' : 'failure';
  if (stdout.length + stderr.length === 0) return { result, output: '', exitCode };
  return { result, ...outputOf(latin1(limitedOutput(end))), exitCode };
}

/** All of stdout, then all of stderr, and of that the first 10 KiB. Ports RunInContainer (kuberuntime_container.go). */
function limitedOutput(end: ExecResult & { kind: 'exited' }): Uint8Array {
  const output = new Uint8Array(Math.min(end.stdout.length + end.stderr.length, MAX_READ_LENGTH));
  const stdout = end.stdout.subarray(0, MAX_READ_LENGTH);
  output.set(stdout);
  output.set(end.stderr.subarray(0, output.length - stdout.length), stdout.length);
  return output;
}

/**
 * Replaces `$(NAME)` by the container's static variables; what is not defined stays, `$$` becomes
 * `$`. A variable with `valueFrom` counts as empty. Ports ExpandContainerCommandOnlyStatic
 * (pkg/kubelet/container/helpers.go).
 */
export function expandContainerCommandOnlyStatic(
  command: readonly string[],
  env: readonly EnvVar[] = [],
): readonly string[] {
  if (!command.some((word) => word.includes('$'))) return command;
  const values = new Map(env.map(({ name, value }) => [name, value ?? '']));
  return command.map((word) => expand(word, (name) => values.get(name) ?? `$(${name})`));
}

/** Ports Expand (third_party/forked/golang/expansion/expand.go). */
export function expand(input: string, mapping: (name: string) => string): string {
  let out = '';
  let checkpoint = 0;
  for (let cursor = input.indexOf('$'); cursor !== -1 && cursor + 1 < input.length;) {
    const { text, advance } = readReference(input.slice(cursor + 1), mapping);
    out += input.slice(checkpoint, cursor) + text;
    checkpoint = cursor + 1 + advance;
    cursor = input.indexOf('$', checkpoint);
  }
  return out + input.slice(checkpoint);
}

/** Returns the variable after a `$` and the characters that it takes. Ports tryReadVariableName (expand.go). */
function readReference(
  rest: string,
  mapping: (name: string) => string,
): { readonly text: string; readonly advance: number } {
  if (rest.startsWith('$')) return { text: '$', advance: 1 };
  if (!rest.startsWith('(')) {
    const [char = ''] = rest;
    return { text: `$${char}`, advance: char.length };
  }
  const close = rest.indexOf(')');
  if (close === -1) return { text: '$(', advance: 1 };
  return { text: mapping(rest.slice(1, close)), advance: close + 1 };
}
