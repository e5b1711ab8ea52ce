import { type FieldError, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateDNS1123Label } from './common.js';
import {
  validateContainerResourceFieldSelector,
  validateObjectFieldSelector,
} from './downward-api.js';
import {
  isConfigMapKey,
  isDNS1123Subdomain,
  isRelaxedEnvVarName,
  maskTrailingDash,
} from './formats.js';
import { validatePathNoBacksteps } from './paths.js';

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

/** Ports ValidateEnv (pkg/apis/core/validation/validation.go). */
export function validateEnv(
  variables: readonly Decoded<'EnvVar'>[] = [],
  path: string,
): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const name = variable.name ?? '';
    const errors =
      name === ''
        ? [required(`${at}.name`)]
        : complaintErrors(`${at}.name`, name, isRelaxedEnvVarName(name));
    return [...errors, ...validateEnvVarValueFrom(variable, `${at}.valueFrom`)];
  });
}

/** Ports validateEnvVarValueFrom (pkg/apis/core/validation/validation.go). */
function validateEnvVarValueFrom(variable: Decoded<'EnvVar'>, path: string): FieldError[] {
  const source = variable.valueFrom;
  if (source === undefined) return [];
  const sources = validateSources(source, path);
  return [...sources.flat(), ...complainOfSources(sources.length, variable.value ?? '', path)];
}

/** One list of errors for each source that is there. */
function validateSources(source: Decoded<'EnvVarSource'>, path: string): FieldError[][] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const errors: FieldError[][] = [];
  if (fieldRef) {
    errors.push(validateObjectFieldSelector(fieldRef, ENV_FIELD_PATHS, `${path}.fieldRef`));
  }
  if (resourceFieldRef) {
    const at = `${path}.resourceFieldRef`;
    errors.push(validateContainerResourceFieldSelector(resourceFieldRef, at, false));
  }
  if (configMapKeyRef) errors.push(validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`));
  if (secretKeyRef) errors.push(validateKeySelector(secretKeyRef, `${path}.secretKeyRef`));
  if (fileKeyRef) errors.push(validateFileKeySelector(fileKeyRef, `${path}.fileKeyRef`));
  return errors;
}

function complainOfSources(count: number, value: string, path: string): FieldError[] {
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [invalid(path, '', detail)];
  }
  if (value !== '') return [invalid(path, '', 'may not be specified when `value` is not empty')];
  if (count > 1) return [invalid(path, '', 'may not have more than one field specified at a time')];
  return [];
}

/** Ports validateConfigMapKeySelector and validateSecretKeySelector. */
function validateKeySelector(
  selector: { readonly name?: string | undefined; readonly key?: string | undefined },
  path: string,
): FieldError[] {
  const { name = '', key = '' } = selector;
  return [
    ...complaintErrors(`${path}.name`, name, isDNS1123Subdomain(name)),
    ...(key === ''
      ? [required(`${path}.key`)]
      : complaintErrors(`${path}.key`, key, isConfigMapKey(key))),
  ];
}

/** Ports validateFileKeySelector (pkg/apis/core/validation/validation.go). */
function validateFileKeySelector(selector: Decoded<'FileKeySelector'>, at: string): FieldError[] {
  const { key = '', volumeName = '', path = '' } = selector;
  return [
    ...(key === ''
      ? [required(`${at}.key`)]
      : complaintErrors(`${at}.key`, key, isRelaxedEnvVarName(key))),
    ...(volumeName === ''
      ? [required(`${at}.volumeName`)]
      : validateDNS1123Label(volumeName, `${at}.volumeName`)),
    ...(path === '' ? [required(`${at}.path`)] : validatePathNoBacksteps(path, `${at}.path`)),
  ];
}

/** Ports ValidateEnvFrom (pkg/apis/core/validation/validation.go). */
export function validateEnvFrom(
  sources: readonly Decoded<'EnvFromSource'>[] = [],
  path: string,
): FieldError[] {
  return sources.flatMap((source, index) => {
    const { prefix = '', configMapRef, secretRef } = source;
    const at = `${path}[${index}]`;
    const errors =
      prefix === '' ? [] : complaintErrors(`${at}.prefix`, prefix, isRelaxedEnvVarName(prefix));
    if (configMapRef) errors.push(...validateReference(configMapRef.name, `${at}.configMapRef`));
    if (secretRef) errors.push(...validateReference(secretRef.name, `${at}.secretRef`));
    if (!configMapRef && !secretRef) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

/** Ports validateConfigMapEnvSource and validateSecretEnvSource. */
function validateReference(name = '', path: string): FieldError[] {
  if (name === '') return [required(`${path}.name`)];
  return complaintErrors(`${path}.name`, name, isDNS1123Subdomain(maskTrailingDash(name)));
}
