import { describe, expect, it, test } from 'vitest';

import { classify } from '../../../src/manifest/documents/known-kinds.js';

describe('an object of a version that no server has', () => {
  it.each([
    ['core/v1', 'Pod', 'v1'],
    ['__proto__', 'Pod', 'v1'],
    ['constructor', 'Pod', 'v1'],
    ['core/v1', 'Service', 'v1'],
    ['v1 ', 'Pod', 'v1'],
    ['V1', 'ConfigMap', 'v1'],
    ['v2', 'Pod', 'v1'],
    ['app/v1', 'Deployment', 'apps/v1'],
    ['apps/v1beta1', 'Deployment', 'apps/v1'],
    ['networking.k8s.io/v1', 'Pod', 'v1'],
    ['networking.k8s.io/v1beta1', 'Ingress', 'networking.k8s.io/v1'],
    ['extensions/v1beta1', 'Ingress', 'networking.k8s.io/v1'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
    ['events.k8s.io/v1beta1', 'Event', 'events.k8s.io/v1'],
    ['rbac/v1', 'Role', 'rbac.authorization.k8s.io/v1'],
    ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  ])('%j %s is refused, with the version %s to write', (apiVersion, kind, version) => {
    expect(classify({ apiVersion, kind })).toEqual({
      kind: 'unknown',
      field: 'apiVersion',
      message: `no matches for kind "${kind}" in version "${apiVersion}"`,
      hint: `write "apiVersion: ${version}"`,
    });
  });

  it.each([
    ['policy/v1beta1', 'PodSecurityPolicy', undefined],
    ['shop/v1', 'Basket', undefined],
    ['constructor', 'toString', undefined],
    ['networking.k8s.io/v1', 'Ingres', 'did you mean "Ingress"?'],
    ['apps/v1', 'Deploymnet', 'did you mean "Deployment"?'],
  ])('%s %s is refused: the kind is nowhere', (apiVersion, kind, hint) => {
    const found = classify({ apiVersion, kind });
    expect(found).toMatchObject({ kind: 'unknown', field: 'kind' });
    expect('hint' in found ? found.hint : undefined).toBe(hint);
  });
});

test.each([
  ['v1', 'Service'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['apiregistration.k8s.io/v1', 'APIService'],
  ['argoproj.io/v1alpha1', 'Rollout'],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
  ['snapshot.storage.k8s.io/v1', 'VolumeSnapshot'],
  ['metrics.k8s.io/v1beta1', 'PodMetrics'],
  ['certificates.k8s.io/v1beta1', 'ClusterTrustBundle'],
  ['example.com/v1', 'Pod'],
])('%s %s may exist, and is passed over', (apiVersion, kind) => {
  expect(classify({ apiVersion, kind })).toEqual({ kind: 'other' });
});

test('a version with an empty group is the version without it', () => {
  expect(classify({ apiVersion: '/v1', kind: 'Pod' }).kind).toBe('pod');
});
