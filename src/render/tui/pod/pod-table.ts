import { forecastProbe } from '../../../trace/forecast/probe-forecast.js';
import type { ContainerView } from '../../../trace/summary/container-view.js';
import { type ProbeView, verdictOfAttempt } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import type { About } from '../store/snapshot.js';
import { columnWidths, tableRow } from '../text/columns.js';
import { line } from '../text/line.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { containerLine } from './container-line.js';
import { PROBE_COLUMNS, PROBE_HEADINGS, probeCells } from './probe-row.js';

/** A row of the pod view; what can be chosen has an id. */
export interface TableRow {
  readonly id?: string;
  readonly line: Line;
}

/** What a row that can be chosen stands for. */
export interface RowTarget {
  readonly id: string;
  readonly container: ContainerView;
  readonly probe?: ProbeView;
}

const INDENT = '  ';

/** The rows that can be chosen, in their order: containers, and below each its probes. */
export function rowTargets(pod: PodSummary, filter: string): RowTarget[] {
  return pod.containers.flatMap((container) => {
    const own: RowTarget = { id: container.name, container };
    const probes = container.probes.map((probe) => ({
      id: `${container.name}/${probe.type}`,
      container,
      probe,
    }));
    const matches = (id: string): boolean => id.includes(filter);
    const shown = probes.filter(({ id }) => matches(id));
    return shown.length > 0 || matches(own.id) ? [own, ...shown] : [];
  });
}

export function podTable(
  pod: PodSummary,
  now: number,
  about: About,
  filter: string,
  width: number,
): TableRow[] {
  const widths = columnWidths(PROBE_COLUMNS, width - INDENT.length);
  const headings = tableRow(PROBE_HEADINGS, PROBE_COLUMNS, widths);
  const targets = rowTargets(pod, filter);
  const rows = targets.flatMap((target) => targetRows(pod, target, widths, now, about));
  const hasProbes = targets.some(({ probe }) => probe !== undefined);
  return hasProbes ? [{ line: [span(INDENT), ...headings] }, ...rows] : rows;
}

function targetRows(
  pod: PodSummary,
  { id, container, probe }: RowTarget,
  widths: readonly number[],
  now: number,
  about: About,
): TableRow[] {
  if (probe === undefined) {
    return [{ id, line: containerLine(pod, container, now, about.simulated) }];
  }
  const forecast = forecastProbe(container, probe, now);
  const cells = tableRow(probeCells(container, probe, forecast, now), PROBE_COLUMNS, widths);
  return [{ id, line: [span(INDENT), ...cells] }, ...complaint(probe)];
}

/** What a probe that fails says, below it. */
function complaint({ attempts }: ProbeView): TableRow[] {
  const last = attempts.at(-1);
  if (last === undefined || verdictOfAttempt(last) === 'success') return [];
  const said = (last.error ?? last.output).trim().split('\n')[0] ?? '';
  return said === '' ? [] : [{ line: [span(`${INDENT}  ↳ `, 'dim'), ...line(said, 'bad')] }];
}
