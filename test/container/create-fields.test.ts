import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createTar } from '../../src/runtime/container/tar.js';
import { isOfBusyMachine } from '../helpers/example.js';
import { docker, IMAGE, kprobeContainers, leftovers, requireEngine } from './engine.js';
import type { Kprobe } from './kprobe.js';
import { startKprobe } from './kprobe.js';
import { podFile, textFile } from './pod-file.js';

/** The test image with users, groups and a HEALTHCHECK that leaves a file. */
const OWN = 'kprobe-test-users:1';
/** An image that is only data. */
const DATA = 'kprobe-test-data:1';
/** A seccomp profile in the kubelet's folder, which forbids mkdir. */
const PROFILE = 'kprobe-test/no-mkdir.json';
const PROFILE_FILE = join('/var/lib/kubelet/seccomp', PROFILE);

async function makeImages(): Promise<void> {
  const text = (path: string, content: string) => ({
    ...{ path, mode: 0o644, content: new TextEncoder().encode(content) },
  });
  const made = docker(['create', '--network', 'none', IMAGE, 'true']);
  const files = await createTar([
    text('etc/passwd', 'root:x:0:0::/:/bin/sh\napp:x:1000:1500::/:/bin/sh\n'),
    text('etc/group', 'root:x:0:\napp:x:1500:\nlog:x:50:app\n'),
  ]);
  docker(['cp', '-', `${made}:/`], { input: files });
  const check = 'HEALTHCHECK --interval=1s CMD touch /tmp/checked';
  docker(['commit', '--change', check, made, OWN]);
  docker(['rm', made]);
  const data = await createTar([
    { path: 'models/', mode: 0o755 },
    { path: 'models/deep/', mode: 0o755 },
    text('models/deep/weights', 'weights'),
  ]);
  docker(['import', '-', DATA], { input: data });
}

let folder = '';

beforeAll(async () => {
  requireEngine();
  await makeImages();
  folder = mkdtempSync(join(tmpdir(), 'kprobe-fields-'));
  mkdirSync(join(PROFILE_FILE, '..'), { recursive: true });
  const profile = {
    defaultAction: 'SCMP_ACT_ALLOW',
    syscalls: [{ names: ['mkdir', 'mkdirat'], action: 'SCMP_ACT_ERRNO' }],
  };
  writeFileSync(PROFILE_FILE, JSON.stringify(profile));
});

afterAll(() => {
  rmSync(join(PROFILE_FILE, '..'), { recursive: true });
  rmSync(folder, { recursive: true });
});

const mounted: string[] = [];

function mountMemory(path: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', path]);
  mounted.push(path);
}

/** A folder whose later mounts reach the containers that have it. */
function makeShared(): string {
  const path = join(folder, 'shared');
  mountMemory(path);
  execFileSync('mount', ['--make-shared', path]);
  return path;
}

const started: Kprobe[] = [];

function kprobe(...args: string[]): Kprobe {
  const run = startKprobe(['run', ...args]);
  started.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  for (const path of mounted.splice(0).reverse()) execFileSync('umount', ['--lazy', path]);
  await startKprobe(['down']).exitCode;
  expect(leftovers()).toEqual([]);
});

const SERVE = 'trap "exit 143" TERM; while :; do sleep 0.1; done';
const shell = (...script: string[]) => ({ command: ['sh', '-c', script.join('; ')] });
const other = (name: string, fields: object) => ({
  ...{ name, image: OWN, imagePullPolicy: 'Never', ...fields },
});
const mount = (name: string, mountPath: string, more: object = {}) => ({
  ...{ name, mountPath, ...more },
});

describe('kprobe run --create', () => {
  it('gives a pod its names, identity, profiles and limits as a kubelet does', async () => {
    const CPU = 'cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null || cat /sys/fs/cgroup/cpu.max';
    const pod = podFile(
      {
        image: OWN,
        ...shell(
          'trap "echo got USR1; exit 0" USR1',
          'echo "alias $(grep -c "10.1.2.3.foo.local.bar.local" /etc/hosts)"',
          'echo "own name $(grep -c "127.0.0.1.web.db.default.svc.cluster.local.web" /etc/hosts)"',
          'echo "resolv $(cat /etc/resolv.conf | tr "\\n" ,)"',
          'echo "host $(hostname) node $NODE"',
          'echo "sysctl $(cat /proc/sys/net/ipv4/ip_unprivileged_port_start)"',
          'echo "seccomp $(grep Seccomp: /proc/self/status)"',
          'echo "groups $(id -G)"',
          `echo "cpu $(${CPU})"`,
          'sleep 2; ls /tmp; touch /dev/shm/end',
          'while :; do sleep 0.1; done',
        ),
        env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        lifecycle: { stopSignal: 'SIGUSR1' },
        livenessProbe: {
          exec: { command: ['test', '!', '-f', '/dev/shm/end'] },
          ...{ periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 1 },
        },
        resources: { limits: { cpu: '4' } },
        securityContext: {
          seccompProfile: { type: 'Unconfined' },
          runAsUser: 1000,
          runAsGroup: 2000,
        },
      },
      {
        os: { name: 'linux' },
        hostname: 'web',
        terminationGracePeriodSeconds: 30,
        subdomain: 'db',
        setHostnameAsFQDN: true,
        hostAliases: [{ ip: '10.1.2.3', hostnames: ['foo.local', 'bar.local'] }],
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['192.0.2.1'],
          searches: ['a.example'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        },
        securityContext: {
          fsGroup: 3000,
          supplementalGroups: [4000],
          sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '1' }],
        },
      },
    );
    const options = ['--network', 'none', '--feature-gates', 'ContainerStopSignals=true'];
    const run = kprobe(pod, '--create', ...options, '--logs', '--for', '170s');
    await run.until(/got USR1/);
    for (const text of [
      'alias 1',
      'own name 1',
      'resolv search a.example,nameserver 192.0.2.1,options ndots:2 edns0,',
      `host web.db.default.svc.cluster.local node ${hostname().toLowerCase()}`,
      'sysctl 1',
      'seccomp Seccomp:\\t0',
      'groups 2000 50 3000 4000',
    ]) {
      await run.until(text);
    }
    await run.until(/cpu 400000/);
    expect(run.output).not.toContain('checked');
    const warnings = run.output
      .split('\n')
      .filter((line) => line.includes('warning') && !isOfBusyMachine(line));
    expect(warnings).toEqual([]);
  });

  it('keeps the groups of the image out with the policy Strict, adds to the DNS of the engine, and reads local profiles', async () => {
    const pod = podFile(
      {
        image: OWN,
        ...shell('echo "groups $(id -G)"', 'mkdir /tmp/x', 'cat /etc/resolv.conf', SERVE),
        resources: { limits: { cpu: '5m' } },
        securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: PROFILE } },
      },
      {
        securityContext: { runAsUser: 1000, supplementalGroupsPolicy: 'Strict' },
        dnsConfig: { options: [{ name: 'timeout', value: '7' }] },
        hostNetwork: true,
        hostAliases: [{ ip: '10.1.2.3', hostnames: ['foo.local'] }],
      },
    );
    const run = kprobe(pod, '--create', '--logs', '--for', '170s');
    await run.until(/options.* timeout:7/);
    await run.until(/groups 1500\n/);
    await run.until("mkdir: can't create directory '/tmp/x': Operation not permitted");
    const [app = ''] = kprobeContainers().filter((name) => name.includes('-app-'));
    expect(docker(['exec', app, 'cat', '/etc/hosts'])).toMatch(
      /^# Kubernetes-managed hosts file \(host network\)\.\n[^]*\n10\.1\.2\.3\tfoo\.local$/,
    );
    const format = '{{.HostConfig.CpuPeriod}} {{.HostConfig.CpuQuota}} {{json .State}}';
    expect(docker(['inspect', '--format', format, app])).toMatch(/^100000 1000 (?!.*Health)/);
  });

  it('makes volumes as a node has them', async () => {
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'conf' },
      data: { a: 'text' },
    };
    writeFileSync(join(folder, 'kept'), 'kept');
    const shared = makeShared();
    const script = [
      'cd /conf; echo "links $(readlink a) $(cat a) $(cat /conf/..data/a) $(cat /sub)"',
      'echo "nested $(readlink /conf/dir) $(cat /conf/dir/b)"',
      'echo "memory $(df -k /memory | tail -1 | tr -s " " | cut -d " " -f 2) $(stat -c %a:%g /memory)"',
      'cat /memory/from-init; dd if=/dev/zero of=/memory/x bs=1k count=2000 2>&1 | head -1',
      'echo "image $(ls -A /image) $(cat /image/models/deep/weights) $(ls /part)"; touch /image/x',
      'echo "claim $(cat /claim/kept)"; touch /claim/x',
      'echo "token $(ls /var/run/secrets/kubernetes.io/serviceaccount)"',
      'until cat /host/late/file 2>/dev/null; do sleep 0.1; done',
      SERVE,
    ];
    const app = {
      ...shell(...script),
      volumeMounts: [
        mount('conf', '/conf'),
        mount('conf', '/sub', { subPath: 'a' }),
        mount('memory', '/memory'),
        mount('image', '/image'),
        mount('image', '/part', { subPath: 'models/deep' }),
        mount('claim', '/claim'),
        mount('host', '/host', { mountPropagation: 'HostToContainer' }),
      ],
    };
    const init = shell('echo from init > /memory/from-init');
    const file = podFile(
      { ...app, image: 'not-there:1' },
      {
        securityContext: { fsGroup: 3000 },
        initContainers: [other('init', { ...init, volumeMounts: [mount('memory', '/memory')] })],
        volumes: [
          {
            name: 'conf',
            configMap: {
              name: 'conf',
              items: [
                { key: 'a', path: 'a' },
                { key: 'a', path: 'dir/b' },
              ],
            },
          },
          { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
          { name: 'image', image: { reference: DATA, pullPolicy: 'Never' } },
          { name: 'claim', persistentVolumeClaim: { claimName: 'pgdata', readOnly: true } },
          { name: 'host', hostPath: { path: shared } },
        ],
      },
    );
    const run = kprobe(
      ...[file, textFile(JSON.stringify(config)), '--create', '--network', 'none', '--logs'],
      ...['--image', `app=${IMAGE}`, '--volume', `pgdata=${folder}`],
      ...['--volume', `kube-api-access=${folder}`, '--allow-host-path', '--for', '170s'],
    );
    // Standard error may come after what was written to standard output later.
    for (const text of [
      'links ..data/a text text text',
      'nested ..data/dir text',
      'memory 1024 2777:3000',
      'from init',
      'No space left on device',
      'image models weights weights',
      'touch: /image/x: Read-only file system',
      'claim kept',
      'touch: /claim/x: Read-only file system',
      'token kept',
    ]) {
      await run.until(new RegExp(text));
    }
    mountMemory(join(shared, 'late'));
    writeFileSync(join(shared, 'late/file'), 'mounted later\n');
    await run.until(/mounted later/);
  });

  it('warns of fields that it does not honor, and starts nothing with --strict', async () => {
    const pod = podFile(shell(SERVE), {
      nodeSelector: { disk: 'ssd' },
      priorityClassName: 'high',
      hostUsers: false,
      volumes: [{ name: 'disk', emptyDir: { sizeLimit: '1Gi' } }],
    });
    const strict = kprobe(pod, '--create', '--strict');
    expect(await strict.exitCode).toBe(2);
    expect(strict.output).toMatch(
      /:\d+:\d+: error: spec\.nodeSelector: has no effect without a cluster, nor have spec\.priorityClassName \(line \d+\)\n/,
    );
    expect(strict.output).toMatch(
      /error: spec\.volumes\[0\]\.emptyDir\.sizeLimit: a volume on disk/,
    );
    expect(kprobeContainers()).toEqual([]);
    const run = kprobe(pod, '--create', '--network', 'none', '--for', '170s');
    await run.until(/started, ready/);
    await run.until(
      /pod\.yaml:\d+:\d+: warning: spec\.hostUsers: containers use the engine's user namespace/,
    );
  });

  it('checks a change with --watch as it does the manifest at the start', async () => {
    const pod = podFile(shell(SERVE));
    const run = kprobe(pod, '--create', '--network', 'none', '--watch', '--for', '170s');
    await run.until(/started, ready/);
    const changed = podFile(
      { ...shell(`ls /host; ${SERVE}`), volumeMounts: [mount('host', '/host')] },
      { volumes: [{ name: 'host', hostPath: { path: '/etc' } }] },
    );
    copyFileSync(changed, pod);
    await run.until(/the changed manifest has errors and is not applied: .*would mount \/etc/);
    copyFileSync(podFile(shell(SERVE), { hostUsers: false }), pod);
    await run.until(/warning: spec\.hostUsers: containers use/);
  });
});
