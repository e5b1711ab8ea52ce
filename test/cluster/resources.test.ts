import { describe, expect, it } from 'vitest';

import { parseResource, resourcePath } from '../../src/cluster/resources.js';

describe('parseResource', () => {
  it.each([
    [['pod/web'], { kind: 'pods', name: 'web' }],
    [['po', 'web'], { kind: 'pods', name: 'web' }],
    [['Pods/web'], { kind: 'pods', name: 'web' }],
    [['pods'], { kind: 'pods' }],
    [['deploy/web'], { kind: 'deployments', name: 'web' }],
    [['deployment.apps/web'], { kind: 'deployments', name: 'web' }],
    [['deployments.v1.apps', 'web'], { kind: 'deployments', name: 'web' }],
    [['sts/db'], { kind: 'statefulsets', name: 'db' }],
    [['ds/a'], { kind: 'daemonsets', name: 'a' }],
    [['rs/a'], { kind: 'replicasets', name: 'a' }],
    [['rc/a'], { kind: 'replicationcontrollers', name: 'a' }],
    [['job/a'], { kind: 'jobs', name: 'a' }],
    [['cj/a'], { kind: 'cronjobs', name: 'a' }],
    [['no/a'], { kind: 'nodes', name: 'a' }],
  ])('reads %j as kubectl does', (words, expected) => {
    expect(parseResource(words)).toEqual(expected);
  });

  it.each([
    [['web'], /^unknown resource type "web" \(pod, event, .*cronjob\); for a pod, write pod\/web$/],
    [['svc/web'], /^unknown resource type "svc" \(.*\)$/],
    [['pod.apps/web'], /^unknown resource type "pod.apps"/],
    [['pod/'], /^"pod\/": write TYPE\/NAME, such as pod\/web$/],
    [['pod/a/b'], /^"pod\/a\/b": write TYPE\/NAME/],
    [['pod/a', 'pod/b'], /^"pod\/a pod\/b": write TYPE\/NAME/],
    [['pod', 'a', 'b'], /^"pod a b": write TYPE\/NAME/],
  ])('refuses %j', (words, message) => {
    expect(() => parseResource(words)).toThrow(message);
  });
});

describe('resourcePath', () => {
  it.each([
    ['pods', {}, '/api/v1/pods'],
    ['pods', { namespace: 'shop', name: 'web' }, '/api/v1/namespaces/shop/pods/web'],
    ['deployments', { namespace: 'shop' }, '/apis/apps/v1/namespaces/shop/deployments'],
    ['nodes', { namespace: 'shop', name: 'n1' }, '/api/v1/nodes/n1'],
    ['pods', { namespace: 'a/b', name: '../x' }, '/api/v1/namespaces/a%2Fb/pods/..%2Fx'],
  ] as const)('of %s %j is %s', (kind, where, path) => {
    expect(resourcePath(kind, where)).toBe(path);
  });
});
