import { forecastProbe } from '../../../../trace/forecast/probe-forecast.js';
import { verdictOfAttempt } from '../../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import { hintFor } from '../../../hints/hint-for.js';
import type { About } from '../../store/snapshot.js';
import { columnWidths, tableRow } from '../../text/columns.js';
import type { Line, Tone } from '../../text/span.js';
import { span } from '../../text/span.js';
import { containerLine } from './container-line.js';
import { PROBE_COLUMNS, PROBE_HEADINGS, probeCells } from './probe-row.js';
import { type RowTarget, rowTargets } from './row-target.js';

/** A row of the pod view; what can be chosen has an id. */
export interface TableRow {
  readonly id?: string;
  readonly line: Line;
}

export interface TableOptions {
  readonly filter: string;
  /** The id of the row under the cursor. */
  readonly chosen: string | undefined;
  readonly width: number;
}

export interface PodTable {
  /** Undefined where no probe is shown. */
  readonly headings: Line | undefined;
  readonly rows: readonly TableRow[];
}

const INDENT = '  ';

export function podTable(
  pod: PodSummary,
  now: number,
  about: About,
  { filter, chosen, width }: TableOptions,
): PodTable {
  const widths = columnWidths(PROBE_COLUMNS, width - INDENT.length);
  const headings = tableRow(PROBE_HEADINGS, PROBE_COLUMNS, widths);
  const targets = rowTargets(pod, filter);
  const rows = targets.flatMap((target) =>
    targetRows(pod, target, target.id === chosen, widths, now, about),
  );
  const hasProbes = targets.some(({ probe }) => probe !== undefined);
  return { headings: hasProbes ? [span(INDENT), ...headings] : undefined, rows };
}

function targetRows(
  pod: PodSummary,
  target: RowTarget,
  isChosen: boolean,
  widths: readonly number[],
  now: number,
  about: About,
): TableRow[] {
  const { id, container, probe } = target;
  if (probe === undefined) {
    return [
      {
        id,
        line: containerLine(
          pod,
          container,
          now,
          about.isSimulated(pod.key, container.name),
          isChosen,
        ),
      },
    ];
  }
  const forecast = forecastProbe(container, probe, now);
  const cells = probeCells(isChosen, container, probe, forecast, widths, now);
  const own = tableRow(cells, PROBE_COLUMNS, widths);
  return [
    { id, line: [span(isChosen ? '▸ ' : INDENT, 'info'), ...own] },
    ...complaint(target, about.hints),
  ];
}

/** What a probe that fails says, and what may be behind it, below it. */
function complaint({ container, probe }: RowTarget, hints: boolean): TableRow[] {
  const last = probe?.attempts.at(-1);
  if (probe === undefined || last === undefined || verdictOfAttempt(last) === 'success') return [];
  const isOld = last.run !== (container.runs.at(-1)?.run ?? last.run);
  const said = (last.error ?? last.output).trim().split('\n')[0] ?? '';
  const hint = hints && !isOld ? hintFor({ container, probe }, last) : undefined;
  const row = (text: string, tone: Tone): TableRow[] =>
    text === '' ? [] : [{ line: [span(`${INDENT}  ↳ `, 'dim'), span(text, tone)] }];
  return isOld
    ? row(`in run ${last.run}: ${said}`, 'dim')
    : [...row(said, 'bad'), ...row(hint ?? '', 'info')];
}
