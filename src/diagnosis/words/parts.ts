import { joinHostPort } from '../../go/addr.js';
import { toByteString } from '../../go/byte-string.js';
import type { Socket } from '../../kubelet/ports.js';
import { oneLine } from '../answer.js';

export function withReason(text: string, reason: string): string {
  return [text, reason].filter((part) => part !== '').join(': ');
}

export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('; ');
}

export function listed(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

export function atPlace(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`;
}

/** Characters of a program's or an answer's text in a cause. */
const MAX_TEXT = 80;

/** The text of a wrapping exception, before that of its cause. */
const OUTER = /^.*; nested exception is /s;

export function shortened(text: string): string {
  const inner = text.length > MAX_TEXT ? text.replace(OUTER, '') : text;
  return oneLine(inner, MAX_TEXT);
}

export function sentence(text: string): string {
  return `${sentenceStart(text)}.`;
}

export function sentenceStart(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `127.0.0.1:5000`, `[::1]:5000` */
export function socketsText(sockets: readonly Socket[]): string {
  return listed(sockets.map(({ address, port }) => joinHostPort(toByteString(address), port)));
}
