import { dump } from 'js-yaml';

/** Characters that YAML may hold as they are, and that change how a terminal shows the rest (U+202E). */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u0085]/gu;

/** Writes a value as YAML, as kubectl does: lists not indented, texts in double quotes where they need any. */
export function dumpYaml(value: object, { sortKeys = false } = {}): string {
  // A text with a control character gets double quotes and escapes.
  const json = JSON.stringify(value).replace(UNSEEN, (char) => `\\u0001${hex(char)}\\u0001`);
  const yaml = dump(JSON.parse(json), {
    sortKeys,
    seqNoIndent: true,
    lineWidth: -1,
    quoteStyle: 'double',
    noRefs: true,
  });
  return yaml.replace(/\\x01([\dA-F]+)\\x01/g, (_, code: string) => `\\U${code}`);
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(8, '0');
}
