import { isObject } from '../api/index.js';
import type { CustomKind } from '../manifest/crds/custom-kinds.js';
import type { Cluster } from './types.js';

const TYPES = 'x-kubernetes-group-version-kind';

/** Reads the kinds of API groups, with their schemas, from the cluster's OpenAPI documents, which every user may read. */
export async function servedKinds(
  cluster: Pick<Cluster, 'get'>,
  groups: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly CustomKind[]> {
  const index = objectOf(await cluster.get('/openapi/v3', signal), 'paths');
  const kinds = Object.entries(index).map(async ([path, entry]) => {
    // apis/GROUP/VERSION
    const [, group = '', version = '', more] = path.split('/');
    if (version === '' || more !== undefined || !groups.has(group)) return [];
    const url = isObject(entry) ? entry['serverRelativeURL'] : undefined;
    const document: unknown = await cluster.get(
      typeof url === 'string' ? url : `/openapi/v3/${path}`,
      signal,
    );
    const schemas = Object.values(objectOf(objectOf(document, 'components'), 'schemas'));
    const apiVersion = `${group}/${version}`;
    return schemas.filter(isObject).flatMap((schema) => {
      const types = Array.isArray(schema[TYPES]) ? schema[TYPES].filter(isObject) : [];
      return types.flatMap((type) =>
        type['group'] === group && type['version'] === version && typeof type['kind'] === 'string'
          ? [{ apiVersion, kind: type['kind'], schema: schema }]
          : [],
      );
    });
  });
  return (await Promise.all(kinds)).flat();
}

function objectOf(value: unknown, field: string): Readonly<Record<string, unknown>> {
  const found = isObject(value) ? value[field] : undefined;
  return isObject(found) ? found : {};
}
