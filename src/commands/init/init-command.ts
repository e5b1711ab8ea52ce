import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import {
  checkWritable,
  orUsageError,
  replaceFile,
  shownPath,
} from '../../cli/shared/file-errors.js';
import { type CommandInput, type Io, unlessQuiet, write } from '../../cli/shared/io.js';
import { duration, positiveInteger } from '../../cli/shared/option-values.js';
import { withShared } from '../../cli/shared/options.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { runPods } from '../../cli/shared/run/run-pods.js';
import { RealClock } from '../../clock/real-clock.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import type { Diagnosis } from '../../diagnosis/fault.js';
import { diagnosisText } from '../../diagnosis/words.js';
import { DEFAULT_KUBELET } from '../../kubelet/release.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { dumpYaml } from '../../manifest/documents/dump-yaml.js';
import { kubernetesName } from '../../manifest/import/imported-manifest.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { DiagnosisChanges } from '../../report/diagnosis-changes.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { maskArguments } from '../../secrets/credential-text.js';
import { type RunEnd, waitForGoal } from '../../session/wait-for-goal.js';
import { escapeControl, shellWord } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';
import { manifestText, patchText } from './init-text.js';
import { measureCommand, type Measured, type MeasureInput } from './measure.js';
import { LOCALHOST } from './started-command.js';

export function options(program: Command) {
  const command = program
    .command('init')
    .description(
      `Write a pod manifest with probes for the command after --: kprobe starts the command, finds the ports and paths that answer on 127.0.0.1, measures a few starts, and runs the result once to prove it. Comments have the measured numbers.

With --from, print a patch that adds probes to a workload that has none.`,
    )
    .usage('[options] [file] -- command...')
    .argument('[file]', 'the file to write (pod.yaml); - is standard output')
    .option('--from <manifest>', 'add probes to the container of this manifest, as a patch');
  const measured = withShared(command, 'container')
    .option('--starts <number>', 'measure this many starts (3)', positiveInteger)
    .option('--force', 'replace the file')
    .option('--timeout <duration>', 'time that a start may take (1m)', duration);
  return withShared(measured, 'quiet');
}

type InitFlags = ReturnType<ReturnType<typeof options>['opts']>;

const [STARTS, TIMEOUT] = [3, 60_000];

export async function command(
  { paths, flags, commandLine }: CommandInput<InitFlags>,
  io: Io,
): Promise<number> {
  if (commandLine === undefined) {
    throw new UsageError('kprobe init needs a command to start: kprobe init -- node server.js');
  }
  const path = await checkedPath(paths, flags, io);
  const sources =
    flags.from === undefined ? [newManifest(io)] : await readSources([flags.from], io);
  const manifest = loadManifest(sources, { warnOfPorts: false });
  if (hasErrors(manifest.diagnostics)) {
    await write(io.stderr, formatDiagnostics(manifest.diagnostics));
    return EXIT.usage;
  }
  const { container, starts = STARTS, timeout: limit = TIMEOUT } = flags;
  const isNew = flags.from === undefined;
  const input = { manifest, commandLine, container, isNew, starts, limit, io };
  const measured = await measureCommand(input);
  const words = maskArguments(commandLine).map(shellWord).join(' ');
  const text = isNew ? manifestText : patchText;
  const printed = text(measured, { words, path, from: flags.from, env: io.host.env });
  if (path === '-') await write(io.stdout, printed);
  else {
    await orUsageError(path, () => replaceFile(resolve(io.cwd, path), printed));
    await write(io.stdout, `wrote ${shownPath(path)}\n`);
  }
  return prove(measured, input);
}

/** Returns the file to write; throws a UsageError for one that exists or cannot be written, before anything starts. */
async function checkedPath([given]: readonly string[], { from, force }: InitFlags, io: Io) {
  if (from !== undefined && given !== undefined) {
    throw new UsageError('--from prints a patch: redirect it to a file');
  }
  const path = from === undefined ? (given ?? 'pod.yaml') : '-';
  if (path !== '-' && force !== true && existsSync(resolve(io.cwd, path))) {
    throw new UsageError(
      `${shownPath(path)} exists: name another file, or replace it with --force`,
    );
  }
  if (path !== '-') await checkWritable(path, io.cwd);
  return path;
}

/** A pod without probes, named after the folder. */
function newManifest({ cwd }: Io) {
  const name = kubernetesName(basename(cwd));
  const spec = { containers: [{ name: 'app', image: `${name}:1` }] };
  const text = dumpYaml({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  return { file: 'pod.yaml', text };
}

/** Runs the command with the proposed probes until its pod is ready; resolves with the exit code. */
async function prove(
  { loaded, pod }: Measured,
  { manifest, commandLine, limit, io }: MeasureInput,
): Promise<number> {
  const clock = new RealClock();
  const found: { end?: RunEnd; causes?: readonly Diagnosis[] | undefined } = {};
  const changes = new DiagnosisChanges(undefined);
  const exitCode = await runPods({
    command: 'kprobe run',
    paths: [],
    commandLine,
    sources: [],
    clock,
    manifest: { ...manifest, pods: [{ ...loaded, pod }] },
    flags: { host: LOCALHOST, validate: true, plain: true },
    kubelet: DEFAULT_KUBELET,
    io: unlessQuiet({ quiet: true }, io),
    files: { metrics: undefined, traceFile: undefined },
    run: async ({ session, start }) => {
      session.onLine((line, summary) => void changes.line(line, summary));
      start();
      const goal = { kind: 'settled' } as const;
      const limits = { timeout: 2 * limit, signal: io.signal };
      const end = await waitForGoal({ clock, session, goal, ...limits });
      found.causes = changes.live?.pods.flatMap((each) => diagnosePod(each, end.t));
      return (found.end = end);
    },
  });
  const sentence = found.end?.verdict.sentence ?? 'it did not run';
  const isProved = exitCode === EXIT.success;
  const [cause] = isProved ? [] : (found.causes ?? []);
  const text = cause === undefined ? '' : `: ${diagnosisText({ ...cause, next: undefined })}`;
  const [stream, word] = isProved ? [io.notes, 'proved'] : [io.stderr, 'not proved'];
  await write(stream, `kprobe: ${word}: ${escapeControl(`${sentence}${text}`)}\n`);
  return exitCode;
}
