import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, invalid, notFound } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;

/** Ports validateFileKeyRefVolumes (pkg/apis/core/validation/validation.go): of two volumes of a name the last counts. */
export function validateFileKeyRefVolumes(spec: PodSpec, path: string): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  return containersWithPath(spec, path).flatMap(({ container, at }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      if (valueFrom?.fileKeyRef === undefined) return [];
      const { volumeName = '' } = valueFrom.fileKeyRef;
      const field = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(volumeName);
      if (volume === undefined) return [notFound(field, volumeName)];
      if (volume.emptyDir !== undefined) return [];
      return [invalid(field, volumeName, 'referenced volume must be of type emptyDir')];
    }),
  );
}
