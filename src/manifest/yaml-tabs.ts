/**
 * Tabs that js-yaml lets through and go-yaml does not, by the place of the first one. What kubectl refuses must
 * not pass here.
 */

/** After the `-` of a list item go-yaml takes spaces only. */
export function tabAfterDash(text: string, nodeStart: number): number | undefined {
  const before = /-([ \t]*)$/.exec(text.slice(Math.max(0, nodeStart - 100), nodeStart));
  const tab = before?.[1]?.indexOf('\t') ?? -1;
  return tab === -1 ? undefined : nodeStart - (before?.[1]?.length ?? 0) + tab;
}

/** In the blank lines behind a plain scalar, left of where it could go on. Ports a check of scan_plain_scalar. */
export function tabBehindPlainScalar(
  text: string,
  end: number,
  indent: number,
): number | undefined {
  const lines = /[ \t]*(?:\r\n?|\n)/y;
  lines.lastIndex = end;
  if (!lines.test(text)) return undefined;
  for (let start = lines.lastIndex; start < text.length; start = lines.lastIndex) {
    const tab = tabInIndentation(text, start, indent);
    if (tab !== undefined) return tab;
    lines.lastIndex = start;
    if (!lines.test(text)) return undefined;
  }
  return undefined;
}

/** In the blank lines of a block scalar, left of its text. Ports a check of scan_block_scalar_breaks. */
export function tabInBlockScalar(
  text: string,
  start: number,
  end: number,
  indent: number,
): number | undefined {
  const line = /[^\r\n]*(?:\r\n?|\n|$)/y;
  for (let at = start; at < text.length; at = line.lastIndex) {
    const tab = tabInIndentation(text, at, indent);
    if (tab !== undefined) return tab;
    line.lastIndex = at;
    const isBlank = (line.exec(text)?.[0] ?? '').trim() === '';
    if (at >= end && !isBlank) return undefined;
  }
  return undefined;
}

/** The place of a tab before column `indent` when only spaces are before it. */
function tabInIndentation(text: string, lineStart: number, indent: number): number | undefined {
  let at = lineStart;
  while (text[at] === ' ' && at - lineStart < indent) at++;
  return text[at] === '\t' && at - lineStart < indent ? at : undefined;
}
