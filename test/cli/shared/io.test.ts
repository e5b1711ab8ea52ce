import { describe, expect, it } from 'vitest';

import { orAborted } from '../../../src/cli/shared/io.js';

const never = new Promise<number>(() => undefined);

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
