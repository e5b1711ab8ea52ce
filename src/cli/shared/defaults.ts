import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import {
  type CommandUnknownOpts,
  InvalidArgumentError,
  type Option,
} from '@commander-js/extra-typings';

import { UsageError } from '../../usage-error.js';
import type { Config, OptionDefault } from './config/config.js';
import type { ConfigChecks } from './config/read-config.js';
import { isFile } from './file-errors.js';
import type { Io } from './io.js';

/**
 * The options that a `.kprobe.yaml` may set. It comes with a repository, perhaps a stranger's: it may choose how kprobe
 * judges and prints, and nothing else. Options that start or change something, that name what is reached or written, and
 * those that show secrets come from the command line or the environment. A new option is refused until it is listed here.
 */
export const FILE_OPTIONS: readonly string[] = [
  ...['color', 'output', 'quiet', 'plain', 'verbose', 'logs', 'long', 'no-hints'],
  ...['until', 'for', 'timeout', 'max-restarts', 'watch', 'fail-on'],
  ...['interval', 'probe-timeout', 'repeat', 'until-success', 'until-failure'],
  ...['success-threshold', 'failure-threshold', 'probe', 'container', 'port'],
  ...['exclude', 'no-validate', 'strict', 'strict-kinds', 'kubelet-age', 'kubernetes-version'],
  ...['feature-gates', 'max-restart-period'],
  ...['ready-after', 'latency', 'hangs-at', 'fail-rate', 'dies-after', 'exit-code', 'stop-takes'],
  ...['delete-at', 'runs', 'seed', 'speed', 'partial'],
];

/** Options that mean something else on the command line than by default: a replay decides as the trace says. */
const TYPED_ONLY: Readonly<Record<string, readonly string[]>> = {
  replay: ['kubernetes-version', 'feature-gates', 'max-restart-period'],
};

export const DEFAULTS_HELP = `
Defaults: KPROBE_<OPTION> sets an option (KPROBE_FAIL_ON=warning is --fail-on
warning), and .kprobe.yaml sets some. The command line wins over KPROBE_*, and
KPROBE_* wins over the file.`;

/** An option whose value comes from somewhere else than the command line. */
interface Applied {
  readonly flag: string;
  readonly from: string;
}

/** Returns the variable of an option: `KPROBE_FAIL_ON` for `--fail-on`. */
export function variableOf(option: Option): string {
  return `KPROBE_${nameOf(option).toUpperCase().replaceAll('-', '_')}`;
}

/** The name as on the command line: `no-validate`. */
function nameOf({ long }: Option): string {
  return long?.slice(2) ?? '';
}

/**
 * Sets options that the command line leaves out: from the environment, then from `.kprobe.yaml`. Returns the words after
 * `--`, which `--start` takes from the configuration. Throws a UsageError.
 */
export async function applyDefaults(
  command: CommandUnknownOpts,
  commandLine: readonly string[] | undefined,
  io: Io,
) {
  const applied = await applyOptions(command, io);
  if (command.getOptionValue('start') !== true) return { applied, commandLine };
  const { words, origins } = await startedCommands(io, commandLine);
  return { applied: [...applied, ...origins], commandLine: words };
}

async function applyOptions(command: CommandUnknownOpts, io: Io): Promise<readonly Applied[]> {
  const { env, cwd } = io;
  const applied = applyAll(command, fromEnvironment(command, env));
  const path = command.options.some(({ long }) => long === '--config')
    ? configPath(command.getOptionValue('config') as string | boolean | undefined, cwd)
    : configOf(io);
  // Most files only have lint's levels, and reading YAML takes longer than an attempt.
  if (path === undefined || !mayHaveDefaults(resolve(cwd, path))) return applied;
  return [...applied, ...applyAll(command, await fromFile(command, path, io))];
}

function configOf({ env, cwd }: Io): string | undefined {
  const flag = env['KPROBE_NO_CONFIG'] === 'true' ? false : env['KPROBE_CONFIG'];
  return configPath(flag === '' ? undefined : flag, cwd);
}

/** Returns the commands of the configuration as words after `--`, with the line of each. Throws a UsageError. */
async function startedCommands(io: Io, commandLine: readonly string[] | undefined) {
  if (commandLine !== undefined) {
    throw new UsageError('--start and a command after -- cannot be combined: choose one');
  }
  const path = configOf(io);
  if (path === undefined) {
    throw new UsageError(`--start needs a ${CONFIG_NAME} in this folder or one above it`);
  }
  const { start } = await loadConfig(path, io);
  if (start.length === 0) {
    const file = fromFolder(path, io);
    throw new UsageError(`--start: ${file} names no commands: add start: { app: node app.js }`);
  }
  const words = start.flatMap(({ container, command }) => ['--', `${container}=${command}`]);
  const origins = start.map(({ container, at }) => ({ flag: `start.${container}`, from: at }));
  return { words: words.slice(1), origins };
}

/** The start of a line, unless it is indented, a comment or one of lint's fields or `start`. */
const OTHER_FIELD = /^(?!(?:rules|overrides|failOn|start) *:)[^\s#-]/m;

/** Bytes. */
const MAX_SIZE = 1024 * 1024;

/** Returns false for a file of known fields that are read elsewhere: reading YAML takes a while. */
function mayHaveDefaults(path: string): boolean {
  try {
    const stats = statSync(path);
    // A pipe is read once, and a device or a large file within limits.
    const isSmall = stats.isFile() && stats.size < MAX_SIZE;
    return !isSmall || OTHER_FIELD.test(readFileSync(path, 'utf8'));
  } catch {
    // Reading the file again reports the error.
    return true;
  }
}

interface Value extends Applied {
  readonly option: Option;
  readonly values: readonly string[];
}

function fromEnvironment(command: CommandUnknownOpts, env: Io['env']): readonly Value[] {
  return command.options.flatMap((option) => {
    const from = variableOf(option);
    const text = env[from] ?? '';
    // For an option that can be repeated, each line is a value.
    const values = text.split('\n').filter((line) => line !== '');
    if (values.length === 0) return [];
    const problem = valueError(option, values);
    if (problem !== undefined) throw new UsageError(`${from}: ${problem}`);
    return [{ option, values, flag: `--${nameOf(option)}`, from }];
  });
}

async function fromFile(command: CommandUnknownOpts, path: string, io: Io) {
  const find = (name: string): Option | undefined =>
    command.options.find((option) => nameOf(option) === name);
  const names = command.parent?.commands.map((each) => each.name()) ?? [];
  const check = ({ command: only, name, values }: OptionDefault): string | undefined => {
    if (only !== undefined && !names.includes(only)) return `there is no command ${only}`;
    const option = only === undefined || only === command.name() ? find(name) : undefined;
    if (FILE_OPTIONS.includes(name)) {
      if (option === undefined && only === command.name()) return `${only} has no option --${name}`;
      return option === undefined ? undefined : valueError(option, values);
    }
    return option === undefined
      ? 'no option that a configuration may set (docs/settings.md lists them)'
      : `a configuration may not set this, since it may be a stranger's: use --${name} or ${variableOf(option)}`;
  };
  const { optionDefaults } = await loadConfig(path, io, { optionDefault: check });
  const applicable = optionDefaults.filter(
    ({ command: only }) => only === undefined || only === command.name(),
  );
  // Defaults of the command override those of all commands.
  const byName = new Map(
    applicable
      .toSorted((a, b) => Number(a.command !== undefined) - Number(b.command !== undefined))
      .map((setting) => [setting.name, setting]),
  );
  return [...byName.values()].flatMap(({ name, values }) => {
    const option = find(name);
    return option === undefined ? [] : [{ option, values, flag: `--${name}`, from: path }];
  });
}

function valueError(option: Option, values: readonly string[]): string | undefined {
  try {
    parsed(option, values);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message;
    throw error;
  }
}

function parsed(option: Option, values: readonly string[]): unknown {
  if (!option.required) {
    const [value = ''] = values;
    if (!/^(?:true|false|1|0)$/.test(value)) throw new InvalidArgumentError('Write true or false.');
    if (value === 'false' || value === '0') return undefined;
    return !option.negate;
  }
  const { parseArg } = option;
  if (parseArg === undefined) return values.at(-1);
  return values.reduce<unknown>((before, value) => parseArg(value, before), undefined);
}

/** Sets the options that are not set yet and do not conflict with an option that is set. */
function applyAll(command: CommandUnknownOpts, all: readonly Value[]): readonly Applied[] {
  const isSet = (option: Option): boolean =>
    ![undefined, 'default'].includes(command.getOptionValueSource(option.attributeName()));
  const before = command.options.filter(isSet);
  const free = all.filter(
    ({ option }) =>
      TYPED_ONLY[command.name()]?.includes(nameOf(option)) !== true &&
      !before.some(
        (candidate) =>
          candidate.attributeName() === option.attributeName() || excludes(candidate, option),
      ),
  );
  for (const candidate of free) {
    const other = free.find(
      ({ option }) => candidate.option !== option && excludes(candidate.option, option),
    );
    if (other !== undefined) {
      const both = [candidate, other].map(({ flag, from }) => `${flag} of ${from}`).join(' and ');
      throw new UsageError(`${both} cannot be used together`);
    }
    const value = parsed(candidate.option, candidate.values);
    if (value === undefined) continue;
    command.setOptionValueWithSource(candidate.option.attributeName(), value, 'config');
  }
  return free;
}

export function excludes(a: Option, other: Option): boolean {
  const conflictsOf = (option: Option): readonly string[] =>
    (option as unknown as { readonly conflictsWith: readonly string[] }).conflictsWith;
  return (
    conflictsOf(a).includes(other.attributeName()) || conflictsOf(other).includes(a.attributeName())
  );
}

/** Adds to a usage error which options do not come from the command line. */
export function withOrigin(error: unknown, applied: readonly Applied[]): unknown {
  if (!(error instanceof UsageError) || applied.length === 0) return error;
  const text = applied.map(({ flag, from }) => `${flag} by ${from}`).join(', ');
  return new UsageError(`${error.message}\n  set elsewhere: ${text}`);
}

const CONFIG_NAME = '.kprobe.yaml';

/** Returns the path of the configuration: that of the flag, or of the nearest file up to the root of the repository. */
export function configPath(flag: string | boolean | undefined, cwd: string): string | undefined {
  if (flag === false) return undefined;
  if (typeof flag === 'string') return flag;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (isFile(path)) return path;
    // Folders above the repository do not count.
    const isRoot = existsSync(join(folder, '.git'));
    if (isRoot || dirname(folder) === folder) return undefined;
  }
}

function fromFolder(path: string, { cwd }: Io): string {
  return relative(cwd, resolve(cwd, path)) || path;
}

/** Reads a configuration; throws a UsageError with the file, line and field of each error. */
export async function loadConfig(path: string, io: Io, checks?: ConfigChecks): Promise<Config> {
  const { readSource } = await import('./read-sources.js');
  const { hasErrors } = await import('../../manifest/diagnostic.js');
  const { readConfig } = await import('./config/read-config.js');
  const { formatDiagnostics } = await import('../../report/format-diagnostic.js');
  const { text } = await readSource(path, io);
  const { config, diagnostics } = readConfig({ file: fromFolder(path, io), text }, checks);
  if (!hasErrors(diagnostics)) return config;
  throw new UsageError(`the configuration has errors\n${formatDiagnostics(diagnostics).trimEnd()}`);
}
