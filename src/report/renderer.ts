import type { Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending } from '../trace/trace-record.js';

export interface Renderer {
  line(line: TraceLine, summary: Summary): void;
  end(ending: Ending, summary: Summary): Promise<void> | void;
}

export type Write = (text: string) => void;
