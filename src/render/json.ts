import { encodeLine } from '../trace/codec.js';
import type { Renderer, Write } from './renderer.js';

/** The trace itself, as NDJSON. */
export function createJson(write: Write): Renderer {
  return {
    line: (line) => write(`${encodeLine(line)}\n`),
    end: () => undefined,
  };
}
