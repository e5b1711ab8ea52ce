import { GoYamlError } from './go-yaml-error.js';
import type { Token } from './token.js';

/** The directives of a document. Ports yaml_parser_process_directives (go.yaml.in/yaml/v2 parserc.go). */
export class TagHandles {
  readonly #prefixes = new Map<string, string>();
  #hasVersion = false;

  /** Adds a directive; false for a token that is none. */
  add({ kind, value, suffix, start }: Token): boolean {
    const refuse = (problem: string): never => {
      throw new GoYamlError('parser', problem, start);
    };
    if (kind === 'version-directive') {
      if (this.#hasVersion) refuse('found duplicate %YAML directive');
      if (value !== '1.1') refuse('found incompatible YAML document');
      this.#hasVersion = true;
      return true;
    }
    if (kind !== 'tag-directive') return false;
    if (this.#prefixes.has(value)) refuse('found duplicate %TAG directive');
    this.#prefixes.set(value, suffix);
    return true;
  }

  addDefaults(): void {
    for (const [handle, prefix] of [
      ['!', '!'],
      ['!!', 'tag:yaml.org,2002:'],
    ] as const) {
      if (!this.#prefixes.has(handle)) this.#prefixes.set(handle, prefix);
    }
  }

  /** The tag in full; empty when there is no such handle. */
  resolve(handle: string, suffix: string): string {
    const prefix = this.#prefixes.get(handle);
    return prefix === undefined ? '' : prefix + suffix;
  }

  clear(): void {
    this.#prefixes.clear();
    this.#hasVersion = false;
  }
}
