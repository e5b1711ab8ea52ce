import { escapeControl } from './escape.js';

/** The value of an attribute, between double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(escapeControl(text)).replaceAll('"', '&quot;');
}

/** Text between tags; U+FFFE and U+FFFF are the only characters left that XML refuses. */
export function xmlText(text: string): string {
  return text
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
