import { dirname, relative, resolve, sep } from 'node:path';

import { type Command, Option } from '@commander-js/extra-typings';

import { withKube } from '../../cli/shared/cluster-options.js';
import type { GetRuleLevel } from '../../cli/shared/config/config.js';
import { levelsBy, NO_CONFIG } from '../../cli/shared/config/config.js';
import { configPath, loadConfig } from '../../cli/shared/defaults.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { shownPath } from '../../cli/shared/file-errors.js';
import { finishFindings } from '../../cli/shared/findings-end.js';
import { type CommandInput, type Io, orAborted, outputStream, write } from '../../cli/shared/io.js';
import { kubeletFor, refuseDowngrade, withGates } from '../../cli/shared/kubelet/kubelet-flags.js';
import { collect } from '../../cli/shared/option-values.js';
import { choice, KUBELET, MANIFESTS, withShared } from '../../cli/shared/options.js';
import { textStyle } from '../../cli/shared/output-style.js';
import { createProgress } from '../../cli/shared/progress.js';
import { readManifests, STDIN } from '../../cli/shared/read-sources.js';
import { type KubeletConfig, KUBERNETES_RELEASES } from '../../kubelet/release.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { similarName } from '../../manifest/similar-name.js';
import { renderReport } from '../../report/findings-formats.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { counted } from '../../text/count.js';
import { UsageError } from '../../usage-error.js';
import { type LintOptions, UPGRADE } from './lint.js';
import { diagnosticLine, lintReport, ruleList, ruleText } from './lint-report.js';
import { fails, type LintedFile, lintSources } from './lint-sources.js';
import type { Rule } from './rule.js';
import { RULES } from './rules.js';
import { type StartTimes, startTimes } from './subject/subject.js';

type LintFlags = ReturnType<ReturnType<typeof options>['opts']>;

const EXIT_CODES =
  '\nExit codes: 0 nothing at --fail-on or worse, 1 something is, 2 a file cannot be\nread';

export function options(program: Command) {
  const command = program
    .command('lint')
    .description(
      'Report risky settings of probes and of the pod lifecycle, and what an API server would reject: each with the reason, the source and, where there is one, the fix. Some rules simulate a kubelet.',
    )
    .argument('[paths...]', MANIFESTS);
  const server = withShared(command, 'filename', 'findings', 'exclude', ...KUBELET, 'upgradeTo');
  const others = server.option(
    '--skip-others',
    'skip named files that are no manifests, as those of a folder',
  );
  const failing = withShared(others, 'noValidate').addOption(
    choice('--fail-on <severity>', 'exit 1 on this severity or worse (error)', [
      'error',
      'warning',
      'info',
    ]),
  );
  const rules = withShared(failing, 'quiet', 'color')
    .addOption(new Option('--fix', 'make the safe fixes in the files').conflicts('kube'))
    .addOption(new Option('--diff', 'show what --fix would change').conflicts('fix'))
    .option('--pedantic', 'also the rules that are off by default')
    .option('--rule <id>', 'only this rule; can be repeated', collect)
    .option('--record <file>', 'compare the probes with the starts of a recorded run', collect)
    .option('--without <id>', 'skip this rule; can be repeated', collect)
    .addOption(
      new Option(
        '--config <file>',
        'configuration file (.kprobe.yaml here or in a folder above)',
      ).conflicts('noConfig'),
    )
    .option('--no-config', 'ignore the configuration file')
    .option('--list', 'list the rules')
    .option('--explain <id>', 'print what a rule finds, why that matters, and the sources');
  return withKube(rules, 'check this object of a cluster: deploy/web').addHelpText(
    'after',
    EXIT_CODES,
  );
}

/**
 * The settings of flags and the configuration; flags override the configuration.
 *
 * @throws UsageError for a rule that does not exist, an upgrade to an older release, and a configuration or a record that
 * cannot be read
 */
async function lintSettings(flags: LintFlags, io: Io) {
  for (const id of [...(flags.rule ?? []), ...(flags.without ?? [])]) ruleOf(id);
  const path = configPath(flags.config, io.cwd);
  const config =
    path === undefined
      ? NO_CONFIG
      : await loadConfig(path, io, { rules: RULES.map(({ id }) => id) });
  const folder = path === undefined ? io.cwd : dirname(resolve(io.cwd, path));
  const byConfig = levelsBy(config, (file) =>
    relative(folder, resolve(io.cwd, file)).split(sep).join('/'),
  );
  return {
    options: {
      validate: flags.validate,
      level: byFlags(flags, byConfig),
      starts: await recordedStarts(flags.record ?? [], io),
    },
    failOn: flags.failOn ?? config.failOn ?? 'error',
  };
}

/** Returns the releases of an upgrade, from that of the flags, else of the cluster, else the oldest. */
function upgradeOf(
  { kubernetesVersion, featureGates, upgradeTo: to }: LintFlags,
  cluster?: KubeletConfig,
) {
  const from = kubernetesVersion ?? cluster ?? { version: KUBERNETES_RELEASES[0] };
  if (to) refuseDowngrade('--upgrade-to', from, to);
  return to && { from: withGates(from, featureGates), to: withGates(to, featureGates) };
}

function ruleOf(id: string): Rule {
  const rule = RULES.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  const ids = RULES.map((each) => each.id);
  const near = similarName(id, ids);
  const hint = near === undefined ? 'kprobe lint --list shows all rules' : `did you mean ${near}?`;
  throw new UsageError(`no rule "${id}" (${hint})`);
}

/** A rule that is named on the command line runs, whatever the configuration says. */
function byFlags(
  { rule, without = [], pedantic }: LintFlags,
  byConfig: GetRuleLevel,
): GetRuleLevel {
  return (each, file) => {
    if (without.includes(each.id)) return 'off';
    const { optIn, ...always } = each;
    const level = byConfig(pedantic === true ? always : each, file === STDIN ? '' : file);
    if (rule === undefined) return level;
    if (!rule.includes(each.id)) return 'off';
    return level === 'off' ? each.severity : level;
  };
}

async function recordedStarts(paths: readonly string[], io: Io): Promise<StartTimes> {
  const all = new Map<string, readonly number[]>();
  if (paths.length === 0) return all;
  const { readTraceFile } = await import('../../cli/shared/read-trace-file.js');
  for (const path of paths) {
    const trace = await readTraceFile(path, { partial: true }, io);
    if (trace === undefined) throw new UsageError(`${shownPath(path)}: is not a recorded run`);
    for (const [name, times] of startTimes(trace.lines)) {
      all.set(name, [...(all.get(name) ?? []), ...times]);
    }
  }
  return all;
}

export async function command({ paths, flags }: CommandInput<LintFlags>, io: Io) {
  const ruleText = await readRuleText(flags, io);
  if (ruleText !== undefined) {
    await write(io.stdout, ruleText);
    return EXIT.success;
  }
  if (paths.length === 0 && flags.kube === undefined) {
    throw new UsageError('nothing to lint: name files, folders, or -, or --kube');
  }
  const { options: settings, failOn } = await lintSettings(flags, io);
  const { sources, problems, skipped } = await readManifests(paths, io, flags);
  const kubelet = await kubeletFor(sources, flags, io);
  const upgrade = upgradeOf(flags, flags.kube === undefined ? undefined : kubelet);
  const options = { ...settings, kubelet, upgrade };
  await write(io.notes, skipped);
  const isNothing = sources.length === 0 && problems.length === 0;
  if (flags.skipOthers === true && isNothing) return EXIT.success;
  // No signal aborts this: a file that is being written is completed.
  const current =
    flags.fix === true
      ? await (await import('./lint-fix.js')).fixFiles(sources, options, io)
      : sources;
  const files = await lintWithProgress(current, options, io);
  const isUpgrade = ({ rule }: Diagnostic): boolean => rule === UPGRADE;
  if (flags.upgradeTo && !files.some(({ diagnostics }) => diagnostics.some(isUpgrade))) {
    await write(
      io.notes,
      `kprobe: Kubernetes ${flags.upgradeTo.version} changes nothing for these pods\n`,
    );
  }
  const validated = files.map((file) => file.validated);
  const end = await finishFindings(validated, problems, fails(files, failOn), io);
  if (flags.diff === true) {
    const { showFixes } = await import('./lint-fix.js');
    const fixes = await orAborted(io.signal, showFixes(sources, options));
    await write(outputStream(io, 'document'), fixes);
    if (fixes === '') await write(io.notes, nothingToFix(files));
    const unreadable = validated.filter((file) => file.unreadable);
    await write(io.stderr, formatDiagnostics(unreadable.flatMap(({ diagnostics }) => diagnostics)));
  } else if (flags.output === 'ndjson') {
    await write(io.stdout, files.flatMap((file) => file.diagnostics.map(diagnosticLine)).join(''));
  } else {
    const style = await textStyle(flags, io);
    const text = renderReport(lintReport(files, failOn, end), flags.output, style);
    await write(outputStream(io, flags.output), text);
  }
  return end.exitCode;
}

function nothingToFix(files: readonly LintedFile[]): string {
  const count = files.flatMap(({ diagnostics }) => diagnostics).length;
  const others = counted(count, 'finding');
  const left = count === 0 ? '' : `; kprobe lint shows ${others} without a safe fix`;
  return `kprobe: nothing to fix${left}\n`;
}

async function readRuleText(flags: LintFlags, io: Io): Promise<string | undefined> {
  if (flags.list === true) return ruleList();
  if (flags.explain === undefined) return undefined;
  return ruleText(ruleOf(flags.explain), await textStyle(flags, io));
}

async function lintWithProgress(sources: readonly ManifestSource[], options: LintOptions, io: Io) {
  const progress = createProgress(io.notes, `of ${counted(sources.length, 'file')}`, {
    total: sources.length,
  });
  const onSource = (index: number): void => progress.show(index, sources[index]?.file);
  const files = await orAborted(io.signal, lintSources(sources, { ...options, onSource }));
  progress.clear();
  return files;
}
