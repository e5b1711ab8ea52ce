import {
  asJson,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import {
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
} from './label-selector.js';
import { validatePodTemplateSpec } from './pod.js';

type Template = Decoded<'PodTemplateSpec'>;
type LabelSelector = Decoded<'LabelSelector'>;

/** The error of a selector that does not select the pods that its own template makes. */
export function mismatch(template: Template, path: string): FieldError {
  const labels = asJson(template.metadata?.labels ?? null);
  return invalid(`${path}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

/** What Deployments, ReplicaSets and StatefulSets ask of a selector; `kind` is what the server calls them. */
export function validateRequiredSelector(
  selector: LabelSelector | undefined,
  kind: string,
  path: string,
): FieldError[] {
  if (selector === undefined) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  if (isEmptySelector(selector)) {
    errors.push(invalid(path, showSelector(selector), `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** A workload that keeps its pods running: they restart always and have no deadline. */
export function validateAlwaysRestarted(
  template: Template | undefined,
  kind: string,
  path: string,
): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  const errors: FieldError[] = [];
  if (restartPolicy !== 'Always') {
    errors.push(notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, detail));
  }
  return errors;
}

/** Ports ValidatePodTemplateSpecForReplicaSet (pkg/apis/apps/validation/validation.go), the selector's check before it. */
export function validatePodTemplateSpecForReplicaSet(
  template: Template,
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  if (!isUsableSelector(selector)) {
    const selectorPath = path.replace(/template$/, 'selector');
    return [invalid(selectorPath, showSelector(selector), 'invalid label selector')];
  }
  const everything = selector !== undefined && isEmptySelector(selector);
  const matches = everything || selectorMatches(selector, template.metadata?.labels ?? {});
  return [
    ...(matches ? [] : [mismatch(template, path)]),
    ...validatePodTemplateSpec(template, path),
    ...validateAlwaysRestarted(template, 'ReplicaSet', path),
  ];
}
