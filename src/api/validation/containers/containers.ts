/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { goTrimSpace } from '../../../go/text.js';
import { type ApiServer, isEnabled, isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateDNS1123Label,
  validateEnum,
  validateMaxItems,
  validatePortNumber,
  validateRequired,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import { isValidPortName } from '../common/formats.js';
import type { VolumesByName } from '../volumes/volumes.js';
import { validateEnv, validateEnvFrom } from './env.js';
import { validateLifecycle, validateProbes } from './probe.js';
import { validateContainerResourceName, validateResourceRequirements } from './resources.js';
import { validateSecurityContext } from './security-context.js';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.js';

type Container = Decoded<v1.Container>;

/** The parts of a pod that the validation of its containers depends on. */
export interface PodContext {
  readonly spec: Decoded<v1.PodSpec>;
  readonly volumes: VolumesByName;
  readonly claimNames: ReadonlySet<string>;
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const RESIZE_RESOURCES = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

function validateContainerCommon(container: Container, context: PodContext, at: FieldPath): void {
  const { spec, volumes, claimNames } = context;
  const { terminationMessagePolicy, imagePullPolicy, resources, securityContext } = container;
  validateRequired(container.name, at.child('name'), validateDNS1123Label);
  validateRequired(container.image, at.child('image'));
  validateEnum(terminationMessagePolicy, MESSAGE_POLICIES, at.child('terminationMessagePolicy'));
  validateContainerPorts(container.ports, at.child('ports'));
  validateEnv(container.env, at.child('env'));
  validateEnvFrom(container.envFrom, at.child('envFrom'));
  validateVolumeMounts(container, volumes, at.child('volumeMounts'));
  validateVolumeDevices(container, volumes, at.child('volumeDevices'));
  validateEnum(imagePullPolicy, PULL_POLICIES, at.child('imagePullPolicy'));
  const resourcesAt = at.child('resources');
  validateResourceRequirements(resources, claimNames, validateContainerResourceName, resourcesAt);
  validateResizePolicy(container, spec.restartPolicy, at.child('resizePolicy'));
  validateSecurityContext(securityContext, spec.hostUsers ?? true, at.child('securityContext'));
}

function validateResizePolicy(
  { resizePolicy }: Container,
  podRestartPolicy: string | undefined,
  at: FieldPath,
): void {
  const seen = new Set<string>();
  at.each(resizePolicy, ({ resourceName = '', restartPolicy = '' }, policyAt) => {
    if (seen.has(resourceName)) policyAt.duplicate(resourceName);
    seen.add(resourceName);
    validateEnum(resourceName, RESIZE_RESOURCES, at);
    validateEnum(restartPolicy, RESIZE_POLICIES, at);
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const pod = isServerSince('1.36', at.server) ? 'pod ' : '';
      at.invalid(restartPolicy, `must be 'NotRequired' when ${pod}\`restartPolicy\` is 'Never'`);
    }
  });
}

export function validateContainers(context: PodContext, at: FieldPath): void {
  const { containers = [] } = context.spec;
  if (containers.length === 0) return at.required();
  const names = new Set<string>();
  at.each(containers, (container, containerAt) => {
    const { name = '' } = container;
    validateContainerCommon(container, context, containerAt);
    if (names.has(name)) containerAt.child('name').duplicate(name);
    names.add(name);
    validateHooksAndProbes(container, context, containerAt);
    validateContainerRestartPolicy(container, containerAt, false);
  });
  checkHostPortConflicts(containers, at);
}

function validateHooksAndProbes(container: Container, { spec }: PodContext, at: FieldPath): void {
  validateLifecycle(container.lifecycle, spec, at.child('lifecycle'));
  validateProbes(container, spec.terminationGracePeriodSeconds, at);
}

export function validateInitContainers(context: PodContext, at: FieldPath): void {
  const names = new Set((context.spec.containers ?? []).map(({ name = '' }) => name));
  at.each(context.spec.initContainers, (container, containerAt) => {
    const { name = '' } = container;
    validateContainerCommon(container, context, containerAt);
    validateContainerRestartPolicy(container, containerAt, true);
    if (names.has(name)) containerAt.child('name').duplicate(name);
    else if (name !== '') names.add(name);
    // The server counts each init container as the first of its own list.
    checkHostPortConflicts([container], at);
    if (container.restartPolicy === 'Always')
      validateHooksAndProbes(container, context, containerAt);
    else validateOneShotContainer(container, containerAt);
  });
}

/** The fields that an init container may not set unless it is a sidecar. */
function validateOneShotContainer(container: Container, at: FieldPath): void {
  for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[field] === undefined) continue;
    at.child(field).forbidden('may not be set for init containers without restartPolicy=Always');
  }
  if (!isServerSince('1.36', at.server)) return;
  at.child('resizePolicy').each(container.resizePolicy, ({ restartPolicy }, policyAt) => {
    if (restartPolicy !== 'RestartContainer') return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    policyAt.child('restartPolicy').invalid(restartPolicy, detail);
  });
}

export function validateContainerOnlyForPod({ image = '' }: Container, at: FieldPath): void {
  if (image === goTrimSpace(image)) return;
  at.child('image').invalid(image, 'must not have leading or trailing whitespace');
}

const EPHEMERAL_DETAIL = 'cannot be set for an Ephemeral Container';

/** The fields that an ephemeral container may not set, in the order of Go's struct. */
const EPHEMERAL_FORBIDDEN = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(context: PodContext, at: FieldPath): void {
  const { containers = [], initContainers = [], ephemeralContainers } = context.spec;
  const others = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  const names = new Set(others);
  at.each(ephemeralContainers, (container, containerAt) => {
    const { name = '', targetContainerName: target = '' } = container;
    validateContainerCommon(container, context, containerAt);
    validateContainerOnlyForPod(container, containerAt);
    if (names.has(name)) containerAt.child('name').duplicate(name);
    names.add(name);
    if (target !== '' && !others.has(target)) {
      containerAt.child('targetContainerName').notFound(target);
    }
    validateEphemeralFields(container, containerAt);
  });
}

function validateEphemeralFields(container: Decoded<v1.EphemeralContainer>, at: FieldPath): void {
  for (const field of EPHEMERAL_FORBIDDEN) {
    // In Go, resources are neither a pointer nor a list, so empty resources count as absent.
    const { [field]: value } = container;
    const isSet = field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined;
    if (isSet) at.child(field).forbidden(EPHEMERAL_DETAIL);
  }
  at.child('volumeMounts').each(container.volumeMounts, (mount, mountAt) => {
    for (const field of ['subPath', 'subPathExpr'] as const) {
      if ((mount[field] ?? '') !== '') mountAt.child(field).forbidden(EPHEMERAL_DETAIL);
    }
  });
}

const POLICIES = ['Always', 'Never', 'OnFailure'];
const EXIT_CODE_OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

function validateContainerRestartPolicy(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  at: FieldPath,
  isInit: boolean,
): void {
  const { server } = at;
  if (!isEnabled('ContainerRestartRules', server)) {
    // 1.34 drops the restartPolicy that earlier releases refuse.
    if (!isServerSince('1.34', server)) validateWithoutRules(restartPolicy, at, isInit);
    return;
  }
  if (isInit && restartPolicy === 'Always' && !restartsAll(server)) {
    const detail =
      'restartPolicyRules are not allowed for init containers with restart policy Always';
    if (rules.length > 0) at.child('restartPolicyRules').forbidden(detail);
    return;
  }
  if (restartPolicy === undefined) {
    if (isInit && !isServerSince('1.35', server)) return;
    const detail = 'must specify restartPolicy when restart rules are used';
    if (rules.length > 0) at.child('restartPolicy').required(detail);
    if (isInit) return;
  }
  validateSupportedIfSet(restartPolicy, POLICIES, at.child('restartPolicy'));
  validateMaxRules(rules, MAX_RULES, at.child('restartPolicyRules'));
  at.child('restartPolicyRules').each(rules, validateRule);
}

function restartsAll(server: ApiServer): boolean {
  return isEnabled('RestartAllContainersOnContainerExits', server);
}

function validateWithoutRules(policy: string | undefined, at: FieldPath, isInit: boolean): void {
  const policyAt = at.child('restartPolicy');
  if (isInit) validateSupportedIfSet(policy, ['Always'], policyAt);
  else if (policy !== undefined) policyAt.forbidden('may not be set for non-init containers');
}

/** Before 1.36, too many items are the error FieldValueTooLong. */
function validateMaxRules(list: readonly unknown[], limit: number, at: FieldPath): void {
  if (isServerSince('1.36', at.server)) validateMaxItems(list, limit, at);
  else if (list.length > limit) at.tooLong(limit);
}

function validateRule(
  { action, exitCodes }: Decoded<v1.ContainerRestartRule>,
  at: FieldPath,
): void {
  const codesAt = at.child('exitCodes');
  const all = restartsAll(at.server) ? ['RestartAllContainers'] : [];
  validateSupported(action, ['Restart', ...all], at.child('action'));
  if (exitCodes === undefined) return codesAt.required('must be specified');
  validateSupported(exitCodes.operator, EXIT_CODE_OPERATORS, codesAt.child('operator'));
  validateMaxRules(exitCodes.values ?? [], MAX_EXIT_CODES, codesAt.child('values'));
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validateContainerPorts(ports: Container['ports'], at: FieldPath): void {
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
  at.invalidFor(name, complaints);
  if (complaints.length > 0) return;
  if (names.has(name)) at.duplicate(name);
  names.add(name);
}

function checkHostPortConflicts(containers: readonly Container[], at: FieldPath): void {
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
 * With hostNetwork, a host port has to equal the container port; in a template it may be missing. Ports
 * validatePodHostNetworkDeps (pkg/apis/core/validation/validation.go).
 */
export function validatePodHostNetworkDeps(
  spec: Decoded<v1.PodSpec>,
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
