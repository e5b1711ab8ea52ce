import { existsSync, readFileSync } from 'node:fs';

import { afterAll, describe, expect, test } from 'vitest';

import { hasErrors } from '../../src/manifest/diagnostic.js';
import { decodeText, type ManifestSource } from '../../src/manifest/documents/source-file.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import type { Form } from '../../src/manifest/verdict/judge-documents.js';
import { validateSource } from '../../src/manifest/verdict/validate.js';
import { type ServerAnswer, verdictLine } from '../../src/manifest/verdict/verdict.js';

/** A line of the oracle's, as oracle/validate/README.md describes it. */
interface Expected extends ServerAnswer {
  readonly file: string;
}

const own = new URL('./validation/', import.meta.url);
const shared = new URL('../../../shared/', import.meta.url);

function readLines(url: URL): readonly string[] {
  return readFileSync(url, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Texts of what is not YAML are those of our parser; that it is refused is compared. */
const CONVERSION_ERROR = /^(error converting YAML to JSON: ).*/s;

function parse(line: string): Expected {
  const expected = JSON.parse(line) as Expected;
  const { decode } = expected;
  return decode === undefined
    ? expected
    : { ...expected, decode: decode.replace(CONVERSION_ERROR, '$1…') };
}

const keyOf = ({ doc, item = '' }: ServerAnswer): string => `${doc} ${item}`;

/** Lines by file, as texts: a number may be more than JavaScript counts to. */
function byFile(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const line of lines) {
    const { file } = parse(line);
    files.set(file, [...(files.get(file) ?? []), line]);
  }
  return files;
}

const sources = new Map<string, ManifestSource>();

/** Returns one source for each file, whose documents the validator parses once for all tests of the file. */
function sourceOf(file: string, root: URL): ManifestSource {
  const url = new URL(file, root);
  const source = sources.get(url.href) ?? { file, text: decodeText(readFileSync(url)) };
  sources.set(url.href, source);
  return source;
}

/** How many files have been answered as the oracle answers them, by set. */
const same: Record<string, { held: number; of: number }> = {};

afterAll(() => {
  const counts = Object.entries(same).map(([set, { held, of }]) => `${held} of ${of} ${set}`);
  process.stdout.write(`validation: ${counts.join(', ')}\n`);
});

/** A line of our own, with the keys in the order of the oracle's: numbers keep their digits in both. */
function ourLines(source: ManifestSource, as: Form, version = '1.36'): readonly string[] {
  const options = { as, strictKinds: false, server: { version } };
  const { verdicts } = validateSource(source, options);
  return verdicts.map((verdict) => verdictLine(source.file, verdict));
}

/** The older answers do not look into these kinds; `controllers-and-templates.ndjson` has those that do. */
function isPassedOver({ kind, phase }: Expected): boolean {
  return phase === 'other' && ['ReplicationController', 'PodTemplate'].includes(kind);
}

function compare(
  set: string,
  files: ReadonlyMap<string, readonly string[]>,
  root: URL,
  as: Form,
): void {
  const count = (same[set] = { held: 0, of: files.size });
  describe.each([...files])(`${set}: %s`, (file, lines) => {
    test('is answered as by the API server', () => {
      const passedOver = lines.map(parse).filter(isPassedOver).map(keyOf);
      const ours = ourLines(sourceOf(file, root), as).filter(
        (line) => passedOver.length === 0 || !passedOver.includes(keyOf(parse(line))),
      );
      lines = lines.filter((line) => !isPassedOver(parse(line)));
      expect(ours.map((line) => parse(line))).toEqual(lines.map((line) => parse(line)));
      expect(ours.flatMap(bigNumbers)).toEqual(lines.flatMap(bigNumbers));
      count.held++;
    });
  });
}

/** The numbers that parsing rounds. */
function bigNumbers(line: string): readonly string[] {
  return [...line.matchAll(/(?<=":)-?\d{16,}/g)].map(([number]) => number).sort();
}

const direct = byFile(readLines(new URL('expected.ndjson', own)));
const changed = new Map(
  readLines(new URL('expected-kubectl.ndjson', own)).map((line) => {
    const verdict = parse(line);
    return [`${verdict.file} ${keyOf(verdict)}`, line];
  }),
);
/** The lines that differ when kubectl converts take the place of the others. */
const kubectl = new Map(
  [...direct].map(([file, lines]) => [
    file,
    lines.map((line) => changed.get(`${file} ${keyOf(parse(line))}`) ?? line),
  ]),
);

compare('direct', direct, own, 'direct');
compare('kubectl', kubectl, own, 'kubectl');

const published = new URL('conformance/validation/published.ndjson', shared);
if (existsSync(published)) compare('published', byFile(readLines(published)), shared, 'direct');

/** More cases, and what the oracle says of them. */
interface Case {
  readonly file: string;
  /** Release whose API server the oracle is, where it is not 1.36. */
  readonly version?: string;
  readonly text: string;
  readonly lines: readonly string[];
}

const TOLERATION_ANNOTATION = 'the annotation of tolerations was alpha, and is not validated';

/** The files whose answer is another than the server's, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'workloads/113-cron-s23.yaml': "the server's text is that of a panic in Go",
  'g1/012-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/013-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/014-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/015-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/018-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/019-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/020-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/021-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/024-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/025-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/026-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/027-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/028-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/029-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/030-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/031-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/032-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/033-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/036-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/037-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/038-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/039-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/042-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/043-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/044-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/045-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/046-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/047-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/050-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/051-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/052-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/053-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/056-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/057-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/062-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/063-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/064-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/065-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
  'g1/066-ann-netes-io-tolerations.yaml': TOLERATION_ANNOTATION,
  'g1/067-ann-netes-io-tolerations-t.yaml': TOLERATION_ANNOTATION,
};

const more = ['more-cases.ndjson', 'controllers-and-templates.ndjson', 'certificates-1.37.ndjson']
  .flatMap((name) => readLines(new URL(name, own)))
  .map((line) => JSON.parse(line) as Case);
const held = more.filter(({ file }) => EXCEPTIONS[file] === undefined);
const excepted = more.filter(({ file }) => EXCEPTIONS[file] !== undefined);
const moreCount = (same['more'] = { held: 0, of: held.length });

test.each(held)(
  'more: $file is answered as by the API server',
  ({ file, version, text, lines }) => {
    const ours = ourLines({ file, text }, 'direct', version);
    expect(ours.map(parse)).toEqual(lines.map(parse));
    expect(ours.flatMap(bigNumbers)).toEqual(lines.flatMap(bigNumbers));
    moreCount.held++;
  },
);

test('every exception is a case whose answer differs', () => {
  const differing = excepted.filter(({ file, text, lines }) => {
    return (
      JSON.stringify(ourLines({ file, text }, 'direct').map(parse)) !==
      JSON.stringify(lines.map(parse))
    );
  });
  expect(differing.map(({ file }) => file).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});

/** Of a line about a pod or a workload that was sent to the server. */
const SENT = ['decode', 'validate', 'created'];

/** Merges that override are kubectl's business: the server never sees them (`expected-kubectl.ndjson`). */
const MERGES = ['cases/282-yaml-merge.yaml', 'cases/283-yaml-merge-list.yaml'];

/** The oracle runs no admission plugins, where a cluster gives every pod a service account. */
const NO_SERVICE_ACCOUNT = 'must not be specified when serviceAccountName is not set';

/** Kinds of other groups are passed over: kprobe knows no cluster that could have them. */
function isWrong({ file, phase, apiVersion, strict, errors, decode }: Expected): boolean {
  if (phase === 'parse') return !apiVersion.includes('.');
  if (MERGES.includes(file)) return false;
  const own = errors.filter(({ detail }) => detail !== NO_SERVICE_ACCOUNT);
  return strict.length > 0 || own.length > 0 || decode !== undefined;
}

function holdsPod(verdict: Expected): boolean {
  return SENT.includes(verdict.phase) || isPassedOver(verdict);
}

describe.each([...direct])('to run %s', (file, lines) => {
  test('is an error where the API server or kubectl has one, and nowhere else', () => {
    const { diagnostics } = loadManifest([sourceOf(file, own)]);
    const verdicts = lines.map(parse);
    const wrong = verdicts.some(isWrong) || !verdicts.some(holdsPod);
    expect(hasErrors(diagnostics), JSON.stringify(diagnostics, undefined, 1)).toBe(wrong);
  });
});
