import {
  asJson,
  asStruct,
  type FieldError,
  invalid,
  type JsonText,
  notSupported,
  required,
  tooLong,
} from '../field-error.js';
import { byteLength, goTrimSpace } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { validateLocalDescendingPath } from './paths.js';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** PATH_MAX less the zero at the end. */
const MAX_PROFILE_BYTES = 4095;

/** Ports validateSeccompProfileField (pkg/apis/core/validation/validation.go). */
export function validateSeccompProfile(
  profile: Decoded<'SeccompProfile'> | undefined,
  path: string,
): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  const errors = validateType(type, 'seccompProfile', path);
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return errors;
    const detail = 'can only be set when seccomp type is Localhost';
    return [...errors, invalid(at, showProfile(profile), detail)];
  }
  if (localhostProfile === undefined) {
    return [...errors, required(at, 'must be set when seccomp type is Localhost')];
  }
  return [...errors, ...validateLocalDescendingPath(localhostProfile, at)];
}

function validateType(type: string, field: string, path: string): FieldError[] {
  const at = `${path}.type`;
  if (type === '') return [required(at, `type is required when ${field} is set`)];
  return TYPES.includes(type) ? [] : [notSupported(at, type, TYPES)];
}

/** A profile as the server's own type, shown as JSON. */
export function showProfile(
  profile: Decoded<'SeccompProfile'> | Decoded<'AppArmorProfile'>,
): JsonText {
  return asStruct({ Type: profile.type ?? '', LocalhostProfile: profile.localhostProfile });
}

/** Ports ValidateAppArmorProfileField (pkg/apis/core/validation/validation.go). */
export function validateAppArmorProfile(
  profile: Decoded<'AppArmorProfile'> | undefined,
  path: string,
): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (type === 'Localhost') return validateLocalhostProfile(localhostProfile, at);
  const errors = validateType(type, 'appArmorProfile', path);
  if (errors.length > 0 || localhostProfile === undefined) return errors;
  const detail = 'can only be set when AppArmor type is Localhost';
  return [invalid(at, asJson(localhostProfile), detail)];
}

function validateLocalhostProfile(profile: string | undefined, path: string): FieldError[] {
  const missing = required(path, 'must be set when AppArmor type is Localhost');
  if (profile === undefined) return [missing];
  const errors: FieldError[] = [];
  if (goTrimSpace(profile) !== profile) {
    errors.push(invalid(path, profile, 'must not be padded with whitespace'));
  } else if (profile === '') errors.push(missing);
  if (byteLength(profile) > MAX_PROFILE_BYTES) errors.push(tooLong(path, MAX_PROFILE_BYTES));
  return errors;
}
