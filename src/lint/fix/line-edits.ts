import type { TextEdit } from '../../manifest/diagnostic.js';

/** Of more lines than this between the first and the last change, all count as changed. */
const MOST = 400;

/** The edits, of whole lines and as few as can be, that make one text of another. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)] as const;
  return editsBetween(...middle, old.slice(0, head).join('').length);
}

/** Walks along a longest common subsequence; what is not in it is an edit. */
function editsBetween(
  old: readonly string[],
  now: readonly string[],
  offset: number,
): readonly TextEdit[] {
  const common = Math.max(old.length, now.length) > MOST ? undefined : commonLengths(old, now);
  const edits: TextEdit[] = [];
  let [i, j, start] = [0, 0, offset];
  while (i < old.length || j < now.length) {
    let [end, text] = [start, ''];
    while ((i < old.length || j < now.length) && (common === undefined || old[i] !== now[j])) {
      const drops =
        i < old.length && (j >= now.length || at(common, i + 1, j) >= at(common, i, j + 1));
      if (drops) end += old[i++]?.length ?? 0;
      else text += now[j++] ?? '';
    }
    if (end > start || text !== '') edits.push({ start, end, text });
    start = end;
    while (i < old.length && old[i] === now[j]) {
      start += old[i++]?.length ?? 0;
      j++;
    }
  }
  return edits;
}

/** How many lines two texts have in common from a line of the one and of the other on. */
function commonLengths(
  old: readonly string[],
  now: readonly string[],
): readonly (readonly number[])[] {
  const table = old.concat('').map(() => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i] ?? [];
    for (let j = now.length - 1; j >= 0; j--) {
      row[j] =
        old[i] === now[j]
          ? 1 + at(table, i + 1, j + 1)
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[] | undefined, i: number, j: number): number {
  return table?.[i]?.[j] ?? 0;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
