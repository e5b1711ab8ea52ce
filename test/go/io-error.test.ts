import { describe, expect, it } from 'vitest';

import { IoError } from '../../src/go/io-error.js';

describe('IoError', () => {
  it('makes its message on first use, and only once', () => {
    let made = 0;
    const error = new IoError(() => `made ${++made}`);
    expect(made).toBe(0);
    expect([error.message, error.message]).toEqual(['made 1', 'made 1']);
  });
});
