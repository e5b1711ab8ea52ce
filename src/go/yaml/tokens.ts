import { GoYamlError, type Mark } from './error.js';
import type { Scanner } from './scanner.js';
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

/** Properties before the content of a node. */
export interface NodeProperties {
  readonly start: Mark;
  readonly anchor: string | undefined;
  readonly tag: Token | undefined;
  /** The token behind them. */
  readonly content: Token;
}

/** Takes an anchor and a tag, in either order. */
export function takeProperties(tokens: Scanner): NodeProperties {
  let token = tokens.peek();
  const { start } = token;
  let anchor: string | undefined;
  let tag: Token | undefined;
  if (token.kind === 'anchor') {
    anchor = token.value;
    token = tokens.next();
    if (token.kind === 'tag') [tag, token] = [token, tokens.next()];
  } else if (token.kind === 'tag') {
    [tag, token] = [token, tokens.next()];
    if (token.kind === 'anchor') [anchor, token] = [token.value, tokens.next()];
  }
  return { start, anchor, tag, content: token };
}
