import { expect, it } from 'vitest';

import type { KubeObject, Selection } from '../../../src/cluster/types.js';
import { ClaimEvents } from '../../../src/session/cluster/claim-events.js';

const object = (uid: string, spec: object, namespace = 'shop') =>
  ({ metadata: { name: `pod-${uid}`, namespace, uid, resourceVersion: '1' }, spec }) as KubeObject;
const mounting = (claimName: string) => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});
const eventOf = (name: string) =>
  ({ metadata: { name: 'e', uid: 'e' }, involvedObject: { name } }) as unknown as KubeObject;

function start() {
  const followed: Selection[] = [];
  const seen: string[] = [];
  let report: (event: KubeObject) => void = () => undefined;
  const claims = new ClaimEvents({
    follow: (events, onEvent) => {
      followed.push(events);
      report = onEvent;
    },
    onEvent: (_, uid) => seen.push(uid),
  });
  return { claims, followed, seen, report: (name: string) => report(eventOf(name)) };
}

it('gives pods that wait for a node the events of their claims, until they have one', () => {
  const { claims, followed, seen, report } = start();
  claims.onPod(object('a', mounting('data')));
  claims.onPod(object('b', { volumes: [{ name: 'scratch', ephemeral: {} }] }));
  expect(followed).toEqual([
    { namespace: 'shop', fieldSelector: 'involvedObject.kind=PersistentVolumeClaim' },
  ]);
  report('data');
  report('pod-b-scratch');
  report('other');
  claims.onPod(object('a', { ...mounting('data'), nodeName: 'node-1' }));
  report('data');
  expect(seen).toEqual(['a', 'b']);
});

it('asks for no events of claims that no waiting pod mounts', () => {
  const { claims, followed } = start();
  claims.onPod(object('a', { volumes: [{ name: 'v', emptyDir: {} }] }));
  claims.onPod(object('b', { ...mounting('data'), nodeName: 'node-1' }));
  expect(followed).toEqual([]);
});
