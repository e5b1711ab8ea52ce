import { omitUndefined } from '../api/index.js';
import type { Severity } from '../manifest/diagnostic.js';
import type { ValidatedFile } from '../manifest/verdict/verdict.js';
import { counted, kindLines } from '../text/count.js';
import { HOMEPAGE } from '../version.js';

export interface ReportedFile extends Pick<ValidatedFile, 'file' | 'diagnostics' | 'unreadable'> {
  readonly objects: number;
  readonly jsonFields?: Readonly<Record<string, unknown>>;
}

export interface ReportedRule {
  readonly id: string;
  readonly title: string;
  readonly reason?: string;
  /** Path in docs/. */
  readonly page?: string;
}

export function pageURL(page: string): string {
  return `${HOMEPAGE}/blob/main/docs/${page}`;
}

/** Findings of `kprobe validate` or `kprobe lint`, as every format gets them. */
export interface Report {
  readonly command: 'validate' | 'lint';
  readonly files: readonly ReportedFile[];
  readonly problems: readonly string[];
  readonly exitCode: number;
  /** Rules that diagnostics name; others are shown by their ids. */
  readonly rules: readonly ReportedRule[];
  /** Severity from which on a finding fails; errors by default. */
  readonly failOn?: Severity;
  readonly summary: readonly string[];
}

export function findingCounts(files: readonly ReportedFile[]) {
  const diagnostics = files.flatMap((file) => file.diagnostics);
  return {
    files: files.length,
    objects: files.reduce((sum, { objects }) => sum + objects, 0),
    errors: diagnostics.filter(({ severity }) => severity === 'error').length,
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
  };
}

export function validateReport(
  files: readonly ValidatedFile[],
  end: Pick<Report, 'problems' | 'exitCode'>,
): Report {
  const reported = files.map(reportedFile);
  return {
    command: 'validate',
    ...end,
    files: reported,
    rules: VALIDATE_RULES,
    summary: [headline(files, reported), ...otherLines(files)],
  };
}

function reportedFile(validated: ValidatedFile): ReportedFile {
  const { file, diagnostics, judged: objects, answers, unreadable } = validated;
  const verdicts = answers
    .filter(({ phase }) => phase !== 'empty')
    .map(({ doc, item, apiVersion, kind, name, ok, phase }) =>
      omitUndefined({ doc, item, apiVersion, kind, name, ok, phase }),
    );
  return { file, diagnostics, objects, unreadable, jsonFields: { verdicts } };
}

function headline(files: readonly ValidatedFile[], reported: readonly ReportedFile[]): string {
  const { objects, errors, warnings } = findingCounts(reported);
  const rejected = files.reduce((sum, file) => sum + file.rejected, 0);
  const found = [
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const what = `${counted(files.length, 'file')}, ${counted(objects, 'object')} validated`;
  const none = objects === 0 ? 'nothing to validate' : 'all accepted';
  return `${what}: ${found.length === 0 ? none : found.join(', ')}`;
}

function otherLines(files: readonly ValidatedFile[]): string[] {
  const of = (field: 'templateKinds' | 'otherKinds' | 'unmatchedKinds') =>
    files.map((file) => file[field]);
  return [
    ...kindLines('only their probes validated', of('templateKinds')),
    ...kindLines('not validated, no pods in them', of('otherKinds')),
    ...kindLines('of kinds that kprobe does not know', of('unmatchedKinds')),
  ];
}

const TITLES = {
  syntax: 'The text is not YAML or JSON.',
  'not-an-object': 'It is not an object with apiVersion and kind.',
  'unknown-kind': 'The API server has no such kind in this version.',
  template: 'It is a template, of which Helm or Kustomize makes manifests.',
  kind: 'kprobe does not check objects of this kind.',
  'unknown-field': 'The object has no such field.',
  'duplicate-field': 'A field is set twice.',
  'wrong-type': 'A value has another type than its field.',
  required: 'A field must have a value.',
  invalid: 'The value is not allowed.',
  'not-supported': 'The value is not one of the supported values.',
  forbidden: 'The field may not be set here.',
  duplicate: 'A value that must be unique is there twice.',
  'not-found': 'The value names something that does not exist.',
  'too-long': 'The value is too long.',
  'too-many': 'There are too many values.',
  'api-warning': 'The API server accepts it with a warning.',
};

/** Rules of errors, as the table in docs/validate.md has them. */
export const VALIDATE_RULES: readonly ReportedRule[] = Object.entries(TITLES).map(
  ([id, title]) => ({ id, title, page: 'validate.md#kinds-of-errors' }),
);
