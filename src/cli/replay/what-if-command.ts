import type { Pod } from '../../api/index.js';
import {
  missingContainer,
  parseSetting,
  type Setting,
  settingsOf,
  withSettings,
} from '../../app/settings.js';
import { UsageError } from '../../app/usage-error.js';
import { type WhatIf, whatIf } from '../../app/what-if.js';
import { type WhatIfReport, whatIfText } from '../../render/what-if-text.js';
import type { Trace } from '../../trace/read-trace.js';
import { exitCodeOfVerdict } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { simulationProgress } from '../shared/progress.js';
import type { ReplayFlags } from './replay-options.js';

/** `kprobe replay --set`; resolves with the exit code. */
export async function whatIfCommand(
  trace: Trace,
  texts: readonly string[],
  flags: ReplayFlags,
  io: Io,
): Promise<number> {
  const { output } = flags;
  if (output !== undefined && output !== 'json') {
    throw new UsageError('--set can only be combined with -o json');
  }
  for (const name of ['speed', 'until'] as const) {
    if (flags[name] === undefined) continue;
    throw new UsageError(`--${name} cannot be combined with --set`);
  }
  const settings = texts.map(settingOf);
  const pods = trace.lines.flatMap((line) => (line.kind === 'pod' ? [line.object] : []));
  const missing = missingContainer(pods, settings);
  if (missing !== undefined) throw new UsageError(missing);
  const notes = new Set<string>();
  const change = (pod: Pod): Pod => {
    const changed = withSettings(pod, settingsOf(pod, settings));
    if (changed.kind === 'problems') throw new UsageError(changed.messages.join('\n        '));
    for (const note of changed.notes) notes.add(note);
    return changed.pod;
  };
  const found = await simulationProgress(io, (show) => whatIf(trace, change, show));
  const report = reportOf(found, [...notes]);
  await write(
    io.stdout,
    output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : whatIfText(report),
  );
  await reportChanged(trace, found, whatIfText(report), flags, io);
  return exitCodeOfVerdict(found.verdict.kind);
}

/** Reports the simulated run, beside the recorded one. */
async function reportChanged(
  { header, unknown }: Trace,
  { length: t, verdict, changed: { lines } }: WhatIf,
  text: string,
  flags: ReplayFlags,
  io: Io,
): Promise<void> {
  if (flags.report === undefined) return;
  const { reportTrace } = await import('../reports/trace-reports.js');
  const exitCode = exitCodeOfVerdict(verdict.kind);
  const result = { title: 'Compared with the recording', text };
  const about = { command: 'kprobe replay --set', flags, io, result, effects: false };
  await reportTrace({ header, unknown, lines }, { t, kind: 'goal', verdict, exitCode }, about);
}

function settingOf(text: string): Setting {
  const setting = parseSetting(text);
  if ('message' in setting) throw new UsageError(setting.message);
  return setting;
}

function reportOf(found: WhatIf, notes: readonly string[]): WhatIfReport {
  const { length, before, after, decisions, unobserved, astray, verdict } = found;
  const { sentence } = verdict;
  return { length, notes, before, after, decisions, unobserved, astray, sentence };
}
