import { SyntaxProblem } from '../api/index.js';
import { TreeDecoder, type YamlTree } from './yaml/decode-tree.js';
import { composeDocument } from './yaml/go-node.js';
import { GoYamlError } from './yaml/go-yaml-error.js';
import { yamlProblem } from './yaml-error.js';

/**
 * Reads the YAML document between two offsets of a text as go-yaml v2 and sigs.k8s.io/yaml turn it into JSON:
 * YAML 1.1 scalars, aliases taken apart, merges done, keys sorted. Offsets are those of the whole text.
 *
 * @throws SyntaxProblem
 */
export function parseYaml(text: string, start = 0, end = text.length): YamlTree {
  const written = text.slice(start, end);
  // The reader that cuts documents out ends every line.
  const document = written.endsWith('\n') ? written : `${written}\n`;
  try {
    const root = composeDocument(document);
    if (root === undefined) return { node: { kind: 'null', start }, duplicates: [] };
    const decoder = new TreeDecoder(start);
    return { node: decoder.decodeDocument(root), duplicates: decoder.duplicates };
  } catch (error) {
    const problem = error instanceof GoYamlError ? yamlProblem(error, document) : error;
    if (!(problem instanceof SyntaxProblem)) throw problem;
    const { message, offset, hint, server } = problem;
    throw new SyntaxProblem(message, start + offset, hint, server);
  }
}
