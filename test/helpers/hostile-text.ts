import { expectNoRawBytes } from './raw-bytes.js';

/** OSC 52 writes the clipboard, C1 has one-byte sequences, bidi overrides reorder, tags and zero widths hide, a line feed forges a line. */
export const HOSTILE =
  'x\u001b]52;c;YQ==\u0007\u009b31m\u202e\u2066\u200b\u{e0041}\u2028\u007f\nFORGED line';

export type Tree = Record<string, unknown>;

/** Yields a copy of an object for each text and each key in it, with hostile text there; `all` has it in each text. */
export function* variants(object: Tree): Generator<readonly [place: string, object: Tree]> {
  const places: (readonly string[])[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (typeof node === 'string') places.push(path);
    else if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) visit(value, [...path, key]);
    }
  };
  visit(object, []);
  const change = (copy: Tree, path: readonly string[], isKey: boolean): void => {
    let holder = copy;
    for (const step of path.slice(0, -1)) holder = holder[step] as Tree;
    const key = path.at(-1) ?? '';
    if (!isKey) holder[key] = `${String(holder[key])}${HOSTILE}`;
    else if (!Array.isArray(holder)) holder[`${key}${HOSTILE}`] = holder[key];
  };
  for (const isKey of [false, true]) {
    for (const path of places) {
      const copy = structuredClone(object);
      change(copy, path, isKey);
      yield [`${path.join('.')}${isKey ? ' (key)' : ''}`, copy];
    }
  }
  const all = structuredClone(object);
  for (const path of places) change(all, path, false);
  yield ['all', all];
}

/** Throws when an output has raw bytes, or a line that a text from outside has begun. */
export function expectClean(what: string, text: string): void {
  expectNoRawBytes(what, text);
  if (/^FORGED/m.test(text)) throw new Error(`${what} has a forged line`);
}
