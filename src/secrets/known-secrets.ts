import {
  isCredential,
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
  /** What every base64 text has that holds a value, wherever it begins in it. */
  readonly #encoded = new Set<string>();
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

  /** Takes a variable. A credential that the pod also shows as another field, or that is a plain word, is masked beside its name alone. */
  addVariable(name: string, value: string, shown: ReadonlySet<string>): void {
    maskText(value, this.#found);
    if (!isCredential(name, value)) return;
    // As a program prints its environment.
    for (const [before, after] of [[`${name}=`], [`"${name}":"`, '"'], [`"${name}": "`, '"']]) {
      const end = after ?? '';
      this.#set(`${before}${escaped(value)}${end}`, `${before}${MASK}${end}`);
    }
    if (!shown.has(value)) this.addCredential(value);
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
    this.#pattern ??= patternOf([...this.#values.keys(), ...this.#encoded]);
    const parts: string[] = [];
    let from = 0;
    for (const { 0: value, index } of text.matchAll(this.#pattern)) {
      let [start, end] = [index, index + value.length];
      if (end <= from) continue;
      if (this.#encoded.has(value)) {
        while (start > from && BASE64.test(text[start - 1] ?? '')) start--;
        while (BASE64.test(text[end] ?? '')) end++;
        while (text[end] === '=') end++;
      }
      parts.push(text.slice(from, Math.max(from, start)), this.#values.get(value) ?? MASK);
      from = end;
    }
    return from === 0 ? text : parts.join('') + text.slice(from);
  }

  #add(value: string): void {
    if (value.length < LEAST || value.includes(MASK) || isReference(value)) return;
    if (isPlainWord(value)) return;
    const bytes = new TextEncoder().encode(value);
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    const url = encodeURIComponent(new TextDecoder().decode(bytes));
    for (const form of [value, escaped(value), url]) this.#set(form, MASK);
    for (const offset of [0, 1, 2]) {
      // The characters in which no bit is of what stands before or after.
      const first = Math.ceil((8 * offset) / 6);
      const last = Math.floor((8 * (offset + binary.length)) / 6);
      const core = btoa('\0'.repeat(offset) + binary).slice(first, last);
      for (const form of [core, core.replaceAll('+', '-').replaceAll('/', '_')]) {
        this.#encoded.add(form);
      }
    }
    this.#pattern = undefined;
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

const BASE64 = /[\w+/-]/;

/**
 * Words of messages, and names that stand for the program itself: a password that is one of them protects nothing, and
 * masking it would spoil what kprobe, the kubelet and databases write.
 */
const PLAIN_WORDS = new Set(
  `password passwd secret token changeme change-me default example placeholder
  root admin administrator system server service client public private guest nobody anonymous username account
  postgres postgresql mysql mariadb mongodb mongo redis rabbitmq elasticsearch nextcloud wordpress gitea grafana keycloak
  probe probes failed failure success warning error errors timeout timed refused connection connect connected reset
  readiness liveness startup container containers running waiting terminated restart restarted restarts started starting
  stopped killed killing created pulled backoff back-off unhealthy healthy ready response request status statuscode address
  context deadline exceeded command signal process exited period threshold attempt attempts kubelet kubernetes
  production staging development develop testing localhost database network internal external enabled disabled`.split(
    /\s+/,
  ),
);

function isPlainWord(value: string): boolean {
  return value
    .toLowerCase()
    .split(/\s+/)
    .every((word) => PLAIN_WORDS.has(word));
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
 * Returns a pod, a workload or a part of one with a mask for each credential: of variables and headers whose names say
 * so, and of what looks like one; the values are added to those that are known. `key` is the field that holds it.
 */
export function maskObject<T>(object: T, secrets: KnownSecrets, key = ''): T {
  const variables: (readonly [string, string])[] = [];
  // The second pass masks everywhere the values that the first one has found.
  const onVariable = (...variable: [string, string]): unknown => variables.push(variable);
  const shown = textsOf(maskNode(object, key, { secrets, onVariable }));
  for (const [name, value] of variables) secrets.addVariable(name, value, shown);
  return maskNode(object, key, { secrets }) as T;
}

/** Returns the texts of a tree; `found` collects them. */
function textsOf(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node === 'string') found.add(node);
  else if (typeof node === 'object' && node !== null) {
    for (const each of Object.values(node)) textsOf(each, found);
  }
  return found;
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
    return { ...item, value: isCredential(name, value) ? MASK : secrets.text(value) };
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
