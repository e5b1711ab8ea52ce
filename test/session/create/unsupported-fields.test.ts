import { describe, expect, it } from 'vitest';

import { fieldsOf, type GoType } from '../../../src/api/decode/index.js';
import {
  FIELDS,
  fieldSupport,
  type StructFields,
  unsupportedFields,
} from '../../../src/session/create/unsupported-fields.js';
import { loadPods, podYaml } from '../../helpers/loaded.js';

function structOf(type: GoType): string | undefined {
  if (type.kind === 'struct') return type.struct;
  return type.kind === 'scalar' ? undefined : structOf(type.element);
}

const words = (text = ''): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

function classified({ honored, cluster, warned, refused, noEffect }: StructFields): string[] {
  return [
    ...words(honored),
    ...words(cluster),
    ...[warned, refused, noEffect].flatMap((texts = {}) => Object.keys(texts)),
  ];
}

/** The structs of a pod, from its template down along the fields that are honored. */
function reachable(struct = 'PodTemplateSpec', seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(struct)) return seen;
  seen.add(struct);
  for (const [name, { type }] of fieldsOf(struct)) {
    const next = structOf(type);
    if (next !== undefined && fieldSupport(struct, name)?.kind === 'honored') reachable(next, seen);
  }
  return seen;
}

describe('the fields of a pod', () => {
  it.each([...reachable()])('are each in exactly one class: %s', (struct) => {
    expect(classified(FIELDS[struct] ?? {}).sort()).toEqual([...fieldsOf(struct).keys()].sort());
  });

  it('are classified in no struct that is not part of a pod', () => {
    expect(Object.keys(FIELDS).filter((struct) => !reachable().has(struct))).toEqual([]);
  });
});

const APP = 'containers: [{name: app, image: "a:1"}]';

function problems(spec: string): readonly string[] {
  // A release before drops some of the fields.
  return loadPods(podYaml(spec), { version: '1.37' }).flatMap((loaded) =>
    unsupportedFields(loaded, () => false).map(
      ({ severity = 'error', field, message }) => `${severity} ${field}: ${message}`,
    ),
  );
}

describe('unsupportedFields', () => {
  it('says nothing of a manifest with the defaults that an API server sets', () => {
    const spec = `dnsPolicy: ClusterFirst, enableServiceLinks: true, preemptionPolicy: PreemptLowerPriority, priority: 0,
      restartPolicy: Always, schedulerName: default-scheduler, securityContext: {}, serviceAccount: default,
      serviceAccountName: default, terminationGracePeriodSeconds: 30, nodeName: node-1,
      tolerations: [
        {effect: NoExecute, key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 300},
        {effect: NoExecute, key: node.kubernetes.io/unreachable, operator: Exists, tolerationSeconds: 300}],
      containers: [{name: app, image: "a:1", imagePullPolicy: IfNotPresent, resources: {},
        resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}],
        terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}]`;
    expect(problems(spec)).toEqual([]);
  });

  it('names the fields for the scheduler and the API server in one warning, with their lines', () => {
    const spec = `${APP},
  nodeSelector: {disk: ssd},
  priorityClassName: high,
  serviceAccountName: web`;
    expect(problems(spec)).toEqual([
      'warning spec.nodeSelector: has no effect without a cluster, nor have spec.priorityClassName (line 6), spec.serviceAccountName (line 7)',
    ]);
  });

  it.each([
    ['spec.hostUsers', `${APP}, hostUsers: false`, 'warning'],
    [
      'spec.containers[0].securityContext.seLinuxOptions',
      'containers: [{name: app, image: "a:1", securityContext: {seLinuxOptions: {level: "s0:c1"}}}]',
      'warning',
    ],
    ['spec.volumes[0].nfs', `${APP}, volumes: [{name: v, nfs: {server: a, path: /b}}]`, 'error'],
    [
      'spec.volumes[0].projected.sources[0].podCertificate',
      `${APP}, volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.com/b, keyType: ED25519, keyPath: k, certificateChainPath: c}}]}}]`,
      'error',
    ],
  ])('reports %s', (field, spec, severity) => {
    expect(problems(spec)).toEqual([expect.stringMatching(`^${severity} `)]);
    expect(problems(spec)[0]).toContain(` ${field}: `);
  });
});
