import type { Key as InkKey } from 'ink';

import { type KeyName, keysOf } from './keys-of.js';

/** What a pasted text comes as: it is one key, however many lines it has, so that none of it is taken for a command. */
export const PASTED = 'pasted ';

const PASTE_BEGIN = '[200~';
const PASTE_END = '[201~';
/** What is left of an escape sequence that stands for no key. */
const SEQUENCE = /^\[[\d;:<=>?]*[ -/]*[@-~]$/;

/** Hands on the keys of each piece of input. */
export function createKeyReader(
  press: (key: KeyName) => void,
): (input: string, key: InkKey) => void {
  let pasted: string | undefined;
  return (input, key) => {
    if (input === PASTE_BEGIN) {
      pasted = '';
    } else if (input === PASTE_END) {
      press(`${PASTED}${pasted ?? ''}`);
      pasted = undefined;
    } else if (pasted !== undefined) {
      pasted += input;
    } else if (input.length === 1 || !SEQUENCE.test(input)) {
      for (const name of keysOf(input, key)) press(name);
    }
  };
}
