import type { ProbeType } from '../../../kubelet/event.js';

/** What a key asks for beyond the display. */
export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'suspend' }
  | {
      readonly kind: 'trigger';
      readonly pod: string;
      readonly container: string;
      readonly probe: ProbeType;
    };
