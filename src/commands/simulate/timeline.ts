import {
  AttemptHistory,
  containerLane,
  legendLines,
  probeLane,
  timeAxis,
  type TimeWindow,
  wholeWindow,
} from '../../report/lanes.js';
import type { ListedEntry } from '../../report/lines/entries.js';
import { entryRows, Lines } from '../../report/lines/lines.js';
import type { Renderer, Write } from '../../report/renderer.js';
import { clockColumn } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import { fitLine, type Line, line, span, textWidth } from '../../text/line.js';
import { paintLines, type PlainTheme } from '../../text/paint.js';
import type { TextStyle } from '../../text/text-style.js';
import { findPod, type PodSummary, type Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Ending } from '../../trace/trace-record.js';

interface TimelineOptions extends PlainTheme {
  readonly seconds: number;
  readonly columns: number;
  readonly style?: TextStyle;
}

/** The cells of a pod's lanes, and the columns of the names before them. */
interface PodWindow {
  readonly label: number;
  readonly window: TimeWindow;
}

const MAX_LINES = 20;
const MAX_LABEL = 24;
const INDENT = '  ';

/** Draws a run from start to end in characters, and lists its events below. */
export class Timeline implements Renderer {
  readonly #attempts = new AttemptHistory();
  readonly #below: ListedEntry[] = [];
  readonly #lines: Lines;
  /** By the key of the pod. */
  readonly #windows = new Map<string, PodWindow>();

  constructor(
    private readonly write: Write,
    private readonly options: TimelineOptions,
  ) {
    const onEntry = (listed: ListedEntry): unknown => this.#below.push(listed);
    this.#lines = new Lines(write, { verbose: false, output: false, onEntry });
  }

  line(line: TraceLine, summary: Summary): void {
    if (line.kind === 'attemptDone') {
      const pod = findPod(summary, line.pod);
      this.#attempts.add(line, summary, pod && this.#windowOf(pod).window.cell);
    }
    if (isShownBelow(line)) this.#lines.line(line, summary);
  }

  end(ending: Ending, { pods }: Summary): void {
    for (const pod of pods) {
      const title = pods.length > 1 ? [line(pod.key, 'strong')] : [];
      this.#paragraph([...title, ...this.#podLines(pod)]);
    }
    this.#paragraph(legendLines(this.options.columns));
    const below = this.#below.length > MAX_LINES ? withoutRepeats(this.#below) : this.#below;
    for (const each of below.slice(0, MAX_LINES)) this.write(entryRows(each, this.options.style));
    const more = below.length - MAX_LINES;
    if (more > 0) this.write(`           and ${more} more: -o lines shows all\n`);
    const verdict = escapeControl(ending.verdict.sentence);
    this.write(`${clockColumn(ending.t)}  ${verdict} (exit code ${ending.exitCode})\n`);
  }

  #windowOf({ key, containers }: PodSummary): PodWindow {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    const { seconds, columns } = this.options;
    const widths = containers.flatMap(({ name, probes }) => [
      textWidth(name),
      ...probes.map(({ type }) => INDENT.length + type.length),
    ]);
    const label = Math.min(MAX_LABEL, Math.max(0, ...widths));
    const window = wholeWindow(seconds, Math.max(10, columns - label - 1));
    const measured = { label, window };
    this.#windows.set(key, measured);
    return measured;
  }

  #podLines(pod: PodSummary): Line[] {
    const { seconds } = this.options;
    const { key, containers, addedAt } = pod;
    const all = this.#attempts.ofPod(key);
    const { label, window } = this.#windowOf(pod);
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

/** Keeps the first of entries that are the same, with their count. */
function withoutRepeats(all: readonly ListedEntry[]): readonly ListedEntry[] {
  const repeats = new Map<string, ListedEntry[]>();
  for (const each of all) {
    const { type, reason, text, key = text } = each.entry;
    const id = [each.object, type, reason, key].join('\n');
    repeats.set(id, [...(repeats.get(id) ?? []), each]);
  }
  return [...repeats.values()].flatMap(([first, ...others]) => {
    const last = others.at(-1);
    if (first === undefined || last === undefined) return first ?? [];
    const times = `(${others.length + 1} times, last at ${clockColumn(last.t).trim()})`;
    return { ...first, entry: { ...first.entry, text: `${first.entry.text} ${times}` } };
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
