import { goQuote } from '../../go/quote.js';
import {
  asJson,
  duplicate,
  type FieldError,
  invalid,
  invalidWhole,
  notSupported,
  required,
  tooMany,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateQualifiedName } from './common.js';

type JobSpec = Decoded<'JobSpec'>;
type Rule = Decoded<'PodFailurePolicyRule'>;
type ExitCodes = Decoded<'PodFailurePolicyOnExitCodesRequirement'>;
type Pattern = Decoded<'PodFailurePolicyOnPodConditionsPattern'>;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

/** Ports validatePodFailurePolicy (pkg/apis/batch/validation/validation.go). */
export function validatePodFailurePolicy(spec: JobSpec, path: string): FieldError[] {
  if (spec.podFailurePolicy === undefined) return [];
  const { rules = [] } = spec.podFailurePolicy;
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name = '' }) => name);
  return [
    ...tooManyOf(rules, MAX_RULES, `${path}.rules`),
    ...rules.flatMap((rule, index) => {
      const at = `${path}.rules[${index}]`;
      return [
        ...validateAction(rule.action, spec, `${at}.action`),
        ...validateOnExitCodes(rule.onExitCodes, `${at}.onExitCodes`, names),
        ...validateOnPodConditions(rule.onPodConditions, `${at}.onPodConditions`),
        ...validateOneRequirement(rule, at),
      ];
    }),
  ];
}

function tooManyOf(list: readonly unknown[], most: number, path: string): FieldError[] {
  return list.length > most ? [tooMany(path, list.length, most)] : [];
}

/** An empty value is missing, another has to be one of those that are supported. */
function validateChoice(value: string, supported: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path, `valid values: [${supported.map(goQuote).join(' ')}]`)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateAction(action = '', spec: JobSpec, path: string): FieldError[] {
  if (action !== 'FailIndex' || spec.backoffLimitPerIndex !== undefined) {
    return validateChoice(action, ACTIONS, path);
  }
  return [invalid(path, asJson(action), 'requires the backoffLimitPerIndex to be set')];
}

function validateOneRequirement(rule: Rule, path: string): FieldError[] {
  const hasConditions = (rule.onPodConditions ?? []).length > 0;
  if ((rule.onExitCodes !== undefined) !== hasConditions) return [];
  const detail = hasConditions
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  return [invalidWhole(path, detail)];
}

/** Ports validatePodFailurePolicyRuleOnPodConditions (pkg/apis/batch/validation/validation.go). */
function validateOnPodConditions(patterns: readonly Pattern[] = [], path: string): FieldError[] {
  return [
    ...tooManyOf(patterns, MAX_PATTERNS, path),
    ...patterns.flatMap(({ type = '', status = '' }, index) => [
      ...validateQualifiedName(type, `${path}[${index}].type`),
      ...validateChoice(status, STATUSES, `${path}[${index}].status`),
    ]),
  ];
}

/** Ports validatePodFailurePolicyRuleOnExitCodes (pkg/apis/batch/validation/validation.go). */
function validateOnExitCodes(
  requirement: ExitCodes | undefined,
  path: string,
  names: readonly string[],
): FieldError[] {
  if (requirement === undefined) return [];
  const { operator = '', containerName } = requirement;
  const errors = validateChoice(operator, OPERATORS, `${path}.operator`);
  if (containerName !== undefined && !names.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${path}.containerName`, containerName, detail));
  }
  return [...errors, ...validateExitCodes(requirement, `${path}.values`)];
}

function validateExitCodes({ operator, values }: ExitCodes, path: string): FieldError[] {
  const codes = values ?? [];
  const errors =
    codes.length === 0
      ? [invalid(path, asJson(values ?? null), 'at least one value is required')]
      : tooManyOf(codes, MAX_EXIT_CODES, path);
  for (const [index, code] of codes.entries()) {
    const at = `${path}[${index}]`;
    if (operator === 'In' && code === 0) {
      errors.push(invalid(at, code, 'must not be 0 for the In operator'));
    }
    if (codes.indexOf(code) < index) errors.push(duplicate(at, code));
  }
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code);
  return isOrdered ? errors : [...errors, invalid(path, asJson(codes), 'must be ordered')];
}
