import { dump } from 'js-yaml';

/** A value as kubectl writes YAML: keys sorted, lists not indented, texts in double quotes where they need any. */
export function dumpYaml(value: object): string {
  return dump(value, {
    sortKeys: true,
    seqNoIndent: true,
    lineWidth: -1,
    quoteStyle: 'double',
    noRefs: true,
  });
}
