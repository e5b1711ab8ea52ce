import type { PodDifference } from '../kubelet/upgrade.js';
import { escapeControl } from '../text/escape.js';
import type { TextStyle } from '../text/text-style.js';

export interface ChangedObject extends Readonly<Record<'kind' | 'namespace' | 'name', string>> {
  readonly changes: readonly PodDifference[];
}

/** Returns what a release changes for an object's pods as text: what comes, what was before, and the fields that it concerns. */
export function differencesText(
  { kind, namespace, name, changes }: ChangedObject,
  releases: string,
  { paint, wrap }: TextStyle,
): string {
  const row = (text: string): string => `${wrap(`    ${text}`, 4)}\n`;
  const texts = changes.map(({ since, now, before, gate, fields }) => {
    const by = gate === undefined ? '' : ` (feature gate ${gate})`;
    const title = paint(`${since}${by}`, 'strong');
    return `  ${title}\n${row(now)}${row(`before: ${before}`)}${row(fields.join(', '))}`;
  });
  const title = paint(escapeControl(`${kind} ${namespace}/${name}`), 'strong');
  return `${title}${releases}\n${texts.join('')}`;
}
