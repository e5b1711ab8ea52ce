import { expect, it } from 'vitest';

import { boundedText } from '../../src/text/bounded-text.js';

it.each(['', 'text', 'é€😀'])('reads %j whole, in whatever chunks it comes', async (text) => {
  const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
  expect(await boundedText(bodyOf(bytes), bytes.length)).toBe(text);
});

it('reads no further than a text may be long', async () => {
  let read = 0;
  function* endless(): Iterable<Uint8Array> {
    for (;;) {
      read++;
      yield Buffer.alloc(10);
    }
  }
  expect(await boundedText(bodyOf(endless()), 35)).toBeUndefined();
  expect(read).toBe(4);
});

// eslint-disable-next-line @typescript-eslint/require-await
async function* bodyOf(chunks: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* chunks;
}
