import { createContext, useContext, useSyncExternalStore } from 'react';

import type { Theme } from '../../text/paint.js';
import type { Snapshot } from '../store/state.js';
import type { Store } from '../store/store.js';

/** The methods of the store that components call. */
export type StoreOfViews = Pick<
  Store,
  'getSnapshot' | 'subscribe' | 'press' | 'layOut' | 'noteDrawn' | 'followLog'
>;

const StoreContext = createContext<StoreOfViews | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

export function useStore(): StoreOfViews {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('no store around the component');
  return store;
}

export function useSnapshot(): Snapshot {
  const { subscribe, getSnapshot } = useStore();
  return useSyncExternalStore(subscribe, getSnapshot);
}

/** A stable value: it causes no new frame. */
export function useTheme(): Theme {
  return useStore().getSnapshot().context.theme;
}
