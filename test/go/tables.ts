import { readFileSync } from 'node:fs';

/** Rows made by Go 1.26's own functions: input, output and the text of the error. */
interface Tables {
  readonly addr: readonly (readonly [text: string, error: string | null])[];
  readonly atoi: readonly (readonly [text: string, value: string, error: string | null])[];
  readonly canon: readonly (readonly [name: string, canonical: string])[];
  readonly hostport: readonly (readonly [
    text: string,
    host: string,
    port: string,
    error: string | null,
  ])[];
  /** The input in hex. */
  readonly quote: readonly (readonly [hex: string, quoted: string])[];
  readonly ref: readonly (readonly [base: string, reference: string, resolved: string])[];
  readonly url: readonly (readonly [
    text: string,
    written: string | null,
    requestURI: string | null,
    error: string | null,
  ])[];
}

export const tables = JSON.parse(
  readFileSync(new URL('tables.json', import.meta.url), 'utf8'),
) as Tables;
