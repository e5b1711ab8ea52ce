import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { omitUndefined, type Pod } from '../../api/index.js';
import { endingBy, EXIT, exitCodeOfVerdict } from '../../cli/shared/exit-code.js';
import {
  type CommandInput,
  type Io,
  jsonOutput,
  noteSecrets,
  orAborted,
  write,
} from '../../cli/shared/io.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { collect, duration } from '../../cli/shared/option-values.js';
import { choice, KUBELET, OPTIONS, OUTPUTS, withShared } from '../../cli/shared/options.js';
import type { RunActions } from '../../cli/shared/output-style.js';
import { simulationProgress } from '../../cli/shared/progress.js';
import { readTraceFile, refuseWatched } from '../../cli/shared/read-trace-file.js';
import type { Relations } from '../../cli/shared/relations.js';
import { checkReports } from '../../cli/shared/reports/reports.js';
import { createRunRenderer, isInteractive, playInto } from '../../cli/shared/run-renderer.js';
import { RealClock } from '../../clock/real-clock.js';
import {
  missingContainerMessage,
  parseSetting,
  settingsFor,
  withSettings,
} from '../../manifest/pods/settings.js';
import { whatIfText } from '../../report/what-if-text.js';
import { Replay } from '../../session/replay.js';
import type { WhatIf } from '../../sim/recorded/what-if.js';
import type { Trace } from '../../trace/read-trace.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import { type Ending, endingOf, recordedKubelet } from '../../trace/trace-record.js';
import { optionOf, UsageError } from '../../usage-error.js';

/** Times are in milliseconds. */
type ReplayFlags = ReturnType<ReturnType<typeof options>['opts']>;

export function options(program: Command) {
  const command = program
    .command('replay')
    .description(
      `Show a recorded run (kprobe run --record, -o json, or ctrl-s in the terminal UI) as it was shown live, and end with its exit code.

With --set, --kubernetes-version, --feature-gates or --max-restart-period, show what the kubelet would have decided with other settings, or what another kubelet would have: the recorded behavior drives the simulator, and what was never observed is reported. The exit code is then that of the simulated run.`,
    )
    .argument('<trace>', 'a trace; - is standard input')
    .addOption(
      new Option(
        '--set <container.probe.field=value>',
        'change a setting, such as app.livenessProbe.timeoutSeconds=2',
      )
        .argParser(collect)
        .conflicts(['speed', 'until']),
    )
    .addOption(OPTIONS.kubernetesVersion().conflicts(['speed', 'until']))
    .addOption(OPTIONS.featureGates().conflicts(['speed', 'until']))
    .addOption(OPTIONS.maxRestartPeriod().conflicts(['speed', 'until']))
    .option(
      '--speed <factor>',
      'playback speed; max shows all at once (1 in the terminal UI, otherwise max)',
      speed,
    )
    .option('--until <time>', 'stop at this time of the recording', duration);
  const shown = withShared(command, 'partial').addOption(
    choice(
      '-o, --output <format>',
      'lines, the trace as NDJSON, or the status as YAML; where something is changed, json shows the difference',
      OUTPUTS,
    ),
  );
  const output = withShared(shown, 'report', 'withSecrets', 'quiet', 'plain', 'color');
  return withShared(output, 'noHints', 'logs', 'verbose');
}

const CHANGES = ['set', ...KUBELET] as const;

export const relations: Relations<ReplayFlags> = {
  outputs: Object.fromEntries(CHANGES.map((name) => [name, ['json']])),
};

function speed(text: string): number {
  if (text === 'max') return Infinity;
  const factor = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || factor <= 0 || factor > 1e6) {
    throw new InvalidArgumentError('Write a factor such as 4 or 0.5, or max.');
  }
  return factor;
}

const REPLAY_ACTIONS: RunActions = {
  trigger: () => 'this is a replay: nothing to probe',
  restart: () => Promise.resolve('this is a replay: nothing to restart'),
};

export async function command(input: CommandInput<ReplayFlags>, io: Io): Promise<number> {
  const { paths, flags } = input;
  const [path = ''] = paths;
  await checkReports(flags);
  const trace = await readTraceFile(path, flags, io);
  if (trace === undefined) return EXIT.usage;
  await noteSecrets(flags, io);
  const change = CHANGES.find((name) => flags[name] !== undefined);
  if (change === undefined) return play(trace, input, io);
  refuseWatched(trace, optionOf(change));
  return orAborted(io.signal, whatIfCommand(trace, flags, io));
}

async function play(trace: Trace, { flags, paths }: CommandInput<ReplayFlags>, io: Io) {
  const clock = new RealClock();
  const interactive = isInteractive(flags, io, paths);
  const { header, end, lines } = trace;
  // The terminal UI stays at the end of the run, before its containers were stopped.
  const whole = (interactive ? end?.at : end?.t) ?? lines.at(-1)?.t ?? 0;
  const length = Math.min(whole, (flags.until ?? Infinity) / 1000);
  const { speed = interactive ? 1 : Infinity } = flags;
  const replay = new Replay({ clock, lines, length, speed });
  const shown = { run: replay, player: replay, actions: REPLAY_ACTIONS };
  const renderer = await createRunRenderer({ flags, paths, io, clock, header, ...shown });
  await playInto(renderer, replay, io.signal);
  const ending = replayEnding(trace, replay, whole, io.signal);
  await renderer.end(ending, replay.summary);
  if (flags.report !== undefined) {
    const { reportTrace } = await import('../../cli/shared/reports/run-reports.js');
    const lines = trace.lines.filter(({ t }) => t <= length);
    await reportTrace({ ...trace, lines }, ending, { command: 'kprobe replay', flags, io });
  }
  return ending.exitCode;
}

/** Returns the ending of the run, or of the part that was shown. */
export function replayEnding(
  { end }: Pick<Trace, 'end'>,
  { summary, now }: Pick<Replay, 'summary' | 'now'>,
  whole: number,
  signal: AbortSignal,
): Ending {
  const verdict = verdictOf(summary);
  if (signal.aborted) {
    return { t: now, kind: 'interrupted', verdict, exitCode: Number(signal.reason) };
  }
  return end === undefined || now < whole ? endingBy(verdict, 'goal', now) : endingOf(end);
}

async function whatIfCommand(trace: Trace, flags: ReplayFlags, io: Io) {
  const { output, set = [] } = flags;
  const recorded = recordedKubelet(trace.header);
  const played = {
    ...omitUndefined({ maxContainerRestartPeriod: recorded.maxContainerRestartPeriod }),
    ...(await kubeletBy(flags, io, recorded)),
  };
  const settings = set.map((each) => {
    const setting = parseSetting(each);
    if ('message' in setting) throw new UsageError(setting.message);
    return setting;
  });
  const pods = trace.lines.flatMap((line) => (line.kind === 'pod' ? [line.object] : []));
  const missing = missingContainerMessage(pods, settings);
  if (missing !== undefined) throw new UsageError(missing);
  const notes = new Set<string>();
  const change = (pod: Pod): Pod => {
    const changed = withSettings(pod, settingsFor(pod, settings), played);
    if (changed.kind === 'problems') throw new UsageError(changed.messages.join('\n        '));
    for (const note of changed.notes) notes.add(note);
    return changed.pod;
  };
  const { whatIf } = await import('../../sim/recorded/what-if.js');
  const found = await simulationProgress(io, (show) => whatIf(trace, change, show, played));
  const { recorded: _, unchanged: __, changed: ___, verdict, ...results } = found;
  const isOther = KUBELET.some((name) => flags[name] !== undefined);
  const kubelets = isOther ? { recorded, played } : undefined;
  const shown = { ...results, notes: [...notes], sentence: verdict.sentence };
  const report = { ...shown, ...omitUndefined({ kubelets }) };
  await write(io.stdout, output === 'json' ? jsonOutput(report) : whatIfText(report));
  await reportChanged(trace, found, whatIfText(report), flags, io);
  return exitCodeOfVerdict(verdict.kind);
}

async function reportChanged(
  { header, unknown }: Trace,
  { length: t, verdict, changed: { lines } }: WhatIf,
  text: string,
  flags: ReplayFlags,
  io: Io,
): Promise<void> {
  if (flags.report === undefined) return;
  const { reportTrace } = await import('../../cli/shared/reports/run-reports.js');
  const result = { title: 'Compared with the recording', text };
  const facts = { command: 'kprobe replay', flags, io, result, effects: false };
  await reportTrace({ header, unknown, lines }, endingBy(verdict, 'goal', t), facts);
}
