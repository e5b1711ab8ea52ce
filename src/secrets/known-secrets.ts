import {
  isCredential,
  isCredentialName,
  MASK,
  maskArguments,
  maskCommandLine,
  maskHeaders,
  maskText,
} from './credential-text.js';

/** Characters of the shortest secret; shorter values would mask other words. */
const MIN_LENGTH = 6;
/** Characters of the shortest line of a value with several. */
const MIN_LINE = 12;

/** The known values that must not be shown. */
export class KnownSecrets {
  readonly #values = new Map<string, string>();
  /** Parts that every base64 text with a known value has, at any offset. */
  readonly #encoded = new Set<string>();
  #pattern: RegExp | undefined;
  readonly #found = (value: string): void => this.addCredential(value);

  /** Adds a value that is secret in any form. */
  addCredential(value: string): void {
    const trimmed = value.trim();
    this.#add(trimmed);
    for (const line of trimmed.split(/\r?\n/)) {
      if (line !== trimmed && line.trim().length >= MIN_LINE) this.#add(line.trim());
    }
    const [, scheme = '', rest = ''] = /^(Bearer|Basic|Token)\s+(\S+)$/i.exec(trimmed) ?? [];
    if (rest !== '') this.#add(rest);
    const pair = scheme.toLowerCase() === 'basic' ? decodeBase64(rest) : trimmed;
    const [, user, password] = /^([^\s:/]+):(?!\/\/)(\S+)$/.exec(pair) ?? [];
    // The name of a user, which is often that of a database or an image too, is masked in the pair only.
    if (password !== undefined && password !== user) this.#add(password);
  }

  /** Adds a variable. A credential that the pod also shows elsewhere, or that is a plain word, is only masked beside its name. */
  addVariable(name: string, value: string, shown: ReadonlySet<string>): void {
    maskText(value, this.#found);
    if (!isCredential(name, value)) return;
    // Programs print their environment in these forms.
    for (const [before, after] of [[`${name}=`], [`"${name}":"`, '"'], [`"${name}": "`, '"']]) {
      const end = after ?? '';
      this.#set(`${before}${escaped(value)}${end}`, `${before}${MASK}${end}`);
    }
    if (!shown.has(value)) this.addCredential(value);
  }

  /** Replaces each occurrence of a text. */
  addReplacement(text: string, shown: string): void {
    if (text.length < MIN_LENGTH || text === shown) return;
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

  /** Masks bytes that are mainly text. */
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
    if (value.length < MIN_LENGTH || value.includes(MASK) || isReference(value)) return;
    if (isPlainWord(value)) return;
    const bytes = new TextEncoder().encode(value);
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    const url = encodeURIComponent(new TextDecoder().decode(bytes));
    for (const form of [value, escaped(value), url]) this.#set(form, MASK);
    for (const offset of [0, 1, 2]) {
      // These characters have no bits of the text before or after.
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

/** Reports whether a value has only references to variables. */
function isReference(value: string): boolean {
  return /^(?:\$\([^()]*\))+$/.test(value);
}

const BASE64 = /[\w+/-]/;

/**
 * Words of messages, and names of programs: as a password they protect nothing, and masking them would spoil the output
 * of kprobe, the kubelet and databases.
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

/** Returns the value as JSON and Go quote it, without the quotes. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function decodeBase64(text: string): string {
  return /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? atob(text) : '';
}

/** Longer values come first, since one value may begin with another. */
function patternOf(values: readonly string[]): RegExp {
  const sorted = values.toSorted((a, b) => b.length - a.length);
  return new RegExp(
    sorted.map((value) => value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|'),
    'g',
  );
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
  for (const [name, value] of variables) secrets.addVariable(name, value, shown);
  return maskNode(object, key, { secrets }) as T;
}

function textsOf(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node === 'string') found.add(node);
  else if (typeof node === 'object' && node !== null) {
    for (const each of Object.values(node)) textsOf(each, found);
  }
  return found;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

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
  // Names and images are no secrets, and often equal values of variables.
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
