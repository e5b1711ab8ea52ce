import { asJson, type FieldError, forbidden, invalid, notSupported } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';
import {
  intOrPercentValue,
  isNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from './int-or-percent.js';
import { nameIsDNSSubdomain, validateObjectMeta } from './object-meta.js';
import { showStrategy } from './show-strategy.js';
import { validatePodTemplateSpecForReplicaSet, validateRequiredSelector } from './template.js';

const STRATEGIES = ['Recreate', 'RollingUpdate'];

/** Ports ValidateDeployment and ValidateDeploymentSpec (pkg/apis/apps/validation/validation.go). */
export function validateDeployment(deployment: Decoded<'Deployment'>): FieldError[] {
  const { metadata = {}, spec = {} } = deployment;
  return [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateNonnegativeField(spec.replicas ?? 0, 'spec.replicas'),
    ...validateRequiredSelector(spec.selector, 'deployment', 'spec.selector'),
    ...validatePodTemplateSpecForReplicaSet(spec.template ?? {}, spec.selector, 'spec.template'),
    ...validateStrategy(spec.strategy ?? {}, 'spec.strategy'),
    ...validateNonnegativeField(spec.minReadySeconds ?? 0, 'spec.minReadySeconds'),
    ...validateNonnegativeField(spec.revisionHistoryLimit ?? 0, 'spec.revisionHistoryLimit'),
    ...validateProgressDeadline(spec),
  ];
}

/** Ports ValidateDeploymentStrategy (pkg/apis/apps/validation/validation.go). */
function validateStrategy(strategy: Decoded<'DeploymentStrategy'>, path: string): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  if (!STRATEGIES.includes(type)) {
    return [{ ...notSupported(path, type, STRATEGIES), message: unsupported(strategy, path) }];
  }
  if (rollingUpdate === undefined) return [];
  const at = `${path}.rollingUpdate`;
  if (type === 'RollingUpdate') return validateRollingUpdate(rollingUpdate, at);
  return [forbidden(at, "may not be specified when strategy `type` is 'Recreate'")];
}

/** The server shows the whole strategy, under the names of Go's fields. */
function unsupported(strategy: Decoded<'DeploymentStrategy'>, path: string): string {
  const { type = '', rollingUpdate } = strategy;
  const shown = showStrategy(type, rollingUpdate).json;
  return `${path}: Unsupported value: ${shown}: supported values: "Recreate", "RollingUpdate"`;
}

function validateRollingUpdate(
  update: Decoded<'RollingUpdateDeployment'>,
  path: string,
): FieldError[] {
  const { maxUnavailable = 0, maxSurge = 0 } = update;
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validatePositiveIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    const detail = 'may not be 0 when `maxSurge` is 0';
    errors.push(invalid(`${path}.maxUnavailable`, asJson(maxUnavailable), detail));
  }
  return [...errors, ...isNotMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`)];
}

function validateProgressDeadline(spec: Decoded<'DeploymentSpec'>): FieldError[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline === undefined) return [];
  const path = 'spec.progressDeadlineSeconds';
  const errors = validateNonnegativeField(deadline, path);
  if (deadline <= minReadySeconds) {
    errors.push(invalid(path, deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}
