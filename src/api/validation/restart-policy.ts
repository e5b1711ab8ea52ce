import { type FieldError, notSupported, required, tooMany } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';

type Container = Decoded<'Container'>;
type Rule = Decoded<'ContainerRestartRule'>;

const CONTAINER_POLICIES = ['Always', 'Never', 'OnFailure'];
const POD_POLICIES = ['Always', 'OnFailure', 'Never'];
const RULE_ACTIONS = ['Restart', 'RestartAllContainers'];
const EXIT_CODE_OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

/** Ports validateRestartPolicy (pkg/apis/core/validation/validation.go). */
export function validateRestartPolicy(policy: string | undefined, path: string): FieldError[] {
  if (policy === undefined) return [required(path)];
  return POD_POLICIES.includes(policy) ? [] : [notSupported(path, policy, POD_POLICIES)];
}

/** Ports validateContainerRestartPolicy (pkg/apis/core/validation/validation.go). */
export function validateContainerRestartPolicy(container: Container, path: string): FieldError[] {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  const errors: FieldError[] = [];
  if (policy === undefined) {
    if (rules.length === 0) return [];
    errors.push(requiredWithRules(path));
  } else if (!CONTAINER_POLICIES.includes(policy)) {
    errors.push(notSupported(`${path}.restartPolicy`, policy, CONTAINER_POLICIES));
  }
  if (rules.length > MAX_RULES) {
    errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, MAX_RULES));
  }
  rules.forEach((rule, index) => {
    errors.push(...validateRule(rule, `${path}.restartPolicyRules[${index}]`));
  });
  return errors;
}

/** Ports validateInitContainerRestartPolicy (pkg/apis/core/validation/validation.go). */
export function validateInitContainerRestartPolicy(
  container: Container,
  path: string,
): FieldError[] {
  if (container.restartPolicy !== undefined) return validateContainerRestartPolicy(container, path);
  return (container.restartPolicyRules ?? []).length > 0 ? [requiredWithRules(path)] : [];
}

function requiredWithRules(path: string): FieldError {
  const detail = 'must specify restartPolicy when restart rules are used';
  return required(`${path}.restartPolicy`, detail);
}

function validateRule(rule: Rule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const action = rule.action ?? '';
  if (!RULE_ACTIONS.includes(action)) {
    errors.push(notSupported(`${path}.action`, action, RULE_ACTIONS));
  }
  if (rule.exitCodes === undefined) {
    return [...errors, required(`${path}.exitCodes`, 'must be specified')];
  }
  const { operator = '', values = [] } = rule.exitCodes;
  if (!EXIT_CODE_OPERATORS.includes(operator)) {
    errors.push(notSupported(`${path}.exitCodes.operator`, operator, EXIT_CODE_OPERATORS));
  }
  if (values.length > MAX_EXIT_CODES) {
    errors.push(tooMany(`${path}.exitCodes.values`, values.length, MAX_EXIT_CODES));
  }
  return errors;
}
