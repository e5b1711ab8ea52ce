/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { byteLength } from '../../../go/text.js';
import { isEnabled, isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { validateID, validateSupportedIfSet, visitContainersWithPath } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import {
  validateAppArmorProfile,
  validateSeccompProfile,
  validateWindowsOptions,
} from '../containers/security-context.js';

type PodSpec = Decoded<v1.PodSpec>;

const FS_GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];
const SUPPLEMENTAL_GROUPS_POLICIES = ['Merge', 'Strict'];
const SELINUX_CHANGE_POLICIES = ['MountOption', 'Recursive'];

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const NAME = String.raw`^(${SEGMENT}[\./])*${SEGMENT}$`;
const NAME_REGEXP = new RegExp(NAME);
const MAX_LENGTH = 253;

/** The sysctls of the IPC namespace, without those that begin with `fs.mqueue.`. */
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
export function validatePodSecurityContext(spec: PodSpec, specAt: FieldPath): void {
  const at = specAt.child('securityContext');
  const { securityContext: context = {} } = spec;
  const { fsGroupChangePolicy, supplementalGroupsPolicy, seLinuxChangePolicy } = context;
  const choice = (value: string | undefined, supported: readonly string[], field: string): void => {
    validateSupportedIfSet(value, supported, at.child(field));
  };
  validateID(context.fsGroup, at.child('fsGroup'));
  validateID(context.runAsUser, at.child('runAsUser'));
  validateID(context.runAsGroup, at.child('runAsGroup'));
  at.child('supplementalGroups').each(context.supplementalGroups, validateID);
  if (!isServerSince('1.37', at.server)) validateShareProcessNamespace(spec, at);
  validateSysctls(spec, at.child('sysctls'));
  choice(fsGroupChangePolicy, FS_GROUP_CHANGE_POLICIES, 'fsGroupChangePolicy');
  validateSeccompProfile(context.seccompProfile, at.child('seccompProfile'));
  validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'));
  validateAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile'));
  choice(supplementalGroupsPolicy, SUPPLEMENTAL_GROUPS_POLICIES, 'supplementalGroupsPolicy');
  const policies = SELINUX_CHANGE_POLICIES.slice(isEnabled('SELinuxMount', at.server) ? 0 : 1);
  choice(seLinuxChangePolicy, policies, 'seLinuxChangePolicy');
  if (isServerSince('1.37', at.server)) validateShareProcessNamespace(spec, specAt);
}

function validateShareProcessNamespace(spec: PodSpec, at: FieldPath): void {
  if (spec.shareProcessNamespace !== true || spec.hostPID !== true) return;
  const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
  at.child('shareProcessNamespace').invalid(true, detail);
}

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

/** Returns a sysctl with dots. In a name whose first separator is a slash, slashes and dots are swapped. */
function normalize(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

const OPERATING_SYSTEMS = ['linux', 'windows'];
const DETAIL = 'cannot be set for a windows pod';

/** Returns the fields in the server's order, with the paths that it reports; some differ from the real ones. */
function podFields(spec: PodSpec): readonly (readonly [path: string, isSet: boolean])[] {
  const context = spec.securityContext ?? {};
  const contextField = (field: keyof typeof context): [string, boolean] => [
    `securityContext.${field}`,
    context[field] !== undefined,
  ];
  return [
    contextField('appArmorProfile'),
    contextField('seLinuxOptions'),
    ['hostUsers', spec.hostUsers !== undefined],
    ['hostPID', spec.hostPID === true],
    ['hostIPC', spec.hostIPC === true],
    contextField('seccompProfile'),
    contextField('fsGroup'),
    contextField('fsGroupChangePolicy'),
    ['securityContext.sysctls', (context.sysctls ?? []).length > 0],
    ['shareProcessNamespace', spec.shareProcessNamespace !== undefined],
    contextField('runAsUser'),
    contextField('runAsGroup'),
    contextField('supplementalGroups'),
    contextField('supplementalGroupsPolicy'),
    contextField('seLinuxChangePolicy'),
  ];
}

const CONTAINER_FIELDS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

export function validateOS(spec: PodSpec, at: FieldPath): void {
  if (spec.os === undefined) return;
  const { name = '' } = spec.os;
  if (name === '') at.child('os.name').required();
  else if (name === 'linux') validateLinux(spec, at);
  else if (name === 'windows') validateWindows(spec, at);
  else at.child('os').notSupported(name, OPERATING_SYSTEMS);
}

function validateLinux(spec: PodSpec, at: FieldPath): void {
  const validate = (
    { securityContext }: Pick<PodSpec | Decoded<v1.Container>, 'securityContext'>,
    partAt: FieldPath,
  ): void => {
    if (securityContext?.windowsOptions === undefined) return;
    const detail = 'windows options cannot be set for a linux pod';
    partAt.child('securityContext.windowsOptions').forbidden(detail);
  };
  validate(spec, at);
  visitContainersWithPath(spec, at, validate);
}

function validateWindows(spec: PodSpec, at: FieldPath): void {
  for (const [field, isSet] of podFields(spec)) if (isSet) at.child(field).forbidden(DETAIL);
  visitContainersWithPath(spec, at, ({ securityContext = {} }, containerAt) => {
    for (const field of CONTAINER_FIELDS) {
      if (securityContext[field] === undefined) continue;
      containerAt.child(`securityContext.${field}`).forbidden(DETAIL);
    }
  });
}

export function validateWindowsHostProcessPod(spec: PodSpec, at: FieldPath): void {
  const podHostProcess = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  visitContainersWithPath(spec, at, ({ securityContext }, containerAt) => {
    const hostProcess = securityContext?.windowsOptions?.hostProcess;
    if (
      podHostProcess !== undefined &&
      hostProcess !== undefined &&
      hostProcess !== podHostProcess
    ) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${podHostProcess}`;
      containerAt.child('securityContext.windowsOptions.hostProcess').invalid(hostProcess, detail);
    }
    containers++;
    if (hostProcess ?? podHostProcess) hostProcesses++;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    at.invalid('', detail);
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    at.child('hostNetwork').invalid(false, detail);
  }
}
