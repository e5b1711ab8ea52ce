import { isObject } from './objects.js';

/** Reads a JSON object of unknown form; a field that is missing or of another type is empty. */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#object = isObject(value) ? value : {};
  }

  keys(): string[] {
    return Object.keys(this.#object);
  }

  in(name: string): Fields {
    return new Fields(this.#object[name]);
  }

  list(name: string): Fields[] {
    const value = this.#object[name];
    return Array.isArray(value) ? value.map((each) => new Fields(each)) : [];
  }

  text(name: string): string {
    const value = this.#object[name];
    return typeof value === 'string' ? value : '';
  }

  number(name: string, otherwise = 0): number {
    const value = this.#object[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  }

  flag(name: string): boolean {
    return this.#object[name] === true;
  }

  strings(name: string): string[] {
    const value = this.#object[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  texts(): Record<string, string> {
    const entries = Object.entries(this.#object).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(entries);
  }
}

/** Parses JSON; returns undefined for another text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
