import { asStruct, type FieldError, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Label, validateDNS1123Subdomain } from './common.js';

type Claim = Decoded<'PersistentVolumeClaimSpec'>;
type Source = Decoded<'TypedObjectReference'>;

/** What ValidatePersistentVolumeClaimSpec (pkg/apis/core/validation/validation.go) says of data sources. */
export function validateDataSources(claim: Claim, path: string): FieldError[] {
  const { dataSource, dataSourceRef } = claim;
  const errors = [
    ...validateDataSource(dataSource, `${path}.dataSource`),
    ...validateDataSource(dataSourceRef, `${path}.dataSourceRef`),
  ];
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  // The server shows a path where it means the value, and of that nothing.
  const shown = asStruct({});
  if ((dataSourceRef.namespace ?? '') !== '') {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    return [...errors, invalid(path, shown, detail)];
  }
  if (isSame(dataSource, dataSourceRef)) return errors;
  return [...errors, invalid(path, shown, 'must match dataSourceRef')];
}

/** Ports isDataSourceEqualDataSourceRef (pkg/apis/core/validation/validation.go). */
function isSame(source: Decoded<'TypedLocalObjectReference'>, reference: Source): boolean {
  const { kind = '', name = '' } = reference;
  return (
    source.apiGroup === reference.apiGroup &&
    (source.kind ?? '') === kind &&
    (source.name ?? '') === name
  );
}

/** Ports validateDataSource and validateDataSourceRef (pkg/apis/core/validation/validation.go). */
function validateDataSource(source: Source | undefined, path: string): FieldError[] {
  if (source === undefined) return [];
  const { apiGroup = '', kind = '', name = '', namespace = '' } = source;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (kind === '') errors.push(required(`${path}.kind`));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, kind, detail));
  }
  if (apiGroup !== '') errors.push(...validateDNS1123Subdomain(apiGroup, `${path}.apiGroup`));
  if (namespace !== '') errors.push(...validateDNS1123Label(namespace, `${path}.namespace`));
  return errors;
}
