import { expect, it } from 'vitest';

import { parseInspect } from '../../../src/runtime/container/inspect.js';

it('reads the time at which a container was created', () => {
  const [container] = parseInspect(JSON.stringify([{ Created: '2026-11-23T10:00:00.5Z' }]));
  expect(container?.createdAt).toBe(Date.UTC(2026, 10, 23, 10, 0, 0, 500));
});
