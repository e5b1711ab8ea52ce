import type { OfProbe } from './ui.js';

/** What a key asks for beyond the display. */
export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'redraw' }
  /** Saves the trace so far. */
  | { readonly kind: 'save' }
  | (OfProbe & { readonly kind: 'trigger' })
  | { readonly kind: 'restart'; readonly pod: string; readonly container: string }
  /** Nothing is done; the user is told why. */
  | { readonly kind: 'say'; readonly text: string };
