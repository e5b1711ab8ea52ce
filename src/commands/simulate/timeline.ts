import {
  AttemptHistory,
  containerLane,
  legendLines,
  probeLane,
  timeAxis,
  wholeWindow,
} from '../../report/lanes.js';
import { Lines } from '../../report/lines/lines.js';
import type { Renderer, Write } from '../../report/renderer.js';
import { clockColumn } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import { fitLine, type Line, line, span, textWidth } from '../../text/line.js';
import { paintLines, type PlainLook } from '../../text/paint.js';
import { type Screen, UNPAINTED } from '../../text/screen.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Ending } from '../../trace/trace-record.js';

interface TimelineOptions extends PlainLook {
  readonly seconds: number;
  readonly columns: number;
  readonly screen?: Screen;
}

interface ListedEvent {
  readonly t: number;
  /** The row, with MESSAGE in place of the message. */
  readonly row: string;
  readonly message: string;
  /** Column at which the message begins. */
  readonly indent: number;
}

const MESSAGE = '\u0000';

const MAX_LINES = 20;
const MAX_LABEL = 24;
const INDENT = '  ';

/** Draws a run from start to end in characters, and lists its events below. */
export class Timeline implements Renderer {
  readonly #attempts = new AttemptHistory();
  readonly #below: ListedEvent[] = [];
  readonly #lines: Lines;
  #now = 0;
  #message = { message: '', indent: 0 };

  constructor(
    private readonly write: Write,
    private readonly options: TimelineOptions,
  ) {
    const { paint } = options.screen ?? UNPAINTED;
    const wrap = (message: string, indent: number): string => {
      this.#message = { message, indent };
      return MESSAGE;
    };
    this.#lines = new Lines((row) => this.#below.push({ t: this.#now, row, ...this.#message }), {
      verbose: false,
      output: false,
      screen: { paint, wrap },
    });
  }

  line(line: TraceLine, summary: Summary): void {
    this.#now = line.t;
    if (line.kind === 'attemptDone') this.#attempts.add(line, summary);
    if (isShownBelow(line)) this.#lines.line(line, summary);
  }

  end(ending: Ending, { pods }: Summary): void {
    for (const pod of pods) {
      const title = pods.length > 1 ? [line(pod.key, 'strong')] : [];
      this.#paragraph([...title, ...this.#podLines(pod)]);
    }
    this.#paragraph(legendLines(this.options.columns));
    const below = this.#below.length > MAX_LINES ? withoutRepeats(this.#below) : this.#below;
    const { screen = UNPAINTED } = this.options;
    for (const { row, message, indent } of below.slice(0, MAX_LINES))
      this.write(row.replace(MESSAGE, () => screen.wrap(message, indent, indent)));
    const more = below.length - MAX_LINES;
    if (more > 0) this.write(`           and ${more} more: -o lines shows all\n`);
    const verdict = escapeControl(ending.verdict.sentence);
    this.write(`${clockColumn(ending.t)}  ${verdict} (exit code ${ending.exitCode})\n`);
  }

  #podLines(pod: PodSummary): Line[] {
    const { seconds, columns } = this.options;
    const { key, containers, addedAt } = pod;
    const all = this.#attempts.ofPod(key);
    const widths = containers.flatMap(({ name, probes }) => [
      textWidth(name),
      ...probes.map(({ type }) => INDENT.length + type.length),
    ]);
    const label = Math.min(MAX_LABEL, Math.max(0, ...widths));
    const window = wholeWindow(seconds, Math.max(10, columns - label - 1));
    const lane = (name: Line, cells: Line): Line => [...fitLine(name, label), span(' '), ...cells];
    return [
      [span(' '.repeat(label + 1), 'dim'), ...timeAxis(window)],
      ...containers.flatMap((container) => [
        lane(line(container.name, 'strong'), containerLane(container, addedAt, seconds, window)),
        ...container.probes.map((probe) => {
          const attempts = all.get(`${container.name}/${probe.type}`) ?? [];
          const cells = probeLane({ ...probe, attempts }, seconds, window);
          return lane(line(INDENT + probe.type), cells);
        }),
      ]),
    ];
  }

  #paragraph(rows: readonly Line[]): void {
    this.write(`${paintLines(rows, this.options)}\n`);
  }
}

/** Keeps the first of several events with the same key, with their count. */
function withoutRepeats(all: readonly ListedEvent[]): readonly ListedEvent[] {
  const repeats = new Map<string, ListedEvent[]>();
  for (const each of all) {
    const key = `${each.row} ${each.message}`.replaceAll(/[\d.]+/g, '0').replaceAll(/ +/g, ' ');
    const same = repeats.get(key);
    if (same === undefined) repeats.set(key, [each]);
    else same.push(each);
  }
  return [...repeats.values()].flatMap(([first, ...others]) => {
    const last = others.at(-1);
    if (first === undefined || last === undefined) return first ?? [];
    const times = `(${others.length + 1} times, last at ${clockColumn(last.t).trim()})`;
    return { ...first, message: `${first.message} ${times}` };
  });
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
