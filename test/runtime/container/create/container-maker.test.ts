import { expect, it } from 'vitest';

import { ContainerMaker } from '../../../../src/runtime/container/create/container-maker.js';
import type { EngineContext } from '../../../../src/runtime/container/create/engine-context.js';
import { KnownPods } from '../../../../src/runtime/container/create/known-pods.js';
import type { SandboxMaker } from '../../../../src/runtime/container/create/sandbox-maker.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

it('says once that an engine does not honor a limit, though it makes a container again', async () => {
  const notes: string[] = [];
  const create = (_args: unknown, onWarning: (line: string) => void): Promise<string> => {
    onWarning('Resource limits are not supported');
    return Promise.resolve('1b0c');
  };
  const context = {
    engine: { kind: { name: 'podman' }, commands: { create } },
    config: { configMaps: new Map(), secrets: new Map() },
    node: { name: 'node', address: '10.0.0.1', allocatable: {} },
    session: 'a',
    pods: new KnownPods(),
    listener: { onNote: (level: string, text: string) => notes.push(`${level}: ${text}`) },
  } as unknown as EngineContext;
  const done = (): Promise<string> => Promise.resolve('/volume');
  const volumeOf = () => ({ path: done, ensureInMemory: done, prepare: done });
  const maker = new ContainerMaker(context, { volumeOf } as unknown as SandboxMaker);
  const container = buildContainer();
  const pod = buildPod();
  const config = { pod, container, sandboxID: '5a', podIPs: [], hash: 'h', imageRef: 'i' };
  for (const restartCount of [0, 1]) {
    await maker.create({ ...config, restartCount });
  }
  expect(notes).toEqual(['warning: podman: Resource limits are not supported']);
});
