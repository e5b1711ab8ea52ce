import type { Decoded } from '../../schema/decoded.js';
import { visitContainersWithPath } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';

type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;

const OPERATING_SYSTEMS = ['linux', 'windows'];
const DETAIL = 'cannot be set for a windows pod';

/** In the server's order; the path of a field is not always where it stands. */
function podFields(spec: PodSpec): readonly (readonly [path: string, isSet: boolean])[] {
  const context = spec.securityContext ?? {};
  const own = (field: keyof typeof context): [string, boolean] => [
    `securityContext.${field}`,
    context[field] !== undefined,
  ];
  return [
    own('appArmorProfile'),
    own('seLinuxOptions'),
    ['hostUsers', spec.hostUsers !== undefined],
    ['hostPID', spec.hostPID === true],
    ['hostIPC', spec.hostIPC === true],
    own('seccompProfile'),
    own('fsGroup'),
    own('fsGroupChangePolicy'),
    ['securityContext.sysctls', (context.sysctls ?? []).length > 0],
    ['shareProcessNamespace', spec.shareProcessNamespace !== undefined],
    own('runAsUser'),
    own('runAsGroup'),
    own('supplementalGroups'),
    own('supplementalGroupsPolicy'),
    own('seLinuxChangePolicy'),
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

/** Ports validateOS (pkg/apis/core/validation/validation.go). */
export function validateOS(spec: PodSpec, at: FieldPath): void {
  if (spec.os === undefined) return;
  const { name = '' } = spec.os;
  if (name === '') at.child('os.name').required();
  else if (name === 'linux') validateLinux(spec, at);
  else if (name === 'windows') validateWindows(spec, at);
  else at.child('os').notSupported(name, OPERATING_SYSTEMS);
}

/** Ports validateLinux (pkg/apis/core/validation/validation.go). */
function validateLinux(spec: PodSpec, at: FieldPath): void {
  const validate = (
    { securityContext }: Pick<PodSpec | Container, 'securityContext'>,
    own: FieldPath,
  ): void => {
    if (securityContext?.windowsOptions === undefined) return;
    const detail = 'windows options cannot be set for a linux pod';
    own.child('securityContext.windowsOptions').forbidden(detail);
  };
  validate(spec, at);
  visitContainersWithPath(spec, at, validate);
}

/** Ports validateWindows (pkg/apis/core/validation/validation.go). */
function validateWindows(spec: PodSpec, at: FieldPath): void {
  for (const [field, isSet] of podFields(spec)) if (isSet) at.child(field).forbidden(DETAIL);
  visitContainersWithPath(spec, at, ({ securityContext = {} }, containerAt) => {
    for (const field of CONTAINER_FIELDS) {
      if (securityContext[field] === undefined) continue;
      containerAt.child(`securityContext.${field}`).forbidden(DETAIL);
    }
  });
}

/** Ports validateWindowsHostProcessPod (pkg/apis/core/validation/validation.go). */
export function validateWindowsHostProcessPod(spec: PodSpec, at: FieldPath): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  visitContainersWithPath(spec, at, ({ securityContext }, containerAt) => {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      containerAt.child('securityContext.windowsOptions.hostProcess').invalid(own, detail);
    }
    containers++;
    if (own ?? ofPod) hostProcesses++;
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
