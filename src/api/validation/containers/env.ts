/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { isEnabled } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  complaining,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateOptional,
  validatePathNoBacksteps,
  validateRequired,
  visitContainersWithPath,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import {
  isConfigMapKey,
  isDNS1123Subdomain,
  isRelaxedEnvVarName,
  maskTrailingDash,
} from '../common/formats.js';
import {
  validateContainerResourceFieldSelector,
  validateObjectFieldSelector,
} from '../volumes/file-volumes.js';

const ENV_FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

export function validateEnv(variables: Decoded<v1.Container>['env'], at: FieldPath): void {
  at.each(variables, (variable, variableAt) => {
    validateRequired(variable.name, variableAt.child('name'), validateEnvVarName);
    validateEnvVarValueFrom(variable, variableAt.child('valueFrom'));
  });
}

const validateEnvVarName = complaining(isRelaxedEnvVarName);

function validateEnvVarValueFrom(
  { value = '', valueFrom }: Decoded<v1.EnvVar>,
  at: FieldPath,
): void {
  if (valueFrom === undefined) return;
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) validateObjectFieldSelector(fieldRef, ENV_FIELD_PATHS, at.child('fieldRef'));
  if (resourceFieldRef) {
    validateContainerResourceFieldSelector(resourceFieldRef, at.child('resourceFieldRef'), false);
  }
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, at.child('configMapKeyRef'));
  if (secretKeyRef) validateKeySelector(secretKeyRef, at.child('secretKeyRef'));
  if (fileKeyRef) validateFileKeySelector(fileKeyRef, at.child('fileKeyRef'));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  const count = sources.filter((source) => source !== undefined).length;
  if (count === 0) {
    const last = isEnabled('EnvFiles', at.server)
      ? ', `secretKeyRef` or `fileKeyRef`'
      : ' or `secretKeyRef`';
    const detail = `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${last}`;
    at.invalid('', detail);
  } else if (value !== '') {
    at.invalid('', 'may not be specified when `value` is not empty');
  } else if (count > 1) {
    at.invalid('', 'may not have more than one field specified at a time');
  }
}

/** Ports validateConfigMapKeySelector and validateSecretKeySelector. */
function validateKeySelector(
  { name = '', key }: Decoded<v1.ConfigMapKeySelector>,
  at: FieldPath,
): void {
  validateDNS1123Subdomain(name, at.child('name'));
  validateRequired(key, at.child('key'), complaining(isConfigMapKey));
}

function validateFileKeySelector(selector: Decoded<v1.FileKeySelector>, at: FieldPath): void {
  validateRequired(selector.key, at.child('key'), validateEnvVarName);
  validateRequired(selector.volumeName, at.child('volumeName'), validateDNS1123Label);
  validateRequired(selector.path, at.child('path'), validatePathNoBacksteps);
}

export function validateEnvFrom(sources: Decoded<v1.Container>['envFrom'], at: FieldPath): void {
  at.each(sources, ({ prefix, configMapRef, secretRef }, sourceAt) => {
    validateOptional(prefix, sourceAt.child('prefix'), validateEnvVarName);
    if (configMapRef) validateReference(configMapRef.name, sourceAt.child('configMapRef.name'));
    if (secretRef) validateReference(secretRef.name, sourceAt.child('secretRef.name'));
    if (!configMapRef && !secretRef) {
      at.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    } else if (configMapRef && secretRef) {
      at.invalid('', 'may not have more than one field specified at a time');
    }
  });
}

/** Ports validateConfigMapEnvSource and validateSecretEnvSource (pkg/apis/core/validation/validation.go). */
function validateReference(name: string | undefined, at: FieldPath): void {
  validateRequired(name, at, (text) =>
    at.invalidFor(text, isDNS1123Subdomain(maskTrailingDash(text))),
  );
}

/** Ports validateFileKeyRefVolumes (pkg/apis/core/validation/validation.go): the last of two volumes with one name counts. */
export function validateFileKeyRefVolumes(spec: Decoded<v1.PodSpec>, at: FieldPath): void {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  visitContainersWithPath(spec, at, (container, containerAt) => {
    containerAt.child('env').each(container.env, ({ valueFrom }, variableAt) => {
      if (valueFrom?.fileKeyRef === undefined) return;
      const { volumeName = '' } = valueFrom.fileKeyRef;
      const nameAt = variableAt.child('valueFrom.fileKeyRef.volumeName');
      const volume = volumes.get(volumeName);
      if (volume === undefined) nameAt.notFound(volumeName);
      else if (volume.emptyDir === undefined) {
        nameAt.invalid(volumeName, 'referenced volume must be of type emptyDir');
      }
    });
  });
}
