import type { Key as InkKey } from 'ink';

/** The name of a key: the character itself, or `enter`, `up`, `ctrl-c` and the like. */
export type KeyName = string;

const NAMED: readonly (readonly [keyof InkKey, KeyName])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pgup'],
  ['pageDown', 'pgdn'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
];

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'esc',
};

/** The keys of one piece of input: fast typing and a slow line bring several at once. */
export function keysOf(input: string, key: InkKey): KeyName[] {
  const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
  if (named !== undefined) return [named];
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  if (key.ctrl) return [`ctrl-${input}`];
  const typed = Array.from(input).map(keyOfCharacter);
  // With Alt, or right after Escape: a terminal tells the two apart by time alone.
  return key.meta ? ['esc', ...typed] : typed;
}

function keyOfCharacter(character: string): KeyName {
  const named = CONTROLS[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  return code < 0x20 ? `ctrl-${String.fromCharCode(code + 0x60)}` : character;
}
