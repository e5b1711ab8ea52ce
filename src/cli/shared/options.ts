import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { parseDuration } from '../../go/duration.js';

/** A Go duration such as `90s`, in milliseconds. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) {
    const bare = /^\d+(?:\.\d+)?$/.test(text);
    throw new InvalidArgumentError(
      bare
        ? `Durations have a unit: write ${text}s.`
        : 'Durations are written as 30s, 1m30s or 500ms.',
    );
  }
  if (milliseconds < 0) throw new InvalidArgumentError('A duration cannot be negative.');
  return milliseconds;
}

/** A duration that is not zero, in milliseconds. */
export function positiveDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds === 0) throw new InvalidArgumentError('It must be more than 0.');
  return milliseconds;
}

/** A whole number from 1. */
export function positiveInteger(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Write a whole number from 1, such as 3.');
  }
  return number;
}

/** A whole number from 0. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Write a whole number, such as 3.');
  }
  return number;
}

/** Container port → local port. */
type PortMap = ReadonlyMap<number, number>;

/** Adds a `LOCAL:CONTAINER`. */
export function portMapping(text: string, before: PortMap = new Map()): PortMap {
  const match = /^(\d+):(\d+)$/.exec(text);
  const [local, container] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || !isPort(local) || !isPort(container)) {
    throw new InvalidArgumentError(
      'Write LOCAL:CONTAINER, two ports from 1 to 65535, such as 18080:8080.',
    );
  }
  if (before.has(container)) {
    throw new InvalidArgumentError(`Container port ${container} is mapped twice.`);
  }
  return new Map([...before, [container, local]]);
}

type StandIns = ReadonlyMap<string, string>;

/** Adds a `CONTAINER=IMAGE`. */
function standIn(text: string, before: StandIns = new Map()): StandIns {
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=');
  if (name === '' || value === '') {
    throw new InvalidArgumentError('Write CONTAINER=IMAGE, such as app=local:tag.');
  }
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return new Map([...before, [name, value]]);
}

/** Adds a `NAME=FOLDER` of this machine. */
export function folderStandIn(text: string, before: StandIns = new Map()): StandIns {
  const [name = '', ...rest] = text.split('=');
  const folder = rest.join('=');
  if (folder === '') throw new InvalidArgumentError('Write NAME=FOLDER, such as data=./data.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InvalidArgumentError(`There is no folder ${folder}.`);
  }
  return standIn(`${name}=${resolve(folder)}`, before);
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** A host's name or address. */
export function hostAddress(text: string): string {
  if (isHost(text)) return text;
  throw new InvalidArgumentError(
    'Write a name or an address without scheme and port, such as 127.0.0.1 or ::1.',
  );
}

/** Accepts a host name, an IPv4 address, or an IPv6 address without brackets. */
export function isHost(text: string): boolean {
  return (
    /^[^\s\p{C}:/?#@%[\]\\]+$/u.test(text) ||
    /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%\w+)?$/i.test(text)
  );
}

/** The kubelet's version, as in `1.36`. */
function kubeletVersion(text: string): string {
  const match = /^v?(1\.\d+)(?:\.\d+)?$/.exec(text);
  if (match?.[1] === undefined) throw new InvalidArgumentError('Write a version such as 1.36.');
  return match[1];
}

/** The argument of commands that read manifests. */
export const MANIFESTS = 'files, folders of .yaml, .yml and .json files, - for standard input';

export function portOption() {
  return new Option(
    '-p, --port <local:container>',
    'map a container port to a local port',
  ).argParser(portMapping);
}

export function imageOption() {
  return new Option(
    '--image <container=image>',
    "with --create: use this image in place of the manifest's",
  ).argParser(standIn);
}

export function timeoutOption() {
  return new Option('--timeout <duration>', 'give up after this long (exit code 124)').argParser(
    duration,
  );
}

export function forOption() {
  return new Option('--for <duration>', 'stop after this long')
    .argParser(duration)
    .conflicts('until');
}

export function kubeletVersionOption() {
  return new Option('--kubelet-version <version>', 'version in the User-Agent of probes')
    .argParser(kubeletVersion)
    .default('1.36');
}

/** Collects an option that may stand several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function filenameOption() {
  return new Option('-f, --filename <path>', 'same as an argument; can be repeated').argParser(
    collect,
  );
}

export function quietOption() {
  return new Option('-q, --quiet', 'print nothing but errors; use the exit code');
}

/** Parses a value with a parser that returns undefined for what does not have the form. */
export function parsed<T>(form: string, parse: (text: string) => T | undefined) {
  return (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Write ${form}.`);
    return value;
  };
}

export function runsOption() {
  return new Option(
    '--runs <number>',
    'simulate this many times with different random values, and summarize',
  ).argParser(positiveInteger);
}

export function seedOption() {
  return new Option(
    '--seed <number>',
    'seed of the random values; without it, random waits take their average',
  ).argParser(positiveInteger);
}

/** An option that takes one of a few values. */
export function choice<const F extends string, const C extends readonly string[]>(
  flags: F,
  description: string,
  choices: C,
) {
  return new Option(flags, description).choices(choices);
}

const REPORT_KINDS = ['html', 'junit', 'markdown', 'tap', 'github'] as const;

/** A report to write at the end: what it is, and its file. */
export interface ReportTarget {
  readonly kind: (typeof REPORT_KINDS)[number];
  readonly path: string;
}

export interface ReportFlags {
  readonly report?: readonly ReportTarget[] | undefined;
  readonly withSecrets?: boolean | undefined;
  readonly record?: string | undefined;
  readonly statusFile?: string | undefined;
}

export function reportOption() {
  return new Option(
    '--report <kind=file>',
    'write a report at the end: html, junit, markdown, tap or github (- is standard output); can be repeated',
  ).argParser(reportTarget);
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export function metricsOption() {
  return new Option(
    '--metrics <address>',
    "serve the kubelet's metrics of probes and pods while this runs, such as at 127.0.0.1:9090",
  ).argParser(metricsAddress);
}

/** `9090`, `127.0.0.1:9090`, `[::1]:9090`: others than this machine get no metrics. */
function metricsAddress(text: string): MetricsAddress {
  const match = /^(?:(127(?:\.\d{1,3}){3}|localhost|\[::1\])?:)?(\d+)$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || !isPort(port)) {
    throw new InvalidArgumentError('Write a loopback address and a port, such as 127.0.0.1:9090.');
  }
  return { host: (match[1] ?? '127.0.0.1').replaceAll(/[[\]]/g, ''), port };
}

/** Adds a `KIND=FILE`. */
function reportTarget(text: string, before: readonly ReportTarget[] = []): readonly ReportTarget[] {
  const [name = '', ...rest] = text.split('=');
  const kind = REPORT_KINDS.find((known) => known === name);
  const path = rest.join('=');
  if (kind === undefined || path === '') {
    throw new InvalidArgumentError(
      `Write KIND=FILE, such as html=report.html; kinds: ${REPORT_KINDS.join(', ')}.`,
    );
  }
  if (path !== '-' && before.some((one) => resolve(one.path) === resolve(path))) {
    throw new InvalidArgumentError(`${path} is given twice.`);
  }
  return [...before, { kind, path }];
}

/** Keeps what is masked otherwise. */
export function secretsOption() {
  return new Option(
    '--with-secrets',
    'do not mask the values of variables, credentials and tokens',
  );
}

export function colorOption() {
  return choice('--color <when>', 'color on the terminal (auto)', ['auto', 'always', 'never']);
}

export function excludeOption() {
  return new Option(
    '--exclude <glob>',
    'skip these files and folders within a folder, besides dot folders, node_modules and what .gitignore names; can be repeated',
  ).argParser(collect);
}

export function noValidateOption() {
  return new Option('--no-validate', 'accept manifests that the API server would reject');
}
