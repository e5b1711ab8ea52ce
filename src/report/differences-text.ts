import type { PodDifference } from '../kubelet/upgrade.js';
import { type Screen, UNPAINTED } from '../text/screen.js';

/** Returns what a release changes for a pod as text: what comes, what was before, and the fields that it concerns. */
export function differencesText(
  changes: readonly PodDifference[],
  screen: Screen = UNPAINTED,
): string {
  return changes.map((change) => differenceText(change, screen)).join('');
}

function differenceText(
  { since, now, before, gate, fields }: PodDifference,
  screen: Screen,
): string {
  const row = (text: string, indent: number): string =>
    `${screen.wrap(' '.repeat(indent) + text, indent)}\n`;
  const by = gate === undefined ? '' : ` (feature gate ${gate})`;
  const title = screen.paint(`${since}${by}`, 'strong');
  return `  ${title}\n${row(now, 4)}${row(`before: ${before}`, 4)}${row(fields.join(', '), 4)}`;
}
