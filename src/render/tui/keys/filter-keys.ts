import { graphemes } from '../../text/line.js';
import type { Ui } from '../store/ui.js';
import type { KeyName } from './keys-of.js';

/** A key while the filter is typed. */
export function pressInFilter(ui: Ui, key: KeyName): Ui {
  switch (key) {
    case 'enter':
      return { ...ui, filterBefore: undefined };
    case 'esc':
      return { ...ui, filter: ui.filterBefore ?? '', filterBefore: undefined };
    case 'backspace':
      return { ...ui, filter: graphemes(ui.filter).slice(0, -1).join('') };
    case 'ctrl-u':
      return { ...ui, filter: '' };
    default:
      // Names of keys are longer than the one character of what can be typed.
      return graphemes(key).length === 1 ? { ...ui, filter: ui.filter + key } : ui;
  }
}

/** A pasted text goes into the filter while that is typed, as one line; else nowhere. */
export function pasteInFilter(ui: Ui, text: string): Ui {
  const one = text.trim().replaceAll(/\s+/g, ' ');
  return ui.filterBefore === undefined ? ui : { ...ui, filter: ui.filter + one };
}
