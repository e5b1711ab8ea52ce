import type { Pod } from '../../api/index.js';
import { toByteString, toText } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { fail, ok, type Result } from '../../go/result.js';

/** A field of a pod as text. Ports ExtractFieldPathAsString (pkg/fieldpath/fieldpath.go). */
export function extractFieldPathAsString({ metadata }: Pod, fieldPath: string): Result<string> {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  if (subscripted !== undefined) {
    const { path, subscript } = subscripted;
    if (path === 'metadata.annotations') return ok(own(metadata.annotations, subscript));
    if (path === 'metadata.labels') return ok(own(metadata.labels, subscript));
    return fail(`fieldPath ${quoted(fieldPath)} does not support subscript`);
  }
  switch (fieldPath) {
    case 'metadata.annotations':
      return ok(formatMap(metadata.annotations));
    case 'metadata.labels':
      return ok(formatMap(metadata.labels));
    case 'metadata.name':
      return ok(metadata.name);
    case 'metadata.namespace':
      return ok(metadata.namespace);
    case 'metadata.uid':
      return ok(metadata.uid);
    default:
      return fail(`unsupported fieldPath: ${fieldPath}`);
  }
}

/** `metadata.labels['app']` in its two parts. Ports SplitMaybeSubscriptedPath (pkg/fieldpath/fieldpath.go). */
export function splitMaybeSubscriptedPath(
  fieldPath: string,
): { readonly path: string; readonly subscript: string } | undefined {
  const open = fieldPath.indexOf("['");
  if (open < 1 || !fieldPath.endsWith("']") || open + 2 > fieldPath.length - 2) return undefined;
  return { path: fieldPath.slice(0, open), subscript: fieldPath.slice(open + 2, -2) };
}

/** One `key="value"` a line, sorted by key. Ports FormatMap (pkg/fieldpath/fieldpath.go). */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join('\n');
}

function own(map: Readonly<Record<string, string>> = {}, key: string): string {
  return Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}

function quoted(text: string): string {
  return toText(quote(toByteString(text)));
}
