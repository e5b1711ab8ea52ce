import { type JsonNode, memberOf } from '../../api/decode/json-node.js';
import { reportFieldError } from '../field-error-diagnostic.js';
import { reportIssue } from '../issue-diagnostic.js';
import { classify } from '../known-kinds.js';
import { locate } from '../locate.js';
import type { SourceFile } from '../source-file.js';
import type { Judged } from './judged.js';

/** Reports what is wrong with an object, and what the server would speak up about, where it stands in the text. */
export function reportJudged(source: SourceFile, judged: Judged): void {
  const { problem, node, admission, duplicates = [], issues = [] } = judged;
  if (problem !== undefined) {
    const { offset, message, hint } = problem;
    source.report({ severity: 'error', offset, field: '', message, hint, rule: 'syntax' });
  }
  for (const { start, path, firstStart, merged } of duplicates) {
    const first = source.positionAt(firstStart).line;
    const hint = merged
      ? 'a merge sets it too, which kubectl resolves before it sends; see --as kubectl'
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

/** An object that cannot be sent anywhere; of kinds that only some servers have nothing is said. */
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
  const report = (offset: number, field: string, message: string, hint?: string): void =>
    source.report({ severity: 'error', offset, field, message, hint, rule: 'not-an-object' });
  if (node.kind !== 'object') {
    const what = `this is ${KIND_WORDS[node.kind]}`;
    report(node.start, '', `a manifest is an object with apiVersion and kind, ${what}`);
    return;
  }
  for (const [field, value, example] of [
    ['kind', kind, 'Pod'],
    ['apiVersion', apiVersion, 'v1'],
  ] as const) {
    if (value !== '') continue;
    const given = memberOf(node, field);
    const message = given === undefined ? 'is missing' : 'must be a string that is not empty';
    report(given?.start ?? node.start, field, message, `such as "${field}: ${example}"`);
  }
  if (kind !== '' && apiVersion !== '') report(node.start, '', verdict.decode ?? '');
}

const KIND_WORDS = {
  null: 'null',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  bool: 'a boolean',
} as const;
