import { JsonReader } from '../api/index.js';
import type { CustomKind } from '../manifest/crds/custom-kinds.js';
import type { Cluster } from './types.js';

const TYPES = 'x-kubernetes-group-version-kind';

/** Reads the kinds of API groups, with their schemas, from the cluster's OpenAPI documents, which every user may read. */
export async function servedKinds(
  cluster: Pick<Cluster, 'get'>,
  groups: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly CustomKind[]> {
  const paths = new JsonReader(await cluster.get('/openapi/v3', signal)).in('paths');
  const kinds = paths.keys().map(async (path) => {
    // apis/GROUP/VERSION
    const [, group = '', version = '', more] = path.split('/');
    if (version === '' || more !== undefined || !groups.has(group)) return [];
    const url = paths.in(path).text('serverRelativeURL') || `/openapi/v3/${path}`;
    const schemas = new JsonReader(await cluster.get(url, signal)).in('components').in('schemas');
    return schemas.keys().flatMap((name) => {
      const schema = schemas.in(name);
      return schema
        .list(TYPES)
        .filter((type) => type.text('group') === group && type.text('version') === version)
        .map((type) => type.text('kind'))
        .filter((kind) => kind !== '')
        .map((kind) => ({ apiVersion: `${group}/${version}`, kind, schema: schema.object }));
    });
  });
  return (await Promise.all(kinds)).flat();
}
