/** Cuts `metadata.labels['app']` in its two parts. Ports SplitMaybeSubscriptedPath (pkg/fieldpath/fieldpath.go). */
export function splitMaybeSubscriptedPath(
  fieldPath: string,
): { readonly path: string; readonly subscript: string } | undefined {
  const match = /^(.+?)\['(.*)'\]$/s.exec(fieldPath);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { path: match[1], subscript: match[2] };
}
