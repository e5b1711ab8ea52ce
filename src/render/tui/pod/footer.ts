import type { Snapshot } from '../store/snapshot.js';
import { joinLines, line, spread } from '../text/line.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';

/** What the keys do, in the last row. */
export function footerLine({ size, ending }: Snapshot): Line {
  if (ending) return line('ending …', 'warn');
  const keys = joinLines([hint('?', 'keys'), hint('j/k', 'choose'), hint('q', 'quit')], '   ');
  return spread([], keys, size.columns);
}

function hint(key: string, what: string): Line {
  return [span(key, 'strong'), span(` ${what}`, 'dim')];
}
