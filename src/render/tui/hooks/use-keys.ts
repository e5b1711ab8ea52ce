import { useInput } from 'ink';
import { useMemo } from 'react';

import { createKeyReader } from '../store/key-reader.js';
import { useStore } from './use-store.js';

/** Hands what the user types to the store. */
export function useKeys(): void {
  const { press } = useStore();
  useInput(useMemo(() => createKeyReader(press), [press]));
}
