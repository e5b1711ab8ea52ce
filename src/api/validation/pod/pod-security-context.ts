import { byteLength } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import { validateID, validateSupportedIfSet } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import {
  validateAppArmorProfile,
  validateSeccompProfile,
  validateWindowsOptions,
} from '../containers/security-context.js';

type PodSpec = Decoded<'PodSpec'>;

const FS_GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];
const SUPPLEMENTAL_GROUPS_POLICIES = ['Merge', 'Strict'];
/** The gate SELinuxMount is off, so MountOption is not among them. */
const SELINUX_CHANGE_POLICIES = ['Recursive'];

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const NAME = String.raw`^(${SEGMENT}[\./])*${SEGMENT}$`;
const NAME_REGEXP = new RegExp(NAME);
const MAX_LENGTH = 253;

/** The sysctls of the IPC namespace; a pod has its own, also of those that begin with `fs.mqueue.`. */
const IPC_SYSCTLS = [
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
];

/** Ports validatePodSpecSecurityContext (pkg/apis/core/validation/validation.go). */
export function validatePodSecurityContext(spec: PodSpec, at: FieldPath): void {
  const { securityContext: context = {} } = spec;
  const { fsGroupChangePolicy, supplementalGroupsPolicy, seLinuxChangePolicy } = context;
  const choice = (value: string | undefined, supported: readonly string[], field: string): void => {
    validateSupportedIfSet(value, supported, at.child(field));
  };
  validateID(context.fsGroup, at.child('fsGroup'));
  validateID(context.runAsUser, at.child('runAsUser'));
  validateID(context.runAsGroup, at.child('runAsGroup'));
  at.child('supplementalGroups').each(context.supplementalGroups, validateID);
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    at.child('shareProcessNamespace').invalid(true, detail);
  }
  validateSysctls(spec, at.child('sysctls'));
  choice(fsGroupChangePolicy, FS_GROUP_CHANGE_POLICIES, 'fsGroupChangePolicy');
  validateSeccompProfile(context.seccompProfile, at.child('seccompProfile'));
  validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'));
  validateAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile'));
  choice(supplementalGroupsPolicy, SUPPLEMENTAL_GROUPS_POLICIES, 'supplementalGroupsPolicy');
  choice(seLinuxChangePolicy, SELINUX_CHANGE_POLICIES, 'seLinuxChangePolicy');
}

/** Ports validateSysctls (pkg/apis/core/validation/validation.go). */
function validateSysctls(spec: PodSpec, at: FieldPath): void {
  const seen = new Set<string>();
  at.each(spec.securityContext?.sysctls, ({ name = '' }, sysctlAt) => {
    const nameAt = sysctlAt.child('name');
    if (name === '') {
      nameAt.required();
    } else if (byteLength(name) > MAX_LENGTH || !NAME_REGEXP.test(name)) {
      nameAt.invalid(name, `must have at most ${MAX_LENGTH} characters and match regex ${NAME}`);
    } else if (seen.has(name)) {
      nameAt.duplicate(name);
    }
    validateHostSysctl(name, spec, nameAt);
    seen.add(name);
  });
}

/** Ports ValidateHostSysctl (pkg/apis/core/validation/validation.go). */
function validateHostSysctl(name: string, spec: PodSpec, at: FieldPath): void {
  const [prefix = ''] = normalize(name).split('*');
  if (spec.hostNetwork === true && prefix.startsWith('net.')) {
    return at.invalid(name, "may not be specified when 'hostNetwork' is true");
  }
  const isIPC = IPC_SYSCTLS.includes(prefix) || prefix.startsWith('fs.mqueue.');
  if (spec.hostIPC === true && isIPC) {
    at.invalid(name, "may not be specified when 'hostIPC' is true");
  }
}

/** A name whose first separator is a slash has slashes for dots, and dots for slashes. */
function normalize(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
