import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { incompleteText, systemErrorText } from '../../cli/shared/file-errors.js';
import {
  type CommandInput,
  type Io,
  reportIncomplete,
  unlessQuiet,
  write,
} from '../../cli/shared/io.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { duration, parsed, positiveInteger } from '../../cli/shared/option-values.js';
import { KUBELET, MANIFESTS, withShared } from '../../cli/shared/options.js';
import type { Relations } from '../../cli/shared/relations.js';
import { orReported } from '../../cli/shared/reports/reports.js';
import { CREATE_REQUIRES, type PodFlags } from '../../cli/shared/run/pod-flags.js';
import { type ReadPods, readPods } from '../../cli/shared/run/read-pods.js';
import { openFiles } from '../../cli/shared/run/run-outputs.js';
import { RealClock } from '../../clock/real-clock.js';
import { podKey } from '../../kubelet/pod-name.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { parseRate, RATE_FORM } from '../../sim/behavior.js';
import { escapeControl } from '../../text/escape.js';
import { table } from '../../text/table.js';
import { UsageError } from '../../usage-error.js';
import { readBaseline, writeBaseline } from './baseline.js';
import { type CiEnd, runChecks } from './ci.js';
import { withMargins } from './margins.js';
import type { Measure } from './measures.js';

/** Times are in milliseconds. */
type CiFlags = ReturnType<ReturnType<typeof options>['opts']>;

export function options(program: Command) {
  const command = program
    .command('ci')
    .description(
      `Check a pod in one go, for CI: the manifest is valid, startup stays within its budget, the pod gets ready and stays so until it is stable (every decision that a standing fault could bring has had its time), and it shuts down within its grace period without losing a request. One table, one exit code, and reports.

The pod runs as the command after -- (or NAME=COMMAND for each container; --start takes them from .kprobe.yaml), or is created from the manifest with --create.`,
    )
    .usage('[options] <manifests...> (-- command... | --start | --create)')
    .argument('[manifests...]', MANIFESTS);
  const target = withShared(command, 'filename', 'container', 'start', 'port', 'create', 'runtime');
  const checks = withShared(target, 'network', 'image', 'volume', 'replace')
    .option('--strict', 'fail when a container is not run, or a field is not honored')
    .option('--traffic-path <path>', 'where requests go during the shutdown (that of a probe)')
    .option('--timeout <duration>', 'time to get stable (5m; exit code 124)', duration)
    .option(
      '--starts <number>',
      'start the pod this many times, and show the spread',
      positiveInteger,
    )
    .option('--baseline <file>', 'compare startup, latencies and shutdown with the last good run')
    .option('--write-baseline', 'write a good run to the file of --baseline')
    .option(
      '--min-margin <share>',
      'fail when less than this share of a limit is left, such as 30%',
      parsed(RATE_FORM, parseRate),
    );
  const allowed = withShared(checks, 'allowLocalExec', 'allowHost', 'allowHostPath');
  const server = withShared(allowed, 'allowPrivileged', 'allowSharedPort', 'noValidate');
  const output = withShared(server, ...KUBELET, 'exclude', 'record', 'report', 'metrics');
  return withShared(output, 'withSecrets', 'quiet').option(
    '-v, --verbose',
    'show the lines of the run, with every attempt',
  );
}

export const relations: Relations<CiFlags> = {
  requires: {
    writeBaseline: ['baseline'],
    allowSharedPort: ['--'],
    runtime: ['create'],
    ...CREATE_REQUIRES,
  },
};

const TIMEOUT = 300_000;

export function command(input: CommandInput<CiFlags>, io: Io): Promise<number> {
  const { flags } = input;
  return orReported({ command: 'kprobe ci', flags, io }, () => validateAndRun(input, io));
}

async function validateAndRun(input: CommandInput<CiFlags>, io: Io): Promise<number> {
  if (input.commandLine === undefined && input.flags.create !== true) {
    const ways = 'a command after --, --start, or --create';
    throw new UsageError(`kprobe ci needs something to run: ${ways}`);
  }
  const flags: PodFlags = { ...input.flags, ...AS_RUN };
  const read = await readPods('ci', { ...input, flags }, io);
  if (read === undefined) return EXIT.usage;
  const kubelet = await kubeletBy(flags, io);
  const { starts: wanted = 1, minMargin, writeBaseline: isWritten } = input.flags;
  const target = flags.create === true ? 'created' : 'process';
  const subject = { target, pods: read.manifest.pods.map(({ pod }) => podKey(pod)) };
  const baseline = await readBaseline(input.flags, subject);
  const { baseline: path, starts: several } = input.flags;
  const isMeasured = [path, several, minMargin].some((flag) => flag !== undefined);
  const starts: (readonly Measure[])[] = [];
  const ended: { last?: CiEnd } = {};
  const finish = (end: CiEnd): CiEnd => {
    if (end.verdict.kind === 'holds') starts.push(end.measures ?? []);
    const isFollowed = end.verdict.kind === 'holds' && starts.length < wanted;
    const margins = { starts, wanted, baseline, minMargin };
    ended.last = isMeasured && !isFollowed ? withMargins(end, margins) : { ...end, isFollowed };
    return ended.last;
  };
  let exitCode: number;
  do exitCode = await startPods(input, { ...read, flags, kubelet, finish }, io);
  while (exitCode === EXIT.success && ended.last?.isFollowed === true);
  if (exitCode === EXIT.success && isWritten === true && path !== undefined) {
    await writeBaseline(path, subject, starts).catch((error: unknown) =>
      reportIncomplete(io, incompleteText(path, systemErrorText(error), 'baseline')),
    );
  }
  if (ended.last !== undefined) await write(io.stdout, ciTable(ended.last));
  return exitCode;
}

interface StartInput extends ReadPods {
  readonly flags: PodFlags;
  readonly kubelet: KubeletConfig;
  /** Completes the end of a start. */
  readonly finish: (end: CiEnd) => CiEnd;
}

/** Starts the pods once and checks them; resolves with the exit code. */
async function startPods(
  input: CommandInput<CiFlags>,
  { finish, flags, ...read }: StartInput,
  io: Io,
): Promise<number> {
  const { timeout = TIMEOUT, verbose = false, strict = false, trafficPath } = input.flags;
  const files = await openFiles(flags);
  const { runPods } = await import('../../cli/shared/run/run-pods.js');
  const [shown, clock] = [verbose ? io : unlessQuiet({ quiet: true }, io), new RealClock()];
  return runPods({
    ...input,
    ...read,
    command: 'kprobe ci',
    flags,
    io: shown,
    reportIo: io,
    files,
    clock,
    run: async ({ session, found: { target }, start }) => {
      start();
      const { signal } = io;
      const options = { clock, session, target, timeout, strict, trafficPath, signal };
      return finish(await runChecks(options));
    },
  });
}

/** Values of settings that only `kprobe run` has options for. */
const AS_RUN = { host: '127.0.0.1', plain: true } as const;

const SIGNS = { passed: '✓', failed: '✗', error: '✗', skipped: '–' } as const;

function ciTable({ checks }: CiEnd): string {
  const rows = checks.map(({ name, kind, text }) => [SIGNS[kind], name, escapeControl(text)]);
  return table([[SIGNS.passed, 'the manifest is valid', ''], ...rows]);
}
