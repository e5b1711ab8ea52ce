import { SyntaxProblem } from './syntax-error.js';
import { yamlEvents } from './yaml-events.js';
import { type YamlTree, YamlTreeBuilder } from './yaml-tree.js';

/**
 * Reads the YAML document between two offsets of a text as go-yaml v2 and sigs.k8s.io/yaml turn it into JSON:
 * YAML 1.1 scalars, aliases taken apart, merges done, keys sorted. Offsets are those of the whole text.
 *
 * @throws SyntaxProblem
 */
export function parseYaml(text: string, start = 0, end = text.length): YamlTree {
  try {
    return new YamlTreeBuilder(yamlEvents(text.slice(start, end)), start).build();
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    throw new SyntaxProblem(problem.message, start + problem.offset, problem.hint);
  }
}
