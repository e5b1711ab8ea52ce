import { joinLines, type Line, lineWidth, span } from '../../text/line.js';
import { bindingsOf } from '../store/press.js';
import { viewName } from '../store/selection.js';
import { readsOnly, type Snapshot } from '../store/state.js';

/** The keys that have an effect here, as many as there is room for; the help has all. */
export function hintsLine(snapshot: Snapshot, width: number): Line {
  const { about } = snapshot;
  const isIdle = about.replayLength !== undefined || readsOnly(about);
  const view = viewName(snapshot);
  const known = bindingsOf(view);
  const named = known.filter(
    ({ word, isLive = false, footer, views = footer }) =>
      word !== undefined && !(isLive && isIdle) && views?.includes(view),
  );
  const always = known
    .filter(({ keys }) => keys.includes('?') || keys.includes('q'))
    .map(({ keys, word = '' }) => keyHint(keys[0], word));
  const shown: Line[] = [];
  for (const { keys, label = keys[0], word = '' } of named) {
    const hint = keyHint(label, word);
    if (lineWidth(joinLines([...shown, hint, ...always])) > width) break;
    shown.push(hint);
  }
  return joinLines([...shown, ...always]);
}

export function keyHint(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}
