import { line } from '../../text/line.js';
import { overlayOf, withoutOverlay } from '../state.js';
import type { ViewKind } from './view.js';

export const confirmView: ViewKind = {
  title: () => 'restart',
  show({ ui }) {
    return {
      head: [
        [],
        line(`  Restart ${overlayOf(ui, 'confirmRestart')?.container ?? ''}?`, 'strong'),
        [],
        line('  kprobe sends TERM now, and KILL after the grace period. The container then starts'),
        line('  again as after a crash, with back-off.'),
        [],
        line('  Press y to restart it, n or esc to cancel.'),
      ],
    };
  },
  press({ ui }, key) {
    const overlay = overlayOf(ui, 'confirmRestart');
    if (overlay === undefined) return undefined;
    const { pod, container } = overlay;
    if (key === 'y') return { ui: withoutOverlay(ui), effect: { kind: 'restart', pod, container } };
    // A question waits for its answer: other keys do nothing.
    return { ui: key === 'n' || key === 'esc' ? withoutOverlay(ui) : ui };
  },
  keys: [
    { key: 'y', word: 'restart', sentence: 'restart it' },
    { key: 'n', word: 'cancel', sentence: 'do not restart it' },
  ],
};
