import { LAST_APPLIED } from '../api/index.js';
import { isCredential, isCredentialName } from './credential-names.js';
import { MASK, maskArguments, maskCommandLine, maskHeaders, maskText } from './credential-text.js';
import { isPlainWord } from './plain-words.js';
import {
  decodings,
  joined,
  joinedBytes,
  lettersOf,
  Reading,
  type Span,
  unescaped,
  unescapedForms,
} from './reading.js';
import { wordDumps } from './word-dumps.js';

/** Characters of the shortest secret; shorter values would mask other words. */
const MIN_LENGTH = 6;
/** Characters of the shortest line of a value with several. */
const MIN_LINE = 12;
/** Letters and digits of the shortest value that is found by them alone. */
const MIN_LETTERS = 16;
/** Letters and digits of such a value without capitals, or without small letters. */
const MIN_LETTERS_OF_ONE_CASE = 24;

/** Characters at the start of a form, by which it is found. */
const BEGIN = 4;
/** Characters of the longest value that is found in every form. */
const MAX_LENGTH = 20_000;
/** Characters of the parts of a base64 text, whose lines may be wrapped, that are known. */
const PART = 8;

/** Texts encoded in encodings of encodings that are decoded. */
const MAX_DEPTH = 3;
/** Texts that may be hexadecimal, base32 or base64. */
const ENCODED = /[\w+/-]{16,}={0,6}/g;
/** Text in UTF-8 or UTF-16 among bytes that an encoded text may have before it. */
const TEXT =
  /(?:[\t\n\r\u001b -~]\0?|[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}){6,}/g;

/** A text that is replaced. */
interface Form {
  readonly text: string;
  readonly shown: string;
  /** The text around it that goes with it: all base64, the rest of a dump's last line, a quote, or words of several bytes. */
  readonly more?: 'base64' | 'line' | 'quote' | 'words' | undefined;
  /** Replaced only where it is in one piece: in several, so short a text may be another one. */
  readonly isShort?: boolean;
}

/** Forms by their first characters, and then by their texts. No regular expression: it would be too large for a long value. */
class Forms {
  readonly #forms = new Map<string, Map<string, Form>>();
  /** The first two characters of all forms, which few places of a text have: 10 KB take 0.3 ms with them, and 1.0 ms without. */
  readonly #pairs = new Set<number>();

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  add(form: Form): void {
    const begin = form.text.slice(0, BEGIN);
    const forms = this.#forms.get(begin) ?? new Map<string, Form>();
    if (!forms.has(form.text)) forms.set(form.text, form);
    this.#forms.set(begin, forms);
    this.#pairs.add(pairAt(form.text, 0));
  }

  /** Replaces the forms that a text has as it is read. */
  replaceIn(before: Reading, readingOf: (before: Reading) => Reading): Reading {
    if (this.isEmpty) return before;
    const { text } = before;
    const reading = readingOf(before);
    const read = reading.text;
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at <= read.length - BEGIN; at++) {
      const form = this.#pairs.has(pairAt(read, at)) ? this.#formAt(read, at) : undefined;
      if (form === undefined) continue;
      const [start, end] = spanWithMore(text, form, reading.spanOf(at, at + form.text.length));
      if (form.isShort === true && end - start > form.text.length) continue;
      parts.push(text.slice(from, Math.max(from, start)), form.shown);
      from = end;
      at += form.text.length - 1;
      // The characters that were replaced with it are not read again.
      while (at + 1 < read.length && reading.spanOf(at + 1, at + 2)[0] < end) at++;
    }
    return from === 0 ? before : new Reading(parts.join('') + text.slice(from));
  }

  /** Returns the longest form at a place, since one value may begin with another. */
  #formAt(text: string, at: number): Form | undefined {
    let longest: Form | undefined;
    for (const form of this.#forms.get(text.slice(at, at + BEGIN))?.values() ?? []) {
      const isLonger = form.text.length > (longest?.text.length ?? 0);
      if (isLonger && text.startsWith(form.text, at)) longest = form;
    }
    return longest;
  }
}

function spanWithMore(text: string, { more }: Form, [start, end]: Span): Span {
  let [first, next] = [start, end];
  if (more === 'base64') {
    while (BASE64.test(text[first - 1] ?? '')) first--;
    while (BASE64.test(text[next] ?? '')) next++;
    while (text[next] === '=') next++;
  }
  if (more === 'line' && text.slice(start, end).includes('\n')) {
    next += /^.*/.exec(text.slice(end))?.[0].length ?? 0;
  }
  if (more === 'words') {
    first -=
      /(?:[\da-f]{4,16}\s{1,9})?(?:\n[\da-f]{7,8} +)?$/i.exec(
        text.slice(Math.max(0, first - 30), first),
      )?.[0].length ?? 0;
    next +=
      /^(?:\s*\n[\da-f]{7,8})?[ \t]+[\da-f]{4,16}\b/i.exec(text.slice(next, next + 30))?.[0]
        .length ?? 0;
  }
  if (more === 'quote') next += QUOTE.exec(text.slice(end))?.[0].length ?? 0;
  return [first, next];
}

/** A quote, which a text without escapes does not have. */
const QUOTE = /^(?:\\*(?:u[\da-f]{4}|["'`])|&#?\w+;|%\w{2})/i;

/** The known values that must not be shown. */
export class KnownSecrets {
  /** Values as they are, as they are without escapes, then also joined and in small letters, their letters and digits alone, and in hexadecimal. */
  readonly #exact = new Forms();
  readonly #unescaped = new Forms();
  readonly #joined = new Forms();
  readonly #letters = new Forms();
  readonly #hex = new Forms();
  /** Values of other fields of the pods, which a text may name. */
  readonly #shown = new Set<string>();
  readonly #found = (value: string): void => {
    if (!this.#shown.has(value)) this.addCredential(value);
  };

  /** Adds a value that is secret in any form. */
  addCredential(value: string): void {
    const trimmed = value.trim();
    this.#add(trimmed);
    for (const line of trimmed.split(/\r?\n/)) {
      if (line !== trimmed && line.trim().length >= MIN_LINE) this.#add(line.trim(), true);
    }
    const [, scheme = '', rest = ''] = /^(Bearer|Basic|Token)\s+(\S+)$/i.exec(trimmed) ?? [];
    if (rest !== '') this.#add(rest);
    const pair = scheme.toLowerCase() === 'basic' ? decodeBase64(rest) : trimmed;
    const [, user, password] = /^([^\s:/]+):(?!\/\/)(\S+)$/.exec(pair) ?? [];
    // The name of a user, which is often that of a database or an image too, is masked in the pair only.
    if (password !== undefined && password !== user) this.#add(password);
  }

  /** Adds texts of other fields of a pod. A credential with such a value is only masked beside its name. */
  addShown(texts: Iterable<string>): void {
    for (const text of texts) this.#shown.add(text);
  }

  /** Adds a variable. A credential whose value is a plain word is only masked beside its name. */
  addVariable(name: string, value: string): void {
    maskText(value, this.#found);
    if (!isCredential(name, value)) return;
    this.#found(value);
  }

  /** Replaces each occurrence of a text. */
  addReplacement(text: string, shown: string): void {
    if (text.length < MIN_LENGTH || text === shown) return;
    this.#exact.add({ text, shown });
    this.#exact.add({ text: escaped(text), shown: escaped(shown) });
  }

  text(text: string): string {
    return this.#mask(text, maskText);
  }

  commandLine(line: string): string {
    return this.#mask(line, maskCommandLine);
  }

  headers(text: string): string {
    return this.#mask(text, maskHeaders);
  }

  /** Masks known values first: a pattern may end within one (`password=a&b`). */
  #mask(text: string, maskPatterns: typeof maskText): string {
    const known = this.#known(text);
    const masked = maskPatterns(known, this.#found);
    return masked === known ? known : this.#known(masked);
  }

  /** Masks bytes that are mainly text. */
  bytes(bytes: Uint8Array): Uint8Array {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const masked = this.text(text);
    return masked === text ? bytes : new TextEncoder().encode(masked);
  }

  #known(text: string, depth = 0): string {
    if (this.#exact.isEmpty) return text;
    const exact = this.#exact.replaceIn(new Reading(text), (same) => same);
    const plain = this.#unescaped.replaceIn(exact, unescaped);
    const whole = this.#joined.replaceIn(plain, joined);
    const together = this.#letters.replaceIn(whole, lettersOf);
    const { text: bytes } = this.#hex.replaceIn(together, joinedBytes);
    return depth < MAX_DEPTH ? this.#knownEncoded(bytes, depth + 1) : bytes;
  }

  /** Masks what decodes to a text with a known value, in any of its forms. */
  #knownEncoded(text: string, depth: number): string {
    const isKnown = (decoded: string): boolean =>
      decoded.match(TEXT)?.some((part) => this.#known(part, depth) !== part) ?? false;
    return text.replaceAll(ENCODED, (run) => (decodings(run).some(isKnown) ? MASK : run));
  }

  /** Adds a value, or one of its lines, which only texts with line breaks have. */
  #add(value: string, isLine = false): void {
    if (value.length < MIN_LENGTH || value.includes(MASK) || isReference(value)) return;
    if (isPlainWord(value.replaceAll(/["'`]/g, ''))) return;
    this.#exact.add({ text: value, shown: MASK });
    const [text = '', ...others] = unescapedForms(value);
    const whole = joined(new Reading(value)).text;
    // Without other characters, words have nothing to escape, and the same text is often another one.
    if (text.length >= MIN_LENGTH && (isRandom(whole) || /[^\w.-]/.test(value))) {
      const more = /["'`]$/.test(value) ? 'quote' : undefined;
      for (const form of [text, text.replaceAll(' ', '+'), ...others]) {
        this.#unescaped.add({ text: form, shown: MASK, more });
      }
    }
    if (isLine) return;
    if (isRandom(whole)) {
      this.#joined.add({ text: whole, shown: MASK, isShort: whole.length < MIN_LINE });
    }
    const letters = lettersOf(new Reading(value)).text;
    const hasBothCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
    const minLength = hasBothCases ? MIN_LETTERS : MIN_LETTERS_OF_ONE_CASE;
    if (isRandom(letters) && letters.length >= minLength) {
      this.#letters.add({ text: letters, shown: MASK });
    }
    this.#addBytes(new TextEncoder().encode(value));
  }

  #addBytes(bytes: Uint8Array): void {
    const hex = Buffer.from(bytes).toString('hex');
    this.#hex.add({ text: hex, shown: MASK, more: 'line' });
    const octal = Array.from(bytes, (byte) => byte.toString(8).padStart(3, '0'));
    this.#hex.add({ text: octal.join(''), shown: MASK, more: 'line' });
    for (const text of wordDumps(bytes)) this.#hex.add({ text, shown: MASK, more: 'words' });
    for (const separator of [' ', ',', ', ']) {
      this.#exact.add({ text: bytes.join(separator), shown: MASK });
    }
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    for (const offset of [0, 1, 2]) {
      // These characters have no bits of the text before or after.
      const first = Math.ceil((8 * offset) / 6);
      const last = Math.floor((8 * (offset + binary.length)) / 6);
      const core = btoa('\0'.repeat(offset) + binary).slice(first, last);
      const size = bytes.length > MAX_LENGTH ? core.length : Math.min(PART, core.length);
      for (let begin = 0; begin + size <= core.length; begin += size) {
        const part = core.slice(begin, begin + size);
        this.#exact.add({ text: part, shown: MASK, more: 'base64' });
        const ofUrls = part.replaceAll('+', '-').replaceAll('/', '_');
        this.#exact.add({ text: ofUrls, shown: MASK, more: 'base64' });
      }
    }
  }
}

/** Reports whether a value changes often between letters and digits: no words have this form by chance. */
function isRandom(value: string): boolean {
  return value.length >= 8 && (value.match(/[a-z](?=\W*\d)|\d(?=\W*[a-z])/g) ?? []).length >= 3;
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_0000 + text.charCodeAt(at + 1);
}

/** Reports whether a value has only references to variables, perhaps behind the scheme of a header. */
function isReference(value: string): boolean {
  return /^(?:(?:Bearer|Basic|Token) +)?(?:\$\([^()]*\))+$/i.test(value);
}

const BASE64 = /[\w+/-]/;

/** Returns the value as JSON and Go quote it, without the quotes. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function decodeBase64(text: string): string {
  return /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? atob(text) : '';
}

/**
 * Returns an object with masks for its credentials: values of variables and headers with such names, and texts in the
 * form of one. Their values become known secrets. `key` is the field of the object.
 */
export function maskObject<T>(object: T, secrets: KnownSecrets, key = ''): T {
  const variables: (readonly [string, string])[] = [];
  // The second pass masks everywhere what the first one has found.
  const onVariable = (...variable: [string, string]): unknown => variables.push(variable);
  const shown = textsOf(maskNode(object, key, { secrets, onVariable }));
  secrets.addShown(shown);
  for (const [name, value] of variables) secrets.addVariable(name, value);
  return maskNode(object, key, { secrets }) as T;
}

function textsOf(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node === 'string') found.add(node);
  else if (typeof node === 'object' && node !== null) {
    for (const each of Object.values(node)) textsOf(each, found);
  }
  return found;
}

interface MaskContext {
  readonly secrets: KnownSecrets;
  readonly onVariable?: (name: string, value: string) => unknown;
}

function maskNode(node: unknown, key: string, context: MaskContext): unknown {
  if (typeof node === 'string') return maskField(node, key, context);
  if (Array.isArray(node)) return maskList(node, key, context);
  if (!isPlain(node)) return node;
  if (key === 'env' || key === 'httpHeaders') return maskNamed(node, key, context);
  const fieldKey = (name: string): string => (key === 'annotations' ? `${key} ${name}` : name);
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, maskNode(value, fieldKey(name), context)]),
  );
}

function maskList(list: readonly unknown[], key: string, context: MaskContext): unknown {
  const isCommand = (key === 'command' || key === 'args') && list.every(isText);
  if (!isCommand) return list.map((item) => maskNode(item, key, context));
  const { secrets } = context;
  const words = maskArguments(list, (value) => secrets.addCredential(value));
  return words.map((word) => secrets.text(word));
}

function maskNamed(
  item: Record<string, unknown>,
  key: 'env' | 'httpHeaders',
  { secrets, onVariable }: MaskContext,
): unknown {
  const { name, value } = item;
  if (!isText(name) || !isText(value) || value === '' || value === MASK) return item;
  if (isReference(value)) return item;
  if (key === 'env') {
    onVariable?.(name, value);
    return { ...item, value: isCredential(name, value) ? MASK : secrets.text(value) };
  }
  if (!isCredentialName(name)) return { ...item, value: secrets.text(value) };
  secrets.addCredential(value);
  return { ...item, value: MASK };
}

function maskField(text: string, key: string, context: MaskContext): string {
  const { secrets } = context;
  // Names and images are no secrets, and often equal values of variables.
  if (!key.startsWith('annotations ')) return TEXTS.has(key) ? secrets.text(text) : text;
  const name = key.slice('annotations '.length);
  if (name !== LAST_APPLIED) return isCredential(name, text) ? MASK : secrets.text(text);
  try {
    return JSON.stringify(maskNode(JSON.parse(text), '', context));
  } catch {
    return MASK;
  }
}

const TEXTS: ReadonlySet<string> = new Set(['path', 'message', 'command', 'args']);

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
