import type { Cursor } from './cursor.js';
import { GoYamlError, type Mark } from './error.js';

/** A place where a key may begin that turns out to be one only when its `:` comes. */
interface SimpleKey {
  possible: boolean;
  /** True if it must turn out to be a key, since it stands where the keys of its mapping stand. */
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
}

/** Most characters between the start of a key and its `:`. */
const MAX_KEY_LENGTH = 1024;
export const MAX_DEPTH = 10_000;

/** The simple keys that are open, one for each flow level. Ports the simple_keys of go.yaml.in/yaml/v2 scannerc.go. */
export class SimpleKeys {
  readonly #stack: SimpleKey[] = [];
  readonly #byToken = new Map<number, SimpleKey>();

  get last(): SimpleKey | undefined {
    return this.#stack.at(-1);
  }

  at(tokenNumber: number): SimpleKey | undefined {
    return this.#byToken.get(tokenNumber);
  }

  push(tokenNumber: number, mark: Mark): void {
    this.#stack.push({ possible: false, required: false, tokenNumber, mark });
  }

  pop(): void {
    const key = this.#stack.pop();
    if (key !== undefined) this.#byToken.delete(key.tokenNumber);
  }

  save(tokenNumber: number, required: boolean, here: Cursor): void {
    this.remove(here);
    const key = { possible: true, required, tokenNumber, mark: here.mark };
    this.#stack[this.#stack.length - 1] = key;
    this.#byToken.set(tokenNumber, key);
  }

  remove(here: Cursor): void {
    const key = this.last;
    if (key?.possible !== true) return;
    if (key.required) failKey(key, here);
    this.found(key);
  }

  found(key: SimpleKey): void {
    key.possible = false;
    this.#byToken.delete(key.tokenNumber);
  }

  /** Ports yaml_simple_key_is_valid. */
  isValid(key: SimpleKey, here: Cursor): boolean {
    if (!key.possible) return false;
    if (key.mark.line >= here.line && key.mark.offset + MAX_KEY_LENGTH >= here.offset) return true;
    if (key.required) failKey(key, here);
    key.possible = false;
    return false;
  }
}

function failKey(key: SimpleKey, here: Cursor): never {
  const problem = "could not find expected ':'";
  throw new GoYamlError('scanner', problem, here.mark, key.mark);
}
