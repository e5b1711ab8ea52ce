import { escapeControl, escapeControlInLines } from './escape.js';

/** Escapes a text for XML and HTML, also within double quotes. */
export function escapeXml(text: string): string {
  return xmlText(escapeControl(text)).replaceAll('"', '&quot;');
}

/** Escapes a text for XML, and replaces U+FFFE and U+FFFF, which XML does not allow. */
function xmlText(text: string): string {
  return text
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Returns an element with a text of several lines. A package would not know kprobe's escapes of control characters. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `<${name}${xmlAttributes(attributes)}>${xmlText(escapeControlInLines(text))}</${name}>`;
}

export function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}
