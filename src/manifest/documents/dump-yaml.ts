import { dump } from 'js-yaml';

/** Characters that YAML allows unescaped, and that change how a terminal shows the text after them (U+202E). */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u0085]/gu;

/** Writes a value as YAML, as kubectl does: lists not indented, texts in double quotes where they need any. */
export function dumpYaml(value: object, { sortKeys = false } = {}): string {
  // U+0001 makes js-yaml write double quotes; it marks the codes that become escapes below.
  const json = JSON.stringify(value).replace(INVISIBLE, (char) => `\\u0001${hex(char)}\\u0001`);
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
