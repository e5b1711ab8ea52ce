import type { Decoded } from '../../schema/decoded.js';
import { validateEnum, validatePortNumber } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import { isValidPortName } from '../common/formats.js';

type Container = Decoded<'Container'>;
type ContainerPort = Decoded<'ContainerPort'>;

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Ports validateContainerPorts (pkg/apis/core/validation/validation.go). */
export function validateContainerPorts(
  ports: readonly ContainerPort[] | undefined,
  at: FieldPath,
): void {
  const names = new Set<string>();
  at.each(ports, ({ name = '', containerPort = 0, hostPort = 0, protocol }, portAt) => {
    validatePortName(name, names, portAt.child('name'));
    if (containerPort === 0) portAt.child('containerPort').required();
    else validatePortNumber(containerPort, portAt.child('containerPort'));
    if (hostPort !== 0) validatePortNumber(hostPort, portAt.child('hostPort'));
    validateEnum(protocol, PROTOCOLS, portAt.child('protocol'));
  });
}

function validatePortName(name: string, names: Set<string>, at: FieldPath): void {
  if (name === '') return;
  const complaints = isValidPortName(name);
  at.complain(name, complaints);
  if (complaints.length > 0) return;
  if (names.has(name)) at.duplicate(name);
  names.add(name);
}

/** Ports checkHostPortConflicts (pkg/apis/core/validation/validation.go). */
export function checkHostPortConflicts(containers: readonly Container[], at: FieldPath): void {
  const taken = new Set<string>();
  at.each(containers, ({ ports }, containerAt) => {
    containerAt.child('ports').each(ports, (port, portAt) => {
      const { protocol = '', hostIP = '', hostPort = 0 } = port;
      if (hostPort === 0) return;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) portAt.child('hostPort').duplicate(key);
      taken.add(key);
    });
  });
}

/**
 * With hostNetwork a host port is the container port; outside a pod it may be missing. Ports
 * validatePodHostNetworkDeps (pkg/apis/core/validation/validation.go).
 */
export function validatePodHostNetworkDeps(
  spec: Decoded<'PodSpec'>,
  at: FieldPath,
  resourceIsPod: boolean,
): void {
  if (spec.hostNetwork !== true) return;
  at.child('containers').each(spec.containers, ({ ports }, containerAt) => {
    containerAt.child('ports').each(ports, ({ hostPort = 0, containerPort = 0 }, portAt) => {
      if (hostPort === containerPort || (hostPort === 0 && !resourceIsPod)) return;
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      portAt.child('hostPort').invalid(hostPort, detail);
    });
  });
}
