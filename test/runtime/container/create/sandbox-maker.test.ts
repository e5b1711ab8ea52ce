import { expect, it } from 'vitest';

import type { EngineContext } from '../../../../src/runtime/container/create/engine-context.js';
import { SandboxMaker } from '../../../../src/runtime/container/create/sandbox-maker.js';
import { buildPod } from '../../../helpers/builders.js';

const HAS_LABEL = true;

it('removes a sandbox whose volume was removed while it was created, and labels the next volume', async () => {
  const volumes = new Map<string, boolean>();
  const removed: unknown[] = [];
  let created = 0;
  const maker = new SandboxMaker({
    session: 's',
    network: 'none',
    node: { allocatable: {} },
    config: { configMaps: [], secrets: [] },
    portsOf: () => [],
    pods: { sandboxes: new Map() },
    engine: {
      kind: { name: 'docker' },
      commands: {
        images: { getImageRef: () => Promise.resolve('sha256:1') },
        volumePath: (name: string) =>
          Promise.resolve(volumes.get(name) === HAS_LABEL ? `/volumes/${name}` : undefined),
        createVolume: (name: string) => Promise.resolve(volumes.set(name, HAS_LABEL)),
        removeVolumes: ([name = '']: string[]) => Promise.resolve(volumes.delete(name)),
        create: () => {
          // Somebody removes the volumes, and the engine creates them again without labels.
          if (created++ === 0) for (const name of volumes.keys()) volumes.set(name, !HAS_LABEL);
          return Promise.resolve(`sandbox-${created}`);
        },
        start: () => Promise.resolve(),
        copyIn: () => Promise.resolve(),
        remove: (ids: unknown) => Promise.resolve(removed.push(ids)),
      },
    },
  } as unknown as EngineContext);

  const pod = buildPod();
  const name = `kprobe-s-${pod.metadata.uid}`;
  await expect(maker.run(pod, 0)).rejects.toThrow(`volume ${name} was removed`);
  expect(removed).toEqual([['sandbox-1']]);

  expect(await maker.run(pod, 1)).toMatchObject({ id: 'sandbox-2' });
  expect(volumes).toEqual(new Map([[name, HAS_LABEL]]));
});
