import { asJson, type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';
import {
  intOrPercentValue,
  isNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from './int-or-percent.js';
import {
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
} from './label-selector.js';
import { nameIsDNSSubdomain, validateObjectMeta } from './object-meta.js';
import { validatePodTemplateSpec } from './pod.js';
import { showStrategy } from './show-strategy.js';
import { mismatch, validateAlwaysRestarted } from './template.js';

const STRATEGIES = ['RollingUpdate', 'OnDelete'];

/** Ports ValidateDaemonSet and ValidateDaemonSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateDaemonSet(daemonSet: Decoded<'DaemonSet'>): FieldError[] {
  const { metadata = {}, spec = {} } = daemonSet;
  const { selector, template = {} } = spec;
  return [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...validateSelection(selector, template),
    ...validatePodTemplateSpec(template, 'spec.template'),
    ...validateAlwaysRestarted(template, 'DaemonSet', 'spec.template'),
    ...validateNonnegativeField(spec.minReadySeconds ?? 0, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...validateNonnegativeField(spec.revisionHistoryLimit ?? 0, 'spec.revisionHistoryLimit'),
  ];
}

function validateSelection(
  selector: Decoded<'LabelSelector'> | undefined,
  template: Decoded<'PodTemplateSpec'>,
): FieldError[] {
  const errors: FieldError[] = [];
  const labels = template.metadata?.labels ?? {};
  if (isUsableSelector(selector) && !selectorMatches(selector, labels)) {
    errors.push(mismatch(template, 'spec.template'));
  }
  if (selector !== undefined && isEmptySelector(selector)) {
    const detail = 'empty selector is invalid for daemonset';
    errors.push(invalid('spec.selector', showSelector(selector), detail));
  }
  return errors;
}

/** Ports ValidateDaemonSetUpdateStrategy (pkg/apis/apps/validation/validation.go). */
function validateUpdateStrategy(
  strategy: Decoded<'DaemonSetUpdateStrategy'>,
  path: string,
): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = showStrategy(type, rollingUpdate).json;
    const error = notSupported(path, type, STRATEGIES);
    return [{ ...error, message: `${path}: Unsupported value: ${shown}: ${error.detail}` }];
  }
  if (rollingUpdate === undefined) return [required(`${path}.rollingUpdate`)];
  return validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`);
}

function validateRollingUpdate(
  update: Decoded<'RollingUpdateDaemonSet'>,
  path: string,
): FieldError[] {
  const { maxUnavailable = 0, maxSurge = 0 } = update;
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validatePositiveIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...isNotMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`),
    ...isNotMoreThan100Percent(maxSurge, `${path}.maxSurge`),
  ];
  const hasUnavailable = intOrPercentValue(maxUnavailable) !== 0;
  const hasSurge = intOrPercentValue(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const detail = 'may not be set when maxUnavailable is non-zero';
    errors.push(invalid(`${path}.maxSurge`, asJson(maxSurge), detail));
  }
  if (!hasUnavailable && !hasSurge) {
    errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}
