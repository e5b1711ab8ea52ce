/*
 * Ported from pkg/apis/apps/validation/validation.go and
 * pkg/apis/core/validation/validation.go, with their names.
 */

import { asInternal } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { validateNonnegativeField, validateNonnegativeFields } from '../common/checks.js';
import { asJson, type FieldPath, type JsonText } from '../common/field-error.js';
import { regexError } from '../common/formats.js';
import {
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
  validateObjectMeta,
} from '../common/meta.js';
import { validatePodTemplateSpec } from '../pod/pod.js';

type RollingUpdate = Decoded<v1.RollingUpdateDeployment>;

const DEPLOYMENT_STRATEGIES = ['Recreate', 'RollingUpdate'];
const DAEMON_SET_STRATEGIES = ['RollingUpdate', 'OnDelete'];

/** Ports ValidateDeployment and ValidateDeploymentSpec (pkg/apis/apps/validation/validation.go). */
export function validateDeployment(
  { metadata = {}, spec = {} }: Decoded<v1.Deployment>,
  at: FieldPath,
): void {
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validateNonnegativeField(spec.replicas, specAt.child('replicas'));
  validateRequiredSelector(spec.selector, 'deployment', specAt.child('selector'));
  validatePodTemplateSpecForReplicaSet(spec, specAt);
  validateDeploymentStrategy(spec.strategy ?? {}, specAt.child('strategy'));
  validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], specAt);
  if (deadline === undefined) return;
  const deadlineAt = specAt.child('progressDeadlineSeconds');
  validateNonnegativeField(deadline, deadlineAt);
  if (deadline <= minReadySeconds) {
    deadlineAt.invalid(deadline, 'must be greater than minReadySeconds');
  }
}

function validateDeploymentStrategy(
  { type = '', rollingUpdate }: Decoded<v1.DeploymentStrategy>,
  at: FieldPath,
): void {
  if (!DEPLOYMENT_STRATEGIES.includes(type)) {
    return at.notSupported(showStrategy(type, rollingUpdate), DEPLOYMENT_STRATEGIES);
  }
  if (rollingUpdate === undefined) return;
  const updateAt = at.child('rollingUpdate');
  if (type === 'RollingUpdate') validateRollingUpdateDeployment(rollingUpdate, updateAt);
  else updateAt.forbidden("may not be specified when strategy `type` is 'Recreate'");
}

function showStrategy(type: string, update: RollingUpdate | undefined): JsonText {
  const rollingUpdate = update && { maxUnavailable: 0, maxSurge: 0, ...update };
  return asInternal({ type, rollingUpdate }, 'DeploymentStrategy');
}

function validateRollingUpdateDeployment(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdate,
  at: FieldPath,
): void {
  const unavailableAt = at.child('maxUnavailable');
  validatePositiveIntOrPercent(maxUnavailable, unavailableAt);
  validatePositiveIntOrPercent(maxSurge, at.child('maxSurge'));
  if (getIntOrPercentValue(maxUnavailable) === 0 && getIntOrPercentValue(maxSurge) === 0) {
    unavailableAt.invalid(asJson(maxUnavailable), 'may not be 0 when `maxSurge` is 0');
  }
  isNotMoreThan100Percent(maxUnavailable, unavailableAt);
}

/** Ports ValidateDaemonSet and ValidateDaemonSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateDaemonSet(
  { metadata = {}, spec = {} }: Decoded<v1.DaemonSet>,
  at: FieldPath,
): void {
  const { selector, template = {} } = spec;
  const specAt = at.child('spec');
  const templateAt = specAt.child('template');
  validateObjectMeta(metadata, at.child('metadata'));
  validateLabelSelector(selector, specAt.child('selector'));
  if (isUsableSelector(selector)) validateSelectorMatches(selector, template, templateAt);
  if (selector !== undefined && isEmptySelector(selector)) {
    const detail = 'empty selector is invalid for daemonset';
    specAt.child('selector').invalid(showSelector(selector), detail);
  }
  validatePodTemplateSpec(template, templateAt);
  validateAlwaysRestarted(template, 'DaemonSet', templateAt);
  validateNonnegativeField(spec.minReadySeconds, specAt.child('minReadySeconds'));
  validateDaemonSetUpdateStrategy(spec.updateStrategy ?? {}, specAt.child('updateStrategy'));
  validateNonnegativeField(spec.revisionHistoryLimit, specAt.child('revisionHistoryLimit'));
}

function validateDaemonSetUpdateStrategy(
  { type = '', rollingUpdate }: Decoded<v1.DaemonSetUpdateStrategy>,
  at: FieldPath,
): void {
  if (!DAEMON_SET_STRATEGIES.includes(type)) {
    return at.notSupported(showStrategy(type, rollingUpdate), DAEMON_SET_STRATEGIES);
  }
  if (type === 'OnDelete') return;
  const updateAt = at.child('rollingUpdate');
  if (rollingUpdate === undefined) updateAt.required();
  else validateRollingUpdateDaemonSet(rollingUpdate, updateAt);
}

function validateRollingUpdateDaemonSet(
  { maxUnavailable = 0, maxSurge = 0 }: Decoded<v1.RollingUpdateDaemonSet>,
  at: FieldPath,
): void {
  const unavailableAt = at.child('maxUnavailable');
  const surgeAt = at.child('maxSurge');
  validatePositiveIntOrPercent(maxUnavailable, unavailableAt);
  validatePositiveIntOrPercent(maxSurge, surgeAt);
  isNotMoreThan100Percent(maxUnavailable, unavailableAt);
  isNotMoreThan100Percent(maxSurge, surgeAt);
  const hasUnavailable = getIntOrPercentValue(maxUnavailable) !== 0;
  const hasSurge = getIntOrPercentValue(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    surgeAt.invalid(asJson(maxSurge), 'may not be set when maxUnavailable is non-zero');
  }
  if (!hasUnavailable && !hasSurge) unavailableAt.required('cannot be 0 when maxSurge is 0');
}

/** Ports ValidateReplicaSet and ValidateReplicaSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateReplicaSet(
  { metadata = {}, spec = {} }: Decoded<v1.ReplicaSet>,
  at: FieldPath,
): void {
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], specAt);
  // The server's message says deployment here, too.
  validateRequiredSelector(spec.selector, 'deployment', specAt.child('selector'));
  validatePodTemplateSpecForReplicaSet(spec, specAt);
}

export function validateReplicationController(
  { metadata = {}, spec = {} }: Decoded<v1.ReplicationController>,
  at: FieldPath,
): void {
  const { selector = {}, template } = spec;
  const specAt = at.child('spec');
  const templateAt = specAt.child('template');
  const isEmpty = Object.keys(selector).length === 0;
  validateObjectMeta(metadata, at.child('metadata'));
  validateNonnegativeField(spec.minReadySeconds, specAt.child('minReadySeconds'));
  if (isEmpty) specAt.child('selector').required();
  validateNonnegativeField(spec.replicas, specAt.child('replicas'));
  if (template === undefined) return templateAt.required();
  validateSelectorMatches({ matchLabels: selector }, template, templateAt);
  validatePodTemplateSpec(template, templateAt);
  validateAlwaysRestarted(template, 'ReplicationController', templateAt);
}

export function validatePodTemplate(
  { metadata = {}, template = {} }: Decoded<v1.PodTemplate>,
  at: FieldPath,
): void {
  validateObjectMeta(metadata, at.child('metadata'));
  validatePodTemplateSpec(template, at.child('template'));
}

type Template = Decoded<v1.PodTemplateSpec>;
type LabelSelector = Decoded<v1.LabelSelector>;
type IntOrString = v1.IntOrString;

/** Validates a required selector; `kind` is the workload's name in the server's messages. */
export function validateRequiredSelector(
  selector: LabelSelector | undefined,
  kind: string,
  at: FieldPath,
): void {
  if (selector === undefined) return at.required();
  validateLabelSelector(selector, at);
  if (isEmptySelector(selector)) {
    at.invalid(showSelector(selector), `empty selector is invalid for ${kind}`);
  }
}

export function validateSelectorMatches(
  selector: LabelSelector | undefined,
  template: Template,
  at: FieldPath,
): void {
  const { labels } = template.metadata ?? {};
  if (selectorMatches(selector, labels ?? {})) return;
  const detail = '`selector` does not match template `labels`';
  at.child('metadata.labels').invalid(asJson(labels ?? null), detail);
}

/** Validates the pods of a workload that keeps them running: they always restart and have no deadline. */
export function validateAlwaysRestarted(
  { spec = {} }: Template = {},
  kind: string,
  at: FieldPath,
): void {
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  if (restartPolicy !== 'Always') {
    at.child('spec.restartPolicy').notSupported(restartPolicy, ['Always']);
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    at.child('spec.activeDeadlineSeconds').forbidden(detail);
  }
}

/** Ports ValidatePodTemplateSpecForReplicaSet (pkg/apis/apps/validation/validation.go), after the selector. */
function validatePodTemplateSpecForReplicaSet(
  { selector, template = {} }: Pick<Decoded<v1.ReplicaSetSpec>, 'selector' | 'template'>,
  at: FieldPath,
): void {
  const templateAt = at.child('template');
  if (!isUsableSelector(selector)) {
    return at.child('selector').invalid(showSelector(selector), 'invalid label selector');
  }
  validateSelectorMatches(selector, template, templateAt);
  validatePodTemplateSpec(template, templateAt);
  validateAlwaysRestarted(template, 'ReplicaSet', templateAt);
}

const PERCENT = '[0-9]+%';

export function validatePositiveIntOrPercent(value: IntOrString, at: FieldPath): void {
  if (typeof value === 'number') return validateNonnegativeField(value, at);
  if (percentOf(value) !== undefined) return;
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  at.invalid(asJson(value), regexError(message, PERCENT, '1%', '93%'));
}

export function isNotMoreThan100Percent(value: IntOrString, at: FieldPath): void {
  const percent = typeof value === 'string' ? percentOf(value) : undefined;
  if (percent !== undefined && percent > 100) {
    at.invalid(asJson(value), 'must not be greater than 100%');
  }
}

export function getIntOrPercentValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}

function percentOf(text: string): number | undefined {
  return /^[0-9]+%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
