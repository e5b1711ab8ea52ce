import { type Line, span } from '../../text/line.js';
import { heading } from '../components/format.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { bindingsOfRun } from '../store/press.js';
import { filterLines, viewBelow } from '../store/selection.js';
import { readsOnly } from '../store/state.js';
import type { View } from './view.js';

const SIGNS = {
  '✓ ✗ !': "success, failure, error (errors don't count)",
  '██▁ 2/3': 'two of three results in a row',
  NEXT: 'time until the next attempt',
};

/** Each key once. */
export const HelpView: View = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const below = viewBelow(snapshot);
  const isIdle = readsOnly(snapshot.about);
  const known = bindingsOfRun(snapshot.about).filter(({ isLive = false }) => !(isLive && isIdle));
  const keysOf = (where: 'view' | 'everywhere'): Line[] =>
    known
      .filter(({ views }) => (where === 'view' ? views?.includes(below) : views === undefined))
      .map(({ keys, label = keys[0], sentence }) => helpLine([label, sentence]));
  const lines = [
    heading('In this view'),
    ...keysOf('view'),
    [],
    heading('Everywhere'),
    ...keysOf('everywhere'),
    [],
    heading('Signs'),
    ...Object.entries(SIGNS).map(helpLine),
  ];
  const filtered = filterLines(lines, snapshot, columns);
  return <ScrollBox id="help" {...filtered} width={columns} height={rows} />;
};

function helpLine([sign, sentence]: readonly [string, string]): Line {
  return [span(`  ${sign.padEnd(9)}`, 'strong'), span(sentence)];
}
