/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { aggregateContainerResources, isHugePageResourceName } from '../../helpers/resources.js';
import { isEnabled, isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { ownField, sortedEntries } from '../../values/objects.js';
import { formatQuantity, storedQuantity } from '../../values/quantity.js';
import {
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateEnum,
  validateIP,
  validateMaxBytes,
  validateOptional,
  validateQualifiedName,
  visitContainersWithPath,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { inclusiveRangeError, isDNS1123SubdomainWithUnderscore } from '../common/formats.js';
import { validateAnnotations, validateLabels, validateObjectMeta } from '../common/meta.js';
import {
  type PodContext,
  validateContainerOnlyForPod,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  validatePodHostNetworkDeps,
} from '../containers/containers.js';
import { validateFileKeyRefVolumes } from '../containers/env.js';
import {
  validateContainerResourceName,
  validatePodResourceClaims,
  validatePodResourceName,
  validateResourceRequirements,
} from '../containers/resources.js';
import { validateVolumes } from '../volumes/volumes.js';
import {
  validateOS,
  validatePodSecurityContext,
  validateWindowsHostProcessPod,
} from './pod-security-context.js';
import {
  validateAffinity,
  validateTolerations,
  validateTopologySpreadConstraints,
} from './scheduling.js';

type PodSpec = Decoded<v1.PodSpec>;

export function validatePodCreate(pod: Decoded<v1.Pod>, at: FieldPath): void {
  const { metadata = {}, spec = {} } = pod;
  const { annotations, name = '' } = metadata;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validatePodSpecificAnnotations(annotations, spec, at.child('metadata.annotations'));
  validatePodSpec(spec, name, specAt);
  validateTokenProjections(spec, specAt.child('volumes'));
  specAt.child('containers').each(spec.containers, validateContainerOnlyForPod);
  specAt.child('initContainers').each(spec.initContainers, validateContainerOnlyForPod);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    specAt.child('ephemeralContainers').forbidden('cannot be set on create');
  }
  if (spec.nodeName !== undefined && (spec.schedulingGates ?? []).length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared';
    specAt.child('nodeName').forbidden(detail);
  }
}

function validateTokenProjections(spec: PodSpec, at: FieldPath): void {
  if ((spec.serviceAccountName ?? spec.serviceAccount) !== undefined) return;
  at.each(spec.volumes, ({ projected }, volumeAt) => {
    volumeAt.child('projected.sources').each(projected?.sources, (source, sourceAt) => {
      if (source.serviceAccountToken === undefined) return;
      const detail = 'must not be specified when serviceAccountName is not set';
      sourceAt.child('serviceAccountToken').forbidden(detail);
    });
  });
}

export function validatePodTemplateSpec(
  { metadata = {}, spec = {} }: Decoded<v1.PodTemplateSpec>,
  at: FieldPath,
): void {
  const { labels, annotations } = metadata;
  const specAt = at.child('spec');
  validateLabels(labels, at.child('labels'));
  validateAnnotations(annotations, at.child('annotations'));
  validatePodSpecificAnnotations(annotations, spec, at.child('annotations'));
  validatePodSpec(spec, undefined, specAt);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    specAt.child('ephemeralContainers').forbidden(detail);
  }
}

const MAX_INT32 = 2 ** 31 - 1;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/**
 * Ports ValidatePodSpec (pkg/apis/core/validation/validation.go), in its order; a template has no pod name. The
 * server drops schedulingGroup before it validates: its feature gate is off.
 */
export function validatePodSpec(spec: PodSpec, podName: string | undefined, at: FieldPath): void {
  const volumes = validateVolumes(spec.volumes, podName, at.child('volumes'));
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name = '' }) => name));
  claimNames.delete('');
  const context: PodContext = { spec, volumes, claimNames };
  validatePodResourceClaims(spec.resourceClaims, at.child('resourceClaims'));
  validateContainers(context, at.child('containers'));
  validateInitContainers(context, at.child('initContainers'));
  validateEphemeralContainers(context, at.child('ephemeralContainers'));
  validatePodResources(spec, claimNames, at.child('resources'));
  validatePodHostNetworkDeps(spec, at, podName !== undefined);
  validateEnum(spec.restartPolicy, RESTART_POLICIES, at.child('restartPolicy'));
  validateEnum(spec.dnsPolicy, DNS_POLICIES, at.child('dnsPolicy'));
  validateLabels(spec.nodeSelector, at.child('nodeSelector'));
  validatePodSecurityContext(spec, at);
  validateAffinity(spec.affinity, at.child('affinity'));
  validatePodDNSConfig(spec, at.child('dnsConfig'));
  validateGates(spec, at);
  const constraintsAt = at.child('topologySpreadConstraints');
  validateTopologySpreadConstraints(spec.topologySpreadConstraints, constraintsAt);
  validateWindowsHostProcessPod(spec, at);
  validateHostUsers(spec, at);
  validatePodHostName(spec, at.child('hostnameOverride'));
  const { serviceAccountName = spec.serviceAccount, activeDeadlineSeconds: deadline } = spec;
  validateOptional(serviceAccountName, at.child('serviceAccountName'), validateDNS1123Subdomain);
  validateOptional(spec.nodeName, at.child('nodeName'), validateDNS1123Subdomain);
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) {
    at.child('activeDeadlineSeconds').invalid(deadline, inclusiveRangeError(1, MAX_INT32));
  }
  validateOptional(spec.hostname, at.child('hostname'), validateDNS1123Label);
  validateOptional(spec.subdomain, at.child('subdomain'), validateDNS1123Label);
  validateTolerations(spec.tolerations, at.child('tolerations'));
  validateHostAliases(spec.hostAliases, at.child('hostAliases'));
  const { priorityClassName, runtimeClassName, preemptionPolicy } = spec;
  validateOptional(priorityClassName, at.child('priorityClassName'), validateDNS1123Subdomain);
  if (runtimeClassName !== undefined) {
    validateDNS1123Subdomain(runtimeClassName, at.child('runtimeClassName'));
  }
  if (preemptionPolicy !== undefined) {
    validateEnum(preemptionPolicy, PREEMPTION_POLICIES, at.child('preemptionPolicy'));
  }
  // The server validates the overhead as limits.
  const overhead = { limits: spec.overhead };
  validateResourceRequirements(
    overhead,
    new Set(),
    validateContainerResourceName,
    at.child('overhead'),
  );
  validateOS(spec, at);
  validateFileKeyRefVolumes(spec, at);
}

/** Ports validateReadinessGates and validateSchedulingGates (pkg/apis/core/validation/validation.go). */
function validateGates(spec: PodSpec, at: FieldPath): void {
  at.child('readinessGates').each(spec.readinessGates, ({ conditionType = '' }, gateAt) => {
    validateQualifiedName(conditionType, gateAt.child('conditionType'));
  });
  const seen = new Set<string>();
  at.child('schedulingGates').each(spec.schedulingGates, ({ name = '' }, gateAt) => {
    validateQualifiedName(name, gateAt);
    if (seen.has(name)) gateAt.duplicate(name);
    seen.add(name);
  });
}

function validatePodResources(spec: PodSpec, claimNames: ReadonlySet<string>, at: FieldPath): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const isBeta = isServerSince('1.34', at.server);
  if (isBeta && spec.os?.name === 'windows') {
    return at.forbidden('may not be set for a windows pod');
  }
  if (resources.claims !== undefined) {
    const verb = isBeta ? 'may not' : 'cannot';
    at.child('claims').forbidden(`claims ${verb} be set for Resources at pod-level`);
  }
  validateResourceRequirements(resources, claimNames, validatePodResourceName, at);
  validatePodResourceConsistency(spec, at);
}

function validatePodResourceConsistency(spec: PodSpec, at: FieldPath): void {
  const { limits = {} } = spec.resources ?? {};
  const isBeta = isServerSince('1.34', at.server);
  validateAggregate(spec, 'requests', at, (request) => request ?? (isBeta ? undefined : '0'));
  if (isBeta) {
    validateAggregate(spec, 'limits', at, (limit, name) =>
      isHugePageResourceName(name) ? limit : undefined,
    );
  }
  at.child('containers').each(spec.containers, ({ resources }, containerAt) => {
    for (const [name, text] of sortedEntries(resources?.limits)) {
      const podText = ownField(limits, name);
      if (podText === undefined) continue;
      const limit = storedQuantity(text);
      const podLimit = storedQuantity(podText);
      if (limit.nano <= podLimit.nano) continue;
      const detail = `must be less than or equal to pod limits of ${formatQuantity(podLimit)}`;
      containerAt.item(name).child('limits').invalid(formatQuantity(limit), detail);
    }
  });
}

/** Checks that the pod has what all its containers have together, of the resources for which `amountOf` returns an amount. */
function validateAggregate(
  spec: PodSpec,
  of: 'requests' | 'limits',
  at: FieldPath,
  amountOf: (amount: string | undefined, name: string) => string | undefined,
): void {
  for (const [name, sum] of aggregateContainerResources(spec, of)) {
    const text = amountOf(ownField(spec.resources?.[of] ?? {}, name), name);
    if (text === undefined) continue;
    const amount = storedQuantity(text);
    if (sum.nano <= amount.nano) continue;
    const detail = `must be greater than or equal to aggregate container ${of} of ${formatQuantity(sum)}`;
    at.child(of).item(name).invalid(formatQuantity(amount), detail);
  }
}

const MAX_NAMESERVERS = 3;
const MAX_SEARCH_PATHS = 32;
const MAX_SEARCH_LIST_CHARACTERS = 2048;
const MAX_HOSTNAME_BYTES = 64;

function validatePodDNSConfig(
  { dnsConfig: config, dnsPolicy: policy }: PodSpec,
  at: FieldPath,
): void {
  if (config === undefined) {
    if (policy === 'None') at.required('must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  const { nameservers = [], searches = [], options } = config;
  if (policy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return at.child('nameservers').required(detail);
  }
  validateNameservers(nameservers, at.child('nameservers'));
  validateSearches(searches, at.child('searches'));
  at.child('options').each(options, ({ name = '' }, optionAt) => {
    if (name === '') optionAt.required('must not be empty');
  });
}

function validateNameservers(nameservers: readonly string[], at: FieldPath): void {
  if (nameservers.length > MAX_NAMESERVERS) {
    at.invalid(asJson(nameservers), `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  at.each(nameservers, validateIP);
}

function validateSearches(searches: readonly string[], at: FieldPath): void {
  if (searches.length > MAX_SEARCH_PATHS) {
    at.invalid(asJson(searches), `must not have more than ${MAX_SEARCH_PATHS} search paths`);
  }
  if (searches.join(' ').length > MAX_SEARCH_LIST_CHARACTERS) {
    const detail = `must not have more than ${MAX_SEARCH_LIST_CHARACTERS} characters (including spaces) in the search list`;
    at.invalid(asJson(searches), detail);
  }
  at.each(searches, (search, searchAt) => {
    if (search === '.') return;
    const name = search.replace(/\.$/, '');
    searchAt.invalidFor(name, isDNS1123SubdomainWithUnderscore(name));
  });
}

function validateHostUsers(spec: PodSpec, at: FieldPath): void {
  if (spec.hostUsers !== false) return;
  const field = isServerSince('1.34', at.server) ? 'hostUsers' : 'pod.Spec.HostUsers';
  const detail = `when \`${field}\` is false`;
  const isAllowed = isEnabled('UserNamespacesHostNetworkSupport', at.server);
  if (spec.hostNetwork === true && !isAllowed) at.child('hostNetwork').forbidden(detail);
  if (spec.hostPID === true) at.child('HostPID').forbidden(detail);
  if (spec.hostIPC === true) at.child('HostIPC').forbidden(detail);
  if (!isServerSince('1.34', at.server)) return;
  visitContainersWithPath(spec, at, ({ volumeDevices = [] }, containerAt) => {
    if (volumeDevices.length > 0) containerAt.child('volumeDevices').forbidden(detail);
  });
}

function validatePodHostName(spec: PodSpec, at: FieldPath): void {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return;
  if (spec.setHostnameAsFQDN === true) {
    at.forbidden('may not be specified when setHostnameAsFQDN is true');
  }
  if (spec.hostNetwork === true) at.forbidden('may not be specified when hostNetwork is true');
  validateMaxBytes(name, MAX_HOSTNAME_BYTES, at);
  validateDNS1123Subdomain(name, at);
}

function validateHostAliases(aliases: PodSpec['hostAliases'], at: FieldPath): void {
  at.each(aliases, ({ ip = '', hostnames }, aliasAt) => {
    validateIP(ip, aliasAt.child('ip'));
    aliasAt.child('hostnames').each(hostnames, validateDNS1123Subdomain);
  });
}

export const MIRROR_POD_KEY = 'kubernetes.io/config.mirror';
const DELETION_COST_KEY = 'controller.kubernetes.io/pod-deletion-cost';
/** An integer without a plus sign; only a negative one may have leading zeros. */
const DELETION_COST = /^(?:0|-\d+|[1-9]\d*)$/;

/** Ports ValidatePodSpecificAnnotations, without the deprecated annotations of seccomp and AppArmor. */
export function validatePodSpecificAnnotations(
  annotations: Readonly<Record<string, string>> = {},
  spec: Decoded<v1.PodSpec>,
  at: FieldPath,
): void {
  const mirror = annotations[MIRROR_POD_KEY];
  if (mirror !== undefined && spec.nodeName === undefined) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    at.item(MIRROR_POD_KEY).invalid(mirror, detail);
  }
  validateDeletionCost(annotations[DELETION_COST_KEY], at.item(DELETION_COST_KEY));
}

/** Ports GetDeletionCostFromPodAnnotations (pkg/apis/core/helper/helpers.go). */
function validateDeletionCost(value: string | undefined, at: FieldPath): void {
  if (value === undefined) return;
  const cost = Number(value);
  if (DELETION_COST.test(value) && cost >= -(2 ** 31) && cost < 2 ** 31) return;
  at.invalid(value, 'must be a 32bit integer');
}
