import { expect, it } from 'vitest';

import { maskedFields } from '../../../src/commands/doctor/masked-fields.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';

const TEXT = `apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {entry: planted-secret}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {API_TOKEN: abcdef, LOG_LEVEL: info}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: a
    env:
    - {name: DB_PASSWORD, value: hunter22}
    - {name: LOG_LEVEL, value: info}
    - {name: DB_URL, value: 'postgres://me:hunter22@db/x'}
    command: [run, --token=abcdefg, planted-secret]
    readinessProbe: {httpGet: {port: 80, httpHeaders: [{name: X-Api-Key, value: foobarbaz}]}}
`;

it('names each masked field with its reason, and no value', () => {
  const fields = maskedFields(loadManifest([{ file: 'a.yaml', text: TEXT }]));
  expect(fields.map(({ object, field, reason }) => `${object} ${field}: ${reason}`)).toEqual([
    'Secret default/db data.entry: secret',
    'ConfigMap default/settings data.API_TOKEN: name',
    'Pod default/web spec.containers[app].command[1]: pattern',
    'Pod default/web spec.containers[app].command[2]: secret',
    'Pod default/web spec.containers[app].env[DB_PASSWORD].value: name',
    'Pod default/web spec.containers[app].env[DB_URL].value: pattern',
    'Pod default/web spec.containers[app].readinessProbe.httpGet.httpHeaders[X-Api-Key].value: name',
  ]);
});
