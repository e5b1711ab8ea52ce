import { goQuote } from '../../../go/quote.js';
import type { Decoded } from '../../schema/decoded.js';
import { validateMaxItems, validateQualifiedName, validateSupported } from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';

type JobSpec = Decoded<'JobSpec'>;
type Rule = Decoded<'PodFailurePolicyRule'>;
type ExitCodes = Decoded<'PodFailurePolicyOnExitCodesRequirement'>;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

/** Ports validatePodFailurePolicy (pkg/apis/batch/validation/validation.go). */
export function validatePodFailurePolicy(spec: JobSpec, at: FieldPath): void {
  if (spec.podFailurePolicy === undefined) return;
  const { rules = [] } = spec.podFailurePolicy;
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name = '' }) => name);
  validateMaxItems(rules, MAX_RULES, at.child('rules'));
  at.child('rules').each(rules, (rule, ruleAt) => {
    validateAction(rule.action, spec, ruleAt.child('action'));
    if (rule.onExitCodes) {
      validateOnExitCodes(rule.onExitCodes, ruleAt.child('onExitCodes'), names);
    }
    validateOnPodConditions(rule, ruleAt.child('onPodConditions'));
    validateOneRequirement(rule, ruleAt);
  });
}

/** A choice that has to be made; the message lists the values when it is missing. */
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

function validateOneRequirement(rule: Rule, at: FieldPath): void {
  const hasConditions = (rule.onPodConditions ?? []).length > 0;
  if ((rule.onExitCodes !== undefined) !== hasConditions) return;
  const detail = hasConditions
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  at.invalidWhole(detail);
}

/** Ports validatePodFailurePolicyRuleOnPodConditions (pkg/apis/batch/validation/validation.go). */
function validateOnPodConditions({ onPodConditions: patterns = [] }: Rule, at: FieldPath): void {
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
    if (operator === 'In' && code === 0) {
      codeAt.invalid(code, 'must not be 0 for the In operator');
    }
    if (codes.indexOf(code) < index) codeAt.duplicate(code);
  });
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code);
  if (!isOrdered) at.invalid(asJson(codes), 'must be ordered');
}
