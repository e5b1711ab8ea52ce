import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

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
  readonly errors: readonly unknown[];
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

function isRefused(line: Expected): boolean {
  if (MERGES.includes(line.file) || line.phase === 'parse') return false;
  return line.strict.length > 0 || line.errors.length > 0 || line.decode !== undefined;
}

function compareSent(lines: readonly Expected[], text: string): void {
  const sent = lines.filter((line) => SENT.includes(line.phase));
  const find = (line: Expected): Verdict | undefined =>
    verdicts(text).find((each) => each.doc === line.doc && each.item === line.item);
  test.runIf(sent.length > 0)('is decoded and validated as by the API server', () => {
    for (const line of sent) {
      const { phase, decode, strict, errors, warnings } = line;
      const found = find(line);
      expect({
        phase: found?.phase,
        decode: found?.decode,
        strict: found?.strict,
        errors: found?.errors,
        warnings: found?.warnings,
      }).toEqual({ phase, decode, strict, errors, warnings });
    }
  });
  const created = sent.filter((line) => line.defaulted !== undefined);
  test.runIf(created.length > 0)('gets the defaults of the API server', () => {
    for (const line of created) {
      const { path: _, ...spec } = line.defaulted ?? { path: '' };
      expect(find(line)?.admission.template.spec).toMatchObject(spec);
    }
  });
}

compareAll(readLines(new URL('expected.ndjson', own)), own);

const published = new URL('conformance/validation/published.ndjson', shared);
if (existsSync(published)) compareAll(readLines(published), shared);
else test.skip('published manifests: ../shared is not there', () => undefined);
