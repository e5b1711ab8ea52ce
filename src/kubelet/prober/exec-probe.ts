import type { EnvVar } from '../../api/index.js';
import { latin1, outputOf } from '../../go/byte-string.js';
import { formatDuration } from '../../go/duration.js';
import { goQuote } from '../../go/quote.js';
import type { ExecResult, ProbeOutcome, Runtime } from '../ports.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../release.js';
import { runtimeErrorMessage } from '../sync-result.js';

/** Bytes of output that are read: 10 KiB (maxReadLength, pkg/probe/exec/exec.go). */
export const MAX_READ_LENGTH = 10 * 1024;

/** Returns the runtime's execSync, with an error result in place of a RuntimeError. */
export function execSync(runtime: Runtime): Runtime['execSync'] {
  return (...call) =>
    runtime
      .execSync(...call)
      .catch((error: unknown) => ({ kind: 'error', message: runtimeErrorMessage(error) }));
}

/** Ports execProber.Probe (pkg/probe/exec/exec.go) and the errors of ExecSync (cri-client, remote_runtime.go). */
export function execOutcome(
  result: ExecResult,
  command: readonly string[],
  timeoutSeconds: number,
  behavior: ReleaseBehavior = DEFAULT_BEHAVIOR,
): ProbeOutcome {
  const outcome = outcomeOf(result, command, timeoutSeconds, behavior);
  if (result.elapsed === undefined) return outcome;
  const { elapsed, via } = result;
  const detail = {
    address: command.join(' '),
    ...(via !== undefined && { via }),
    timings: { total: elapsed },
  };
  if (result.kind !== 'exited') return { ...outcome, detail };
  const response = `exit code ${result.exitCode}`;
  return { ...outcome, detail: { ...detail, response, body: limitedOutput(result) } };
}

function outcomeOf(
  result: ExecResult,
  command: readonly string[],
  timeoutSeconds: number,
  { failsExecTimeouts }: ReleaseBehavior,
): ProbeOutcome {
  if (result.kind === 'error') {
    return { result: 'unknown', output: '', error: result.message, reason: result.reason };
  }
  if (result.kind === 'timedOut') {
    const limit = formatDuration(timeoutSeconds * 1000);
    const message = result.message ?? `${goQuote(command.join(' '))} timed out after ${limit}`;
    const output = `command timed out: ${message}`;
    if (!failsExecTimeouts) {
      return { result: 'unknown', reason: 'timeout', output: '', error: output };
    }
    return { result: 'failure', reason: 'timeout', output };
  }
  const { exitCode, stdout, stderr } = result;
  const outcome = exitCode === 0 ? 'success' : 'failure';
  if (stdout.length + stderr.length === 0) return { result: outcome, output: '', exitCode };
  return { result: outcome, ...outputOf(latin1(limitedOutput(result))), exitCode };
}

/** Returns the first 10 KiB of stdout followed by stderr. Ports RunInContainer (kuberuntime_container.go). */
function limitedOutput(result: ExecResult & { kind: 'exited' }): Uint8Array {
  const output = new Uint8Array(
    Math.min(result.stdout.length + result.stderr.length, MAX_READ_LENGTH),
  );
  const stdout = result.stdout.subarray(0, MAX_READ_LENGTH);
  output.set(stdout);
  output.set(result.stderr.subarray(0, output.length - stdout.length), stdout.length);
  return output;
}

/**
 * Replaces `$(NAME)` by the value of the container's variable, and `$$` by `$`. A reference to an undefined variable
 * stays, and a variable with `valueFrom` counts as empty. Ports ExpandContainerCommandOnlyStatic
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

/** Returns the text for a reference, and its length after the `$`. Ports tryReadVariableName (expand.go). */
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
