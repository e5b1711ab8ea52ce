import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { createLines } from '../lines/lines.js';
import type { Ending, Renderer, Write } from '../renderer.js';
import { clockColumn } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { type Line, line } from '../text/line.js';
import { paintPlainly, type PlainLook } from '../text/paint.js';
import { AttemptHistory } from './attempt-history.js';
import { legendLines } from './legend.js';
import { timelineLines } from './timeline-lines.js';

export interface TimelineOptions extends PlainLook {
  /** How long all of it is. */
  readonly seconds: number;
  readonly columns: number;
}

/** Lines below the timeline that say what happened; there may be more. */
const MAX_HAPPENINGS = 20;

/** A run from its begin to its end, in characters, and what happened in it. */
export function createTimeline(write: Write, options: TimelineOptions): Renderer {
  return new Timeline(write, options);
}

class Timeline implements Renderer {
  readonly #history = new AttemptHistory();
  readonly #happenings: string[] = [];
  readonly #lines = createLines((text) => this.#happenings.push(text), {
    verbose: false,
    output: false,
  });

  constructor(
    private readonly write: Write,
    private readonly options: TimelineOptions,
  ) {}

  line(line: TraceLine, summary: Summary): void {
    this.#history.line(line, summary);
    if (tells(line)) this.#lines.line(line, summary);
  }

  end(ending: Ending, summary: Summary): void {
    const { seconds, columns } = this.options;
    for (const pod of summary.pods) {
      const several = summary.pods.length > 1 ? [line(pod.key, 'strong')] : [];
      this.#paragraph([...several, ...timelineLines(pod, this.#history, seconds, columns)]);
    }
    this.#paragraph(legendLines(columns));
    for (const text of this.#happenings.slice(0, MAX_HAPPENINGS)) this.write(text);
    const more = this.#happenings.length - MAX_HAPPENINGS;
    if (more > 0) this.write(`           and ${more} more: -o lines shows all\n`);
    this.write(
      `${clockColumn(ending.t)}  ${escapeControl(ending.verdict.sentence)} (exit code ${ending.exitCode})\n`,
    );
  }

  #paragraph(rows: readonly Line[]): void {
    for (const parts of rows) this.write(`${paintPlainly(parts, this.options)}\n`);
    this.write('\n');
  }
}

/** What is worth a line beside the picture. */
function tells(line: TraceLine): boolean {
  switch (line.kind) {
    case 'status':
    case 'exited':
    case 'startFailed':
    case 'backOff':
    case 'action':
      return true;
    case 'event':
      return line.reason === 'Killing' || line.type === 'Warning' ? isRare(line.reason) : false;
    default:
      return false;
  }
}

/** What comes with each attempt or each sync is in the picture already. */
function isRare(reason: string): boolean {
  return !['Unhealthy', 'ProbeWarning', 'BackOff'].includes(reason);
}
