import { useSyncExternalStore } from 'react';

import type { Snapshot } from '../store/snapshot.js';
import type { Store } from '../store/store.js';

/** What the current frame shows. */
export function useSnapshot(store: Store): Snapshot {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}
