import { goTrimSpace } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import {
  validateID,
  validateLocalDescendingPath,
  validateMaxBytes,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import { asJson, asStruct, type FieldPath, type JsonText } from '../common/field-error.js';
import { showWindowsOptions, validateWindowsOptions } from './windows-options.js';

type SecurityContext = Decoded<'SecurityContext'>;
type SeccompProfile = Decoded<'SeccompProfile'>;
type AppArmorProfile = Decoded<'AppArmorProfile'>;

const PROC_MOUNTS = ['Default', 'Unmasked'];
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** PATH_MAX less the zero at the end. */
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
  const refuse = (what: string): void => {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
    at.invalid(showSecurityContext(context), detail);
  };
  if (context.privileged === true) refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
}

/** The security context as Go shows the server's own type in JSON. */
function showSecurityContext(context: SecurityContext): JsonText {
  const { capabilities, seLinuxOptions, windowsOptions } = context;
  const { seccompProfile, appArmorProfile } = context;
  return asStruct({
    Capabilities: capabilities && asStruct({ Add: capabilities.add, Drop: capabilities.drop }),
    Privileged: context.privileged,
    SELinuxOptions: seLinuxOptions && showSELinuxOptions(seLinuxOptions),
    WindowsOptions: windowsOptions && showWindowsOptions(windowsOptions),
    RunAsUser: context.runAsUser,
    RunAsGroup: context.runAsGroup,
    RunAsNonRoot: context.runAsNonRoot,
    ReadOnlyRootFilesystem: context.readOnlyRootFilesystem,
    AllowPrivilegeEscalation: context.allowPrivilegeEscalation,
    ProcMount: context.procMount,
    SeccompProfile: seccompProfile && showProfile(seccompProfile),
    AppArmorProfile: appArmorProfile && showProfile(appArmorProfile),
  });
}

function showSELinuxOptions(options: Decoded<'SELinuxOptions'>): JsonText {
  const { user = '', role = '', type = '', level = '' } = options;
  return asStruct({ User: user, Role: role, Type: type, Level: level });
}

function showProfile({ type = '', localhostProfile }: SeccompProfile | AppArmorProfile): JsonText {
  return asStruct({ Type: type, LocalhostProfile: localhostProfile });
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
    fileAt.invalid(showProfile(profile), 'can only be set when seccomp type is Localhost');
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
