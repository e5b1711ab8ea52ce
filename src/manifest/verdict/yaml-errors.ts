import type { DuplicateKey } from '../../go/yaml/decode-tree.js';

/** Ports the text of yaml.TypeError for keys that are already set; its lines are the document's own. */
export function yamlErrors(duplicates: readonly DuplicateKey[]): readonly string[] {
  if (duplicates.length === 0) return [];
  const errors = duplicates.map(
    ({ key, line }) => `\n  line ${line}: key ${key} already set in map`,
  );
  return [`yaml: unmarshal errors:${errors.join('')}`];
}
