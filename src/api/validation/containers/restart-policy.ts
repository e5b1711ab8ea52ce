import type { Decoded } from '../../schema/decoded.js';
import { validateMaxItems, validateSupported, validateSupportedIfSet } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';

type Container = Decoded<'Container'>;

const POLICIES = ['Always', 'Never', 'OnFailure'];
const RULE_ACTIONS = ['Restart', 'RestartAllContainers'];
const EXIT_CODE_OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

/** Ports validateContainerRestartPolicy (pkg/apis/core/validation/validation.go). */
export function validateContainerRestartPolicy(container: Container, at: FieldPath): void {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  validateRulesHavePolicy(container, at);
  validateSupportedIfSet(restartPolicy, POLICIES, at.child('restartPolicy'));
  validateMaxItems(rules, MAX_RULES, at.child('restartPolicyRules'));
  at.child('restartPolicyRules').each(rules, validateRule);
}

/** Ports validateInitContainerRestartPolicy (pkg/apis/core/validation/validation.go). */
export function validateInitContainerRestartPolicy(container: Container, at: FieldPath): void {
  if (container.restartPolicy === undefined) validateRulesHavePolicy(container, at);
  else validateContainerRestartPolicy(container, at);
}

function validateRulesHavePolicy(
  { restartPolicy, restartPolicyRules = [] }: Container,
  at: FieldPath,
): void {
  if (restartPolicy !== undefined || restartPolicyRules.length === 0) return;
  at.child('restartPolicy').required('must specify restartPolicy when restart rules are used');
}

function validateRule({ action, exitCodes }: Decoded<'ContainerRestartRule'>, at: FieldPath): void {
  const codesAt = at.child('exitCodes');
  validateSupported(action, RULE_ACTIONS, at.child('action'));
  if (exitCodes === undefined) return codesAt.required('must be specified');
  validateSupported(exitCodes.operator, EXIT_CODE_OPERATORS, codesAt.child('operator'));
  validateMaxItems(exitCodes.values ?? [], MAX_EXIT_CODES, codesAt.child('values'));
}
