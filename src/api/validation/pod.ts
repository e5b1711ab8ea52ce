import { type FieldError, forbidden } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateContainerOnlyForPod } from './containers.js';
import {
  validateAppArmorAnnotationsAndFields,
  validateSeccompAnnotationsAndFields,
} from './matching-annotations.js';
import {
  nameIsDNSSubdomain,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
} from './object-meta.js';
import { validatePodSpecificAnnotations } from './pod-annotations.js';
import { validatePodSpec } from './pod-spec.js';

/** Ports ValidatePodCreate (pkg/apis/core/validation/validation.go). */
export function validatePodCreate(pod: Decoded<'Pod'>): FieldError[] {
  const { metadata = {}, spec = {} } = pod;
  const errors = [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validatePodSpecificAnnotations(metadata.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, metadata.name ?? '', 'spec'),
    ...validateTokenProjections(spec),
  ];
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, index) => {
      errors.push(...validateContainerOnlyForPod(container, `spec.${list}[${index}]`));
    });
  }
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (spec.nodeName !== undefined && (spec.schedulingGates ?? []).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    errors.push(forbidden('spec.nodeName', detail));
  }
  return [
    ...errors,
    ...validateSeccompAnnotationsAndFields(metadata.annotations, spec, 'spec'),
    ...validateAppArmorAnnotationsAndFields(metadata.annotations, spec, 'spec'),
  ];
}

/** In a pod without a service account there is nobody whose token could be projected. */
function validateTokenProjections(spec: Decoded<'PodSpec'>): FieldError[] {
  if ((spec.serviceAccountName ?? spec.serviceAccount) !== undefined) return [];
  const detail = 'must not be specified when serviceAccountName is not set';
  return (spec.volumes ?? []).flatMap((volume, index) =>
    (volume.projected?.sources ?? []).flatMap((source, sourceIndex) => {
      if (source.serviceAccountToken === undefined) return [];
      const at = `spec.volumes[${index}].projected.sources[${sourceIndex}]`;
      return [forbidden(`${at}.serviceAccountToken`, detail)];
    }),
  );
}

/** Ports ValidatePodTemplateSpec (pkg/apis/core/validation/validation.go). */
export function validatePodTemplateSpec(
  template: Decoded<'PodTemplateSpec'>,
  path: string,
): FieldError[] {
  const { metadata = {}, spec = {} } = template;
  const errors = [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validatePodSpecificAnnotations(metadata.annotations, spec, `${path}.annotations`),
    ...validatePodSpec(spec, undefined, `${path}.spec`),
    ...validateSeccompAnnotationsAndFields(metadata.annotations, spec, `${path}.spec`),
    ...validateAppArmorAnnotationsAndFields(metadata.annotations, spec, `${path}.spec`),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, detail));
  }
  return errors;
}
