import { ClusterError } from '../cluster-error.js';
import type { Connection } from '../connection/connection.js';
import { errorOfStatus, type Status } from '../connection/request-error.js';
import { resourcePath, RESOURCES } from '../resources.js';
import type { KubeObject, ResourceKind, Selection } from '../types.js';
import type { WatchEvent } from './reflector.js';

const PAGE_SIZE = 500;

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubeObject[] | null;
}

/**
 * Lists in pages and calls `onPage` with each; returns the list's resourceVersion. When a page has expired, all are
 * listed again in one: `onPage` then gets objects that it has had.
 */
export async function listPages(
  connection: Pick<Connection, 'json'>,
  kind: ResourceKind,
  selection: Selection,
  onPage: (items: readonly KubeObject[]) => void,
  signal?: AbortSignal,
): Promise<string> {
  let next: string | undefined = '';
  let limit = PAGE_SIZE;
  for (;;) {
    const page = { limit: String(limit), ...(next !== '' && { continue: next }) };
    const path = `${resourcePath(kind, { namespace: selection.namespace })}?${queryOf(selection, page)}`;
    try {
      const { metadata, items } = (await connection.json(path, signal)) as Page;
      onPage((items ?? []).map((item) => withType(kind, item)));
      next = metadata.continue;
      if (next === undefined || next === '') return metadata.resourceVersion;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'expired' || next === '') throw error;
      next = '';
      limit = 0;
    }
  }
}

/** Lists once, in pages. */
export async function listAll(
  connection: Connection,
  kind: ResourceKind,
  selection: Selection,
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const all = new Map<string, KubeObject>();
  const keep = (items: readonly KubeObject[]): void => {
    for (const item of items) all.set(item.metadata.uid, item);
  };
  await listPages(connection, kind, selection, keep, signal);
  return [...all.values()];
}

/** Watches from a resourceVersion; resolves when the server has accepted the watch. */
export async function openWatch(
  connection: Connection,
  kind: ResourceKind,
  selection: Selection,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<AsyncIterable<WatchEvent>> {
  const query = queryOf(selection, { watch: 'true', allowWatchBookmarks: 'true', ...parameters });
  const path = `${resourcePath(kind, { namespace: selection.namespace })}?${query}`;
  const { body } = await connection.request(path, { signal, bodyTimeout: 0 });
  return watchEvents(connection, kind, body);
}

async function* watchEvents(
  connection: Connection,
  kind: ResourceKind,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent> {
  try {
    for await (const line of linesOf(body)) {
      const { type, object } = JSON.parse(line) as WatchEvent | { type: 'ERROR'; object: Status };
      if (type === 'ERROR') throw errorOfStatus(object, connection.base);
      yield { type, object: withType(kind, object) };
    }
  } catch (error) {
    throw connection.error(error);
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

/** Items of a list have no kind of their own; the bulk that nothing reads is dropped. */
function withType(kind: ResourceKind, object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const { group, version, kind: name } = RESOURCES[kind];
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...object, apiVersion, kind: name, metadata };
}

/** Selectors, and parameters of the request, as a query. */
export function queryOf(
  { name, labelSelector, fieldSelector }: Selection,
  parameters: Readonly<Record<string, string>>,
): string {
  const fields = [fieldSelector, name === undefined ? undefined : `metadata.name=${name}`];
  const query = new URLSearchParams(parameters);
  const selector = fields.filter((one) => one !== undefined && one !== '').join(',');
  if (selector !== '') query.set('fieldSelector', selector);
  if (labelSelector !== undefined && labelSelector !== '')
    query.set('labelSelector', labelSelector);
  return query.toString();
}
