import { expect, it } from 'vitest';

import { RuntimeError } from '../../../src/kubelet/ports.js';
import { NetnsConnectors } from '../../../src/runtime/container/netns.js';

it('a connection that no helper can make is an error of the runtime, not of the target', async () => {
  const connectors = new NetnsConnectors('/no/such/node');
  const connecting = connectors.connect(process.pid, '127.0.0.1', 80);
  await expect(connecting).rejects.toBeInstanceOf(RuntimeError);
  await expect(connecting).rejects.toThrow("cannot enter the container's network: nsenter: ");
});
