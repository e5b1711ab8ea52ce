import type { AttemptView } from '../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { LineOf } from '../lines/entries.js';
import { Lines } from '../lines/lines.js';
import type { Ending, Renderer, Write } from '../renderer.js';
import { clockColumn } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { fitLine, type Line, line, span, textWidth } from '../text/line.js';
import { paintPlainly, type PlainLook } from '../text/paint.js';
import { containerLane, legendLines, probeLane, timeAxis, wholeWindow } from './lanes.js';

interface TimelineOptions extends PlainLook {
  readonly seconds: number;
  readonly columns: number;
}

const MAX_LINES = 20;
const LONGEST_LABEL = 24;
const INDENT = '  ';

/** A run from start to end, in characters, and its events below. */
export class Timeline implements Renderer {
  readonly #write: Write;
  readonly #options: TimelineOptions;
  /** Every attempt by probe: the summary only keeps the latest. */
  readonly #attempts = new Map<string, AttemptView[]>();
  readonly #below: string[] = [];
  readonly #lines = new Lines((text) => this.#below.push(text), {
    verbose: false,
    output: false,
  });

  constructor(write: Write, options: TimelineOptions) {
    this.#write = write;
    this.#options = options;
  }

  line(line: TraceLine, summary: Summary): void {
    if (line.kind === 'attemptDone') this.#keepAttempt(line, summary);
    if (isShownBelow(line)) this.#lines.line(line, summary);
  }

  end(ending: Ending, { pods }: Summary): void {
    for (const pod of pods) {
      const title = pods.length > 1 ? [line(pod.key, 'strong')] : [];
      this.#paragraph([...title, ...this.#podLines(pod)]);
    }
    this.#paragraph(legendLines(this.#options.columns));
    for (const text of this.#below.slice(0, MAX_LINES)) this.#write(text);
    const more = this.#below.length - MAX_LINES;
    if (more > 0) this.#write(`           and ${more} more: -o lines shows all\n`);
    const verdict = escapeControl(ending.verdict.sentence);
    this.#write(`${clockColumn(ending.t)}  ${verdict} (exit code ${ending.exitCode})\n`);
  }

  #keepAttempt({ pod, container, probe }: LineOf<'attemptDone'>, { pods }: Summary): void {
    const attempt = pods
      .find(({ key }) => key === pod)
      ?.containers.find(({ name }) => name === container)
      ?.probes.find(({ type }) => type === probe)
      ?.attempts.at(-1);
    const key = `${pod} ${container} ${probe}`;
    const known = this.#attempts.get(key) ?? [];
    this.#attempts.set(key, known);
    if (attempt !== undefined) known.push(attempt);
  }

  #podLines(pod: PodSummary): Line[] {
    const { seconds, columns } = this.#options;
    const { key, containers, addedAt } = pod;
    const widths = containers.flatMap(({ name, probes }) => [
      textWidth(name),
      ...probes.map(({ type }) => INDENT.length + type.length),
    ]);
    const label = Math.min(LONGEST_LABEL, Math.max(...widths));
    const window = wholeWindow(seconds, Math.max(10, columns - label - 1));
    const lane = (name: Line, cells: Line): Line => [...fitLine(name, label), span(' '), ...cells];
    return [
      [span(' '.repeat(label + 1), 'dim'), ...timeAxis(window)],
      ...containers.flatMap((container) => [
        lane(line(container.name, 'strong'), containerLane(container, addedAt, seconds, window)),
        ...container.probes.map((probe) => {
          const attempts = this.#attempts.get(`${key} ${container.name} ${probe.type}`) ?? [];
          const cells = probeLane({ ...probe, attempts }, seconds, window);
          return lane(line(INDENT + probe.type), cells);
        }),
      ]),
    ];
  }

  #paragraph(rows: readonly Line[]): void {
    for (const row of rows) this.#write(`${paintPlainly(row, this.#options)}\n`);
    this.#write('\n');
  }
}

/** Events of each attempt or each sync are in the lanes already. */
const IN_LANES = ['Unhealthy', 'ProbeWarning', 'BackOff'];

function isShownBelow(line: TraceLine): boolean {
  switch (line.kind) {
    case 'status':
    case 'exited':
    case 'startFailed':
    case 'backOff':
    case 'action':
      return true;
    case 'event':
      return (
        line.reason === 'Killing' || (line.type === 'Warning' && !IN_LANES.includes(line.reason))
      );
    default:
      return false;
  }
}
