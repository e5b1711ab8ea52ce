import { describe, expect, it } from 'vitest';

import { applyChanges, patchOf } from '../../src/suggest/suggest.js';
import { buildContainer, buildPod, buildProbe, buildSidecar } from '../helpers/builders.js';

const before = buildProbe();
const change = {
  container: 'app',
  role: 'container' as const,
  probe: 'liveness' as const,
  before,
  after: { ...before, timeoutSeconds: 7 },
};
const pod = { apiVersion: 'v1', kind: 'Pod', name: 'web', templatePath: '' };
const containers = [{ name: 'app', livenessProbe: { timeoutSeconds: 7 } }];

describe('a patch', () => {
  it('says what changes', () => {
    expect(patchOf([change], pod)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers },
    });
  });

  it.each([
    ['Deployment', 'spec.template', { spec: { template: { spec: { containers } } } }],
    [
      'CronJob',
      'spec.jobTemplate.spec.template',
      { spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } },
    ],
    ['PodTemplate', 'template', { template: { spec: { containers } } }],
  ])('of a %s says it in its template', (kind, templatePath, inner) => {
    expect(patchOf([change], { ...pod, kind, templatePath })).toMatchObject(inner);
  });

  it('names a sidecar among the init containers', () => {
    const ofProxy = { ...change, container: 'proxy', role: 'sidecar' as const };
    const initContainers = [{ name: 'proxy', livenessProbe: { timeoutSeconds: 7 } }];
    expect(patchOf([ofProxy], pod)).toHaveProperty('spec', { initContainers });
    expect(patchOf([change, ofProxy], pod)).toHaveProperty('spec', { initContainers, containers });
  });

  it('has all of a probe that was not there', () => {
    expect(patchOf([{ ...change, before: undefined }], pod)).toMatchObject({
      spec: { containers: [{ name: 'app', livenessProbe: change.after }] },
    });
  });

  it('is none where nothing changes', () => {
    expect(patchOf([{ ...change, after: before }], pod)).toBeUndefined();
  });

  it('leaves out a container of which nothing changes', () => {
    const same = { ...change, container: 'log', after: before };
    expect(patchOf([same, change], pod)).toMatchObject({ spec: { containers } });
  });
});

it('a pod with the changes has the proposed probes', () => {
  const web = buildPod({ spec: { containers: [buildContainer({ livenessProbe: before })] } });
  expect(applyChanges(web, [change]).spec.containers).toEqual([
    { ...web.spec.containers[0], livenessProbe: change.after },
  ]);
});

it('a pod with the changes has those of its sidecars, and its other init containers as they were', () => {
  const setup = buildContainer({ name: 'setup' });
  const proxy = buildSidecar({ name: 'proxy', livenessProbe: before });
  const web = buildPod({ spec: { initContainers: [setup, proxy] } });
  const changed = applyChanges(web, [{ ...change, container: 'proxy', role: 'sidecar' }]);
  expect(changed.spec).toEqual({
    ...web.spec,
    initContainers: [setup, { ...proxy, livenessProbe: change.after }],
  });
});
