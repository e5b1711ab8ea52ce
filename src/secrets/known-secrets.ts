import {
  isCredentialName,
  MASK,
  maskArguments,
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
function isReference(value: string): boolean {
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

/**
 * Returns a pod, a workload or a part of one with a mask for each value of a variable, of a credential's header, and of
 * what looks like a credential; the values are added to those that are known. `key` is the field that holds it.
 */
export function maskObject<T>(object: T, secrets: KnownSecrets, key = ''): T {
  const variables: (readonly [string, string])[] = [];
  // The second pass masks everywhere the values that the first one has found.
  const onVariable = (...variable: [string, string]): unknown => variables.push(variable);
  const shown = textOf(maskNode(object, key, { secrets, onVariable }));
  for (const [name, value] of variables) secrets.addVariable(name, value, shown);
  return maskNode(object, key, { secrets }) as T;
}

function textOf(node: unknown): string {
  const text = (_: string, each: unknown): unknown =>
    typeof each === 'bigint' ? String(each) : each;
  return JSON.stringify({ node }, text);
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The values that are known, and a function that takes each variable with its value. */
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

/** Masks a variable or a header. */
function maskNamed(
  item: Record<string, unknown>,
  key: 'env' | 'httpHeaders',
  { secrets, onVariable }: MaskContext,
): unknown {
  const { name, value } = item;
  if (!isText(name) || !isText(value) || value === '' || value === MASK) return item;
  if (key === 'env') {
    if (isReference(value)) return item;
    onVariable?.(name, value);
    return { ...item, value: MASK };
  }
  if (!isCredentialName(name)) return { ...item, value: secrets.text(value) };
  secrets.addCredential(value);
  return { ...item, value: MASK };
}

function maskField(text: string, key: string, context: MaskContext): string {
  const { secrets } = context;
  // Names, images and the like are no place for secrets, and often the values of variables.
  if (!key.startsWith('annotations ')) return TEXTS.has(key) ? secrets.text(text) : text;
  const name = key.slice('annotations '.length);
  if (name !== LAST_APPLIED) return isCredentialName(name) ? MASK : secrets.text(text);
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
