import {
  isCredentialName,
  MASK,
  maskCommandLine,
  maskHeaders,
  maskText,
} from './credential-text.js';

/** Shorter values would mask what is no secret. */
const LEAST = 6;
/** The same of a line of a value that has several. */
const LEAST_LINE = 12;

/** The values that must not be shown, as far as they are known. */
export class KnownSecrets {
  readonly #values = new Map<string, string>();
  #pattern: RegExp | undefined;
  readonly #found = (value: string): void => this.addCredential(value);

  /** Takes a value that is secret whatever it looks like. */
  addCredential(value: string): void {
    const trimmed = value.trim();
    this.#add(trimmed);
    for (const line of trimmed.split(/\r?\n/)) {
      if (line !== trimmed && line.trim().length >= LEAST_LINE) this.#add(line.trim());
    }
    const [, scheme = '', rest = ''] = /^(Bearer|Basic|Token)\s+(\S+)$/i.exec(trimmed) ?? [];
    if (rest !== '') this.#add(rest);
    const pair = scheme.toLowerCase() === 'basic' ? decodeBase64(rest) : trimmed;
    const password = /^[^\s:/]+:(?!\/\/)(\S+)$/.exec(pair)?.[1];
    if (password !== undefined) this.#add(password);
  }

  /** Takes a variable; a value that says little, or that stands elsewhere in what is shown, is none to mask in texts. */
  addVariable(name: string, value: string, shown: string): void {
    // As a program prints its environment.
    for (const [before, after] of [[`${name}=`], [`"${name}":"`, '"'], [`"${name}": "`, '"']]) {
      const end = after ?? '';
      this.#set(`${before}${escaped(value)}${end}`, `${before}${MASK}${end}`);
    }
    if (isCredentialName(name)) this.addCredential(value);
    else if (!isCommon(value) && !shown.includes(escaped(value))) this.addCredential(value);
    maskText(value, this.#found);
  }

  /** Has a text shown as another wherever it stands. */
  addReplacement(text: string, shown: string): void {
    if (text.length < LEAST || text === shown) return;
    this.#set(text, shown);
    this.#set(escaped(text), escaped(shown));
  }

  text(text: string): string {
    return this.#known(maskText(text, this.#found));
  }

  commandLine(line: string): string {
    return this.#known(maskCommandLine(line, this.#found));
  }

  headers(text: string): string {
    return this.#known(maskHeaders(text, this.#found));
  }

  /** Masks bytes that are text in the main. */
  bytes(bytes: Uint8Array): Uint8Array {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const masked = this.text(text);
    return masked === text ? bytes : new TextEncoder().encode(masked);
  }

  #known(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= patternOf([...this.#values.keys()]);
    return text.replaceAll(this.#pattern, (value) => this.#values.get(value) ?? MASK);
  }

  #add(value: string): void {
    if (value.length < LEAST || value.includes(MASK) || isReference(value)) return;
    const bytes = new TextEncoder().encode(value);
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    for (const form of [
      value,
      escaped(value),
      encodeURIComponent(new TextDecoder().decode(bytes)),
      base64,
    ]) {
      this.#set(form, MASK);
    }
  }

  #set(text: string, shown: string): void {
    if (this.#values.has(text)) return;
    this.#values.set(text, shown);
    this.#pattern = undefined;
  }
}

/** Reports whether a value is nothing but references to variables. */
export function isReference(value: string): boolean {
  return /^(?:\$\([^()]*\))+$/.test(value);
}

/** Words, numbers and addresses: they say nothing, and stand in many texts. */
function isCommon(value: string): boolean {
  return /^(?:[a-z]{1,16}|[A-Z]{1,16}|[A-Z]?[a-z]{1,15}|[\d.:]{1,21}|localhost(?::\d+)?|::1)$/.test(
    value,
  );
}

/** The value as JSON and Go quote it, without the quotes. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function decodeBase64(text: string): string {
  return /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? atob(text) : '';
}

/** The longest first: one value may begin with another. */
function patternOf(values: readonly string[]): RegExp {
  const sorted = values.toSorted((a, b) => b.length - a.length);
  return new RegExp(
    sorted.map((value) => value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|'),
    'g',
  );
}
