import { encodeLine } from '../trace/codec.js';
import { traceEnd } from '../trace/trace-end.js';
import type { TraceHeader } from '../trace/trace-record.js';
import type { Renderer, Write } from './renderer.js';

/** The trace itself, as NDJSON. */
export function createJson(write: Write, header: TraceHeader): Renderer {
  write(`${encodeLine(header)}\n`);
  return {
    line: (line) => write(`${encodeLine(line)}\n`),
    end: (ending, { t }) => write(`${encodeLine(traceEnd(ending, t))}\n`),
  };
}
