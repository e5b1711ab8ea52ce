import { describe, expect, it } from 'vitest';

import { orInterrupted } from '../../src/cli/or-interrupted.js';

const never = new Promise<number>(() => undefined);

describe('a simulation', () => {
  it('ends with its own exit code when nothing interrupts it', async () => {
    const { signal } = new AbortController();
    expect(await orInterrupted({ signal }, Promise.resolve(1))).toBe(1);
  });

  it("ends with the signal's exit code when it is interrupted", async () => {
    const controller = new AbortController();
    const ended = orInterrupted({ signal: controller.signal }, never);
    controller.abort(143);
    expect(await ended).toBe(143);
  });
});
