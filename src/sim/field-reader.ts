import { parseDuration } from '../go/duration.js';
import type { JsonNode } from '../go/json-node.js';
import { locate } from '../manifest/locate.js';
import type { SourceFile } from '../manifest/source-file.js';
import { suggest } from '../manifest/suggest.js';

/** Reads the texts of a scenario's fields; what is wrong with them is reported at its place. */
export class FieldReader {
  constructor(
    private readonly file: SourceFile,
    private readonly node: JsonNode,
  ) {}

  /** Milliseconds. */
  duration(text: string | undefined, path: string): number | undefined {
    if (text === undefined) return undefined;
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
    const bare = /^\d+(?:\.\d+)?$/.test(text);
    const hint = bare ? `with its unit it is "${text}s"` : undefined;
    this.error(path, 'must be a duration such as "1.5s" or "207ms"', hint);
    return undefined;
  }

  /** What a parser makes of a text that has to be of that form. */
  parsed<T>(
    text: string | undefined,
    path: string,
    form: string,
    parse: (text: string) => T | undefined,
  ): T | undefined {
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) this.error(path, `must be ${form}`);
    return value;
  }

  /** Reports a name that is none of those. */
  oneOf(name: string, names: readonly string[], path: string, message: string): boolean {
    if (names.includes(name)) return true;
    const near = suggest(name, names);
    this.error(path, message, near === undefined ? undefined : `did you mean "${near}"?`);
    return false;
  }

  error(path: string, message: string, hint?: string): void {
    this.file.error(locate(this.node, path), path, message, hint);
  }
}
