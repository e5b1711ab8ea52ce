import { byteLength, goTrimSpace } from '../../../go/text.js';
import { asInternal } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateID,
  validateLocalDescendingPath,
  validateMaxBytes,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { type Complaints, isDNS1123Subdomain } from '../common/formats.js';

type SecurityContext = Decoded<v1.SecurityContext>;
type SeccompProfile = Decoded<v1.SeccompProfile>;
type AppArmorProfile = Decoded<v1.AppArmorProfile>;

const PROC_MOUNTS = ['Default', 'Unmasked'];
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** PATH_MAX without the null byte at the end. */
const MAX_PROFILE_BYTES = 4095;

/** Ports ValidateSecurityContext (pkg/apis/core/validation/validation.go); privileged containers are allowed. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  hostUsers: boolean,
  at: FieldPath,
): void {
  if (context === undefined) return;
  validateID(context.runAsUser, at.child('runAsUser'));
  validateID(context.runAsGroup, at.child('runAsGroup'));
  validateProcMount(context.procMount, hostUsers, at.child('procMount'));
  validateSeccompProfile(context.seccompProfile, at.child('seccompProfile'));
  validatePrivilegeEscalation(context, at);
  validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'));
  validateAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile'));
}

function validateProcMount(type: string | undefined, hostUsers: boolean, at: FieldPath): void {
  validateSupportedIfSet(type, PROC_MOUNTS, at);
  if (hostUsers && type === 'Unmasked') {
    at.invalid(asJson(type), '`hostUsers` must be false to use `Unmasked`');
  }
}

function validatePrivilegeEscalation(context: SecurityContext, at: FieldPath): void {
  if (context.allowPrivilegeEscalation !== false) return;
  const refuse = (conflict: string): void => {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${conflict}`;
    at.invalid(asInternal(context, 'SecurityContext'), detail);
  };
  if (context.privileged === true) refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
}

function validateProfileType(type: string, field: string, at: FieldPath): void {
  if (type === '') at.required(`type is required when ${field} is set`);
  else validateSupported(type, PROFILE_TYPES, at);
}

/** Ports validateSeccompProfileField (pkg/apis/core/validation/validation.go). */
export function validateSeccompProfile(profile: SeccompProfile | undefined, at: FieldPath): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const fileAt = at.child('localhostProfile');
  validateProfileType(type, 'seccompProfile', at.child('type'));
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    const shown = asInternal(profile, 'SeccompProfile');
    fileAt.invalid(shown, 'can only be set when seccomp type is Localhost');
  } else if (localhostProfile === undefined) {
    fileAt.required('must be set when seccomp type is Localhost');
  } else {
    validateLocalDescendingPath(localhostProfile, fileAt);
  }
}

/** Ports ValidateAppArmorProfileField (pkg/apis/core/validation/validation.go). */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined, at: FieldPath): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const fileAt = at.child('localhostProfile');
  if (type === 'Localhost') return validateLocalhostProfile(localhostProfile, fileAt);
  validateProfileType(type, 'appArmorProfile', at.child('type'));
  if (localhostProfile === undefined || !PROFILE_TYPES.includes(type)) return;
  fileAt.invalid(asJson(localhostProfile), 'can only be set when AppArmor type is Localhost');
}

function validateLocalhostProfile(profile: string | undefined, at: FieldPath): void {
  const missing = 'must be set when AppArmor type is Localhost';
  if (profile === undefined) return at.required(missing);
  if (goTrimSpace(profile) !== profile) at.invalid(profile, 'must not be padded with whitespace');
  else if (profile === '') at.required(missing);
  validateMaxBytes(profile, MAX_PROFILE_BYTES, at);
}

type WindowsOptions = Decoded<v1.WindowsSecurityContextOptions>;

const MAX_CREDENTIAL_SPEC_KIB = 64;
const MAX_DOMAIN_BYTES = 256;
const MAX_USER_BYTES = 104;

const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_SUBDOMAIN = new RegExp(String.raw`^${DNS_LABEL}(?:\.${DNS_LABEL})*$`);

/** Ports validateWindowsSecurityContextOptions (pkg/apis/core/validation/validation.go). */
export function validateWindowsOptions(options: WindowsOptions = {}, at: FieldPath): void {
  for (const [field, complaintsOf] of Object.entries(COMPLAINTS)) {
    const text = options[field as keyof typeof COMPLAINTS];
    // The fields are pointers in Go, so the server shows their texts as JSON.
    if (text !== undefined) at.child(field).invalidFor(asJson(text), complaintsOf(text));
  }
}

const COMPLAINTS = {
  gmsaCredentialSpecName: isDNS1123Subdomain,
  gmsaCredentialSpec: credentialSpecComplaints,
  runAsUserName: userNameComplaints,
};

function credentialSpecComplaints(text: string): Complaints {
  if (text === '') return ['gmsaCredentialSpec cannot be an empty string'];
  if (byteLength(text) <= MAX_CREDENTIAL_SPEC_KIB * 1024) return [];
  return [`gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_SPEC_KIB} KiB`];
}

/** Returns the errors of a user name: a user, optionally after a domain and a backslash. */
function userNameComplaints(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/[\x00-\x1f\x7f]/.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? domainComplaints(parts[0] ?? '') : []), ...userComplaints(user)];
}

function domainComplaints(domain: string): string[] {
  return complaintsThatApply({
    [`runAsUserName's Domain length must be under ${MAX_DOMAIN_BYTES} characters`]:
      byteLength(domain) >= MAX_DOMAIN_BYTES,
    "runAsUserName's Domain doesn't match the NetBios nor the DNS format":
      !NET_BIOS.test(domain) && !DNS_SUBDOMAIN.test(domain),
  });
}

function userComplaints(user: string): string[] {
  return complaintsThatApply({
    "runAsUserName's User cannot be empty": user === '',
    [`runAsUserName's User length must not be longer than ${MAX_USER_BYTES} characters`]:
      byteLength(user) > MAX_USER_BYTES,
    "runAsUserName's User cannot contain only periods or spaces": /^[. ]+$/.test(user),
    [String.raw`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`]:
      /["/\\:;|=,+*?<>@[\]]/.test(user),
  });
}

function complaintsThatApply(complaints: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(complaints).filter((complaint) => complaints[complaint]);
}
