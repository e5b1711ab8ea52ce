/**
 * An object of the API as it was decoded, before anything is known about it: every field may be missing, and a
 * field of few known values holds any string. A zero that Go can't tell from an absent value is absent.
 */
export type Unchecked<T> = T extends string
  ? string
  : T extends number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Unchecked<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]?: Unchecked<T[Key]> | undefined }
        : T;
