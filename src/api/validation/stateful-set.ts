import {
  asJson,
  asStruct,
  type FieldError,
  invalid,
  type JsonText,
  notSupported,
  required,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Label, validateNonnegativeField } from './common.js';
import { isDNS1123Label } from './formats.js';
import {
  intOrPercentValue,
  isNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from './int-or-percent.js';
import {
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
  showSelector,
} from './label-selector.js';
import { validateAnnotations, validateLabels, validateObjectMeta } from './object-meta.js';
import { validatePodTemplateSpec } from './pod.js';
import { validatePodSpecificAnnotations } from './pod-annotations.js';
import { mismatch, validateAlwaysRestarted, validateRequiredSelector } from './template.js';
import { validateVolumeClaimSpec } from './volume-claim.js';

type StatefulSetSpec = Decoded<'StatefulSetSpec'>;
type Template = Decoded<'PodTemplateSpec'>;

const RETENTION_POLICIES = ['Retain', 'Delete'];

/** Ports ValidateStatefulSet and ValidateStatefulSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateStatefulSet(statefulSet: Decoded<'StatefulSet'>): FieldError[] {
  const { metadata = {}, spec = {} } = statefulSet;
  const { serviceName = '', selector } = spec;
  return [
    ...validateObjectMeta(metadata, isDNS1123Label, 'metadata'),
    ...validatePodManagement(spec),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      validateVolumeClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
    ),
    ...validateNonnegativeField(spec.replicas ?? 0, 'spec.replicas'),
    ...validateNonnegativeField(spec.minReadySeconds ?? 0, 'spec.minReadySeconds'),
    ...validateNonnegativeField(spec.ordinals?.start ?? 0, 'spec.ordinals.start'),
    ...(serviceName === '' ? [] : validateDNS1123Label(serviceName, 'spec.serviceName')),
    ...validateRequiredSelector(selector, 'statefulset', 'spec.selector'),
    ...validateTemplate(spec, 'spec.template'),
    ...validateAlwaysRestarted(spec.template, 'StatefulSet', 'spec.template'),
  ];
}

/** Ports ValidatePersistentVolumeClaimRetentionPolicy (pkg/apis/apps/validation/validation.go). */
function validateRetention(policy: StatefulSetSpec['persistentVolumeClaimRetentionPolicy'] = {}) {
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field): FieldError[] => {
    const value = policy[field] ?? 'Retain';
    if (RETENTION_POLICIES.includes(value)) return [];
    const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
    return [notSupported(path, value, RETENTION_POLICIES)];
  });
}

function validatePodManagement(spec: StatefulSetSpec): FieldError[] {
  const policy = spec.podManagementPolicy ?? '';
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  if (policy === '') return [required('spec.podManagementPolicy')];
  const detail = "must be 'OrderedReady' or 'Parallel'";
  return [invalid('spec.podManagementPolicy', asJson(policy), detail)];
}

function validateUpdateStrategy(
  strategy: Decoded<'StatefulSetUpdateStrategy'>,
  path: string,
): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  switch (type) {
    case 'RollingUpdate':
      return rollingUpdate === undefined ? [] : validateRollingUpdate(rollingUpdate, at);
    case 'OnDelete':
      if (rollingUpdate === undefined) return [];
      return [
        invalid(at, showUpdate(rollingUpdate), "only allowed for updateStrategy 'RollingUpdate'"),
      ];
    case '':
      return [required(path)];
    default: {
      const shown = asStruct({
        Type: type,
        RollingUpdate: rollingUpdate && showUpdate(rollingUpdate),
      });
      return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function showUpdate(update: Decoded<'RollingUpdateStatefulSetStrategy'>): JsonText {
  // The gate of maxUnavailable is off, so it is dropped without a word.
  return asStruct({ Partition: update.partition ?? 0, MaxUnavailable: undefined });
}

function validateRollingUpdate(
  update: Decoded<'RollingUpdateStatefulSetStrategy'>,
  path: string,
): FieldError[] {
  const { partition = 0, maxUnavailable } = update;
  const errors = validateNonnegativeField(partition, `${path}.partition`);
  if (maxUnavailable === undefined) return errors;
  const at = `${path}.maxUnavailable`;
  errors.push(...validatePositiveIntOrPercent(maxUnavailable, at));
  if (intOrPercentValue(maxUnavailable) === 0) {
    errors.push(invalid(at, asJson(maxUnavailable), 'cannot be 0'));
  }
  return [...errors, ...isNotMoreThan100Percent(maxUnavailable, at)];
}

/** Ports ValidatePodTemplateSpecForStatefulSet; the controller overwrites hostname and subdomain. */
function validateTemplate(spec: StatefulSetSpec, path: string): FieldError[] {
  const { selector, template = {} } = spec;
  if (!isUsableSelector(selector)) return [invalid('spec.selector', showSelector(selector), '')];
  const everything = selector !== undefined && isEmptySelector(selector);
  const matches = everything || selectorMatches(selector, template.metadata?.labels ?? {});
  return [
    ...(matches ? [] : [mismatch(template, path)]),
    ...validatePodTemplateSpec(withClaims(template, spec), path),
    ...validateLabels(template.metadata?.labels, `${path}.labels`),
    ...validateAnnotations(template.metadata?.annotations, `${path}.annotations`),
    ...validatePodSpecificAnnotations(
      template.metadata?.annotations,
      template.spec ?? {},
      `${path}.annotations`,
    ),
  ];
}

/** The template with the volumes of the claims, which are there for the mounts. */
function withClaims(template: Template, spec: StatefulSetSpec): Template {
  const names = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '');
  const claims = [...new Set(names)];
  const claimed = claims.map((name) => ({
    name,
    persistentVolumeClaim: name === '' ? {} : { claimName: name },
  }));
  const own = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claims.includes(name));
  const overwritten = { hostname: undefined, subdomain: undefined };
  return { ...template, spec: { ...template.spec, ...overwritten, volumes: [...claimed, ...own] } };
}
