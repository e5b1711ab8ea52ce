import type { SCENARIO } from './scenario.js';
import type { API_TABLES } from './tables.js';

export type Tables = typeof API_TABLES & typeof SCENARIO;

export type TypeName = keyof Tables;

/**
 * A type of the API as strict decoding leaves it, read off the field tables: `Decoded<'Container'>`. Every
 * field may be absent, which is what a zero that Go can't tell from an absent value is, too.
 */
export type Decoded<Name extends TypeName> = Tables[Name] extends string
  ? DecodedType<Tables[Name]>
  : {
      readonly [Field in Exclude<keyof Tables[Name], ''>]?:
        DecodedType<Tables[Name][Field]> | undefined;
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
