/* Ported from pkg/apis/batch/validation/validation.go, with its names. */

import { goQuote } from '../../../go/quote.js';
import { asInternal } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateMaxBytes,
  validateMaxItems,
  validateNonnegativeField,
  validateQualifiedName,
  validateSupported,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';

type SuccessRule = Decoded<v1.SuccessPolicyRule>;

const MAX_SUCCESS_RULES = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

/** Ports validateSuccessPolicy (pkg/apis/batch/validation/validation.go), and the conditions of its callers. */
export function validateSuccessPolicy(spec: Decoded<v1.JobSpec>, at: FieldPath): void {
  const { successPolicy, completionMode, completions } = spec;
  if (successPolicy === undefined) return;
  if (completionMode !== 'Indexed') {
    return at.invalid(
      asInternal(successPolicy, 'SuccessPolicy'),
      'requires indexed completion mode',
    );
  }
  // The server panics on an indexed job without completions, which is an error anyway.
  if (completions === undefined) return;
  const { rules = [] } = successPolicy;
  const rulesAt = at.child('rules');
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    rulesAt.required(detail);
  }
  validateMaxItems(rules, MAX_SUCCESS_RULES, rulesAt);
  rulesAt.each(rules, (rule, ruleAt) => validateSuccessPolicyRule(rule, completions, ruleAt));
}

function validateSuccessPolicyRule(rule: SuccessRule, completions: number, at: FieldPath): void {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (count === undefined && indexes === undefined) {
    at.required('at least one of succeededCount or succeededIndexes must be specified');
  }
  const total = validateIndexesFormat(indexes, completions, at.child('succeededIndexes'));
  if (count === undefined) return;
  const countAt = at.child('succeededCount');
  const atMost = (limit: number, counted: string): void => {
    if (count <= limit) return;
    countAt.invalid(count, `must be less than or equal to ${limit} (the number of ${counted})`);
  };
  validateNonnegativeField(count, countAt);
  atMost(completions, 'specified completions');
  if (indexes !== undefined) atMost(total, 'indexes in the specified succeededIndexes field');
}

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

type JobSpec = Decoded<v1.JobSpec>;
type FailureRule = Decoded<v1.PodFailurePolicyRule>;
type ExitCodes = Decoded<v1.PodFailurePolicyOnExitCodesRequirement>;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const MAX_FAILURE_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

export function validatePodFailurePolicy(spec: JobSpec, at: FieldPath): void {
  if (spec.podFailurePolicy === undefined) return;
  const { rules = [] } = spec.podFailurePolicy;
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name = '' }) => name);
  validateMaxItems(rules, MAX_FAILURE_RULES, at.child('rules'));
  at.child('rules').each(rules, (rule, ruleAt) => {
    validateAction(rule.action, spec, ruleAt.child('action'));
    if (rule.onExitCodes) validateOnExitCodes(rule.onExitCodes, ruleAt.child('onExitCodes'), names);
    validateOnPodConditions(rule, ruleAt.child('onPodConditions'));
    validateOneRequirement(rule, ruleAt);
  });
}

/** Validates a required enumeration; the error about a missing value lists the supported ones. */
function validateChoice(value: string, supported: readonly string[], at: FieldPath): void {
  if (value === '') at.required(`valid values: [${supported.map(goQuote).join(' ')}]`);
  else validateSupported(value, supported, at);
}

function validateAction(action = '', spec: JobSpec, at: FieldPath): void {
  if (action !== 'FailIndex' || spec.backoffLimitPerIndex !== undefined) {
    validateChoice(action, ACTIONS, at);
  } else {
    at.invalid(asJson(action), 'requires the backoffLimitPerIndex to be set');
  }
}

function validateOneRequirement(rule: FailureRule, at: FieldPath): void {
  const hasConditions = (rule.onPodConditions ?? []).length > 0;
  if ((rule.onExitCodes !== undefined) !== hasConditions) return;
  const detail = hasConditions
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  at.invalidWithoutValue(detail);
}

/** Ports validatePodFailurePolicyRuleOnPodConditions (pkg/apis/batch/validation/validation.go). */
function validateOnPodConditions(
  { onPodConditions: patterns = [] }: FailureRule,
  at: FieldPath,
): void {
  validateMaxItems(patterns, MAX_PATTERNS, at);
  at.each(patterns, ({ type = '', status = '' }, patternAt) => {
    validateQualifiedName(type, patternAt.child('type'));
    validateChoice(status, STATUSES, patternAt.child('status'));
  });
}

/** Ports validatePodFailurePolicyRuleOnExitCodes (pkg/apis/batch/validation/validation.go). */
function validateOnExitCodes(
  requirement: ExitCodes,
  at: FieldPath,
  names: readonly string[],
): void {
  const { operator = '', containerName } = requirement;
  validateChoice(operator, OPERATORS, at.child('operator'));
  if (containerName !== undefined && !names.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    at.child('containerName').invalid(containerName, detail);
  }
  validateExitCodes(requirement, at.child('values'));
}

function validateExitCodes({ operator, values }: ExitCodes, at: FieldPath): void {
  const codes = values ?? [];
  if (codes.length === 0) at.invalid(asJson(values ?? null), 'at least one value is required');
  validateMaxItems(codes, MAX_EXIT_CODES, at);
  at.each(codes, (code, codeAt, index) => {
    if (operator === 'In' && code === 0) codeAt.invalid(code, 'must not be 0 for the In operator');
    if (codes.indexOf(code) < index) codeAt.duplicate(code);
  });
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code);
  if (!isOrdered) at.invalid(asJson(codes), 'must be ordered');
}
