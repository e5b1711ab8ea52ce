import { parseSetting, type Setting, withSettings } from '../app/settings.js';
import { type WhatIf, whatIf } from '../app/what-if.js';
import { type WhatIfReport, whatIfText } from '../render/what-if/text.js';
import type { Trace } from '../trace/read-trace.js';
import { podNumbers } from '../trace/summary/pod-numbers.js';
import { exitCodeOfVerdict } from './exit-code.js';
import { type Io, write } from './io.js';
import type { ReplayFlags } from './replay-flags.js';
import { UsageError } from './usage-error.js';

/** `kprobe replay --set`; resolves with the exit code. */
export async function whatIfCommand(
  trace: Trace,
  texts: readonly string[],
  flags: ReplayFlags,
  io: Io,
): Promise<number> {
  const { output } = flags;
  if (output !== undefined && output !== 'json') {
    throw new UsageError('--set goes with -o json, or without -o');
  }
  for (const name of ['speed', 'until'] as const) {
    if (flags[name] === undefined) continue;
    throw new UsageError(`--${name} is about showing the run again: leave it out with --set`);
  }
  const settings = texts.map(settingOf);
  const found = await whatIf(trace, (pod) => {
    const changed = withSettings(pod, settings);
    if (changed.kind === 'pod') return changed.pod;
    throw new UsageError(changed.messages.join('\n        '));
  });
  const report = reportOf(found);
  await write(
    io.stdout,
    output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : whatIfText(report),
  );
  return exitCodeOfVerdict(found.changed.verdict);
}

function settingOf(text: string): Setting {
  const setting = parseSetting(text);
  if ('message' in setting) throw new UsageError(setting.message);
  return setting;
}

function reportOf(found: WhatIf): WhatIfReport {
  const { length, recorded, changed, decisions, unobserved, astray } = found;
  return {
    length,
    before: recorded.summary.pods.map((pod) => podNumbers(pod, length)),
    after: changed.summary.pods.map((pod) => podNumbers(pod, length)),
    decisions,
    unobserved,
    astray,
    sentence: changed.verdict.sentence,
  };
}
