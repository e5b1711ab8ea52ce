import { describe, expect, it } from 'vitest';

import { orAborted, orInterrupted } from '../../../src/cli/shared/io.js';

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

describe('waiting', () => {
  it('comes to what it comes to when nothing aborts it', async () => {
    expect(await orAborted(new AbortController().signal, Promise.resolve('here'))).toBe('here');
  });

  it.each([
    ['before', (abort: () => void) => abort()],
    ['meanwhile', (abort: () => void) => void setImmediate(abort)],
  ])('is given up when the process is to end %s', async (_, abortBy) => {
    const controller = new AbortController();
    abortBy(() => controller.abort(143));
    await expect(orAborted(controller.signal, never)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
