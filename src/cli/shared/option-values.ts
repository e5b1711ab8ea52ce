import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { InvalidArgumentError } from '@commander-js/extra-typings';

import { parseDuration } from '../../go/duration.js';
import {
  type FeatureGates,
  type KubeletConfig,
  kubeletOf,
  KUBERNETES_RELEASES,
  MAX_CONTAINER_BACK_OFF,
  PROVIDERS,
} from '../../kubelet/release.js';
import { LONGEST_RUN } from '../../trace/trace-line.js';

/** The releases that kprobe plays, as help and errors name them. */
export const RELEASES = `${KUBERNETES_RELEASES[0]} – ${KUBERNETES_RELEASES.at(-1)}`;
export const PRESETS = PROVIDERS.map((name) => `${name}-${KUBERNETES_RELEASES[2]}`).join(', ');

export const kubelet = parsed(
  `a release that kprobe plays, ${RELEASES} (or ${PRESETS})`,
  kubeletOf,
);

/** Parses `1.34..1.36`; a single release is allowed, because the environment may set one for all commands. */
export function kubelets(text: string): readonly KubeletConfig[] | undefined {
  const all = text.split('..').flatMap((each) => kubeletOf(each) ?? []);
  return all.length === text.split('..').length && all.length <= 2 ? all : undefined;
}

/** Parses a value with a parser that returns undefined for what does not have the form. */
export function parsed<T>(form: string, parse: (text: string) => T | undefined) {
  return (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Write ${form}.`);
    return value;
  };
}

/** Parses a Go duration such as `90s` into milliseconds. */
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

export function positiveDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds === 0) throw new InvalidArgumentError('It must be more than 0.');
  return milliseconds;
}

/** Parses the duration of a simulation. */
export function simulatedDuration(text: string): number {
  const milliseconds = positiveDuration(text);
  if (milliseconds > 1000 * LONGEST_RUN) {
    throw new InvalidArgumentError('A simulation lasts at most a year: 8760h.');
  }
  return milliseconds;
}

function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number | undefined => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= min && number <= max ? number : undefined;
  };
}

export const positiveInteger = parsed('a whole number from 1, such as 3', integer(1));
/** Kubernetes supports 5000 nodes. */
export const nodeCount = parsed('a whole number from 1 to 5000', integer(1, 5000));
export const wholeNumber = parsed('a whole number, such as 3', integer(0));

/** Adds `Name=true,Other=false` to gates that were set before. */
export function featureGates(text: string, before: FeatureGates = {}): FeatureGates {
  const gates = text.split(',').map((each) => {
    const [, name, value] = /^\s*(\w+)=(true|false)\s*$/i.exec(each) ?? [];
    if (name === undefined) throw new InvalidArgumentError('Write Name=true,Other=false.');
    return [name, value?.toLowerCase() === 'true'] as const;
  });
  return { ...before, ...Object.fromEntries(gates) };
}

/** Parses a duration within the kubelet's limits into seconds. */
export function restartPeriod(text: string): number {
  const seconds = duration(text) / 1000;
  if (seconds >= 1 && seconds <= MAX_CONTAINER_BACK_OFF) return seconds;
  throw new InvalidArgumentError(`The kubelet takes 1s to ${MAX_CONTAINER_BACK_OFF}s.`);
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Adds a `LOCAL:CONTAINER` to the map from container ports to local ports. */
export function portMapping(
  text: string,
  before: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> {
  const match = /^(\d+):(\d+)$/.exec(text);
  const [local, container] = [Number(match?.[1]), Number(match?.[2])];
  if (!isPort(local) || !isPort(container)) {
    throw new InvalidArgumentError(
      'Write LOCAL:CONTAINER, two ports from 1 to 65535, such as 18080:8080.',
    );
  }
  if (before.has(container)) {
    throw new InvalidArgumentError(`Container port ${container} is mapped twice.`);
  }
  return new Map([...before, [container, local]]);
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** Splits `NAME=VALUE` at the first `=`. */
function assignment(text: string): readonly [name: string, value: string] {
  const [name = '', ...rest] = text.split('=');
  return [name, rest.join('=')];
}

type Replacements = ReadonlyMap<string, string>;

export function imageReplacement(text: string, before: Replacements = new Map()): Replacements {
  const [name, value] = assignment(text);
  if (name === '' || value === '') {
    throw new InvalidArgumentError('Write CONTAINER=IMAGE, such as app=local:tag.');
  }
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return new Map([...before, [name, value]]);
}

export function folderReplacement(text: string, before?: Replacements): Replacements {
  const [name, folder] = assignment(text);
  if (folder === '') throw new InvalidArgumentError('Write NAME=FOLDER, such as data=./data.');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new InvalidArgumentError(`There is no folder ${folder}.`);
  }
  return imageReplacement(`${name}=${resolve(folder)}`, before);
}

export const hostAddress = parsed(
  'a name or an address without scheme and port, such as 127.0.0.1 or ::1',
  (text) => (isHost(text) ? text : undefined),
);

/** Accepts a host name, an IPv4 address, or an IPv6 address without brackets. */
export function isHost(text: string): boolean {
  return (
    /^[^\s\p{C}:/?#@%[\]\\]+$/u.test(text) ||
    /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%\w+)?$/i.test(text)
  );
}

const REPORT_KINDS = ['html', 'junit', 'markdown', 'tap', 'github'] as const;

export interface ReportTarget {
  readonly kind: (typeof REPORT_KINDS)[number];
  readonly path: string;
}

export function reportTarget(
  text: string,
  before: readonly ReportTarget[] = [],
): readonly ReportTarget[] {
  const [name, path] = assignment(text);
  const kind = REPORT_KINDS.find((known) => known === name);
  if (kind === undefined || path === '') {
    throw new InvalidArgumentError(
      `Write KIND=FILE, such as html=report.html; kinds: ${REPORT_KINDS.join(', ')}.`,
    );
  }
  if (path !== '-' && before.some((file) => resolve(file.path) === resolve(path))) {
    throw new InvalidArgumentError(`${path} is given twice.`);
  }
  return [...before, { kind, path }];
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `9090`, `127.0.0.1:9090` or `[::1]:9090`; other machines get no metrics. */
export function metricsAddress(text: string): MetricsAddress | undefined {
  const match = /^(?:(127(?:\.\d{1,3}){3}|localhost|\[::1\])?:)?(\d+)$/.exec(text);
  const port = Number(match?.[2]);
  if (!isPort(port)) return undefined;
  return { host: (match?.[1] ?? '127.0.0.1').replaceAll(/[[\]]/g, ''), port };
}
