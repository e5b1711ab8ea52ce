import { duplicate, type FieldError, invalid, required } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const NAME = String.raw`^(${SEGMENT}[\./])*${SEGMENT}$`;
const NAME_REGEXP = new RegExp(NAME);
const MAX_LENGTH = 253;

/** The sysctls of the IPC namespace; these and what begins with `fs.mqueue.` are a pod's own. */
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

/** Ports validateSysctls (pkg/apis/core/validation/validation.go). */
export function validateSysctls(spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return (spec.securityContext?.sysctls ?? []).flatMap(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    const errors = [...validateName(name, seen, at), ...validateHostSysctl(name, spec, at)];
    seen.add(name);
    return errors;
  });
}

function validateName(name: string, seen: ReadonlySet<string>, path: string): FieldError[] {
  if (name === '') return [required(path)];
  if (byteLength(name) > MAX_LENGTH || !NAME_REGEXP.test(name)) {
    const detail = `must have at most ${MAX_LENGTH} characters and match regex ${NAME}`;
    return [invalid(path, name, detail)];
  }
  return seen.has(name) ? [duplicate(path, name)] : [];
}

/** Ports ValidateHostSysctl (pkg/apis/core/validation/validation.go). */
function validateHostSysctl(name: string, spec: PodSpec, path: string): FieldError[] {
  const [prefix = ''] = normalize(name).split('*');
  if (spec.hostNetwork === true && prefix.startsWith('net.')) {
    return [invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  }
  const isIPC = IPC_SYSCTLS.includes(prefix) || prefix.startsWith('fs.mqueue.');
  if (spec.hostIPC !== true || !isIPC) return [];
  return [invalid(path, name, "may not be specified when 'hostIPC' is true")];
}

/** A name whose first separator is a slash has slashes for dots, and the other way round. */
function normalize(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
