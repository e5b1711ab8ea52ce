/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { type Decoded, fieldsOf, type v1 } from '../../schema/schema.js';
import { formatQuantity, storedQuantity } from '../../values/quantity.js';
import {
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateOptional,
  validateRequired,
  validateSupported,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { validateAnnotations, validateLabels, validateLabelSelector } from '../common/meta.js';

type ClaimSpec = Decoded<v1.PersistentVolumeClaimSpec>;

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

export function validateEphemeralVolumeSource(
  { volumeClaimTemplate: template }: Decoded<v1.EphemeralVolumeSource>,
  at: FieldPath,
): void {
  const templateAt = at.child('volumeClaimTemplate');
  if (template === undefined) return templateAt.required();
  validateTemplateObjectMeta(template.metadata ?? {}, templateAt.child('metadata'));
  validateVolumeClaimSpec(template.spec ?? {}, templateAt.child('spec'));
}

function validateTemplateObjectMeta(meta: Decoded<v1.ObjectMeta>, at: FieldPath): void {
  validateAnnotations(meta.annotations, at.child('annotations'));
  validateLabels(meta.labels, at.child('labels'));
  for (const field of fieldsOf('ObjectMeta').keys()) {
    if (field === 'annotations' || field === 'labels' || !Object.hasOwn(meta, field)) continue;
    at.child(field === 'uid' ? 'uID' : field).forbidden('cannot be set');
  }
}

/** Ports ValidatePersistentVolumeClaimSpec (pkg/apis/core/validation/validation.go). */
export function validateVolumeClaimSpec(spec: ClaimSpec, at: FieldPath): void {
  const { accessModes = [], volumeMode = 'Filesystem' } = spec;
  const modesAt = at.child('accessModes');
  if (accessModes.length === 0) modesAt.required('at least 1 access mode is required');
  validateLabelSelector(spec.selector, at.child('selector'));
  validateAccessModes(accessModes, modesAt);
  validateStorage(spec.resources?.requests?.['storage'], at.child('resources[storage]'));
  validateOptional(spec.storageClassName, at.child('storageClassName'), validateDNS1123Subdomain);
  validateSupported(volumeMode, VOLUME_MODES, at.child('volumeMode'));
  validateDataSources(spec, at);
  const attributesAt = at.child('volumeAttributesClassName');
  validateOptional(spec.volumeAttributesClassName, attributesAt, validateDNS1123Subdomain);
}

function validateAccessModes(modes: readonly string[], at: FieldPath): void {
  for (const mode of modes) validateSupported(mode, ACCESS_MODES, at);
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others.length > 0) {
    at.forbidden('may not use ReadWriteOncePod with other access modes');
  }
}

function validateStorage(text: string | undefined, at: FieldPath): void {
  if (text === undefined) return at.required();
  const quantity = storedQuantity(text);
  if (quantity.nano <= 0n) at.invalid(formatQuantity(quantity), 'must be greater than zero');
}

const FIELDS = ['apiGroup', 'kind', 'name'] as const;

function validateDataSources({ dataSource, dataSourceRef }: ClaimSpec, at: FieldPath): void {
  validateDataSource(dataSource, at.child('dataSource'));
  validateDataSource(dataSourceRef, at.child('dataSourceRef'));
  if (dataSource === undefined || dataSourceRef === undefined) return;
  // The server passes a field path as the value, and JSON shows that as an empty object.
  const shown = asJson({});
  if ((dataSourceRef.namespace ?? '') !== '') {
    at.invalid(shown, 'may not be specified when dataSourceRef.namespace is specified');
  } else if (FIELDS.some((field) => dataSource[field] !== dataSourceRef[field])) {
    at.invalid(shown, 'must match dataSourceRef');
  }
}

/** Ports validateDataSource and validateDataSourceRef. */
function validateDataSource(source: ClaimSpec['dataSourceRef'], at: FieldPath): void {
  if (source === undefined) return;
  const { apiGroup = '', kind = '', name, namespace } = source;
  validateRequired(name, at.child('name'));
  validateRequired(kind, at.child('kind'));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    at.invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  validateOptional(apiGroup, at.child('apiGroup'), validateDNS1123Subdomain);
  validateOptional(namespace, at.child('namespace'), validateDNS1123Label);
}
