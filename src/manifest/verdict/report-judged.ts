import type { JsonNode } from '../../go/json-node.js';
import { classify } from '../documents/known-kinds.js';
import { locate } from '../documents/locate.js';
import { type TypeProblem, typeProblems } from '../documents/manifest-object.js';
import type { SourceFile } from '../documents/source-file.js';
import { reportFieldError } from '../reports/report-field-error.js';
import { reportIssue } from '../reports/report-issue.js';
import type { Judged } from './verdict.js';

/** Reports the errors and warnings of an object at their places in the text. */
export function reportJudged(source: SourceFile, judged: Judged): void {
  const { problem, node, admission, duplicates = [], issues = [] } = judged;
  if (problem !== undefined) {
    const { offset, message, hint } = problem;
    source.report({ severity: 'error', offset, field: '', message, hint, rule: 'syntax' });
  }
  for (const { start, path, firstStart, merged } of duplicates) {
    const first = source.positionAt(firstStart).line;
    const hint = merged
      ? 'a merge also sets it; kubectl resolves merges before it sends, see --as kubectl'
      : 'remove one of the two';
    const message = `set twice, first on line ${first}`;
    source.report({
      severity: 'error',
      offset: start,
      field: path,
      message,
      hint,
      rule: 'duplicate-field',
    });
  }
  for (const issue of [...(admission?.issues ?? []), ...issues])
    reportIssue(source, issue, 'error');
  if (node === undefined) return;
  if (judged.verdict.phase === 'parse') reportUnfit(source, node, judged);
  for (const error of admission?.errors ?? []) reportFieldError(source, node, error);
  for (const { field, message } of admission?.warnings ?? []) {
    const offset = locate(node, field);
    source.report({ severity: 'warning', offset, field, message, rule: 'api-warning' });
  }
}

/** Reports an object that cannot be sent; kinds that only some servers have are not reported. */
function reportUnfit(
  source: SourceFile,
  node: JsonNode,
  { verdict, unserved, issues }: Judged,
): void {
  if (issues !== undefined) return;
  const { apiVersion, kind } = verdict;
  if (unserved === true) {
    const found = classify({ apiVersion, kind });
    if (found.kind !== 'unknown') return;
    const { field, message, hint } = found;
    const offset = locate(node, field);
    source.report({ severity: 'error', offset, field, message, hint, rule: 'unknown-kind' });
    return;
  }
  const problems: readonly TypeProblem[] = typeProblems(node, { apiVersion, kind });
  const unfit = { offset: node.start, field: '', message: verdict.decode ?? '' };
  for (const problem of problems.length > 0 ? problems : [unfit]) {
    source.report({ severity: 'error', hint: undefined, ...problem, rule: 'not-an-object' });
  }
}
