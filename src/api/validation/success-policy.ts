import { goQuote } from '../../go/quote.js';
import {
  asStruct,
  type FieldError,
  invalid,
  type JsonText,
  required,
  tooLong,
  tooMany,
} from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';

type SuccessPolicy = Decoded<'SuccessPolicy'>;
type Rule = Decoded<'SuccessPolicyRule'>;

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

/** What ValidateJobSpec says of a success policy; ports validateSuccessPolicy (pkg/apis/batch/validation/validation.go). */
export function validateSuccessPolicy(spec: Decoded<'JobSpec'>, path: string): FieldError[] {
  const { successPolicy, completionMode, completions } = spec;
  if (successPolicy === undefined) return [];
  if (completionMode !== 'Indexed') {
    return [invalid(path, showPolicy(successPolicy), 'requires indexed completion mode')];
  }
  // The server goes down on an indexed job without completions; the job is wrong for that already.
  if (completions === undefined) return [];
  const { rules = [] } = successPolicy;
  const at = `${path}.rules`;
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(required(at, detail));
  }
  if (rules.length > MAX_RULES) errors.push(tooMany(at, rules.length, MAX_RULES));
  return [
    ...errors,
    ...rules.flatMap((rule, index) => validateRule(rule, completions, `${at}[${index}]`)),
  ];
}

function showPolicy({ rules }: SuccessPolicy): JsonText {
  const shown = rules?.map(({ succeededIndexes, succeededCount }) =>
    asStruct({ SucceededIndexes: succeededIndexes, SucceededCount: succeededCount }),
  );
  const list = shown === undefined ? 'null' : `[${shown.map(({ json }) => json).join(',')}]`;
  return asStruct({ Rules: { json: list } });
}

/** Ports validateSuccessPolicyRule (pkg/apis/batch/validation/validation.go). */
function validateRule(rule: Rule, completions: number, path: string): FieldError[] {
  const { succeededIndexes, succeededCount } = rule;
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified';
    errors.push(required(path, detail));
  }
  const indexes = countIndexes(succeededIndexes ?? '', completions);
  if (succeededIndexes !== undefined) {
    const at = `${path}.succeededIndexes`;
    if (byteLength(succeededIndexes) > MAX_INDEXES_BYTES) {
      errors.push(tooLong(at, MAX_INDEXES_BYTES));
    }
    if (typeof indexes === 'string') {
      errors.push(invalid(at, succeededIndexes, `error parsing succeededIndexes: ${indexes}`));
    }
  }
  if (succeededCount === undefined) return errors;
  const at = `${path}.succeededCount`;
  errors.push(...validateNonnegativeField(succeededCount, at));
  if (succeededCount > completions) {
    errors.push(invalid(at, succeededCount, atMost(completions, 'specified completions')));
  }
  const total = typeof indexes === 'string' ? 0 : indexes;
  if (succeededIndexes !== undefined && succeededCount > total) {
    const what = 'indexes in the specified succeededIndexes field';
    errors.push(invalid(at, succeededCount, atMost(total, what)));
  }
  return errors;
}

function atMost(most: number, what: string): string {
  return `must be less than or equal to ${most} (the number of ${what})`;
}

/** How many indexes there are, or what is wrong. Ports validateIndexesFormat (pkg/apis/batch/validation/validation.go). */
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
