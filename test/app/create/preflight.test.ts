import { expect, it } from 'vitest';

import { createPreflight } from '../../../src/app/create/preflight.js';
import { loadPods } from '../../helpers/loaded.js';

const NOTHING = {
  config: { getConfigMap: () => undefined, getSecret: () => undefined },
  hostPathAllowed: false,
  privilegedAllowed: false,
  isIsolated: false,
  volumes: new Map<string, string>(),
  strict: false,
  machine: { hasAppArmor: true, hasFile: () => true },
};

const CLAIMS =
  'volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]';

it.each([
  ['from a volumeClaimTemplate', 'data', `, ${CLAIMS}`, 'warning'],
  ['of an existing PersistentVolumeClaim', 'old', '', 'error'],
])('createPreflight reports a volume claim %s', (_, claim, more, severity) => {
  const volumes =
    claim === 'old' ? ', volumes: [{name: old, persistentVolumeClaim: {claimName: old}}]' : '';
  const text = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, selector: {matchLabels: {app: db}}${more}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "a:1", volumeMounts: [{name: ${claim}, mountPath: /data}]}]${volumes}}}}
`;
  const found = createPreflight(loadPods(text), NOTHING);
  expect(found.map((each) => [each.severity, each.message.includes('Claim')])).toEqual([
    [severity, severity === 'error'],
  ]);
});
