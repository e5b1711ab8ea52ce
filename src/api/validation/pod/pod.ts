/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import type { Decoded } from '../../schema/decoded.js';
import type { FieldPath } from '../common/field-error.js';
import { validateContainerOnlyForPod } from '../containers/containers.js';
import { validateAnnotations, validateLabels, validateObjectMeta } from '../meta/object-meta.js';
import {
  validateAppArmorAnnotationsAndFields,
  validatePodSpecificAnnotations,
  validateSeccompAnnotationsAndFields,
} from './pod-annotations.js';
import { validatePodSpec } from './pod-spec.js';

type PodSpec = Decoded<'PodSpec'>;

export function validatePodCreate(pod: Decoded<'Pod'>, at: FieldPath): void {
  const { metadata = {}, spec = {} } = pod;
  const { annotations, name = '' } = metadata;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validatePodSpecificAnnotations(annotations, spec, at.child('metadata.annotations'));
  validatePodSpec(spec, name, specAt);
  validateTokenProjections(spec, specAt.child('volumes'));
  specAt.child('containers').each(spec.containers, validateContainerOnlyForPod);
  specAt.child('initContainers').each(spec.initContainers, validateContainerOnlyForPod);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    specAt.child('ephemeralContainers').forbidden('cannot be set on create');
  }
  if (spec.nodeName !== undefined && (spec.schedulingGates ?? []).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    specAt.child('nodeName').forbidden(detail);
  }
  validateSeccompAnnotationsAndFields(annotations, spec, specAt);
  validateAppArmorAnnotationsAndFields(annotations, spec, specAt);
}

/** A pod without a service account has no token to project. */
function validateTokenProjections(spec: PodSpec, at: FieldPath): void {
  if ((spec.serviceAccountName ?? spec.serviceAccount) !== undefined) return;
  at.each(spec.volumes, ({ projected }, volumeAt) => {
    volumeAt.child('projected.sources').each(projected?.sources, (source, sourceAt) => {
      if (source.serviceAccountToken === undefined) return;
      const detail = 'must not be specified when serviceAccountName is not set';
      sourceAt.child('serviceAccountToken').forbidden(detail);
    });
  });
}

export function validatePodTemplateSpec(
  { metadata = {}, spec = {} }: Decoded<'PodTemplateSpec'>,
  at: FieldPath,
): void {
  const { labels, annotations } = metadata;
  const specAt = at.child('spec');
  validateLabels(labels, at.child('labels'));
  validateAnnotations(annotations, at.child('annotations'));
  validatePodSpecificAnnotations(annotations, spec, at.child('annotations'));
  validatePodSpec(spec, undefined, specAt);
  validateSeccompAnnotationsAndFields(annotations, spec, specAt);
  validateAppArmorAnnotationsAndFields(annotations, spec, specAt);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    specAt.child('ephemeralContainers').forbidden(detail);
  }
}
