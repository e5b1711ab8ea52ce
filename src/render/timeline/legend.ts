import { flowLines, type Line, line } from '../text/line.js';

const PROBES: readonly string[] = [
  '✓ success',
  '✗ failure',
  '! error',
  '↑ ↓ result changed',
  '─ attempt under way',
];

const CONTAINERS: readonly string[] = [
  '█ ready',
  '▄ not ready',
  '▂ not started',
  '▒ TERM to end',
  '░ back-off',
  'S start',
  'T TERM',
  'E end',
  'R restart',
];

/** What the signs of a timeline say, in rows of at most so many columns. */
export function legendLines(columns: number): Line[] {
  return [CONTAINERS, PROBES].flatMap((signs) =>
    flowLines(
      signs.map((sign) => line(sign, 'dim')),
      '  ',
      columns,
    ),
  );
}
