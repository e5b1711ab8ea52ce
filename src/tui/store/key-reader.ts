import type { Key as InkKey } from 'ink';

/** The name of a key: the character itself, or `enter`, `up`, `ctrl-c` and the like. */
export type KeyName = string;

/** Prefix of a pasted text: it is one key, so that no line of it is taken for a command. */
export const PASTED = 'pasted ';

/** Prefix of a click: its column and row follow, from 0. */
export const CLICK = 'click ';
/** The rest of what a terminal sends for the mouse (SGR 1006). */
const MOUSE = /^\[<(\d+);(\d+);(\d+)([Mm])$/;

const PASTE_BEGIN = '[200~';
const PASTE_END = '[201~';
const ESCAPED = '\x1b[';
/** A terminal's answer to what another program has asked (OSC), behind its `\x1b]`; BEL or `\x1b\` ends it. */
const ANSWER = /^\d+;/;
const [BEL, BACKSLASH] = ['\x07', '\\'];
/** The rest of an escape sequence that stands for no key. */
const SEQUENCE = /^\[[\d;:<=>?]*[ -/]*[@-~]$/;

/** Hands on the keys of each piece of input. */
export function createKeyReader(
  press: (key: KeyName) => void,
): (input: string, key: InkKey) => void {
  let pasted: string | undefined;
  let isBracketHeld = false;
  let isAnswer = false;
  const releaseBracket = (): void => {
    if (isBracketHeld) press(']');
    isBracketHeld = false;
  };
  const read = (input: string, key: InkKey): void => {
    const isCtrlC = key.ctrl && input === 'c';
    if (isBracketHeld && ANSWER.test(input)) [isBracketHeld, isAnswer] = [false, true];
    releaseBracket();
    if (isAnswer && !isCtrlC) {
      const end = input.indexOf(BEL);
      isAnswer = end < 0 && input !== BACKSLASH;
      if (end >= 0 && end + 1 < input.length) read(input.slice(end + 1), key);
    } else if (input === ']' && pasted === undefined) {
      // Ink hands on the two characters that begin an answer as this key, and the text at once.
      isBracketHeld = true;
      queueMicrotask(releaseBracket);
    } else if (input.startsWith(ESCAPED)) {
      // Escape right before a sequence comes as one piece with it.
      read('', { ...key, escape: true });
      read(input.slice(1), key);
    } else if (input === PASTE_BEGIN) {
      pasted = '';
    } else if (input === PASTE_END) {
      press(`${PASTED}${pasted ?? ''}`);
      pasted = undefined;
    } else if (pasted !== undefined && !isCtrlC) {
      pasted += input;
    } else if (MOUSE.test(input)) {
      const key = mouseKey(input);
      if (key !== undefined) press(key);
    } else if (input.length === 1 || !SEQUENCE.test(input)) {
      // Ctrl-C ends a paste or an answer whose end never came.
      pasted = undefined;
      isAnswer = false;
      for (const name of keysOf(input, key)) press(name);
    }
  };
  return read;
}

/** A click with the left button when it goes down, and the wheel as the arrows. */
function mouseKey(input: string): KeyName | undefined {
  const [, button, column, row, end] = MOUSE.exec(input) ?? [];
  if (end !== 'M') return undefined;
  if (button === '0') return `${CLICK}${Number(column) - 1} ${Number(row) - 1}`;
  return { 64: 'up', 65: 'down' }[Number(button)];
}

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
function keysOf(input: string, key: InkKey): KeyName[] {
  const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
  // Escape and a key right after it come as that key with Alt, and two as one with `\x1b`.
  if (named === 'esc') return Array.from(`\x1b${input}`).map(keyOfCharacter);
  if (named !== undefined) return named === 'enter' && key.meta ? ['esc', named] : [named];
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  if (key.ctrl) return [`ctrl-${input}`];
  const typed = Array.from(input).map(keyOfCharacter);
  return key.meta ? ['esc', ...typed] : typed;
}

function keyOfCharacter(character: string): KeyName {
  const named = CONTROLS[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  return code < 0x20 ? `ctrl-${String.fromCharCode(code + 0x60)}` : character;
}

/** The index that a key moves to, from 0 to `last`; undefined for keys that do not move. */
export function moveTo(key: KeyName, at: number, last: number, page: number): number | undefined {
  const by = STEPS[key] ?? (PAGES[key] ?? NaN) * Math.max(1, page);
  return Number.isNaN(by) ? undefined : Math.max(0, Math.min(last, at + by));
}

const STEPS: Readonly<Record<KeyName, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  g: -Infinity,
  home: -Infinity,
  G: Infinity,
  end: Infinity,
};
const PAGES: Readonly<Record<KeyName, number>> = { 'ctrl-f': 1, pgdn: 1, 'ctrl-b': -1, pgup: -1 };
