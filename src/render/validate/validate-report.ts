import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { Verdict } from '../../manifest/verdict/verdict.js';
import { countsOf, type Report, type ReportedFile } from '../report/report.js';
import { counted, kindCounts, sumCounts } from '../text/count.js';
import { VALIDATE_RULES } from './rules.js';

/** What validation says of a file: ValidatedFile of app/validate. */
interface Validated {
  readonly file: string;
  readonly verdicts: readonly Verdict[];
  readonly diagnostics: readonly Diagnostic[];
  readonly judged: number;
  readonly rejected: number;
  readonly otherKinds: ReadonlyMap<string, number>;
  readonly unservedKinds: ReadonlyMap<string, number>;
}

/** What was validated as a report, for the renderers of `render/report`. */
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

function reportedFile({ file, diagnostics, judged, verdicts }: Validated): ReportedFile {
  const objects = verdicts
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
  return [
    ...(others.size > 0 ? [`not looked into, since they have no pod: ${kindCounts(others)}`] : []),
    ...(unserved.size > 0 ? [`of kinds that come from elsewhere: ${kindCounts(unserved)}`] : []),
  ];
}
