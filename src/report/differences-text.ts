import type { PodDifference } from '../kubelet/upgrade.js';
import { type TextStyle, UNPAINTED } from '../text/text-style.js';

/** Returns what a release changes for a pod as text: what comes, what was before, and the fields that it concerns. */
export function differencesText(
  changes: readonly PodDifference[],
  style: TextStyle = UNPAINTED,
): string {
  const row = (text: string): string => `${style.wrap(`    ${text}`, 4)}\n`;
  const texts = changes.map(({ since, now, before, gate, fields }) => {
    const by = gate === undefined ? '' : ` (feature gate ${gate})`;
    const title = style.paint(`${since}${by}`, 'strong');
    return `  ${title}\n${row(now)}${row(`before: ${before}`)}${row(fields.join(', '))}`;
  });
  return texts.join('');
}
