import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

const RECORDING = join(ROOT, 'examples', 'record-replay', 'run.ndjson');

describe('kprobe replay for another kubelet', () => {
  it.each([
    [['--kubernetes-version', '1.34'], 'played as 1.34'],
    [['--kubernetes-version', 'gke-1.34'], 'played as 1.34 with ExecProbeTimeout=false'],
    [
      ['--feature-gates', 'ReduceDefaultCrashLoopBackOffDecay=true'],
      'played as 1.36 with ReduceDefaultCrashLoopBackOffDecay=true',
    ],
    [['--max-restart-period', '20s'], 'played as 1.36 with back-offs of at most 20 s'],
  ])('names with %j at its head the recorded and the played one', async (args, words) => {
    const { stdout } = await inProcess(['replay', RECORDING, ...args]);
    expect(stdout.split('\n')[0]).toBe(`recorded with Kubernetes 1.36, ${words}`);
    expect(stdout).toMatch(/ recorded +played\n/);
  });

  it('names both with -o json', async () => {
    const gates = ['--feature-gates', 'ReduceDefaultCrashLoopBackOffDecay=true'];
    const { stdout } = await inProcess(['replay', RECORDING, ...gates, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      kubelets: { recorded: { version: '1.36' }, played: { version: '1.36' } },
    });
  });

  it('shows the recording as the trace says where only the environment names a version', async () => {
    const env = {
      KPROBE_KUBERNETES_VERSION: '1.34',
      KPROBE_FEATURE_GATES: 'ExecProbeTimeout=true',
    };
    const [plain, named] = await Promise.all([
      inProcess(['replay', RECORDING]),
      inProcess(['replay', RECORDING], { env }),
    ]);
    expect(named.stdout).toBe(plain.stdout);
  });

  it.each([
    [['--kubernetes-version', '1.20'], '1.20'],
    [['--kubernetes-version', '1.34', '--speed', '4'], 'cannot be used'],
    [['--feature-gates', 'H2CContainerProbe=true'], '1.36 has no feature gate'],
  ])('refuses %j', async (args, message) => {
    const { stderr, code } = await inProcess(['replay', RECORDING, ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
