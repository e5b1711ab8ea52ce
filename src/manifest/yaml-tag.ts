import type { DocumentDirective, ScalarEvent } from 'js-yaml';

/** What the handles before tags stand for. */
export type TagHandles = Readonly<Record<string, string>>;

const DEFAULT_HANDLES: TagHandles = { '!': '!', '!!': 'tag:yaml.org,2002:' };

/** The tag handles of a document: the usual two, and those of its %TAG directives. */
export function tagHandles(directives: readonly DocumentDirective[]): TagHandles {
  const own = directives.flatMap((each) =>
    each.kind === 'tag' ? [[each.handle, each.prefix] as const] : [],
  );
  return { ...DEFAULT_HANDLES, ...Object.fromEntries(own) };
}

/** The tag of a scalar in its long form; undefined without one. */
export function readTag(text: string, event: ScalarEvent, handles: TagHandles): string | undefined {
  if (event.tagStart === -1) return undefined;
  const raw = text.slice(event.tagStart, event.tagEnd);
  if (raw.startsWith('!<')) return raw.slice(2, -1);
  const handle = raw.slice(0, raw.indexOf('!', 1) + 1) || '!';
  return (handles[handle] ?? handle) + raw.slice(handle.length);
}
