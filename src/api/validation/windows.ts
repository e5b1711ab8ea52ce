import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, forbidden } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;

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

/** Ports validateLinux and validateWindows (pkg/apis/core/validation/validation.go). */
export function validateForOS(spec: PodSpec, path: string): FieldError[] {
  if (spec.os?.name === 'linux') return validateLinux(spec, path);
  if (spec.os?.name !== 'windows') return [];
  const errors = podFields(spec)
    .filter(([, isSet]) => isSet)
    .map(([field]) => forbidden(`${path}.${field}`, DETAIL));
  for (const [at, context] of securityContexts(spec, path)) {
    const set = CONTAINER_FIELDS.filter((field) => context[field] !== undefined);
    errors.push(...set.map((field) => forbidden(`${at}.${field}`, DETAIL)));
  }
  return errors;
}

function validateLinux(spec: PodSpec, path: string): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod';
  const paths = securityContexts(spec, path)
    .filter(([, context]) => context.windowsOptions !== undefined)
    .map(([at]) => at);
  if (spec.securityContext?.windowsOptions !== undefined) paths.unshift(`${path}.securityContext`);
  return paths.map((at) => forbidden(`${at}.windowsOptions`, detail));
}

/** The security contexts of all containers that have one. */
function securityContexts(
  spec: PodSpec,
  path: string,
): readonly (readonly [path: string, context: Decoded<'SecurityContext'>])[] {
  return containersWithPath(spec, path).flatMap(({ container: { securityContext }, at }) =>
    securityContext === undefined ? [] : [[`${at}.securityContext`, securityContext] as const],
  );
}
