import { API_TABLES } from './tables.js';

/** A scenario file: kprobe's own format, decoded as strictly as the API's, which it holds a pod of. */
export const SCENARIO = {
  Scenario: {
    name: 'string!',
    until: 'string!',
    kubeletUp: 'string',
    pod: '*Pod',
    containers: 'map[string]ScenarioContainer',
    actions: '[]ScenarioAction',
  },
  ScenarioBehaviour: {
    readyAfter: 'string',
    hangsAt: '[]string',
    latency: 'string',
    failRate: 'string',
  },
  ScenarioContainer: {
    '': 'ScenarioBehaviour',
    probes: 'map[string]ScenarioBehaviour',
    runs: '[]ScenarioRun',
  },
  ScenarioRun: {
    '': 'ScenarioBehaviour',
    startError: 'string',
    exitAfter: 'string',
    exitCode: 'int32',
    stopTakes: 'string',
    stopExitCode: '*int32',
    probes: 'map[string]ScenarioBehaviour',
    exec: 'map[string][]ScenarioAnswer',
    http: 'map[string][]ScenarioHttpAnswer',
    tcp: 'map[string][]ScenarioTcpAnswer',
    grpc: 'map[string][]ScenarioGrpcAnswer',
  },
  ScenarioHttpAnswer: {
    until: 'string',
    takes: 'string',
    status: 'int32',
    body: 'string',
    refused: 'bool',
  },
  ScenarioTcpAnswer: { until: 'string', takes: 'string', refused: 'bool' },
  ScenarioGrpcAnswer: { until: 'string', takes: 'string', status: 'string', refused: 'bool' },
  ScenarioAnswer: {
    until: 'string',
    takes: 'string',
    exit: 'int32',
    stdout: 'string',
    stderr: 'string',
    error: 'string',
  },
  ScenarioAction: { at: 'string!', do: 'string!', pod: '*Pod' },
} as const;

export type Tables = typeof API_TABLES & typeof SCENARIO;

export type TypeName = keyof Tables;

/**
 * A type of the API as strict decoding leaves it, read off the field tables: `Decoded<'Container'>`. Every
 * field may be absent, which is what a zero that Go can't tell from an absent value is, too.
 */
export type Decoded<Name extends TypeName> = Tables[Name] extends string
  ? DecodedType<Tables[Name]>
  : {
      // Not `Field`: the bundler of the declarations would take it for the interface.
      readonly [Key in Exclude<keyof Tables[Name], ''>]?:
        DecodedType<Tables[Name][Key]> | undefined;
    } & Inlined<Tables[Name]>;

type DecodedType<Type> = Type extends `${infer Required}!`
  ? DecodedType<Required>
  : Type extends `*${infer Element}`
    ? DecodedType<Element>
    : Type extends '[]byte'
      ? string
      : Type extends `[]${infer Element}`
        ? readonly DecodedType<Element>[]
        : Type extends `map[${string}]${infer Element}`
          ? Readonly<Record<string, DecodedType<Element>>>
          : Type extends TypeName
            ? Decoded<Type>
            : DecodedScalar<Type>;

export type DecodedScalar<Type> = Type extends 'bool'
  ? boolean
  : Type extends 'int32' | 'int64'
    ? number
    : Type extends 'IntOrString'
      ? number | string
      : Type extends 'FieldsV1' | 'RawExtension'
        ? unknown
        : string;

type Inlined<Table> = Table extends { readonly '': infer Structs }
  ? Intersection<Structs>
  : unknown;

type Intersection<Structs> = Structs extends `${infer First} ${infer Rest}`
  ? DecodedType<First> & Intersection<Rest>
  : DecodedType<Structs>;

/**
 * The fields of a Go struct: JSON name → Go type, with `!` after a type that has no omitempty. The empty name
 * holds the structs whose fields are inlined, in a row.
 */
type StructTable = Readonly<Record<string, string>>;

/** Structs by name, and named types that stand for another type; those that are not there are strings. */
type SchemaTable = Readonly<Record<string, StructTable | string>>;

const TABLES: SchemaTable = { ...API_TABLES, ...SCENARIO };

export interface Field {
  readonly type: GoType;
  /** The embedded structs that the field is reached through, as Go's decoder names them in its errors. */
  readonly embedded: readonly string[];
  /** The field has no omitempty: Go writes it also when it is empty. */
  readonly always: boolean;
}

/** A type as Go's decoder takes it; `name` is the type in Go's words. */
export type GoType =
  | { readonly kind: 'pointer'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'list'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'map'; readonly name: string; readonly element: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly struct: string }
  | { readonly kind: 'scalar'; readonly name: string; readonly scalar: Scalar };

/** The types that are decoded whole, and Go's zero values of them. */
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

/** Types of Go's that are decoded like a simpler one. */
const DECODED_AS: Readonly<Record<string, Scalar>> = {
  MicroTime: 'Time',
  FieldsV1: 'raw',
  RawExtension: 'raw',
};

const typesByText = new Map<string, GoType>();
const fieldsByStruct = new Map<string, ReadonlyMap<string, Field>>();

/** The type that a Go type expression such as `[]Container` stands for. */
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
  const entry = lookUp(text) ?? 'string';
  if (typeof entry !== 'string') return { kind: 'struct', name: goName(text), struct: text };
  return { ...goType(entry), name: goName(text) };
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

/** Returns a type in Go's words; the tables name it without its package. */
function goName(text: string): string {
  if (text.startsWith('*') || text.startsWith('[]')) return goType(text).name;
  if (/^[a-z]/.test(text)) return text;
  return FOREIGN[text] ?? `v1.${text}`;
}

function lookUp(name: string): StructTable | string | undefined {
  return Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
}

/** The fields of a struct by JSON name, those of inlined structs among them. */
export function fieldsOf(struct: string): ReadonlyMap<string, Field> {
  const known = fieldsByStruct.get(struct);
  if (known !== undefined) return known;
  const table = lookUp(struct);
  if (typeof table === 'string') return fieldsOf(table);
  const fields = new Map<string, Field>();
  if (table !== undefined) {
    for (const [name, type] of Object.entries(table)) {
      if (name === '') addInlined(fields, type);
      else fields.set(name, ownField(type));
    }
  }
  fieldsByStruct.set(struct, fields);
  return fields;
}

function ownField(type: string): Field {
  const always = type.endsWith('!');
  return { type: goType(always ? type.slice(0, -1) : type), embedded: [], always };
}

function addInlined(fields: Map<string, Field>, structs: string): void {
  for (const struct of structs.split(' ')) {
    for (const [name, field] of fieldsOf(struct)) {
      fields.set(name, { ...field, embedded: [struct, ...field.embedded] });
    }
  }
}
