import { EMPTY_LINE, line } from '../../text/line.js';
import { NO_BODY, type ViewKind } from './view.js';

/** Asks before a container is really restarted. */
export const confirmView: ViewKind = {
  title: () => 'restart',
  show({ ui }) {
    const overlay = ui.overlays.at(-1);
    const name = overlay?.kind === 'confirmRestart' ? overlay.container : '';
    const head = [
      EMPTY_LINE,
      line(`  Restart ${name}?`, 'strong'),
      EMPTY_LINE,
      line(
        '  It is sent TERM now, and KILL when the grace period is over; the kubelet then starts it',
      ),
      line('  again as after a crash, with its back-off.'),
      EMPTY_LINE,
      line('  y restarts it, n or esc does not.'),
    ];
    return { head: head.map((own) => ({ line: own })), body: NO_BODY, tail: [] };
  },
  press({ ui }, key) {
    const overlay = ui.overlays.at(-1);
    if (overlay?.kind !== 'confirmRestart') return undefined;
    const after = { ...ui, overlays: ui.overlays.slice(0, -1) };
    const { pod, container } = overlay;
    if (key === 'y') return { ui: after, effect: { kind: 'restart', pod, container } };
    // A question waits for its answer: other keys do nothing.
    return key === 'n' || key === 'esc' ? { ui: after } : { ui };
  },
  keys: [
    { key: 'y', word: 'restart', sentence: 'restart it' },
    { key: 'n', word: 'leave it', sentence: 'leave it as it is' },
  ],
};
