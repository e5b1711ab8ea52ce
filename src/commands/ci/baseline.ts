import { constants } from 'node:fs';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { isObject, ownField } from '../../api/index.js';
import { ifThere, orUsageError, shownPath } from '../../cli/shared/file-errors.js';
import { type FieldCheck, list, object, text, type Valid } from '../../trace/field-check.js';
import { UsageError } from '../../usage-error.js';
import { VERSION } from '../../version.js';
import type { Measure } from './measures.js';

/** The version of the file that this kprobe writes, and the only one that it reads. */
const BASELINE_VERSION = 1;

const SECONDS: FieldCheck<readonly number[]> = (value, path) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => Number.isFinite(each) && each >= 0)
    ? undefined
    : `${path} must be the seconds of each start`;

const FIELDS = object({
  target: text,
  /** `namespace/name` of each. */
  pods: list(text),
  measures: list(object({ pod: text, name: text, seconds: SECONDS })),
});

/** The times of the last good run. */
export type Baseline = Valid<typeof FIELDS>;

interface BaselineFlags {
  readonly baseline?: string | undefined;
  readonly writeBaseline?: true | undefined;
}

/** Reads the file of `--baseline`; undefined when it is to be written for the first time. Throws a UsageError. */
export async function readBaseline(
  { baseline: path, writeBaseline }: BaselineFlags,
  run: Pick<Baseline, 'target' | 'pods'>,
): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const text = await orUsageError(path, async () => {
    const found = await ifThere(stat(path));
    if (found !== undefined && !found.isFile() && !found.isDirectory()) {
      refuse(path, 'is not a regular file');
    }
    return ifThere(readFile(path, 'utf8'));
  });
  if (writeBaseline === true) {
    const written = text === undefined ? dirname(resolve(path)) : path;
    await orUsageError(path, () => access(written, constants.W_OK));
    if (text === undefined) return undefined;
  }
  if (text === undefined) refuse(path, 'there is no such file; --write-baseline writes it');
  const found = parseBaseline(path, text);
  const [was, is] = [found.pods.join(', '), run.pods.join(', ')];
  if (was !== is) refuse(path, `is the baseline of ${was}, not of ${is}`);
  if (found.target !== run.target) {
    const [before, now] = [found, run].map(({ target }) => ownField(TARGETS, target) ?? target);
    refuse(path, `was measured with ${before ?? ''}, not with ${now ?? ''}`);
  }
  return found;
}

const TARGETS: Readonly<Record<string, string>> = {
  process: 'a command after --',
  created: '--create',
};

function refuse(path: string, problem: string): never {
  throw new UsageError(`${shownPath(path)}: ${problem}`);
}

function parseBaseline(path: string, text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    refuse(path, `is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (!isObject(value) || value['baseline'] === undefined) {
    refuse(path, 'is not a baseline of kprobe ci');
  }
  const { baseline: version } = value;
  if (version !== BASELINE_VERSION) {
    const known = `this kprobe reads version ${BASELINE_VERSION}`;
    refuse(path, `is a baseline of version ${JSON.stringify(version)}; ${known}: ${REWRITE_HINT}`);
  }
  if (FIELDS(value, '') !== undefined)
    refuse(path, `is a baseline with missing or wrong fields: ${REWRITE_HINT}`);
  return value as unknown as Baseline;
}

const REWRITE_HINT = 'remove it, and write it again with --write-baseline';

/** Writes the times of a good run. Throws a UsageError for a file that cannot be written. */
export async function writeBaseline(
  path: string,
  { target, pods }: Pick<Baseline, 'target' | 'pods'>,
  starts: readonly (readonly Measure[])[],
): Promise<void> {
  const measures = (starts[0] ?? []).map(({ pod, name }) => {
    const seconds = starts.flatMap((start) => secondsOf(start, { pod, name }));
    return { pod, name, seconds: seconds.map((time) => Math.round(time * 10_000) / 10_000) };
  });
  const baseline: Baseline = { target, pods, measures };
  const file = { baseline: BASELINE_VERSION, kprobe: VERSION, ...baseline };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** Returns the seconds of one measure of a start; empty where it was not measured. */
export function secondsOf(
  start: readonly Measure[],
  { pod, name }: Pick<Measure, 'pod' | 'name'>,
): readonly number[] {
  return start
    .filter((start) => start.pod === pod && start.name === name)
    .map(({ seconds }) => seconds);
}
