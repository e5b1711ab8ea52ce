import { type FieldError, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';
import { selectorMatches } from './label-selector.js';
import { nameIsDNSSubdomain, validateObjectMeta } from './object-meta.js';
import { validatePodTemplateSpec } from './pod.js';
import {
  mismatch,
  validateAlwaysRestarted,
  validatePodTemplateSpecForReplicaSet,
  validateRequiredSelector,
} from './template.js';

/** Ports ValidateReplicaSet and ValidateReplicaSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateReplicaSet(replicaSet: Decoded<'ReplicaSet'>): FieldError[] {
  const { metadata = {}, spec = {} } = replicaSet;
  return [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateNonnegativeField(spec.replicas ?? 0, 'spec.replicas'),
    ...validateNonnegativeField(spec.minReadySeconds ?? 0, 'spec.minReadySeconds'),
    // The server's own slip: its message speaks of a deployment.
    ...validateRequiredSelector(spec.selector, 'deployment', 'spec.selector'),
    ...validatePodTemplateSpecForReplicaSet(spec.template ?? {}, spec.selector, 'spec.template'),
  ];
}

/** Ports ValidateReplicationController (pkg/apis/core/validation/validation.go). */
export function validateReplicationController(
  controller: Decoded<'ReplicationController'>,
): FieldError[] {
  const { metadata = {}, spec = {} } = controller;
  const { selector = {}, template } = spec;
  const errors = [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateNonnegativeField(spec.minReadySeconds ?? 0, 'spec.minReadySeconds'),
  ];
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) errors.push(required('spec.selector'));
  errors.push(...validateNonnegativeField(spec.replicas ?? 0, 'spec.replicas'));
  if (template === undefined) return [...errors, required('spec.template')];
  const matches =
    isEmpty || selectorMatches({ matchLabels: selector }, template.metadata?.labels ?? {});
  return [
    ...errors,
    ...(matches ? [] : [mismatch(template, 'spec.template')]),
    ...validatePodTemplateSpec(template, 'spec.template'),
    ...validateAlwaysRestarted(template, 'ReplicationController', 'spec.template'),
  ];
}

/** Ports ValidatePodTemplate (pkg/apis/core/validation/validation.go). */
export function validatePodTemplate(podTemplate: Decoded<'PodTemplate'>): FieldError[] {
  const { metadata = {}, template = {} } = podTemplate;
  return [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validatePodTemplateSpec(template, 'template'),
  ];
}
