import { duplicate, type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateAffinity } from './affinity.js';
import {
  complaintErrors,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateEnum,
  validateQualifiedName,
} from './common.js';
import type { PodContext } from './container-common.js';
import { validateContainers, validateInitContainers } from './containers.js';
import { validateDNSPolicy, validatePodDNSConfig } from './dns.js';
import { validateEphemeralContainers } from './ephemeral-containers.js';
import { validateFileKeyRefVolumes } from './file-key-volumes.js';
import { inclusiveRangeError, isDNS1123Subdomain } from './formats.js';
import { validateHostUsers, validatePodHostName } from './host.js';
import { validateIP } from './ip.js';
import { validateLabels } from './object-meta.js';
import { validatePodResources } from './pod-resources.js';
import { validatePodHostNetworkDeps } from './ports.js';
import { validatePodResourceClaims } from './resource-claims.js';
import { validateContainerResourceName } from './resource-names.js';
import { validateResourceRequirements } from './resources.js';
import { validateRestartPolicy } from './restart-policy.js';
import { validatePodSecurityContext } from './security-context.js';
import { validateTolerations } from './tolerations.js';
import { validateTopologySpreadConstraints } from './topology-spread.js';
import { validateVolumes } from './volumes.js';
import { validateForOS } from './windows.js';
import { validateWindowsHostProcessPod } from './windows-host-process.js';

type PodSpec = Decoded<'PodSpec'>;

const MAX_INT32 = 2 ** 31 - 1;
const OPERATING_SYSTEMS = ['linux', 'windows'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/**
 * Ports ValidatePodSpec (pkg/apis/core/validation/validation.go), in its order. The server forgets
 * schedulingGroup before it validates: its gate is off.
 */
export function validatePodSpec(
  spec: PodSpec,
  podName: string | undefined,
  path: string,
): FieldError[] {
  const { volumes, errors } = validateVolumes(spec.volumes, podName, `${path}.volumes`);
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name = '' }) => name));
  claimNames.delete('');
  const context: PodContext = { spec, volumes, claimNames };
  return [
    ...errors,
    ...validatePodResourceClaims(spec.resourceClaims, `${path}.resourceClaims`),
    ...validateContainers(context, `${path}.containers`),
    ...validateInitContainers(context, `${path}.initContainers`),
    ...validateEphemeralContainers(context, `${path}.ephemeralContainers`),
    ...validatePodResources(spec, claimNames, path),
    ...validatePodHostNetworkDeps(spec, path, podName !== undefined),
    ...validateRestartPolicy(spec.restartPolicy, `${path}.restartPolicy`),
    ...validateDNSPolicy(spec.dnsPolicy, `${path}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validatePodDNSConfig(spec.dnsConfig, spec.dnsPolicy, `${path}.dnsConfig`),
    ...validateGates(spec, path),
    ...validateTopologySpreadConstraints(
      spec.topologySpreadConstraints,
      `${path}.topologySpreadConstraints`,
    ),
    ...validateWindowsHostProcessPod(spec, path),
    ...validateHostUsers(spec, path),
    ...validatePodHostName(spec, path),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${path}.hostAliases`),
    ...validateClasses(spec, path),
    ...validateOverhead(spec.overhead, `${path}.overhead`),
    ...validateOS(spec, path),
    ...validateFileKeyRefVolumes(spec, path),
  ];
}

/** Ports validateReadinessGates and validateSchedulingGates (pkg/apis/core/validation/validation.go). */
function validateGates(spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      validateQualifiedName(conditionType, `${path}.readinessGates[${index}].conditionType`),
    ),
    ...(spec.schedulingGates ?? []).flatMap(({ name = '' }, index) => {
      const at = `${path}.schedulingGates[${index}]`;
      const errors = validateQualifiedName(name, at);
      if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
      return errors;
    }),
  ];
}

function validateNames(spec: PodSpec, path: string): FieldError[] {
  const { serviceAccountName = spec.serviceAccount ?? '', nodeName = '' } = spec;
  const { hostname = '', subdomain = '', activeDeadlineSeconds: deadline } = spec;
  const errors: FieldError[] = [];
  for (const [field, name] of Object.entries({ serviceAccountName, nodeName })) {
    if (name === '') continue;
    errors.push(...complaintErrors(`${path}.${field}`, name, isDNS1123Subdomain(name)));
  }
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) {
    const detail = inclusiveRangeError(1, MAX_INT32);
    errors.push(invalid(`${path}.activeDeadlineSeconds`, deadline, detail));
  }
  for (const [field, name] of Object.entries({ hostname, subdomain })) {
    if (name !== '') errors.push(...validateDNS1123Label(name, `${path}.${field}`));
  }
  return errors;
}

/** Ports ValidateHostAliases (pkg/apis/core/validation/validation.go). */
function validateHostAliases(
  aliases: readonly Decoded<'HostAlias'>[] = [],
  path: string,
): FieldError[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }, index) => [
    ...validateIP(ip, `${path}[${index}].ip`),
    ...hostnames.flatMap((name, nameIndex) =>
      validateDNS1123Subdomain(name, `${path}[${index}].hostnames[${nameIndex}]`),
    ),
  ]);
}

function validateClasses(spec: PodSpec, path: string): FieldError[] {
  const { priorityClassName = '', runtimeClassName, preemptionPolicy } = spec;
  return [
    ...(priorityClassName === ''
      ? []
      : validateDNS1123Subdomain(priorityClassName, `${path}.priorityClassName`)),
    ...(runtimeClassName === undefined
      ? []
      : validateDNS1123Subdomain(runtimeClassName, `${path}.runtimeClassName`)),
    ...(preemptionPolicy === undefined
      ? []
      : validateEnum(preemptionPolicy, PREEMPTION_POLICIES, `${path}.preemptionPolicy`)),
  ];
}

/** Ports validateOverhead (pkg/apis/core/validation/validation.go): it is checked like limits. */
function validateOverhead(overhead: PodSpec['overhead'], path: string): FieldError[] {
  const limits = { limits: overhead };
  return validateResourceRequirements(limits, new Set(), validateContainerResourceName, path);
}

/** Ports validateOS (pkg/apis/core/validation/validation.go). */
function validateOS(spec: PodSpec, path: string): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = '' } = spec.os;
  if (name === '') return [required(`${path}.os.name`)];
  if (OPERATING_SYSTEMS.includes(name)) return validateForOS(spec, path);
  return [notSupported(`${path}.os`, name, OPERATING_SYSTEMS)];
}
