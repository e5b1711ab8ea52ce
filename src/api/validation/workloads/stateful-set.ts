import { isEnabled } from '../../schema/api-server.js';
import { asInternal } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateDNS1123Label,
  validateNonnegativeField,
  validateNonnegativeFields,
  validateOptional,
  validateSupported,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { isDNS1123Label } from '../common/formats.js';
import {
  isUsableSelector,
  showSelector,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
} from '../common/meta.js';
import { validatePodSpecificAnnotations, validatePodTemplateSpec } from '../pod/pod.js';
import { validateVolumeClaimSpec } from '../volumes/volume-claim.js';
import {
  getIntOrPercentValue,
  isNotMoreThan100Percent,
  validateAlwaysRestarted,
  validatePositiveIntOrPercent,
  validateRequiredSelector,
  validateSelectorMatches,
} from './workloads.js';

type StatefulSetSpec = Decoded<v1.StatefulSetSpec>;
type Template = Decoded<v1.PodTemplateSpec>;

const RETENTION_POLICIES = ['Retain', 'Delete'];

/** Ports ValidateStatefulSet and ValidateStatefulSetSpec (pkg/apis/apps/validation/validation.go). */
export function validateStatefulSet(
  { metadata = {}, spec = {} }: Decoded<v1.StatefulSet>,
  at: FieldPath,
): void {
  const { persistentVolumeClaimRetentionPolicy: retention = {} } = spec;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'), isDNS1123Label);
  validatePodManagement(spec.podManagementPolicy, specAt.child('podManagementPolicy'));
  validateUpdateStrategy(spec.updateStrategy ?? {}, specAt.child('updateStrategy'));
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const fieldAt = specAt.child(`persistentVolumeClaimRetentionPolicy.${field}`);
    validateSupported(retention[field] ?? 'Retain', RETENTION_POLICIES, fieldAt);
  }
  specAt.child('volumeClaimTemplates').each(spec.volumeClaimTemplates, (claim, claimAt) => {
    validateVolumeClaimSpec(claim.spec ?? {}, claimAt.child('spec'));
  });
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], specAt);
  validateNonnegativeField(spec.ordinals?.start, specAt.child('ordinals.start'));
  validateOptional(spec.serviceName, specAt.child('serviceName'), validateDNS1123Label);
  validateRequiredSelector(spec.selector, 'statefulset', specAt.child('selector'));
  validatePodTemplateSpecForStatefulSet(spec, specAt);
  validateAlwaysRestarted(spec.template, 'StatefulSet', specAt.child('template'));
}

function validatePodManagement(policy = '', at: FieldPath): void {
  if (policy === '') at.required();
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    at.invalid(asJson(policy), "must be 'OrderedReady' or 'Parallel'");
  }
}

function validateUpdateStrategy(
  { type = '', rollingUpdate }: Decoded<v1.StatefulSetUpdateStrategy>,
  at: FieldPath,
): void {
  const updateAt = at.child('rollingUpdate');
  const { partition = 0, maxUnavailable } = rollingUpdate ?? {};
  const isCounted = isEnabled('MaxUnavailableStatefulSet', at.server);
  const shown = rollingUpdate && { partition, ...(isCounted && { maxUnavailable }) };
  switch (type) {
    case 'RollingUpdate':
      validateNonnegativeField(partition, updateAt.child('partition'));
      if (!isCounted || maxUnavailable === undefined) return;
      return validateMaxUnavailable(maxUnavailable, updateAt.child('maxUnavailable'));
    case 'OnDelete':
      if (shown) {
        const update = asInternal(shown, 'RollingUpdateStatefulSetStrategy');
        updateAt.invalid(update, "only allowed for updateStrategy 'RollingUpdate'");
      }
      return;
    case '':
      return at.required();
    default:
      at.invalid(
        asInternal({ type, rollingUpdate: shown }, 'StatefulSetUpdateStrategy'),
        "must be 'RollingUpdate' or 'OnDelete'",
      );
  }
}

/** Ports the part of validateRollingUpdateStatefulSet about maxUnavailable. */
function validateMaxUnavailable(value: v1.IntOrString, at: FieldPath): void {
  validatePositiveIntOrPercent(value, at);
  if (getIntOrPercentValue(value) === 0) at.invalid(asJson(value), 'cannot be 0');
  isNotMoreThan100Percent(value, at);
}

/** Ports ValidatePodTemplateSpecForStatefulSet (pkg/apis/apps/validation/validation.go), after the selector. */
function validatePodTemplateSpecForStatefulSet(spec: StatefulSetSpec, at: FieldPath): void {
  const { selector, template = {} } = spec;
  const { labels, annotations } = template.metadata ?? {};
  if (!isUsableSelector(selector)) return at.child('selector').invalid(showSelector(selector), '');
  const templateAt = at.child('template');
  const annotationsAt = templateAt.child('annotations');
  validateSelectorMatches(selector, template, templateAt);
  validatePodTemplateSpec(withClaims(template, spec), templateAt);
  validateLabels(labels, templateAt.child('labels'));
  validateAnnotations(annotations, annotationsAt);
  validatePodSpecificAnnotations(annotations, template.spec ?? {}, annotationsAt);
}

/** Returns the template with the claims as volumes, and without the hostname and subdomain: the controller sets them. */
function withClaims(template: Template, spec: StatefulSetSpec): Template {
  const names = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '');
  const claims = [...new Set(names)];
  const claimed = claims.map((name) => ({
    name,
    persistentVolumeClaim: name === '' ? {} : { claimName: name },
  }));
  const others = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claims.includes(name));
  const overwritten = { hostname: undefined, subdomain: undefined };
  return {
    ...template,
    spec: { ...template.spec, ...overwritten, volumes: [...claimed, ...others] },
  };
}
