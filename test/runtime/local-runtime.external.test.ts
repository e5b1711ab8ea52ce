import { describe, expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import type { ExecResult } from '../../src/kubelet/ports.js';
import {
  attachedRun,
  type ExternalContainer,
  localBackings,
  type RunCommand,
} from '../../src/runtime/backing.js';
import { LocalRuntime } from '../../src/runtime/local-runtime.js';
import { aConfig, aPod, HOST } from './local-rig.js';

const DONE: ExecResult = {
  kind: 'exited',
  exitCode: 0,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
};

function rig(exec: RunCommand, ips: readonly string[] = []) {
  const clock = new RealClock();
  const found: string[] = [];
  let runs = 0;
  let adopt: () => Promise<void> = () => Promise.resolve();
  const stops: string[] = [];
  const container: ExternalContainer = {
    nextID: () => `app-${runs++}`,
    launch: () => {
      const run = attachedRun(clock);
      const name = `app-${runs - 1}`;
      const stop = (): void => {
        stops.push(name);
        run.end({ exitCode: 143, finishedAt: clock.now(), message: '' });
      };
      return Promise.resolve({ ...run, stop });
    },
    exec,
  };
  const runtime = new LocalRuntime({
    ...{ name: 'docker', address: '127.0.0.1', clock, host: HOST },
    node: { name: 'node', hostIPs: ['127.0.0.1'], allocatable: {} },
    config: { configMaps: [], secrets: [] },
    backingFor: localBackings(),
    external: {
      find: () => container,
      follow: (_, onStarted) => (adopt = () => onStarted(container)),
      podIPs: () => ips,
      status: () => Promise.resolve(),
      refresh: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    listener: {
      onExit: () => undefined,
      onOutput: () => undefined,
      onMessage: () => undefined,
      onNote: () => undefined,
      onFound: (id) => found.push(id),
    },
  });
  const start = async (): Promise<string> => {
    const id = await runtime.createContainer(aConfig(aPod()));
    await runtime.startContainer(id);
    return id;
  };
  return { runtime, found, stops, start, adopt: () => adopt() };
}

describe('a runtime of containers that others start as well', () => {
  it('adds a run that somebody else started, with one restart more', async () => {
    const { runtime, found, start, adopt } = rig(() => Promise.resolve(DONE));
    await start();
    await adopt();
    expect(found).toEqual(['app-1']);
    const [pod] = await runtime.getPods();
    const { containerStatuses } = await runtime.getPodStatus(pod!);
    expect(containerStatuses.map(({ id, restartCount }) => [id, restartCount])).toEqual([
      ['app-1', 1],
      ['app-0', 0],
    ]);
  });

  it('stops nothing when it removes a run that has ended: its container runs again', async () => {
    const { runtime, stops, start } = rig(() => Promise.resolve(DONE));
    const first = await start();
    await runtime.stopContainer(first, 0);
    await start();
    await runtime.removeContainer(first);
    expect(stops).toEqual([first]);
  });

  it('gives no result of a command that ends with kprobe', async () => {
    const { runtime, start } = rig(
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(DONE))),
    );
    const id = await start();
    const results: ExecResult[] = [];
    void runtime.execSync(id, ['sleep', '60'], 0).then((result) => results.push(result));
    await Promise.resolve();
    await runtime.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(results).toEqual([]);
  });

  it.each([
    ["its containers' addresses", ['172.18.0.2'], ['172.18.0.2']],
    ['the address of the target where they have none', [], ['127.0.0.1']],
  ])('gives a pod %s', async (_, ips, expected) => {
    const { runtime } = rig(() => Promise.resolve(DONE), ips);
    const sandbox = await runtime.runPodSandbox(aPod(), 0);
    const [pod] = await runtime.getPods();
    expect(sandbox.ips).toEqual(expected);
    expect((await runtime.getPodStatus(pod!)).ips).toEqual(expected);
  });
});
