import { goQuote } from '../../api/go-text.js';
import { LineMap } from '../line-map.js';
import type { DuplicateKey } from '../yaml-tree.js';

/** Ports the text of yaml.TypeError for keys that are already set; its lines are the document's own. */
export function yamlErrors(
  text: string,
  start: number,
  duplicates: readonly DuplicateKey[],
): readonly string[] {
  if (duplicates.length === 0) return [];
  const lines = new LineMap(text);
  const before = lines.positionAt(start).line - 1;
  const errors = duplicates.map(({ key, valueStart }) => {
    const line = lines.positionAt(valueStart).line - before;
    return `\n  line ${line}: key ${goQuote(key)} already set in map`;
  });
  return [`yaml: unmarshal errors:${errors.join('')}`];
}
