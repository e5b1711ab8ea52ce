import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { Verdict } from '../../manifest/verdict/verdict.js';
import { counted, kindCounts, sumCounts } from '../text/count.js';
import { countsOf, type Report, type ReportedFile, type ReportedRule } from './report.js';

interface Validated {
  readonly file: string;
  readonly answers: readonly Verdict[];
  readonly diagnostics: readonly Diagnostic[];
  readonly judged: number;
  readonly rejected: number;
  readonly templateKinds: ReadonlyMap<string, number>;
  readonly otherKinds: ReadonlyMap<string, number>;
  readonly unservedKinds: ReadonlyMap<string, number>;
}

export function validateReport(files: readonly Validated[], version: string): Report {
  const reported = files.map(reportedFile);
  return {
    command: 'validate',
    version,
    files: reported,
    rules: VALIDATE_RULES,
    summary: [headline(files, reported), ...kindLines(files)],
  };
}

function reportedFile({ file, diagnostics, judged, answers }: Validated): ReportedFile {
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
  return { file, diagnostics, objects: judged, more: { verdicts: objects } };
}

function headline(files: readonly Validated[], reported: readonly ReportedFile[]): string {
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

function kindLines(files: readonly Validated[]): string[] {
  const others = sumCounts(files.map(({ otherKinds }) => otherKinds));
  const unserved = sumCounts(files.map(({ unservedKinds }) => unservedKinds));
  const templates = sumCounts(files.map(({ templateKinds }) => templateKinds));
  return [
    ...(templates.size > 0 ? [`only their probes validated: ${kindCounts(templates)}`] : []),
    ...(others.size > 0 ? [`not validated, no pods in them: ${kindCounts(others)}`] : []),
    ...(unserved.size > 0 ? [`of kinds that kprobe does not know: ${kindCounts(unserved)}`] : []),
  ];
}

export const VALIDATE_RULES: readonly ReportedRule[] = [
  { id: 'syntax', description: 'The text is not YAML or JSON.' },
  { id: 'not-an-object', description: 'It is not an object with apiVersion and kind.' },
  { id: 'unknown-kind', description: 'No API server has this kind in this version.' },
  { id: 'template', description: 'A tool such as Helm or Kustomize makes manifests of it.' },
  { id: 'kind', description: 'Nothing is known of objects of this kind.' },
  { id: 'unknown-field', description: 'The object has no such field.' },
  { id: 'duplicate-field', description: 'A field is set twice.' },
  { id: 'wrong-type', description: 'A value has another type than its field.' },
  { id: 'required', description: 'A field must have a value.' },
  { id: 'invalid', description: 'The value is not allowed.' },
  { id: 'not-supported', description: 'The value is not one of those that there are.' },
  { id: 'forbidden', description: 'The field may not be set here.' },
  { id: 'duplicate', description: 'A value must be unique, and stands twice.' },
  { id: 'not-found', description: 'The value names something that is not there.' },
  { id: 'too-long', description: 'The value is too long.' },
  { id: 'too-many', description: 'There are too many values.' },
  { id: 'api-warning', description: 'The API server takes it, but warns.' },
];
