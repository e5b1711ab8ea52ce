import type { Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending } from '../trace/trace-record.js';

export interface Renderer {
  /** Shows what has changed by second `t` without a line, such as a cause that only time shows; called each second of a run. */
  pass?(t: number): void;
  line(line: TraceLine, summary: Summary): void;
  end(ending: Ending, summary: Summary): Promise<void> | void;
}

export type Write = (text: string) => void;
