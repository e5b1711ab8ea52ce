import { describe, expect, it } from 'vitest';

import { orAborted } from '../../../src/cli/shared/io.js';

const never = new Promise<number>(() => undefined);

describe('orAborted', () => {
  it('resolves to the value when it is not aborted', async () => {
    expect(await orAborted(new AbortController().signal, Promise.resolve('here'))).toBe('here');
  });

  it.each([
    ['before the wait', (abort: () => void) => abort()],
    ['during the wait', (abort: () => void) => void setImmediate(abort)],
  ])('rejects with AbortError when it is aborted %s', async (_, abortBy) => {
    const controller = new AbortController();
    abortBy(() => controller.abort(143));
    await expect(orAborted(controller.signal, never)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
