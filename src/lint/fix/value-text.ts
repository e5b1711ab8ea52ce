import type { NewValue } from './change.js';
import { isList } from './change-node.js';

/** What YAML takes for a text without quotes, whatever its version. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[A-Za-z/][\w./-]*$/i;

/** A value in one line: YAML's flow style, or JSON. */
export function flowText(value: NewValue, isJson: boolean): string {
  if (typeof value === 'string') {
    return !isJson && PLAIN.test(value) ? value : JSON.stringify(value);
  }
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((each) => flowText(each, isJson)).join(', ')}]`;
  const members = Object.entries(value).map(([key, each]) => flowMember(key, each, isJson));
  return `{${members.join(', ')}}`;
}

export function flowMember(key: string, value: NewValue, isJson: boolean): string {
  return `${isJson ? JSON.stringify(key) : key}: ${flowText(value, isJson)}`;
}

/** A key and its value as lines of block style, without the last line break. */
export function blockText(key: string, value: NewValue, indent: string): string {
  if (typeof value !== 'object' || isList(value)) {
    return `${indent}${key}: ${flowText(value, false)}`;
  }
  const members = Object.entries(value).map(([inner, each]) =>
    blockText(inner, each, `${indent}  `),
  );
  return [`${indent}${key}:`, ...members].join('\n');
}
