import { escapeControl, escapeControlInLines } from './escape.js';

/** Text as an attribute's value, between double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(escapeControl(text)).replaceAll('"', '&quot;');
}

/** U+FFFE and U+FFFF are the only characters left that XML refuses. */
function xmlText(text: string): string {
  return text
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** An element around text of several lines. Own code: a package would not know our escapes of control characters. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `<${name}${xmlAttributes(attributes)}>${xmlText(escapeControlInLines(text))}</${name}>`;
}

export function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('');
}
