import { useInput } from 'ink';

import { keysOf } from '../keys/keys-of.js';
import type { Store } from '../store/store.js';

/** Hands key presses to the store. */
export function useKeys(store: Store): void {
  useInput((input, key) => {
    for (const name of keysOf(input, key)) store.press(name);
  });
}
