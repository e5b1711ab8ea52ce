/** What a terminal, a log viewer or a browser may obey, hide or reorder. */
const RAW =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** Throws when a text has raw bytes, with what surrounds them. */
export function expectNoRawBytes(what: string, text: string): void {
  const raw = RAW.exec(text);
  if (raw === null) return;
  const near = text.slice(Math.max(0, raw.index - 80), raw.index + 40);
  throw new Error(`${what} has ${JSON.stringify(raw[0])} raw in ${JSON.stringify(near)}`);
}
