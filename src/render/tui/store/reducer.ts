import type { Summary } from '../../../trace/summary/summary.js';
import type { BodyPlace, Message, Size, Snapshot, Ui } from './state.js';

export type Action =
  | { readonly kind: 'received'; readonly summary: Summary }
  /** `latest` is the summary of now, which a paused display does not show. */
  | { readonly kind: 'pressed'; readonly ui: Ui; readonly now: number; readonly latest: Summary }
  | { readonly kind: 'said'; readonly message: Message }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'laidOut'; readonly body: BodyPlace }
  | { readonly kind: 'ended' }
  | { readonly kind: 'ticked'; readonly now: number };

export function reduce(state: Snapshot, action: Action): Snapshot {
  switch (action.kind) {
    case 'received':
      return state.ui.paused
        ? { ...state, heldBack: state.heldBack + 1 }
        : { ...state, summary: action.summary };
    case 'pressed': {
      const { ui, now, latest } = action;
      const isResumed = state.ui.paused && !ui.paused;
      const shown = isResumed ? { summary: latest, heldBack: 0 } : {};
      return { ...state, ui, now, message: undefined, ...shown };
    }
    case 'said':
      return { ...state, message: action.message };
    case 'resized':
      return { ...state, size: action.size };
    case 'laidOut':
      return { ...state, body: action.body };
    case 'ended':
      return { ...state, ending: true };
    case 'ticked': {
      const { now } = action;
      const { message, ui } = state;
      const isOver = message !== undefined && message.until <= now;
      // While the display is paused, its time stands still.
      return {
        ...state,
        now: ui.paused ? state.now : now,
        message: isOver ? undefined : message,
      };
    }
  }
}
