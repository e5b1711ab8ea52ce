import { useInput } from 'ink';
import { useMemo } from 'react';

import { createKeyReader } from '../keys/key-reader.js';
import type { Store } from '../store/store.js';

/** Hands key presses to the store. */
export function useKeys(store: Store): void {
  useInput(useMemo(() => createKeyReader((key) => store.press(key)), [store]));
}
