import type { Decoded } from '../../schema/decoded.js';
import { validateNonnegativeField } from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { regexError } from '../common/formats.js';
import {
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
} from '../meta/label-selector.js';
import { validatePodTemplateSpec } from '../pod/pod.js';

type Template = Decoded<'PodTemplateSpec'>;
type LabelSelector = Decoded<'LabelSelector'>;
type IntOrString = number | string;

/** The selector of a workload that has to have one; `kind` is the server's word for the workload. */
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

/** The selector of a workload has to select the pods of its own template. */
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

/** A workload that keeps its pods running: they restart always and have no deadline. */
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

/** Ports ValidatePodTemplateSpecForReplicaSet (pkg/apis/apps/validation/validation.go), the selector's check before it. */
export function validatePodTemplateSpecForReplicaSet(
  {
    selector,
    template = {},
  }: {
    readonly selector?: LabelSelector | undefined;
    readonly template?: Template | undefined;
  },
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

/** Ports ValidatePositiveIntOrPercent (pkg/apis/apps/validation/validation.go). */
export function validatePositiveIntOrPercent(value: IntOrString, at: FieldPath): void {
  if (typeof value === 'number') return validateNonnegativeField(value, at);
  if (percentOf(value) !== undefined) return;
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  at.invalid(asJson(value), regexError(message, PERCENT, '1%', '93%'));
}

/** Ports IsNotMoreThan100Percent (pkg/apis/apps/validation/validation.go). */
export function isNotMoreThan100Percent(value: IntOrString, at: FieldPath): void {
  const percent = typeof value === 'string' ? percentOf(value) : undefined;
  if (percent !== undefined && percent > 100) {
    at.invalid(asJson(value), 'must not be greater than 100%');
  }
}

/** Ports getIntOrPercentValue (pkg/apis/apps/validation/validation.go). */
export function getIntOrPercentValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}

function percentOf(text: string): number | undefined {
  return /^[0-9]+%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
