import { SCENARIO_TABLES } from './scenario-tables.js';
import { API_TABLES } from './tables.js';

export type * as v1 from './types.js';

/**
 * An object of the API after strict decoding, before defaults and validation: every field may be absent, and an
 * enumeration is any text. A zero value that Go cannot distinguish from an absent one is absent.
 */
export type Decoded<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Decoded<Item>[]
    : T extends object
      ? string extends keyof T
        ? Readonly<Record<string, Decoded<T[keyof T]>>>
        : { readonly [Key in keyof T]?: Decoded<T[Key]> | undefined }
      : T;

/** A Go struct, or a named type that stands for another type. */
type TableEntry =
  | { readonly kind: 'alias'; readonly type: string }
  | {
      readonly kind: 'struct';
      readonly members: readonly (readonly [name: string, type?: string])[];
    };

let tables: ReadonlyMap<string, TableEntry> | undefined;

/** Returns the entry of a name; the tables are read when the first is asked for. */
function tableEntry(name: string): TableEntry | undefined {
  tables ??= new Map([...parseTables(API_TABLES), ...parseTables(SCENARIO_TABLES)]);
  return tables.get(name);
}

function parseTables(text: string): (readonly [string, TableEntry])[] {
  const lines = text.replace(/\n +/g, ' ').trim().split('\n');
  return lines.map((line) => {
    const [, name = '', alias, list = ''] = /^(\w+)(?: = (.*)|: ?(.*))$/.exec(line) ?? [];
    if (alias !== undefined) return [name, { kind: 'alias', type: alias }];
    const members = list.split(', ').map((member) => {
      const [field = '', type] = member.split(' ');
      return type === undefined ? ([field] as const) : ([field, type] as const);
    });
    return [name, { kind: 'struct', members }];
  });
}

interface Field {
  readonly type: GoType;
  /** The embedded structs that the field is reached through, as Go's decoder names them in its errors. */
  readonly embedded: readonly string[];
  /** The field has no omitempty: Go writes it also when it is empty. */
  readonly always: boolean;
}

/** A type as Go's decoder sees it; `name` is what its errors call the type. */
export type GoType =
  | { readonly kind: 'pointer'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'list'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'map'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly struct: string }
  | { readonly kind: 'scalar'; readonly name: string; readonly scalar: Scalar };

/** Types without fields or items, with Go's zero value of each. */
export const SCALAR_ZERO = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  bytes: '',
  IntOrString: 0,
  Quantity: '0',
  Time: undefined,
  raw: undefined,
} as const;
export type Scalar = keyof typeof SCALAR_ZERO;

/** Go types that are decoded like another scalar. */
const DECODED_AS: Readonly<Record<string, Scalar>> = {
  MicroTime: 'Time',
  FieldsV1: 'raw',
  RawExtension: 'raw',
};

const typesByText = new Map<string, GoType>();
const fieldsByStruct = new Map<string, ReadonlyMap<string, Field>>();

/** Parses a Go type expression such as `[]Container`. */
export function goType(text: string): GoType {
  const known = typesByText.get(text);
  if (known !== undefined) return known;
  const type = parseGoType(text);
  typesByText.set(text, type);
  return type;
}

function parseGoType(text: string): GoType {
  if (text === '[]byte') return { kind: 'scalar', name: '[]uint8', scalar: 'bytes' };
  if (text.startsWith('*')) {
    const element = goType(text.slice(1));
    return { kind: 'pointer', name: element.name, element };
  }
  if (text.startsWith('[]')) {
    const element = goType(text.slice(2));
    return { kind: 'list', name: `[]${goName(text.slice(2))}`, element };
  }
  const map = /^map\[(\w+)\](.+)$/.exec(text);
  if (map?.[1] !== undefined && map[2] !== undefined) {
    const name = `map[${goName(map[1])}]${goName(map[2])}`;
    return { kind: 'map', name, element: goType(map[2]) };
  }
  return parseNamedType(text);
}

function parseNamedType(text: string): GoType {
  const scalar = isScalar(text) ? text : DECODED_AS[text];
  if (scalar !== undefined) return { kind: 'scalar', name: goName(text), scalar };
  const entry = tableEntry(text) ?? { kind: 'alias', type: 'string' };
  if (entry.kind === 'struct') return { kind: 'struct', name: goName(text), struct: text };
  return { ...goType(entry.type), name: goName(text) };
}

function isScalar(text: string): text is Scalar {
  return Object.hasOwn(SCALAR_ZERO, text);
}

const FOREIGN: Readonly<Record<string, string>> = {
  IntOrString: 'intstr.IntOrString',
  Quantity: 'resource.Quantity',
  RawExtension: 'runtime.RawExtension',
  UID: 'types.UID',
};

/** Returns the name of a type with its Go package, which the tables leave out. */
function goName(text: string): string {
  if (text.startsWith('*') || text.startsWith('[]')) return goType(text).name;
  if (/^[a-z]/.test(text)) return text;
  return FOREIGN[text] ?? `v1.${text}`;
}

/** Returns the fields of a struct by JSON name, including those of inlined structs. */
export function fieldsOf(struct: string): ReadonlyMap<string, Field> {
  const known = fieldsByStruct.get(struct);
  if (known !== undefined) return known;
  const entry = tableEntry(struct);
  if (entry?.kind === 'alias') return fieldsOf(entry.type);
  const fields = new Map<string, Field>();
  for (const [name, type] of entry?.members ?? []) {
    if (type !== undefined) fields.set(name, fieldOf(type));
    else addInlined(fields, name);
  }
  fieldsByStruct.set(struct, fields);
  return fields;
}

function fieldOf(type: string): Field {
  const always = type.endsWith('!');
  return { type: goType(always ? type.slice(0, -1) : type), embedded: [], always };
}

function addInlined(fields: Map<string, Field>, struct: string): void {
  for (const [name, field] of fieldsOf(struct)) {
    fields.set(name, { ...field, embedded: [struct, ...field.embedded] });
  }
}
