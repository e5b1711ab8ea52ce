import { existsSync, readFileSync } from 'node:fs';

import { afterAll, describe, expect, test } from 'vitest';

import { decodeText } from '../../src/manifest/decode-text.js';
import { hasErrors } from '../../src/manifest/diagnostic.js';
import { loadManifest } from '../../src/manifest/load-manifest.js';
import { type Verdict, verdicts } from '../helpers/api-verdict.js';

/** A line of the oracle's, as oracle/validate/README.md describes it. */
interface Expected {
  readonly file: string;
  readonly doc: number;
  readonly item?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly phase: string;
  readonly decode?: string;
  readonly strict: readonly string[];
  readonly errors: readonly { readonly detail: string }[];
  readonly warnings: readonly string[];
  readonly defaulted?: { readonly path: string; readonly containers: readonly unknown[] };
}

/** Of a line about a pod or a workload that was sent to the server. */
const SENT = ['decode', 'validate', 'created'];

const own = new URL('./validation/', import.meta.url);
const shared = new URL('../../../shared/', import.meta.url);

function readLines(url: URL): readonly Expected[] {
  const lines = readFileSync(url, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Expected);
}

/** Objects answered as the API server answers them, and pods defaulted as it defaults them. */
const same = { answers: 0, answersOf: 0, defaults: 0, defaultsOf: 0 };

afterAll(() => {
  const { answers, answersOf, defaults, defaultsOf } = same;
  process.stdout.write(
    `API server: ${answers} of ${answersOf} objects answered identically, ${defaults} of ${defaultsOf} defaulted identically\n`,
  );
});

function compareAll(lines: readonly Expected[], root: URL): void {
  describe.each([...new Set(lines.map((line) => line.file))])('%s', (file) => {
    const text = decodeText(readFileSync(new URL(file, root)));
    const fileLines = lines.filter((line) => line.file === file);
    compareSent(fileLines, text);
    test('has an error where the API server or kubectl has one, and nowhere else', () => {
      const { diagnostics } = loadManifest([{ file, text }]);
      const hasPods = fileLines.some(holdsPod);
      const isWrong = fileLines.some((line) => isUnreadable(line) || isRefused(line)) || !hasPods;
      expect(hasErrors(diagnostics), JSON.stringify(diagnostics, undefined, 1)).toBe(isWrong);
    });
  });
}

/** The oracle does not look into two kinds that kprobe does. */
function holdsPod({ phase, kind }: Expected): boolean {
  return SENT.includes(phase) || ['ReplicationController', 'PodTemplate'].includes(kind);
}

/** Kinds of other groups are passed over: kprobe knows no cluster that could have them. */
function isUnreadable({ phase, apiVersion }: Expected): boolean {
  return phase === 'parse' && !apiVersion.includes('.');
}

/** Merges that override are kubectl's business: the server never sees them (`expected-kubectl.ndjson`). */
const MERGES = ['cases/282-yaml-merge.yaml', 'cases/283-yaml-merge-list.yaml'];

/** The oracle runs no admission plugins, where a cluster gives every pod a service account. */
const NO_SERVICE_ACCOUNT = 'must not be specified when serviceAccountName is not set';

function isRefused(line: Expected): boolean {
  if (MERGES.includes(line.file) || line.phase === 'parse') return false;
  const errors = line.errors.filter(({ detail }) => detail !== NO_SERVICE_ACCOUNT);
  return line.strict.length > 0 || errors.length > 0 || line.decode !== undefined;
}

function compareSent(lines: readonly Expected[], text: string): void {
  const sent = lines.filter((line) => SENT.includes(line.phase));
  let found: readonly Verdict[] | undefined;
  const find = (line: Expected): Verdict | undefined => {
    found ??= verdicts(text);
    return found.find((each) => each.doc === line.doc && each.item === line.item);
  };
  test.runIf(sent.length > 0)('is decoded and validated as by the API server', () => {
    for (const line of sent) {
      const { phase, decode, strict, errors, warnings } = line;
      const verdict = find(line);
      same.answersOf++;
      expect({
        phase: verdict?.phase,
        decode: verdict?.decode,
        strict: verdict?.strict,
        errors: verdict?.errors,
        warnings: verdict?.warnings,
      }).toEqual({ phase, decode, strict, errors, warnings });
      same.answers++;
    }
  });
  const created = sent.filter((line) => line.defaulted !== undefined);
  test.runIf(created.length > 0)('gets the defaults of the API server', () => {
    for (const line of created) {
      const { path: _, ...spec } = line.defaulted ?? { path: '' };
      same.defaultsOf++;
      expect(find(line)?.admission.template.spec).toMatchObject(spec);
      same.defaults++;
    }
  });
}

compareAll(readLines(new URL('expected.ndjson', own)), own);

const published = new URL('conformance/validation/published.ndjson', shared);
if (existsSync(published)) compareAll(readLines(published), shared);
else test.skip('published manifests: ../shared is not there', () => undefined);
