/** Reads an object of unknown form; a field that is missing or of another type is empty. */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#object =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
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

  number(name: string): number {
    const value = this.#object[name];
    return typeof value === 'number' ? value : 0;
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

/** Parses JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
