import { lastLines } from '../../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Ending, Renderer, Write } from '../renderer.js';
import { clockColumn, formatSeconds } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import {
  attemptHappening,
  attemptMeaning,
  containerHappening,
  eventHappening,
  type Happening,
  overallHappening,
  podHappenings,
  statusChanges,
} from './happenings.js';

export interface LinesOptions {
  /** Every attempt, not only those that change something or fail. */
  readonly verbose: boolean;
  /** What the containers write, too. */
  readonly output: boolean;
}

/** So many lines of a run that died are shown beside its end. */
const LAST_LINES = 5;

/** One line a happening, aligned, for pipes, CI and screen readers. */
export function createLines(write: Write, options: LinesOptions): Renderer {
  return new Lines(write, options);
}

type PodLine = Exclude<TraceLine, { kind: 'runtime' | 'note' }>;

class Lines implements Renderer {
  #summary: Summary | undefined;
  #objectWidth = 0;
  /** An Unhealthy event waits for its attempt to end, which says what it means. */
  #held:
    { readonly event: Extract<TraceLine, { kind: 'event' }>; readonly pod: PodSummary } | undefined;
  /** The last back-off told of each container: a sync that finds it again says nothing new. */
  readonly #backOffs = new Map<string, number>();

  constructor(
    private readonly write: Write,
    private readonly options: LinesOptions,
  ) {}

  line(line: TraceLine, summary: Summary): void {
    const before = this.#summary;
    this.#summary = summary;
    if (line.kind === 'runtime' || line.kind === 'note') {
      this.#write(line.t, '', overallHappening(line));
      return;
    }
    const pod = summary.pods.find(({ key }) => key === line.pod);
    if (pod === undefined) return;
    const old = before?.pods.find(({ key }) => key === line.pod);
    for (const happening of this.#happenings(line, old, pod)) this.#tell(line.t, pod, happening);
  }

  end({ t, kind, verdict, exitCode }: Ending, summary: Summary): void {
    // What was decided then ends what came to its end meanwhile.
    const now = Math.max(t, summary.t);
    const how = kind === 'goal' ? '' : `${kind}: `;
    this.write(
      `${clockColumn(now)}  ${how}${escapeControl(verdict.sentence)} (exit code ${exitCode})\n`,
    );
  }

  #happenings(line: PodLine, old: PodSummary | undefined, pod: PodSummary): Happening[] {
    switch (line.kind) {
      case 'pod':
        return podHappenings(pod);
      case 'action':
        return [
          {
            container: '',
            type: 'Pod',
            reason: line.do,
            text: `the pod's ${line.do} was asked for`,
          },
        ];
      case 'event':
        return this.#event(line, pod);
      case 'attemptDone':
        return this.#attempt(line, old);
      case 'status':
        return statusChanges(old, pod);
      case 'backOff':
        return this.#backOff(line);
      case 'output':
        return this.options.output ? [containerHappening(line)] : [];
      case 'exited':
        return [...this.#lastLines(line, pod), containerHappening(line)];
      case 'startFailed':
      case 'stop':
      case 'hook':
      case 'hookDone':
        return [containerHappening(line)];
      default:
        return [];
    }
  }

  /** Of a run that died, unless all that it wrote was shown. */
  #lastLines(
    { pod, container: name, run }: Extract<TraceLine, { kind: 'exited' }>,
    { containers }: PodSummary,
  ): Happening[] {
    const container = this.options.output ? undefined : containers.find((c) => c.name === name);
    if (container === undefined) return [];
    const ended = container.runs.find((one) => one.run === run);
    return lastLines(container, ended, LAST_LINES).map(({ stream, text }) =>
      containerHappening({ kind: 'output', t: 0, pod, container: name, run, stream, text }),
    );
  }

  #event(line: Extract<TraceLine, { kind: 'event' }>, pod: PodSummary): Happening[] {
    if (line.reason !== 'Unhealthy' && line.reason !== 'ProbeWarning')
      return [eventHappening(line)];
    this.#held = { event: line, pod };
    return [];
  }

  #attempt(
    line: Extract<TraceLine, { kind: 'attemptDone' }>,
    old: PodSummary | undefined,
  ): Happening[] {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) {
      const happening = eventHappening(held.event);
      return [{ ...happening, text: `${happening.text.trimEnd()} (${attemptMeaning(line)})` }];
    }
    const probe = old?.containers
      .find(({ name }) => name === line.container)
      ?.probes.find(({ type }) => type === line.probe);
    const changes = probe?.successes === 0 || line.resultRun === 1;
    return changes || this.options.verbose ? [attemptHappening(line)] : [];
  }

  #backOff(line: Extract<TraceLine, { kind: 'backOff' }>): Happening[] {
    const key = `${line.pod} ${line.container}`;
    if (this.#backOffs.get(key) === line.until) return [];
    this.#backOffs.set(key, line.until);
    const text = `${formatSeconds(line.delay)}, the next start is due in ${formatSeconds(line.until - line.t)}`;
    return [{ container: line.container, type: 'Run', reason: 'BackOff', text }];
  }

  #tell(t: number, pod: PodSummary, happening: Happening): void {
    const { name } = pod.object.metadata;
    this.#write(t, happening.container === '' ? name : `${name}/${happening.container}`, happening);
  }

  #write(t: number, object: string, { type, reason, text }: Happening): void {
    const width = Math.max(this.#objectWidth, this.#widest());
    this.#objectWidth = width;
    const cells = [
      escapeControl(object).padEnd(width),
      type.padEnd(7),
      escapeControl(reason).padEnd(10),
    ];
    this.write(`${clockColumn(t)}  ${cells.join('  ')}  ${escapeControl(text.trimEnd())}\n`);
  }

  #widest(): number {
    const names = (this.#summary?.pods ?? []).flatMap((pod) =>
      pod.containers.map(({ name }) => `${pod.object.metadata.name}/${name}`),
    );
    return Math.max(0, ...names.map((name) => escapeControl(name).length));
  }
}
