import type { KeyName } from './keys-of.js';

/** Where a choice in a list of `count` goes with a key; undefined for keys that do not move it. */
export function choose(at: number, count: number, key: KeyName, page: number): number | undefined {
  const to = moved(at, count, key, Math.max(1, page));
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

function moved(at: number, count: number, key: KeyName, page: number): number | undefined {
  switch (key) {
    case 'j':
    case 'down':
      return at + 1;
    case 'k':
    case 'up':
      return at - 1;
    case 'ctrl-f':
    case 'pgdn':
      return at + page;
    case 'ctrl-b':
    case 'pgup':
      return at - page;
    case 'g':
    case 'home':
      return 0;
    case 'G':
    case 'end':
      return count - 1;
    default:
      return undefined;
  }
}
