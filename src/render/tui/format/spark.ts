const LEVELS = '▁▂▃▄▅▆▇█';

/** A row of bars, the highest for the greatest value; the latest `width` of them. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = width <= 0 ? [] : values.slice(-width);
  const highest = Math.max(...shown, 0);
  return shown.map((value) => bar(value, highest)).join('');
}

/** How far a count has come: `██▁`. */
export function progressBar(have: number, of: number): string {
  return '█'.repeat(Math.min(have, of)) + '▁'.repeat(Math.max(0, of - have));
}

function bar(value: number, highest: number): string {
  const level = highest <= 0 ? 0 : Math.round((value / highest) * (LEVELS.length - 1));
  return LEVELS[level] ?? '█';
}
