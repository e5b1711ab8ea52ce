import { goQuote } from '../../../go/quote.js';
import type { Decoded } from '../../schema/decoded.js';
import { validateMaxBytes, validateMaxItems, validateNonnegativeField } from '../common/checks.js';
import { asStruct, type FieldPath, type JsonText } from '../common/field-error.js';

type SuccessPolicy = Decoded<'SuccessPolicy'>;
type Rule = Decoded<'SuccessPolicyRule'>;

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

/** Ports validateSuccessPolicy (pkg/apis/batch/validation/validation.go), and the conditions of its callers. */
export function validateSuccessPolicy(spec: Decoded<'JobSpec'>, at: FieldPath): void {
  const { successPolicy, completionMode, completions } = spec;
  if (successPolicy === undefined) return;
  if (completionMode !== 'Indexed') {
    return at.invalid(showPolicy(successPolicy), 'requires indexed completion mode');
  }
  // The server panics on an indexed job without completions, which is an error anyway.
  if (completions === undefined) return;
  const { rules = [] } = successPolicy;
  const rulesAt = at.child('rules');
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    rulesAt.required(detail);
  }
  validateMaxItems(rules, MAX_RULES, rulesAt);
  rulesAt.each(rules, (rule, ruleAt) => validateSuccessPolicyRule(rule, completions, ruleAt));
}

function showPolicy({ rules }: SuccessPolicy): JsonText {
  const shown = rules?.map(({ succeededIndexes, succeededCount }) =>
    asStruct({ SucceededIndexes: succeededIndexes, SucceededCount: succeededCount }),
  );
  const list = shown === undefined ? 'null' : `[${shown.map(({ json }) => json).join(',')}]`;
  return asStruct({ Rules: { json: list } });
}

/** Ports validateSuccessPolicyRule (pkg/apis/batch/validation/validation.go). */
function validateSuccessPolicyRule(rule: Rule, completions: number, at: FieldPath): void {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (count === undefined && indexes === undefined) {
    at.required('at least one of succeededCount or succeededIndexes must be specified');
  }
  const total = validateIndexesFormat(indexes, completions, at.child('succeededIndexes'));
  if (count === undefined) return;
  const countAt = at.child('succeededCount');
  const atMost = (most: number, what: string): void => {
    if (count <= most) return;
    countAt.invalid(count, `must be less than or equal to ${most} (the number of ${what})`);
  };
  validateNonnegativeField(count, countAt);
  atMost(completions, 'specified completions');
  if (indexes !== undefined) atMost(total, 'indexes in the specified succeededIndexes field');
}

/** Returns the number of indexes, 0 for a malformed list. */
function validateIndexesFormat(
  indexes: string | undefined,
  completions: number,
  at: FieldPath,
): number {
  if (indexes === undefined) return 0;
  validateMaxBytes(indexes, MAX_INDEXES_BYTES, at);
  const total = countIndexes(indexes, completions);
  if (typeof total === 'number') return total;
  at.invalid(indexes, `error parsing succeededIndexes: ${total}`);
  return 0;
}

/** Returns the number of indexes, or the error. Ports validateIndexesFormat (pkg/apis/batch/validation/validation.go). */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const interval = parseIndexInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const [first, end] = interval;
    if (last !== undefined && last >= first) return notIncreasing(last, first);
    total += end - first + 1;
    last = end;
  }
  return total;
}

/** Ports parseIndexInterval (pkg/apis/batch/validation/validation.go). */
function parseIndexInterval(
  text: string,
  completions: number,
): readonly [first: number, end: number] | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const [first = 0, end = first] = limits.map(Number);
  for (const limit of limits) {
    const problem = indexProblem(limit, completions);
    if (problem !== undefined) return problem;
  }
  if (limits.length > 1 && first >= end) return notIncreasing(first, end);
  return [first, end];
}

function indexProblem(text: string, completions: number): string | undefined {
  const inRange = Math.abs(Number(text)) < 2 ** 63;
  if (!/^[+-]?\d+$/.test(text) || !inRange) {
    return `cannot convert string to integer for index: ${goQuote(text)}`;
  }
  return Number(text) >= completions ? `too large index: ${goQuote(text)}` : undefined;
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
