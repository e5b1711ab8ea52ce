import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, unlessQuiet, write } from '../../cli/shared/io.js';
import { duration, folderStandIn, MANIFESTS, OPTIONS } from '../../cli/shared/options.js';
import { orReported } from '../../cli/shared/reports/reports.js';
import type { PodFlags } from '../../cli/shared/run/pod-flags.js';
import { readPods } from '../../cli/shared/run/read-pods.js';
import { openFiles } from '../../cli/shared/run/run-outputs.js';
import { RealClock } from '../../clock/real-clock.js';
import { KUBELET_VERSION } from '../../kubelet/prober/http-request.js';
import { escapeControl } from '../../text/escape.js';
import { table } from '../../text/table.js';
import { UsageError } from '../../usage-error.js';
import { type CiEnd, runChecks } from './ci.js';

/** Times are in milliseconds. */
type CiFlags = ReturnType<ReturnType<typeof ciOptions>['opts']>;

export function ciOptions(program: Command) {
  return program
    .command('ci')
    .description(
      `Check a pod in one go, for CI: the manifest is valid, startup stays within its budget, the pod gets ready and stays so until it is stable (every decision that a standing fault could bring has had its time), and it shuts down within its grace period without losing a request. One table, one exit code, and reports.

The pod runs as the command after --, or is created from the manifest with --create.`,
    )
    .usage('[options] <manifests...> (-- command... | --create)')
    .argument('[manifests...]', MANIFESTS)
    .addOption(OPTIONS.filename())
    .option(
      '-c, --container <name>',
      'the container that the command after -- runs as: app, or web/app',
    )
    .addOption(OPTIONS.port())
    .option('--create', 'create the pod in docker, and remove it at the end')
    .addOption(OPTIONS.image())
    .option(
      '--volume <claim=folder>',
      'with --create: mount a folder in place of a claim or a volume',
      folderStandIn,
    )
    .option('--replace', 'with --create: remove what a run has left of the pod')
    .option('--strict', 'fail when a container is not run, or a field is not honored')
    .option('--traffic-path <path>', 'where requests go during the shutdown (that of a probe)')
    .option('--timeout <duration>', 'time to get stable (5m; exit code 124)', duration)
    .option('--allow-local-exec', 'run exec probes and hooks on this machine')
    .option('--allow-host', 'allow probes of other hosts that the manifest names')
    .option('--allow-host-path', 'with --create: mount folders of this machine')
    .option('--allow-privileged', 'with --create: allow privileged containers and host namespaces')
    .option('--allow-shared-port', 'start the command although its port answers already')
    .addOption(OPTIONS.noValidate())
    .addOption(OPTIONS.exclude())
    .option('--record <file>', 'write the trace to a file, for kprobe replay and suggest')
    .addOption(OPTIONS.report())
    .addOption(OPTIONS.metrics())
    .addOption(OPTIONS.withSecrets())
    .addOption(OPTIONS.quiet())
    .option('-v, --verbose', 'show the lines of the run, with every attempt');
}

const TIMEOUT = 300_000;

export function ciCommand(input: CommandInput<CiFlags>, io: Io): Promise<number> {
  const { flags } = input;
  return orReported({ command: 'kprobe ci', flags, io }, () => validateAndRun(input, io));
}

async function validateAndRun(input: CommandInput<CiFlags>, io: Io): Promise<number> {
  if (input.commandLine === undefined && input.flags.create !== true) {
    throw new UsageError('kprobe ci needs something to run: a command after --, or --create');
  }
  const { timeout = TIMEOUT, verbose = false, strict = false, trafficPath } = input.flags;
  const flags: PodFlags = { ...input.flags, ...AS_RUN };
  const read = await readPods('ci', { ...input, flags }, io);
  if (read === undefined) return EXIT.usage;
  const files = await openFiles(flags);
  const { runPods } = await import('../../cli/shared/run/run-pods.js');
  const [shown, clock] = [verbose ? io : unlessQuiet({ quiet: true }, io), new RealClock()];
  let checks = '';
  const exitCode = await runPods({
    ...{ ...input, ...read, command: 'kprobe ci', flags, io: shown, reportIo: io, files, clock },
    run: async ({ session, found: { target }, start }) => {
      start();
      const end = await runChecks({
        ...{ clock, session, target, timeout, strict, trafficPath, signal: io.signal },
      });
      checks = ciTable(end);
      return end;
    },
  });
  await write(io.stdout, checks);
  return exitCode;
}

/** What `kprobe run` has options for. */
const AS_RUN = { host: '127.0.0.1', kubeletVersion: KUBELET_VERSION, plain: true };

const SIGNS = { passed: '✓', failed: '✗', error: '✗', skipped: '–' } as const;

function ciTable({ checks }: CiEnd): string {
  const rows = checks.map(({ name, kind, text }) => [SIGNS[kind], name, escapeControl(text)]);
  return table([[SIGNS.passed, 'the manifest is valid', ''], ...rows]);
}
