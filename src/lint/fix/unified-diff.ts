import type { TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';

/** Lines of the old text around a change. */
const CONTEXT = 3;

/** What edits of whole lines change in a text, as `diff -u` writes it. */
export function unifiedDiff({ file, text }: ManifestSource, edits: readonly TextEdit[]): string {
  const lines = shownLines(text, true);
  const changes = edits.map((edit) => changeOf(text, edit));
  let shift = 0;
  const hunks = grouped(changes).map((group) => {
    const hunk = hunkOf(lines, group, shift);
    for (const { removed, added } of group) shift += added.length - removed;
    return hunk;
  });
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks, ''].join('\n');
}

/** Lines that go and lines that come, at a line from 0. */
interface LineChange {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
}

function changeOf(text: string, { start, end, text: added }: TextEdit): LineChange {
  const at = linesOf(text.slice(0, start)).length;
  const removed = linesOf(text.slice(start, end)).length;
  return { at, removed, added: shownLines(added, end === text.length) };
}

/** Changes whose context meets come in one hunk. */
function grouped(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.at - (last.at + last.removed) <= 2 * CONTEXT) {
      groups.at(-1)?.push(change);
    } else groups.push([change]);
  }
  return groups;
}

function hunkOf(lines: readonly string[], group: readonly LineChange[], shift: number): string {
  const from = Math.max(0, (group[0]?.at ?? 0) - CONTEXT);
  const last = group.at(-1);
  const to = Math.min(lines.length, (last?.at ?? 0) + (last?.removed ?? 0) + CONTEXT);
  const body: string[] = [];
  let at = from;
  let grown = 0;
  for (const change of group) {
    body.push(...lines.slice(at, change.at).map((line) => ` ${line}`));
    at = change.at + change.removed;
    body.push(...lines.slice(change.at, at).map((line) => `-${line}`));
    body.push(...change.added.map((line) => `+${line}`));
    grown += change.added.length - change.removed;
  }
  body.push(...lines.slice(at, to).map((line) => ` ${line}`));
  const length = to - from;
  const head = `@@ -${range(from, length)} +${range(from + shift, length + grown)} @@`;
  return [head, ...body].join('\n');
}

function range(from: number, length: number): string {
  return `${length === 0 ? from : from + 1},${length}`;
}

const NO_NEWLINE = '\\ No newline at end of file';

/** The lines of a text, with diff's remark on the last one where that ends a file and no newline ends it. */
function shownLines(text: string, endsFile: boolean): readonly string[] {
  const lines = linesOf(text);
  if (!endsFile || text === '' || text.endsWith('\n')) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}\n${NO_NEWLINE}`];
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
