import { asStruct, type FieldError, invalid, type JsonText } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { encode } from '../schema/encode.js';

type OwnerReference = Decoded<'OwnerReference'>;

/** Ports ValidateOwnerReferences (apimachinery pkg/api/validation/objectmeta.go). */
export function validateOwnerReferences(
  references: readonly OwnerReference[] = [],
  path: string,
): FieldError[] {
  let controller: string | undefined;
  return references.flatMap((reference) => {
    const errors = validateOwnerReference(reference, path);
    if (reference.controller !== true) return errors;
    const name = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller === undefined) {
      controller = name;
      return errors;
    }
    const shown = { json: `[${references.map((each) => show(each).json).join(',')}]` };
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    return [...errors, invalid(path, shown, detail)];
  });
}

function validateOwnerReference(reference: OwnerReference, path: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const errors: FieldError[] = [];
  const [group, version] = parseGroupVersion(apiVersion);
  if (version === '') {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  if (kind === '') errors.push(invalid(`${path}.kind`, '', 'must not be empty'));
  if (name === '') errors.push(invalid(`${path}.name`, '', 'must not be empty'));
  if (uid === '') errors.push(invalid(`${path}.uid`, '', 'must not be empty'));
  if (group === '' && version === 'v1' && kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(invalid(path, show(reference), detail));
  }
  return errors;
}

/** Ports what FromAPIVersionAndKind makes of a version; it is empty where that cannot be parsed. */
function parseGroupVersion(apiVersion: string): readonly [group: string, version: string] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return ['', ''];
  return parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : ['', apiVersion];
}

function show(reference: OwnerReference): JsonText {
  return asStruct(encode(reference, 'OwnerReference') as Readonly<Record<string, unknown>>);
}
