import type { Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending } from '../trace/trace-record.js';

/** Shows a run while it goes on, and what it came to. */
export interface Renderer {
  /** One more line of the trace, and what stands after it. */
  line(line: TraceLine, summary: Summary): void;
  /** The run is over; resolves when everything is shown. */
  end(ending: Ending, summary: Summary): Promise<void> | void;
}

export type Write = (text: string) => void;
