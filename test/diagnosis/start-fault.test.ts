import { expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { missingObject, startFailure, startFinding } from '../../src/diagnosis/start-fault.js';
import { firstChange } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const MOUNTS = [{ name: 'plugins', mountPath: '/app' }];
const HIDDEN = 'exec: "/app/server": stat /app/server: no such file or directory';

it.each<[string, Partial<Container>, string]>([
  ['exec: "httpd -f": executable file not found', { command: ['httpd -f'] }, 'Make each word'],
  ['exec ./start.sh: no such file or directory', {}, 'Save the script with line ends of Unix'],
  ['exec: "server": executable file not found', { command: ['server'] }, 'Correct command[0]'],
  [
    'exec: "--port=80": executable file not found',
    { args: ['--port=80'] },
    'set command: the image',
  ],
  [
    'exec: "--port=80": executable file not found',
    { command: ['--port=80'] },
    'Correct command: it replaces the entrypoint',
  ],
  [
    HIDDEN,
    { command: ['/app/server'], volumeMounts: MOUNTS },
    'Add the file to the volume at /app',
  ],
  [
    'exec: "sh": executable file not found in $PATH',
    { command: ['sh'], volumeMounts: [{ name: 'tools', mountPath: '/usr/local/bin' }] },
    'Add the file to the volume at /usr/local/bin, which hides',
  ],
  [
    'exec: "sh": executable file not found in $PATH',
    { command: ['sh'], volumeMounts: MOUNTS },
    'Correct command[0]',
  ],
  [
    'exec: "$(APP_BIN)": executable file not found in $PATH',
    { command: ['$(APP_BIN)'] },
    'Set the variable that it reads in env',
  ],
  [HIDDEN, { command: ['/app/server'] }, 'Correct command[0]'],
  ['exec: "/app": is a directory: permission denied', { command: ['/app'] }, 'Correct command[0]'],
  ['exec: "nosuch": executable file not found', {}, 'Correct the command, or add the program'],
  ['exec: "/app/run.sh": permission denied', {}, '(chmod +x), or correct its path'],
  [
    'exec: "/app/run.sh": permission denied',
    { volumeMounts: MOUNTS },
    'defaultMode: 0755 of the volume at /app',
  ],
  [
    'OCI runtime create failed: runc create failed: unable to start container process: chdir to cwd ("/srv") set in config.json failed: no such file or directory: unknown',
    { workingDir: '/srv' },
    'Correct workingDir',
  ],
  [
    'error during container init: error mounting "/var/lib/x" to rootfs at "/etc/app.conf": mount /var/lib/x:/etc/app.conf (via /proc/self/fd/6), flags: 0x5000: not a directory',
    { volumeMounts: MOUNTS },
    'Correct volumeMounts',
  ],
  [
    'error during container init: error mounting "/var/lib/x" to rootfs at "/bin": mount /var/lib/x:/bin (via /proc/self/fd/6), flags: 0x5000: not a directory',
    { volumeMounts: MOUNTS, terminationMessagePath: '/bin' },
    'Correct terminationMessagePath',
  ],
  [
    'Minimum memory limit allowed is 6MB',
    { resources: { limits: { memory: '128m' } } },
    'Perhaps set resources.limits.memory to 128Mi',
  ],
  [
    'container init was OOM-killed (memory limit too low?)',
    { resources: { limits: { memory: '1Mi' } } },
    'Correct resources.limits.memory',
  ],
  ['docker could not start: E2BIG', {}, 'Give it the long value in a file'],
  ['invalid CapAdd: unknown capability: "CAP_X"', {}, 'Correct securityContext.capabilities'],
  ['"CAP_X": unknown capability', {}, 'Correct securityContext.capabilities'],
  [
    'failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/app.json": open /var/lib/kubelet/seccomp/app.json: no such file or directory',
    { command: ['server'] },
    'Correct securityContext.seccompProfile',
  ],
  [
    'runc create failed: unable to start container process: error during container init: unable to apply apparmor profile: apparmor failed to apply profile: write fsmount:fscontext:proc/thread-self/attr/apparmor/exec: no such file or directory: unknown',
    { command: ['server'] },
    'Correct securityContext.appArmorProfile',
  ],
  [
    'unable to find user web: no matching entries in passwd file',
    {},
    'Correct securityContext.runAsUser',
  ],
])('a start that fails with %s of %j has the change: %s', (error, spec, change) => {
  const pod = buildPod({ spec: { containers: [buildContainer({ name: 'app', ...spec })] } });
  const failed = {
    t: 1,
    kind: 'startFailed',
    pod: 'default/web',
    container: 'app',
    run: 0,
  } as const;
  const { pods } = [podLine(pod), { ...failed, error }].reduce(fold, EMPTY_SUMMARY);
  expect(firstChange(startFailure(pods[0]!, pods[0]!.containers[0]!)!)).toContain(change);
});

it("leaves the node's paths out of an error of a volume", () => {
  const error =
    'runc create failed: error during container init: error mounting "/a/b" to rootfs at "/bin/sh": mount /a/b:/bin/sh (via /proc/self/fd/6), flags: 0x5000: not a directory: unknown';
  expect(startFinding(error).fault).toMatchObject({
    text: 'runc create failed: error during container init: error mounting at "/bin/sh": not a directory',
  });
});

it.each([
  [
    'denied',
    'pull access denied, repository does not exist or may require authorization',
    'imagePullSecrets',
  ],
  [
    'notFound',
    'failed to resolve reference "docker.io/a/b:2": docker.io/a/b:2: not found',
    'Correct image',
  ],
  [
    'limited',
    '429 Too Many Requests - toomanyrequests: You have reached your unauthenticated pull rate limit',
    'or wait',
  ],
  ['platform', 'no match for platform in manifest: not found', 'CPU of the node'],
  [
    'platform',
    'no matching manifest for linux/arm64/v8 in the manifest list entries',
    'CPU of the node',
  ],
  ['unreachable', 'dial tcp: lookup registry.local on 10.0.0.2:53: no such host', 'its registry'],
  ['unreachable', 'dial tcp 10.0.0.9:5000: connect: connection refused', 'Correct image, or let'],
  ['other', 'http: server gave HTTP response to HTTPS client', undefined],
  ['other', 'write /var/lib/containerd/x: no space left on device', undefined],
])('a pull that is %s (%s) has the change: %s', (problem, text, change) => {
  const finding = startFinding(text, 'ErrImagePull');
  expect(finding.fault).toMatchObject({ kind: 'imagePull', problem });
  if (change === undefined) expect(finding.changes).toEqual([]);
  else expect(firstChange(finding)).toContain(change);
});

it('names the Secret of imagePullSecrets that the kubelet has not found', () => {
  const event = { kind: 'event', pod: 'default/web', type: 'Warning' } as const;
  const reason = 'FailedToRetrieveImagePullSecret';
  const message =
    'Unable to retrieve some image pull secrets (registry); attempting to pull the image may not succeed.';
  const failed = 'Failed to pull image "r/a:1": pull access denied, repository does not exist';
  const lines = [
    podLine(buildPod({ spec: { containers: [buildContainer({})] } })),
    { t: 1, ...event, reason, message },
    { t: 2, ...event, reason: 'Failed', message: failed, fieldPath: 'spec.containers{app}' },
  ];
  const [pod] = lines.reduce(fold, EMPTY_SUMMARY).pods;
  const [container] = pod!.containers;
  const state = { kind: 'waiting', reason: 'ErrImagePull', text: 'waiting ErrImagePull' } as const;
  expect(firstChange(startFailure(pod!, { ...container!, state })!)).toMatch(
    /^Add the Secret registry to the namespace/,
  );
});

it.each([
  ['configmap "app" not found', { object: 'ConfigMap', name: 'app' }],
  [
    'pods "web-" is forbidden: no PriorityClass with name critical was found',
    { object: 'PriorityClass', name: 'critical' },
  ],
  ['pod rejected: RuntimeClass "gvisor" not found', { object: 'RuntimeClass', name: 'gvisor' }],
])('the missing object is read from %j', (text, missing) => {
  expect(missingObject(text)).toEqual(missing);
});
