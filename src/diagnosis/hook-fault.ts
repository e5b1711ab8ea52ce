import type { Container } from '../api/index.js';
import type { RunView } from '../trace/summary/container-view.js';
import { oneLine } from './answer.js';
import { found } from './attempt-context.js';
import { type Advice, advise } from './change.js';
import type { Finding } from './fault.js';
import { hookErrorText, hookOutput } from './kubelet-message.js';
import { programError } from './output/program-output.js';
import { missingCommand } from './rules/command-rules.js';
import { isOfCheck, surroundingAdvice } from './surroundings.js';

/** Returns what a hook's message says, and what to do about it. */
export function hookFailure(hook: string, message: string, spec: Container): Finding {
  const text = hookText(message);
  return found({ kind: 'hookFailed', hook, text }, advise(hookAdvice(hook, text, spec)));
}

/** Returns how a hook failed, with the error among what it wrote. */
export function hookText(message: string): string {
  const text = hookErrorText(message);
  const output = hookOutput(text);
  const error = output === text ? undefined : programError(output.split('\n'))?.text;
  return error === undefined ? text : text.slice(0, -output.length) + oneLine(error);
}

/** A hook that failed for its own reasons has not run too early. */
function hookAdvice(hook: string, text: string, spec: Container): Advice {
  const output = hookOutput(text);
  const command = missingCommand(output);
  const field = `lifecycle.${hook}.exec.command`;
  if (command !== undefined) return { do: 'command', field, command, is: 'missing' };
  if (/\bexec: "[^"]+": permission denied/.test(text)) return { do: 'executable' };
  const advice = surroundingAdvice(output, spec);
  if (advice?.do === 'correct') return { do: 'correct', fields: [field] };
  return advice === undefined || isOfCheck(advice) ? { do: 'hook', hook } : advice;
}

/** Reports whether a postStart hook has ended with the exit code of what is killed, as it does where its container ends first. */
function isHookCut({ hookError }: RunView): boolean {
  return hookError?.hook === 'postStart' && / exited with 137\b/.test(hookError.text);
}

/** Reports whether the kubelet has begun to stop a run, which may ignore that for a while; where its hook is cut, its end shows why. */
export function isStopped(run: RunView): boolean {
  return (isHookCut(run) ? run.endedAt : (run.killed ?? run.hookError)) !== undefined;
}

/** Returns a run without the kill for its hook, where the program had ended by itself before that. */
export function withoutHookKill(run: RunView): RunView {
  if (!isHookCut(run) || [0, 137, 143].includes(run.exitCode ?? 0)) return run;
  const { hookError: _, killReason: __, killed: ___, stop: ____, ...own } = run;
  return own;
}
