import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import { createPreflight } from '../../../src/session/create/create-preflight.js';
import { withReplacements } from '../../../src/session/create/replacements.js';
import { loadPods, podYaml } from '../../helpers/loaded.js';

const NOTHING = {
  config: { configMaps: [], secrets: [] },
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

function reported(spec: string, options: object = {}): readonly string[] {
  return createPreflight(loadPods(podYaml(spec)), { ...NOTHING, ...options }).map(
    ({ severity, line, field, message }) => `${severity} ${line} ${field}: ${message}`,
  );
}

const APP = 'containers: [{name: app, image: "a:1"}]';
const UNLIMITED =
  'spec.volumes[0].emptyDir.sizeLimit: a volume on disk has no limit here; a kubelet evicts a pod that exceeds it';

describe('createPreflight', () => {
  it('reports in the order of lines, and as errors when it is strict', () => {
    const spec = `${APP},
      volumes: [{name: v, emptyDir: {sizeLimit: 1Gi}}],
      hostUsers: false`;
    const hostUsers = "spec.hostUsers: containers use the engine's user namespace";
    expect(reported(spec)).toEqual([`warning 5 ${UNLIMITED}`, `warning 6 ${hostUsers}`]);
    expect(reported(spec, { strict: true })).toEqual([
      `error 5 ${UNLIMITED}`,
      `error 6 ${hostUsers}`,
    ]);
  });

  it.each([
    ['os: {name: windows}', 'error 4 spec.os.name: a pod for windows needs a windows node'],
    [
      'securityContext: {sysctls: [{name: net.ipv4.tcp_rmem, value: "1"}, {name: net.core.somaxconn, value: "1"}]}',
      'warning 4 spec.securityContext.sysctls[1].name: a kubelet refuses net.core.somaxconn unless --allowed-unsafe-sysctls has it',
    ],
    [
      'securityContext: {seccompProfile: {type: Localhost, localhostProfile: a.json}}',
      'error 4 spec.securityContext.seccompProfile.localhostProfile: there is no /var/lib/kubelet/seccomp/a.json on this machine',
    ],
    [
      'securityContext: {appArmorProfile: {type: RuntimeDefault}}',
      'warning 4 spec.securityContext.appArmorProfile: this machine has no AppArmor, and a kubelet would refuse the pod',
    ],
    [
      'volumes: [{name: kube-api-access-x, projected: {sources: [{serviceAccountToken: {path: t}}]}}]',
      'warning 4 spec.volumes[0].projected: no service account token is mounted',
    ],
    [
      'volumes: [{name: v, emptyDir: {medium: HugePages}}]',
      'warning 4 spec.volumes[0].emptyDir.medium: the volume is on disk',
    ],
  ])('reports %s', (fields, problem) => {
    const machine = { hasAppArmor: false, hasFile: () => false };
    expect(reported(`${APP}, ${fields}`, { machine })).toEqual([problem]);
  });

  it('names the stand-in for a volume that needs a cluster, and says nothing where there is one', () => {
    const volumes = 'volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]';
    const [loaded, ...none] = loadPods(podYaml(`${APP}, ${volumes}`));
    expect(none).toEqual([]);
    if (loaded === undefined) return;
    expect(createPreflight([loaded], NOTHING)).toMatchObject([
      {
        field: 'spec.volumes[0].persistentVolumeClaim',
        hint: '--volume data=FOLDER mounts a folder of this machine in its place',
      },
    ]);
    const folders = new Map([['data', tmpdir()]]);
    const made = withReplacements(loaded, { images: new Map(), volumes: folders });
    expect(createPreflight([made], { ...NOTHING, volumes: folders })).toEqual([]);
  });
});
