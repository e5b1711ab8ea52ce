import { describe, expect, it } from 'vitest';

import { servedKinds } from '../../src/cluster/served-kinds.js';
import type { KubeObject } from '../../src/cluster/types.js';

function schemaOf(version: string, kind: string): object {
  return {
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: 'example.com', version, kind }],
  };
}

/** The paths of a server of v1.36 with two versions of a Shop, as far as they are read. */
const DOCUMENTS: Readonly<Record<string, unknown>> = {
  '/openapi/v3': {
    paths: {
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=A' },
      'apis/example.com': { serverRelativeURL: '/openapi/v3/apis/example.com?hash=B' },
      'apis/example.com/v1': { serverRelativeURL: '/openapi/v3/apis/example.com/v1?hash=C' },
      'apis/example.com/v1beta1': { serverRelativeURL: '/openapi/v3/apis/example.com/v1beta1' },
    },
  },
  '/openapi/v3/apis/example.com/v1?hash=C': {
    components: {
      schemas: {
        'com.example.v1.Shop': schemaOf('v1', 'Shop'),
        // An aggregated schema names the options of all versions.
        'io.k8s.meta.v1.DeleteOptions': schemaOf('v1beta1', 'DeleteOptions'),
        'io.k8s.meta.v1.ObjectMeta': { type: 'object' },
      },
    },
  },
  '/openapi/v3/apis/example.com/v1beta1': {
    components: { schemas: { 'com.example.v1beta1.Shop': schemaOf('v1beta1', 'Shop') } },
  },
};

async function read(groups: readonly string[]) {
  const paths: string[] = [];
  const get = (path: string) => {
    paths.push(path);
    return Promise.resolve(DOCUMENTS[path] as KubeObject);
  };
  const kinds = await servedKinds({ get }, new Set(groups), new AbortController().signal);
  return { paths, kinds: kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`) };
}

describe('servedKinds', () => {
  it('returns the kinds of all versions of a group', async () => {
    const { kinds } = await read(['example.com']);
    expect(kinds).toEqual(['example.com/v1 Shop', 'example.com/v1beta1 Shop']);
  });

  it('reads no documents of other groups', async () => {
    expect((await read(['example.org'])).paths).toEqual(['/openapi/v3']);
  });
});
