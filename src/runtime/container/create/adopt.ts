import { isAlive } from '../inspect.js';
import { inspectContainers } from '../inspect-containers.js';
import type { ContainerMaker } from './container-maker.js';
import type { CreatedOptions } from './created-options.js';
import type { CreatedPods } from './created-pods.js';
import { Engine } from './engine.js';
import type { KnownContainer } from './known.js';
import { decodeLabels } from './labels.js';
import type { SandboxMaker } from './sandbox-maker.js';

/** Takes over what another process has made and left. */
export async function adoptSession(
  options: CreatedOptions,
  pods: CreatedPods,
  sandboxes: SandboxMaker,
  maker: ContainerMaker,
): Promise<void> {
  const { cli, session, adopts, listener } = options;
  if (!adopts) return;
  const states = await new Engine(cli).states(session);
  const seen = await inspectContainers(cli, [...states.keys()]);
  for (const container of [...seen].sort((a, b) => a.createdAt - b.createdAt)) {
    const labels = decodeLabels(container.labels);
    if (labels === undefined) continue;
    const { id } = container;
    if (labels.kind === 'sandbox') {
      pods.sandboxes.set(id, { id, labels, hostNetwork: container.networkMode === 'host' });
      await sandboxes.volumeOf({ metadata: labels }).ensure();
      continue;
    }
    const running = isAlive(container);
    const known: KnownContainer = { id, labels, policy: 'File', running };
    pods.containers.set(id, known);
    const pod = { metadata: labels };
    listener.onFound(id, { pod, container: labels.container, running });
    if (running) maker.follow(known);
  }
  maker.skip(seen.length);
}
