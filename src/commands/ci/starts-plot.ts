import { formatLatency } from '../../text/duration.js';
import { xmlAttribute as text } from '../../text/xml.js';
import type { Margin } from './measures.js';

/** Units of a lane's width: its marks have whole numbers. */
const WIDTH = 10_000;

/** Returns a table for an HTML report with a lane for each measure: a mark for each start, from 0 to the limit. */
export function startsPlot(margins: readonly Margin[]): string {
  const rows = margins.map((margin) => {
    const { name, limit, now, before } = margin;
    const longest = limit ?? 1.1 * Math.max(...now, ...before);
    const end = limit === undefined ? '' : `${limit} s`;
    return `<tr><td>${text(name)}<td width="70%">${lane(margin, longest)}<td class=k>${end}`;
  });
  return `<table><tr><th>starts<th>above the line now, below it before<th>limit${rows.join('\n')}</table>`;
}

function lane({ name, now, before }: Margin, longest: number): string {
  const marks = (times: readonly number[], from: number, to: number): string =>
    times
      .map((time) => `M${Math.round(Math.min(1, time / longest) * WIDTH)},${from}V${to}`)
      .join('');
  const paths = [
    `<path class=base d="M0,20H${WIDTH}"/>`,
    `<path class=ok d="${marks(now, 2, 18)}"/>`,
    `<path class=limit d="${marks(before, 22, 34)}"/>`,
  ];
  const label = `${name}: now ${listed(now)}${before.length === 0 ? '' : `, before ${listed(before)}`}`;
  return `<svg viewBox="0 0 ${WIDTH} 36" width="100%" height=36 preserveAspectRatio=none role=img aria-label="${text(label)}"><title>${text(label)}</title>${paths.join('')}</svg>`;
}

/** `1.2 s, 1.4 s` */
export function listed(times: readonly number[]): string {
  return times.map((seconds) => formatLatency(seconds * 1000)).join(', ');
}
