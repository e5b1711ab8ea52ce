import {
  asJson,
  asStruct,
  type FieldError,
  invalid,
  type JsonText,
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
import { mismatch, validateAlwaysRestarted, validateRequiredSelector } from './template.js';
import { validateVolumeClaimSpec } from './volume-claim.js';

type StatefulSetSpec = Decoded<'StatefulSetSpec'>;
type Template = Decoded<'PodTemplateSpec'>;

/**
 * Ports ValidateStatefulSet and ValidateStatefulSetSpec (pkg/apis/apps/validation/validation.go); claims are
 * not looked at for their retention and data sources.
 */
export function validateStatefulSet(statefulSet: Decoded<'StatefulSet'>): FieldError[] {
  const { metadata = {}, spec = {} } = statefulSet;
  const { serviceName = '', selector } = spec;
  return [
    ...validateObjectMeta(metadata, isDNS1123Label, 'metadata'),
    ...validatePodManagement(spec),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
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
      const shown = asStruct({ Type: type, RollingUpdate: rollingUpdate });
      return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function showUpdate(update: Decoded<'RollingUpdateStatefulSetStrategy'>): JsonText {
  const { partition = 0, maxUnavailable } = update;
  return asStruct({ Partition: partition, MaxUnavailable: maxUnavailable });
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
  ];
}

/** The template with the volumes of the claims, which are there for the mounts. */
function withClaims(template: Template, spec: StatefulSetSpec): Template {
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '');
  const claimed = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claims.includes(name));
  const overwritten = { hostname: undefined, subdomain: undefined };
  return { ...template, spec: { ...template.spec, ...overwritten, volumes: [...claimed, ...own] } };
}
