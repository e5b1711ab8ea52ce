import { isCredentialName, MASK, maskArguments } from './credential-text.js';
import { isReference, type KnownSecrets } from './known-secrets.js';

/** Takes each variable with its value. */
type OnVariable = (name: string, value: string) => void;

/**
 * Returns a pod, a workload or a part of one with a mask for each value of a variable, of a credential's header, and of
 * what looks like a credential; the values are added to those that are known. `key` is the field that holds it.
 */
export function maskObject<T>(object: T, secrets: KnownSecrets, key = ''): T {
  const variables: (readonly [string, string])[] = [];
  // What the first pass finds, the second masks everywhere.
  const first = new Masker(secrets, (...variable) => variables.push(variable));
  const shown = textOf(first.node(object, key));
  for (const [name, value] of variables) secrets.addVariable(name, value, shown);
  return new Masker(secrets, () => undefined).node(object, key) as T;
}

function textOf(node: unknown): string {
  const text = (_: string, each: unknown): unknown =>
    typeof each === 'bigint' ? String(each) : each;
  return JSON.stringify({ node }, text);
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

class Masker {
  readonly #secrets: KnownSecrets;
  readonly #onVariable: OnVariable;

  constructor(secrets: KnownSecrets, onVariable: OnVariable) {
    this.#secrets = secrets;
    this.#onVariable = onVariable;
  }

  node(node: unknown, key: string): unknown {
    if (typeof node === 'string') return this.#text(node, key);
    if (Array.isArray(node)) return this.#list(node, key);
    if (!isPlain(node)) return node;
    if (key === 'env' || key === 'httpHeaders') return this.#named(node, key);
    const fieldKey = (name: string): string => (key === 'annotations' ? `${key} ${name}` : name);
    const entries = Object.entries(node).map(([name, value]) => [
      name,
      this.node(value, fieldKey(name)),
    ]);
    return Object.fromEntries(entries);
  }

  #list(list: readonly unknown[], key: string): unknown {
    const isCommand = (key === 'command' || key === 'args') && list.every(isText);
    if (!isCommand) return list.map((item) => this.node(item, key));
    const words = maskArguments(list, (value) => this.#secrets.addCredential(value));
    return words.map((word) => this.#secrets.text(word));
  }

  /** A variable or a header. */
  #named(item: Record<string, unknown>, key: 'env' | 'httpHeaders'): unknown {
    const { name, value } = item;
    if (!isText(name) || !isText(value) || value === '' || value === MASK) return item;
    if (key === 'env') {
      if (isReference(value)) return item;
      this.#onVariable(name, value);
      return { ...item, value: MASK };
    }
    if (!isCredentialName(name)) return { ...item, value: this.#secrets.text(value) };
    this.#secrets.addCredential(value);
    return { ...item, value: MASK };
  }

  #text(text: string, key: string): string {
    if (key.startsWith('annotations ')) return this.#annotation(text, key.slice(12));
    // Names, images and the like are no place for secrets, and often the values of variables.
    return TEXTS.has(key) ? this.#secrets.text(text) : text;
  }

  #annotation(text: string, name: string): string {
    if (name !== LAST_APPLIED) return isCredentialName(name) ? MASK : this.#secrets.text(text);
    try {
      return JSON.stringify(this.node(JSON.parse(text), ''));
    } catch {
      return MASK;
    }
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
