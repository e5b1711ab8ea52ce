import { type Check, skipped } from '../../report/check.js';
import { counted } from '../../text/count.js';
import { formatLatency } from '../../text/duration.js';
import { alignRows } from '../../text/table.js';
import { escapeXml } from '../../text/xml.js';
import { type Baseline, secondsOf } from './baseline.js';
import { NOT_REACHED } from './checks.js';
import type { CiEnd } from './ci.js';
import type { Margin, Measure } from './measures.js';

export interface MarginsInput {
  /** The measures of each start that went well. */
  readonly starts: readonly (readonly Measure[])[];
  /** The number of starts that were asked for. */
  readonly wanted: number;
  readonly baseline: Baseline | undefined;
  /** The least margin that passes, from 0 to 1. */
  readonly minMargin: number | undefined;
}

/** Adds the margins to the end of the last start: as checks, and as text with a plot. */
export function withMargins(end: CiEnd, input: MarginsInput): CiEnd {
  const { starts, wanted, minMargin } = input;
  if (end.verdict.kind !== 'holds') {
    const start = wanted === 1 ? '' : `start ${starts.length + 1} of ${wanted}: `;
    const verdict = { ...end.verdict, sentence: `${start}${end.verdict.sentence}` };
    return { ...end, verdict, checks: [...end.checks, skipped('margins', NOT_REACHED)] };
  }
  const margins = marginsOf(input);
  const isOfSeveral = new Set(margins.map(({ pod }) => pod)).size > 1;
  const rows = margins.map((margin) => marginCheck(margin, minMargin, isOfSeveral));
  const failed = rows.find(({ kind }) => kind === 'failed');
  const times = wanted === 1 ? '' : ` in ${counted(wanted, 'start')}`;
  return {
    ...end,
    verdict:
      failed === undefined
        ? { kind: 'holds', sentence: `${end.verdict.sentence}${times}` }
        : { kind: 'doesNotHold', sentence: `${failed.name}: ${failed.text}` },
    checks: [...end.checks, ...rows],
    result: { title: 'Starts', text: startsText(margins), svg: startsPlot(margins) },
  };
}

function marginsOf({ starts, baseline }: MarginsInput): readonly Margin[] {
  return (starts[0] ?? []).map((measure) => {
    const known = baseline?.measures.find(
      ({ pod, name }) => pod === measure.pod && name === measure.name,
    );
    const now = starts.flatMap((start) => secondsOf(start, measure));
    return { ...measure, now, before: known?.seconds ?? [] };
  });
}

/** `startup took 22 s of 30 s (14 s before): 27 % left` */
function marginCheck(margin: Margin, minLeft: number | undefined, isOfSeveral: boolean): Check {
  const { pod, name, words, limit, now, before, path } = margin;
  const change = changeOf(margin);
  const others = now.length === 1 ? '' : ` in ${counted(now.length, 'start')}`;
  const compared =
    before.length === 0 ? '' : ` (${rangeText(before)} before${change && `, now ${change}`})`;
  const of = limit === undefined ? '' : ` of ${limit} s`;
  const took = `${words} ${rangeText(now)}${of}${others}${compared}`;
  const place = { pod, path };
  const subject = { name: `margin of ${isOfSeveral ? `${pod} ` : ''}${name}`, place };
  const isWorse = change === 'slower';
  if (limit === undefined) return { ...subject, kind: 'passed', text: took, isWorse };
  const left = Math.max(0, 1 - Math.max(...now) / limit);
  const isLow = minLeft !== undefined && left < minLeft;
  const percent = Math.round(100 * left);
  // The rounded margin may look like enough.
  const shown = isLow && percent >= 100 * minLeft ? (100 * left).toFixed(1) : String(percent);
  const needed = isLow ? `, less than ${Math.round(1000 * minLeft) / 10} %` : '';
  const text = `${took}: ${shown} % left${needed}`;
  return { ...subject, kind: isLow ? 'failed' : 'passed', text, isWorse };
}

/** Returns how the starts changed; empty where the differences may be chance. */
function changeOf({ now, before, resolution }: Margin): 'slower' | 'faster' | '' {
  // A single start does not show how much they differ.
  if (now.length < 2 || before.length < 2) return '';
  const spread = Math.max(resolution, widthOf(now), widthOf(before));
  if (Math.min(...now) - Math.max(...before) > spread) return 'slower';
  return Math.min(...before) - Math.max(...now) > spread ? 'faster' : '';
}

function widthOf(times: readonly number[]): number {
  return Math.max(...times) - Math.min(...times);
}

/** `14 s`, `13 – 15 s` */
function rangeText(times: readonly number[]): string {
  const [from, to] = [Math.min(...times), Math.max(...times)].map((time) =>
    formatLatency(time * 1000),
  );
  if (from === undefined || to === undefined || from === to) return to ?? '';
  const unit = to.slice(to.lastIndexOf(' '));
  return `${from.endsWith(unit) ? from.slice(0, -unit.length) : from} – ${to}`;
}

/** Every start as a column. */
function startsText(margins: readonly Margin[]): string {
  const rows = margins.map(({ name, limit, now, before }) => {
    return [name, limit === undefined ? '' : `${limit} s`, listed(now), listed(before)];
  });
  return alignRows([['', 'limit', 'now', 'before'], ...rows]).join('\n');
}

/** Units of a lane's width: its marks have whole numbers. */
const WIDTH = 10_000;

/** Returns a table for an HTML report with a lane for each measure: a mark for each start, from 0 to the limit. */
export function startsPlot(margins: readonly Margin[]): string {
  const rows = margins.map((margin) => {
    const { name, limit, now, before } = margin;
    const scale = limit ?? 1.1 * Math.max(...now, ...before);
    const end = limit === undefined ? '' : `${limit} s`;
    return `<tr><td>${escapeXml(name)}<td width="70%">${lane(margin, scale)}<td class=k>${end}`;
  });
  return `<table><tr><th>starts<th>above the line now, below it before<th>limit${rows.join('\n')}</table>`;
}

function lane({ name, now, before }: Margin, scale: number): string {
  const marks = (times: readonly number[], from: number, to: number): string =>
    times.map((time) => `M${Math.round(Math.min(1, time / scale) * WIDTH)},${from}V${to}`).join('');
  const paths = [
    `<path class=base d="M0,20H${WIDTH}"/>`,
    `<path class=ok d="${marks(now, 2, 18)}"/>`,
    `<path class=limit d="${marks(before, 22, 34)}"/>`,
  ];
  const label = `${name}: now ${listed(now)}${before.length === 0 ? '' : `, before ${listed(before)}`}`;
  return `<svg viewBox="0 0 ${WIDTH} 36" width="100%" height=36 preserveAspectRatio=none role=img aria-label="${escapeXml(label)}"><title>${escapeXml(label)}</title>${paths.join('')}</svg>`;
}

/** `1.2 s, 1.4 s` */
function listed(times: readonly number[]): string {
  return times.map((seconds) => formatLatency(seconds * 1000)).join(', ');
}
