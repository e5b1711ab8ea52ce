import type { ValidatedFile } from '../../manifest/verdict/verdict.js';
import { counted, kindCounts, sumCounts } from '../text/count.js';
import { countsOf, type Report, type ReportedFile, type ReportedRule } from './report.js';

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
    summary: [headline(files, reported), ...kindLines(files)],
  };
}

function reportedFile({
  file,
  diagnostics,
  judged,
  answers,
  unreadable,
}: ValidatedFile): ReportedFile {
  const objects = answers
    .filter(({ phase }) => phase !== 'empty')
    .map(({ doc, item, apiVersion, kind, name, ok, phase }) => ({
      doc,
      ...(item !== undefined && { item }),
      apiVersion,
      kind,
      name,
      ok,
      phase,
    }));
  return { file, diagnostics, objects: judged, unreadable, more: { verdicts: objects } };
}

function headline(files: readonly ValidatedFile[], reported: readonly ReportedFile[]): string {
  const { objects, errors, warnings } = countsOf(reported);
  const rejected = files.reduce((sum, file) => sum + file.rejected, 0);
  const found = [
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const what = `${counted(files.length, 'file')}, ${counted(objects, 'object')} validated`;
  return `${what}: ${found.length === 0 ? 'all accepted' : found.join(', ')}`;
}

function kindLines(files: readonly ValidatedFile[]): string[] {
  const others = sumCounts(files.map(({ otherKinds }) => otherKinds));
  const unserved = sumCounts(files.map(({ unservedKinds }) => unservedKinds));
  const templates = sumCounts(files.map(({ templateKinds }) => templateKinds));
  return [
    ...(templates.size > 0 ? [`only their probes validated: ${kindCounts(templates)}`] : []),
    ...(others.size > 0 ? [`not validated, no pods in them: ${kindCounts(others)}`] : []),
    ...(unserved.size > 0 ? [`of kinds that kprobe does not know: ${kindCounts(unserved)}`] : []),
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

/** The rules of errors, which a table in docs/validate.md lists. */
export const VALIDATE_RULES: readonly ReportedRule[] = Object.entries(TITLES).map(
  ([id, title]) => ({ id, title, page: 'validate.md#kinds-of-errors' }),
);
