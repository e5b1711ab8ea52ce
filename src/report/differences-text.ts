import type { PodDifference } from '../kubelet/upgrade.js';
import { type TextStyle, UNPAINTED } from '../text/text-style.js';

/** Returns what a release changes for a pod as text: what comes, what was before, and the fields that it concerns. */
export function differencesText(
  changes: readonly PodDifference[],
  style: TextStyle = UNPAINTED,
): string {
  return changes.map((change) => differenceText(change, style)).join('');
}

function differenceText(
  { since, now, before, gate, fields }: PodDifference,
  style: TextStyle,
): string {
  const row = (text: string, indent: number): string =>
    `${style.wrap(' '.repeat(indent) + text, indent)}\n`;
  const by = gate === undefined ? '' : ` (feature gate ${gate})`;
  const title = style.paint(`${since}${by}`, 'strong');
  return `  ${title}\n${row(now, 4)}${row(`before: ${before}`, 4)}${row(fields.join(', '), 4)}`;
}
