import { describe, expect, it } from 'vitest';

import {
  rejectUnusedReplacements,
  withReplacements,
} from '../../../src/session/create/replacements.js';
import { UsageError } from '../../../src/usage-error.js';
import { loadPods, podYaml } from '../../helpers/loaded.js';

const SPEC = `os: {name: linux}, initContainers: [{name: init, image: "i:1"}],
  containers: [{name: app, image: "a:latest",
    volumeMounts: [{name: data, mountPath: /data}, {name: token, mountPath: /token}]}],
  volumes: [{name: data, persistentVolumeClaim: {claimName: pgdata, readOnly: true}},
    {name: token, projected: {sources: [{serviceAccountToken: {path: t}}]}}]`;

const replacements = (images: object, volumes: object) => ({
  images: new Map<string, string>(Object.entries(images)),
  volumes: new Map<string, string>(Object.entries(volumes)),
});

function made(images: object, volumes: object, spec = SPEC) {
  const [loaded] = loadPods(podYaml(spec));
  if (loaded === undefined) throw new Error('no pod');
  return withReplacements(loaded, replacements(images, volumes)).pod.spec;
}

describe('withReplacements', () => {
  it('replaces an image, which is then not pulled when it is there', () => {
    const { containers, initContainers } = made({ app: 'local:1' }, {});
    expect(containers[0]).toMatchObject({ image: 'local:1', imagePullPolicy: 'IfNotPresent' });
    expect(initContainers?.[0]?.image).toBe('i:1');
  });

  it.each(['pgdata', 'data'])('mounts a folder in place of the claim: %s', (name) => {
    const { volumes, containers } = made({}, { [name]: '/here' });
    expect(volumes?.[0]).toEqual({ name: 'data', hostPath: { path: '/here', type: 'Directory' } });
    expect(containers[0]?.volumeMounts?.[0]).toMatchObject({ name: 'data', readOnly: true });
  });

  it('mounts a folder in place of a projected volume, read-only', () => {
    const { volumes, containers } = made({}, { token: '/here' });
    expect(volumes?.[1]?.hostPath?.path).toBe('/here');
    expect(containers[0]?.volumeMounts?.[1]).toMatchObject({ name: 'token', readOnly: true });
  });

  const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount';

  it('mounts a service account token in all containers as the API server does', () => {
    const { volumes, containers, initContainers } = made({}, { 'kube-api-access': '/here' });
    expect(volumes?.at(-1)).toMatchObject({ name: 'kube-api-access', hostPath: { path: '/here' } });
    for (const container of [...containers, ...(initContainers ?? [])]) {
      expect(container.volumeMounts?.at(-1)).toEqual({
        ...{ name: 'kube-api-access', mountPath: TOKEN, readOnly: true },
      });
    }
  });

  it('mounts no token where a pod wants none, or has one at this path', () => {
    const none = made(
      {},
      { 'kube-api-access': '/here' },
      `${SPEC}, automountServiceAccountToken: false`,
    );
    expect(none.volumes).toHaveLength(2);
    const own = `containers: [{name: app, image: "a:1", volumeMounts: [{name: kube-api-access-x1, mountPath: ${TOKEN}}]}],
      volumes: [{name: kube-api-access-x1, projected: {sources: [{serviceAccountToken: {path: t}}]}}]`;
    const { volumes, containers } = made({}, { 'kube-api-access': '/here' }, own);
    expect(volumes?.map(({ hostPath }) => hostPath?.path)).toEqual(['/here']);
    expect(containers[0]?.volumeMounts).toHaveLength(1);
  });
});

describe('withReplacements without a token', () => {
  it('leaves out the volume of it that the API server added to a pod of a cluster', () => {
    const { volumes, containers } = made(
      {},
      {},
      `containers: [{name: app, image: "a:1", volumeMounts: [{name: data, mountPath: /d}, {name: kube-api-access-x1, mountPath: /t}]}],
      volumes: [{name: data, emptyDir: {}}, {name: kube-api-access-x1, projected: {sources: [{serviceAccountToken: {path: t}}]}}]`,
    );
    expect(volumes?.map(({ name }) => name)).toEqual(['data']);
    expect(containers[0]?.volumeMounts?.map(({ name }) => name)).toEqual(['data']);
  });
});

describe('rejectUnusedReplacements', () => {
  it.each([
    [{ nope: 'a:1' }, {}, '--image nope=…: no container "nope" (containers: init, app)'],
    [{}, { nope: '/x' }, '--volume nope=…: no volume "nope" (volumes: pgdata, token)'],
  ])('refuses a stand-in for nothing: %j %j', (images, volumes, message) => {
    const pods = loadPods(podYaml(SPEC)).map((loaded) =>
      withReplacements(loaded, replacements(images, volumes)),
    );
    expect(() => rejectUnusedReplacements(pods, replacements(images, volumes))).toThrow(
      new UsageError(message),
    );
  });
});
