import { duplicate, type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors } from './common.js';
import { isValidPortName, isValidPortNum } from './formats.js';

type Container = Decoded<'Container'>;
type ContainerPort = Decoded<'ContainerPort'>;

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Ports validateContainerPorts (pkg/apis/core/validation/validation.go). */
export function validateContainerPorts(
  ports: readonly ContainerPort[] = [],
  path: string,
): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${path}[${index}]`;
    return [
      ...validatePortName(port.name ?? '', names, `${at}.name`),
      ...validateNumbers(port, at),
    ];
  });
}

function validatePortName(name: string, names: Set<string>, path: string): FieldError[] {
  if (name === '') return [];
  const complaints = isValidPortName(name);
  if (complaints.length > 0) return complaintErrors(path, name, complaints);
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return [];
}

function validateNumbers(port: ContainerPort, path: string): FieldError[] {
  const { containerPort = 0, hostPort = 0, protocol = '' } = port;
  const errors =
    containerPort === 0
      ? [required(`${path}.containerPort`)]
      : validatePortNumber(containerPort, `${path}.containerPort`);
  if (hostPort !== 0) errors.push(...validatePortNumber(hostPort, `${path}.hostPort`));
  if (protocol === '') errors.push(required(`${path}.protocol`));
  else if (!PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  }
  return errors;
}

function validatePortNumber(port: number, path: string): FieldError[] {
  return isValidPortNum(port).map((complaint) => invalid(path, port, complaint));
}

/** Ports checkHostPortConflicts (pkg/apis/core/validation/validation.go). */
export function checkHostPortConflicts(
  containers: readonly Container[],
  path: string,
): FieldError[] {
  const taken = new Set<string>();
  const errors: FieldError[] = [];
  containers.forEach((container, index) => {
    container.ports?.forEach(({ protocol = '', hostIP = '', hostPort = 0 }, portIndex) => {
      if (hostPort === 0) return;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) {
        errors.push(duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, key));
      }
      taken.add(key);
    });
  });
  return errors;
}

/**
 * With hostNetwork a host port is the container port; outside a pod it may be missing. Ports
 * validatePodHostNetworkDeps (pkg/apis/core/validation/validation.go).
 */
export function validatePodHostNetworkDeps(
  spec: Decoded<'PodSpec'>,
  path: string,
  resourceIsPod: boolean,
): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const errors: FieldError[] = [];
  spec.containers?.forEach((container, index) => {
    container.ports?.forEach(({ hostPort = 0, containerPort = 0 }, portIndex) => {
      if (hostPort === containerPort || (hostPort === 0 && !resourceIsPod)) return;
      const at = `${path}.containers[${index}].ports[${portIndex}].hostPort`;
      errors.push(invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    });
  });
  return errors;
}
