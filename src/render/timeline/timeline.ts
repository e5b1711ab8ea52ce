import type { AttemptView } from '../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { createLines } from '../lines/lines.js';
import type { Ending, Renderer, Write } from '../renderer.js';
import { clockColumn } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { fitLine, flowLines, type Line, line, span, textWidth } from '../text/line.js';
import { paintPlainly, type PlainLook } from '../text/paint.js';
import { containerLane, probeLane, timeAxis, wholeWindow } from './lanes.js';

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

const LONGEST_LABEL = 24;
const INDENT = '  ';

/** A pod from its begin to its end: a lane for each container and each probe. */
export function timelineLines(
  pod: PodSummary,
  history: AttemptHistory,
  seconds: number,
  columns: number,
): Line[] {
  const names = pod.containers.flatMap(({ name, probes }) => [
    name,
    ...probes.map(({ type }) => INDENT + type),
  ]);
  const label = Math.min(LONGEST_LABEL, Math.max(...names.map(textWidth)));
  const window = wholeWindow(seconds, Math.max(10, columns - label - 1));
  const lane = (name: string, isContainer: boolean, cells: Line): Line => [
    ...fitLine([span(name, isContainer ? 'strong' : 'plain')], label),
    span(' '),
    ...cells,
  ];
  return [
    timeAxis(window, ' '.repeat(label + 1)),
    ...pod.containers.flatMap((container) => [
      lane(container.name, true, containerLane(container, pod.addedAt, seconds, window)),
      ...container.probes.map((probe) => {
        const attempts = history.of(pod.key, container.name, probe.type);
        const cells = probeLane({ ...probe, attempts }, seconds, window, undefined);
        return lane(INDENT + probe.type, false, cells);
      }),
    ]),
  ];
}

/** Every attempt of a trace: the summary only remembers the latest. */
export class AttemptHistory {
  readonly #attempts = new Map<string, AttemptView[]>();

  line(line: TraceLine, { pods }: Summary): void {
    if (line.kind !== 'attemptDone') return;
    const attempt = pods
      .find(({ key }) => key === line.pod)
      ?.containers.find(({ name }) => name === line.container)
      ?.probes.find(({ type }) => type === line.probe)
      ?.attempts.at(-1);
    if (attempt === undefined) return;
    const key = `${line.pod} ${line.container} ${line.probe}`;
    const known = this.#attempts.get(key);
    if (known === undefined) this.#attempts.set(key, [attempt]);
    else known.push(attempt);
  }

  of(pod: string, container: string, probe: string): readonly AttemptView[] {
    return this.#attempts.get(`${pod} ${container} ${probe}`) ?? [];
  }
}

const PROBES: readonly string[] = [
  '✓ success',
  '✗ failure',
  '! error',
  '↑ ↓ result changed',
  '─ attempt under way',
];

const CONTAINERS: readonly string[] = [
  '█ ready',
  '▄ not ready',
  '▂ not started',
  '▒ TERM to end',
  '░ back-off',
  'S start',
  'T TERM',
  'E end',
  'R restart',
];

/** What the signs of a timeline say, in rows of at most so many columns. */
export function legendLines(columns: number): Line[] {
  return [CONTAINERS, PROBES].flatMap((signs) =>
    flowLines(
      signs.map((sign) => line(sign, 'dim')),
      '  ',
      columns,
    ),
  );
}
