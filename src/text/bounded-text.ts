/** Reads a text to its end; returns undefined, and reads no more, when it has more than `max` bytes. */
export async function boundedText(
  body: AsyncIterable<Uint8Array>,
  max: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > max) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
