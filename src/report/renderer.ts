import type { Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending } from '../trace/trace-record.js';

export interface Renderer {
  /** Shows what the time in seconds has made of the pods since the last line; called each second of a run. */
  pass?(t: number): void;
  line(line: TraceLine, summary: Summary): void;
  end(ending: Ending, summary: Summary): Promise<void> | void;
}

export type Write = (text: string) => void;
