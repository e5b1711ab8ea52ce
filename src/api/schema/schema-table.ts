/**
 * The fields of a Go struct: JSON name → Go type, with `!` after a type that has no omitempty. The empty name
 * holds the structs whose fields are inlined, in a row.
 */
export type StructTable = Readonly<Record<string, string>>;

/** Structs by name; a named type that is not a struct holds the type that it stands for. */
export type SchemaTable = Readonly<Record<string, StructTable | string>>;
