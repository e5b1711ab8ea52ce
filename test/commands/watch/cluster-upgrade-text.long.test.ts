import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { clusterPod, startWatchedCluster } from '../../helpers/watched-cluster.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-upgrade-'));

const node = (name: string, kubeletVersion: string) => ({
  metadata: { name, uid: name, resourceVersion: '1' },
  status: { nodeInfo: { kubeletVersion } },
});

const owner = { kind: 'ReplicaSet', name: 'web-5d4', uid: 'rs', apiVersion: 'apps/v1' };
const ofDeployment = (name: string) =>
  clusterPod(name, {
    metadata: {
      labels: { 'pod-template-hash': '5d4' },
      ownerReferences: [{ ...owner, controller: true }],
    },
  });

/** A pod whose restartPolicy and probe no release changes. */
function plain(name: string, nodeName = 'node-1') {
  const pod = clusterPod(name);
  const containers = [{ name: 'app', image: 'web:1' }];
  return { ...pod, spec: { nodeName, restartPolicy: 'Never', containers } };
}

async function upgrade(lists: Parameters<typeof startWatchedCluster>[0], line: string) {
  const cluster = await startWatchedCluster(lists);
  const { code, stdout, stderr } = await inProcess(
    ['watch', ...line.split(' '), '-n', 'shop', '--server', cluster.url],
    { cwd: folder, env: { KUBECONFIG: join(folder, 'none') } },
  );
  cluster.close();
  return { code, stdout, stderr };
}

it('shows what an upgrade changes for the pods of a workload once, from the version of their nodes', async () => {
  const pods = [ofDeployment('web-5d4-a'), ofDeployment('web-5d4-b'), plain('job')];
  const nodes = [node('node-1', 'v1.34.4')];
  const { code, stdout, stderr } = await upgrade({ pods, nodes }, '-A --upgrade-to 1.36');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Deployment shop\/web \(2 pods\): Kubernetes 1\.34 → 1\.36\n {2}1\.35\n/);
  expect(stdout.match(/Kubernetes 1\.34/g)).toHaveLength(1);
  expect(stdout).toContain('spec.containers[0].readinessProbe');
  expect(code).toBe(1);
});

it('shows pods apart whose nodes have other versions, and leaves out those that are newer', async () => {
  const pods = ['node-1', 'node-2', 'node-3'].map((nodeName, index) => {
    const pod = clusterPod(`web-${index}`);
    return { ...pod, spec: { ...pod.spec, nodeName } };
  });
  const nodes = [node('node-1', 'v1.34.4'), node('node-2', 'v1.33.1'), node('node-3', 'v1.37.2')];
  const { stdout } = await upgrade({ pods, nodes }, '-o json --upgrade-to 1.36');
  const { groups } = JSON.parse(stdout) as { groups: { name: string; from: string }[] };
  expect(groups.map(({ name, from }) => [name, from])).toEqual([
    ['web-0', '1.34'],
    ['web-1', '1.33'],
  ]);
});

it('says in one line that nothing changes', async () => {
  const lists = { pods: [plain('job')], nodes: [node('node-1', 'v1.34.4')] };
  expect(await upgrade(lists, '--upgrade-to 1.36')).toEqual({
    code: 0,
    stdout: 'Kubernetes 1.36 changes nothing for 1 pod\n',
    stderr: '',
  });
});

it('says how many pods have no node that it knows', async () => {
  const lists = {
    pods: [plain('job'), plain('next', 'node-9')],
    nodes: [node('node-1', 'v1.34.4')],
  };
  const { stdout } = await upgrade(lists, '--upgrade-to 1.36');
  expect(stdout).toMatch(/1 pod\n1 pod without a known node: left out\n$/);
});

it('says how many pods are on nodes of a later release', async () => {
  const lists = { pods: [plain('job')], nodes: [node('node-1', 'v1.37.2')] };
  const { stdout } = await upgrade(lists, '--upgrade-to 1.36');
  expect(stdout).toMatch(/0 pods\n1 pod on nodes of a later release: left out\n$/);
});

it('ends with 2 and the missing rule when nodes may not be listed', async () => {
  const { code, stderr } = await upgrade({ pods: [], nodes: 403 }, '--upgrade-to 1.36');
  expect(code).toBe(2);
  expect(stderr).toMatch(/may not list nodes/);
});

it('watches nothing, so options of a watch are refused', async () => {
  const { code, stderr } = await upgrade({}, '--upgrade-to 1.36 --until ready');
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /--until .*cannot be used with|--upgrade-to .*cannot be used with|cannot be combined/,
  );
});
