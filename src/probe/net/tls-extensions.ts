import { ByteCursor } from './byte-cursor.js';

/** Splits the extensions of a hello; undefined when they do not parse, or one is there twice. */
function parseExtensions(bytes: Buffer): Map<number, Buffer> | undefined {
  const cursor = new ByteCursor(bytes);
  const extensions = new Map<number, Buffer>();
  while (!cursor.isEmpty()) {
    const id = cursor.uint(2);
    const data = cursor.prefixed(2);
    if (id === undefined || !data || extensions.has(id)) return undefined;
    extensions.set(id, data);
  }
  return extensions;
}

/** What is left at a hello's end: nothing, or all its extensions. */
export function restExtensions(cursor: ByteCursor): Map<number, Buffer> | undefined {
  if (cursor.isEmpty()) return new Map();
  const bytes = cursor.prefixed(2);
  return bytes && cursor.isEmpty() ? parseExtensions(bytes) : undefined;
}
