import { Writable } from 'node:stream';

import { expect, it } from 'vitest';

import { kubeletBy, type KubeletFlags } from '../../../../src/cli/shared/kubelet/kubelet-flags.js';
import { kubeletOf } from '../../../../src/kubelet/release.js';

async function kubelet(flags: KubeletFlags, own?: string) {
  const written: string[] = [];
  const notes = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  const found = await kubeletBy(flags, { notes }, own === undefined ? undefined : kubeletOf(own));
  return { found, notes: written.join('') };
}

const of = (version: string) => kubeletOf(version)!;

it('without flags the kubelet is the default one, or that of the node', async () => {
  expect((await kubelet({})).found).toEqual({ version: '1.36' });
  expect((await kubelet({}, 'v1.34.4')).found).toEqual({ version: '1.34' });
});

it('gates of the flags win over those of a provider', async () => {
  const flags = { kubernetesVersion: of('gke-1.34'), featureGates: { ExecProbeTimeout: true } };
  const { found, notes } = await kubelet(flags);
  expect(found).toEqual({ version: '1.34', featureGates: { ExecProbeTimeout: true } });
  expect(notes).toBe('');
});

it('a gate on which the API server’s answer depends is not noted as idle', async () => {
  const { notes } = await kubelet({ featureGates: { ContainerStopSignals: true } });
  expect(notes).toBe('');
});

it('a gate that nothing depends on is noted', async () => {
  const { notes } = await kubelet({ featureGates: { GracefulNodeShutdown: false } });
  expect(notes).toBe('kprobe: GracefulNodeShutdown: no decision of kprobe depends on it\n');
});

it('a gate of the next release is noted as a preview', async () => {
  const { found, notes } = await kubelet({ featureGates: { MutableContainerProbes: true } });
  expect(found.featureGates).toEqual({ MutableContainerProbes: true });
  expect(notes).toBe(
    'kprobe: MutableContainerProbes is a preview of Kubernetes 1.38, played as KEP-6318 describes it; 1.36 itself does not have it\n',
  );
  expect((await kubelet({ featureGates: { MutableContainerProbes: false } })).notes).toBe('');
});

it.each([
  ['1.36', { ExecProbeTimeout: false }, /cannot be false: Kubernetes 1.36 has locked it to true/],
  [
    '1.36',
    { ContainerRestartRule: true },
    /1.36 has no .*\(did you mean ContainerRestartRules\?\)/,
  ],
  ['1.33', { ContainerRestartRules: true }, /1.33 has no .*\(it is a gate of 1.34 – 1.37\)/],
  ['1.36', { H2CContainerProbe: true }, /1.36 has no .*\(it is a gate of 1.37\)/],
])('refuses gates as Kubernetes %s does: %j', async (version, featureGates, message) => {
  await expect(kubelet({ kubernetesVersion: of(version), featureGates })).rejects.toThrow(message);
});

it('the longest back-off needs its gate', async () => {
  const flags = { kubernetesVersion: of('1.34'), maxRestartPeriod: 30 };
  await expect(kubelet(flags)).rejects.toThrow(
    /add --feature-gates KubeletCrashLoopBackOffMax=true/,
  );
  const featureGates = { KubeletCrashLoopBackOffMax: true };
  expect((await kubelet({ ...flags, featureGates })).found.maxContainerRestartPeriod).toBe(30);
});
