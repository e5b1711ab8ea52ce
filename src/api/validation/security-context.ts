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

type SecurityContext = Decoded<'SecurityContext'>;

const PROC_MOUNTS = ['Default', 'Unmasked'];
const FS_GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];

/**
 * Ports ValidateSecurityContext (pkg/apis/core/validation/validation.go), where privileged containers are
 * allowed; profiles and Windows' options are not looked into.
 */
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
    ...validatePrivilegeEscalation(context, path),
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

/** What Go's JSON of the server's own type looks like, as far as plain values go. */
function showSecurityContext(context: SecurityContext): JsonText {
  const { capabilities } = context;
  return asStruct({
    Capabilities: capabilities && asStruct({ Add: capabilities.add, Drop: capabilities.drop }),
    Privileged: context.privileged,
    SELinuxOptions: context.seLinuxOptions,
    WindowsOptions: context.windowsOptions,
    RunAsUser: context.runAsUser,
    RunAsGroup: context.runAsGroup,
    RunAsNonRoot: context.runAsNonRoot,
    ReadOnlyRootFilesystem: context.readOnlyRootFilesystem,
    AllowPrivilegeEscalation: context.allowPrivilegeEscalation,
    ProcMount: context.procMount,
    SeccompProfile: context.seccompProfile,
    AppArmorProfile: context.appArmorProfile,
  });
}

/** Ports validatePodSpecSecurityContext (pkg/apis/core/validation/validation.go), with the same omissions. */
export function validatePodSecurityContext(spec: Decoded<'PodSpec'>, path: string): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors = [
    ...validateID(context.fsGroup, `${path}.fsGroup`),
    ...validateID(context.runAsUser, `${path}.runAsUser`),
    ...validateID(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateID(group, `${path}.supplementalGroups[${index}]`),
    ),
  ];
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  const change = context.fsGroupChangePolicy;
  if (change !== undefined && !FS_GROUP_CHANGE_POLICIES.includes(change)) {
    errors.push(notSupported(`${path}.fsGroupChangePolicy`, change, FS_GROUP_CHANGE_POLICIES));
  }
  return errors;
}
