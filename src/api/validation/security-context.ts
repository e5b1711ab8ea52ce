import {
  asJson,
  asStruct,
  type FieldError,
  invalid,
  type JsonText,
  notSupported,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { isValidUserID } from './formats.js';
import {
  showProfile,
  validateAppArmorProfile,
  validateSeccompProfile,
} from './security-profiles.js';
import { validateSysctls } from './sysctls.js';
import { showWindowsOptions, validateWindowsOptions } from './windows-options.js';

type SecurityContext = Decoded<'SecurityContext'>;

const PROC_MOUNTS = ['Default', 'Unmasked'];
/** The gate SELinuxMount is off, so MountOption is not among the policies. */
const POLICIES = {
  fsGroupChangePolicy: ['Always', 'OnRootMismatch'],
  supplementalGroupsPolicy: ['Merge', 'Strict'],
  seLinuxChangePolicy: ['Recursive'],
};

/** Ports ValidateSecurityContext (pkg/apis/core/validation/validation.go); privileged containers are allowed. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  hostUsers: boolean,
  path: string,
): FieldError[] {
  if (context === undefined) return [];
  return [
    ...validateID(context.runAsUser, `${path}.runAsUser`),
    ...validateID(context.runAsGroup, `${path}.runAsGroup`),
    ...validateProcMount(context.procMount, hostUsers, `${path}.procMount`),
    ...validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`),
    ...validatePrivilegeEscalation(context, path),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

function validateID(id: number | undefined, path: string): FieldError[] {
  if (id === undefined) return [];
  return isValidUserID(id).map((complaint) => invalid(path, id, complaint));
}

function validateProcMount(
  type: string | undefined,
  hostUsers: boolean,
  path: string,
): FieldError[] {
  if (type === undefined) return [];
  const errors = PROC_MOUNTS.includes(type) ? [] : [notSupported(path, type, PROC_MOUNTS)];
  if (hostUsers && type === 'Unmasked') {
    errors.push(invalid(path, asJson(type), '`hostUsers` must be false to use `Unmasked`'));
  }
  return errors;
}

function validatePrivilegeEscalation(context: SecurityContext, path: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const errors: FieldError[] = [];
  const refuse = (what: string): void => {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
    errors.push(invalid(path, showSecurityContext(context), detail));
  };
  if (context.privileged === true) refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return errors;
}

/** What Go's JSON of the server's own type looks like. */
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

/** Ports validatePodSpecSecurityContext (pkg/apis/core/validation/validation.go). */
export function validatePodSecurityContext(spec: Decoded<'PodSpec'>, path: string): FieldError[] {
  const context = spec.securityContext ?? {};
  return [
    ...validateID(context.fsGroup, `${path}.fsGroup`),
    ...validateID(context.runAsUser, `${path}.runAsUser`),
    ...validateID(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateID(group, `${path}.supplementalGroups[${index}]`),
    ),
    ...validateSharedProcesses(spec, `${path}.shareProcessNamespace`),
    ...validateSysctls(spec, `${path}.sysctls`),
    ...validatePolicy(context, 'fsGroupChangePolicy', path),
    ...validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
    ...validatePolicy(context, 'supplementalGroupsPolicy', path),
    ...validatePolicy(context, 'seLinuxChangePolicy', path),
  ];
}

function validateSharedProcesses(spec: Decoded<'PodSpec'>, path: string): FieldError[] {
  if (spec.shareProcessNamespace !== true || spec.hostPID !== true) return [];
  return [invalid(path, true, 'ShareProcessNamespace and HostPID cannot both be enabled')];
}

function validatePolicy(
  context: Decoded<'PodSecurityContext'>,
  field: keyof typeof POLICIES,
  path: string,
): FieldError[] {
  const policy = context[field];
  if (policy === undefined || POLICIES[field].includes(policy)) return [];
  return [notSupported(`${path}.${field}`, policy, POLICIES[field])];
}
