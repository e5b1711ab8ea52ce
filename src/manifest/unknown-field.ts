import { fieldsOf, type GoType } from '../api/index.js';
import { suggest } from './suggest.js';

/** What someone may have meant by a field that its object does not have; undefined when nothing comes near. */
export function hintForUnknownField(name: string, structs: readonly string[]): string | undefined {
  const [own = '', ...outer] = structs;
  const near = suggest(name, [...fieldsOf(own).keys()]);
  const exact = near?.toLowerCase() === name.toLowerCase();
  if (near !== undefined && exact) return `did you mean "${near}"?`;
  const inner = fieldsWith(own, name);
  if (inner.length > 0) return `it belongs in ${plainest(inner).join(' or ')}`;
  const around = outer.findIndex((struct) => fieldsOf(struct).has(name));
  if (around === 0) return 'it belongs one level up';
  if (around > 0) return `it belongs ${around + 1} levels up`;
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** What belongs to a container belongs to a plain one in most cases. */
function plainest(fields: readonly string[]): readonly string[] {
  return fields.includes('containers') ? ['containers'] : fields;
}

/** The fields of a struct that hold something with a field of that name. */
function fieldsWith(struct: string, name: string): readonly string[] {
  return [...fieldsOf(struct)].flatMap(([field, { type }]) => {
    const held = structOf(type);
    return held !== undefined && fieldsOf(held).has(name) ? [field] : [];
  });
}

function structOf(type: GoType): string | undefined {
  switch (type.kind) {
    case 'struct':
      return type.struct;
    case 'pointer':
    case 'list':
      return structOf(type.element);
    case 'map':
    case 'scalar':
      return undefined;
  }
}
