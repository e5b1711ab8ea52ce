import { createHash } from 'node:crypto';

import { type Diagnosis, isFailing } from '../../diagnosis/fault.js';
import { causeText, firstChange, headline, outlookText } from '../../diagnosis/words.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import { formatLatency, secondsOrDash } from '../../text/duration.js';
import { shorten } from '../../text/escape.js';
import { escapeXml } from '../../text/xml.js';
import { type ContainerView, lastLines } from '../../trace/summary/container-view.js';
import { percentile } from '../../trace/summary/probe-view.js';
import type { Check } from '../check.js';
import { diagnosticText } from '../run-formats.js';
import { endSentence, type ReportedPod, type RunReport } from '../run-report.js';
import { numberRows } from '../what-if-text.js';
import { AttemptTables, block } from './attempt-tables.js';
import { SCRIPT, STYLE } from './page-assets.js';
import { timelineSvg } from './timeline-svg.js';

const MAX_EVENTS = 500;
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** Returns the report as one page, whose policy allows only its own script. */
export function htmlReport(report: RunReport): string {
  const { command, ending, header, pods, notes, result } = report;
  const sentence = endSentence(ending);
  const tone = ending.exitCode === 0 ? 'good' : 'bad';
  const started = header.startedAt === undefined ? '' : `started ${escapeXml(header.startedAt)}, `;
  const facts = `${started}${secondsOrDash(ending.t)}, exit code ${ending.exitCode}, target ${escapeXml(header.target)}, kubelet ${escapeXml(header.kubelet)}, kprobe ${escapeXml(header.kprobe)}`;
  return [
    '<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content="width=device-width,initial-scale=1">',
    `<meta http-equiv=Content-Security-Policy content="default-src 'none';style-src 'unsafe-inline';script-src 'sha256-${SCRIPT_HASH}';base-uri 'none';form-action 'none'">`,
    `<title>${escapeXml(command)}: ${escapeXml(pods.map(({ pod }) => pod.key).join(', '))}</title><style>${STYLE}</style></head><body>`,
    `<header><p class=dim>${escapeXml(command)}</p><h1 class=${tone}>${escapeXml(sentence)}</h1><p class=dim>${facts}</p></header><main>`,
    checksHtml(report.checks ?? []),
    refusedHtml(report.refused ?? []),
    ...(result === undefined
      ? []
      : [section('', result.title, `<pre>${block(result.text)}</pre>${result.svg ?? ''}`)]),
    ...pods.map((pod, index) => podHtml(report, pod, pods.length > 1 ? `pod${index + 1}.` : '')),
    notes.length === 0
      ? ''
      : section('', 'Notes', `<ul>${notes.map((note) => `<li>${escapeXml(note)}`).join('')}</ul>`),
    `</main><script>${SCRIPT}</script></body></html>\n`,
  ].join('\n');
}

const TONES = { passed: 'good', failed: 'bad', error: 'warn', skipped: 'dim' } as const;

function checksHtml(checks: readonly Check[]): string {
  if (checks.length === 0) return '';
  const rows = checks.map((check) => {
    const isWarning = check.isWorse === true && check.kind === 'passed';
    return resultRow(check, isWarning ? 'warn' : TONES[check.kind]);
  });
  return section('checks', 'Checks', `<table>${rows.join('\n')}</table>`);
}

function resultRow({ name, kind, text: reason }: Check, tone: string): string {
  return `<tr><td class="k ${tone}">${kind}<td>${escapeXml(name)}<td>${escapeXml(reason)}`;
}

function refusedHtml(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return '';
  const items = diagnostics.map((diagnostic) => `<li>${escapeXml(diagnosticText(diagnostic))}`);
  return section('refused', 'Nothing was started', `<ul>${items.join('')}</ul>`);
}

function podHtml(report: RunReport, reported: ReportedPod, id: string): string {
  const { pod, diagnoses, events } = reported;
  const tables = new AttemptTables(reported, id);
  const from = pod.addedAt;
  const to = Math.max(report.ending.t, from + 0.001);
  const timeline = timelineSvg({ reported, from, to, id, tables });
  const effects = report.effects.filter((effect) => effect.pod === pod.key);
  const parts: readonly (readonly [string, string, string])[] = [
    ['diagnosis', 'Diagnosis', diagnosesHtml(reported)],
    ['timeline', 'Timeline', timeline],
    ['latencies', 'Latencies', latenciesHtml(pod.containers)],
    ['settings', 'With another setting', effects.map(effectHtml).join('')],
    ['manifest', 'Manifest', manifestHtml(reported)],
    ['events', 'Events', eventsHtml(events)],
    ['attempts', 'Attempts', tables.html(pod.containers)],
  ];
  const shown = parts.filter(([, , html]) => html !== '');
  const links = shown.map(([name, title]) => `<a href="#${id}${name}">${title}</a>`);
  const fine = diagnoses.length === 0 ? ' <span class=good>no trouble</span>' : '';
  return [
    `<h2>${escapeXml(pod.key)}${fine}</h2><nav aria-label="${escapeXml(pod.key)}">${links.join('')}</nav>`,
    ...shown.map(([name, title, html]) => section(`${id}${name}`, title, html)),
  ].join('\n');
}

function section(id: string, title: string, html: string): string {
  const isLong = /events|attempts|manifest/.test(id);
  return `<section${id === '' ? '' : ` id="${id}"`}${isLong ? ' class=long' : ''}><h3>${title}</h3>\n${html}</section>`;
}

function diagnosesHtml(reported: ReportedPod): string {
  const cards = reported.diagnoses.map((diagnosis) => diagnosisHtml(diagnosis, reported));
  const rows = reported.outcomes.map((outcome) => resultRow(outcome, TONES[outcome.kind]));
  const none = '<p class="card fine">Nothing is wrong with the containers of this pod.</p>';
  return `${cards.length === 0 ? none : cards.join('\n')}\n<table><tr><th>result<th>of<th>because${rows.join('\n')}</table>`;
}

function diagnosisHtml(diagnosis: Diagnosis, { pod, marks, manifest }: ReportedPod): string {
  const { next } = diagnosis;
  const change = firstChange(diagnosis);
  const mark = marks.find((each) => each.diagnosis === diagnosis);
  const container = pod.containers.find(({ name }) => name === diagnosis.subject.container);
  const run = container?.runs.findLast(({ endedAt }) => endedAt !== undefined);
  const output = container === undefined ? [] : lastLines(container, run, 10);
  const place =
    mark && manifest ? ` <span class=dim>(${escapeXml(manifest.file)}:${mark.line})</span>` : '';
  return [
    `<div class="card${isFailing(diagnosis) ? '' : ' past'}"><p><b>${escapeXml(headline(diagnosis))}</b>`,
    next === undefined ? '' : `<p>Next: ${escapeXml(outlookText(next))}`,
    change === undefined ? '' : `<p>To do: ${escapeXml(change)}${place}`,
    output.length === 0
      ? ''
      : `<p class=dim>The last output of run ${run?.run ?? 0}:<pre>${block(output.map((line) => line.text).join('\n'))}</pre>`,
    '</div>',
  ].join('');
}

function latenciesHtml(containers: readonly ContainerView[]): string {
  const rows = containers.flatMap(({ name, spec, probes }) =>
    probes.map(({ type, latencies, successes, failures, errors }) => {
      const timeout = (probeOf(spec, type)?.timeoutSeconds ?? 1) * 1000;
      const figures = [50, 95, 99].map((percent) => percentile(latencies, percent));
      const max = latencies.total === 0 ? undefined : latencies.max;
      const share = max === undefined ? '' : `${Math.round((max / timeout) * 100)} %`;
      const cells = [...figures, max].map((each) =>
        each === undefined ? '–' : formatLatency(each),
      );
      const all = [successes, failures, errors, ...cells, formatLatency(timeout), share];
      return `<tr><td>${escapeXml(name)} ${type}${all.map((cell) => `<td class=n>${cell}`).join('')}`;
    }),
  );
  if (rows.length === 0) return '';
  const heads = 'successes,failures,errors,p50,p95,p99,max,timeout,max of timeout'.split(',');
  return `<div class=wide><table><tr><th>probe${heads.map((head) => `<th class=n>${head}`).join('')}${rows.join('\n')}</table></div>`;
}

function effectHtml(effect: RunReport['effects'][number]): string {
  const rows = numberRows(effect.before, effect.after).map(
    ([what, before, after]) => `<tr><td>${escapeXml(what)}<td>${before}<td>${after}`,
  );
  return `<div class=wide><table><tr><th><th>as it was<th><code>${escapeXml(effect.setting)}</code>${rows.join('')}</table></div><p>Simulated: ${escapeXml(effect.sentence)}</p>`;
}

/** Lines around a marked one that are shown where a manifest is too long. */
const CONTEXT_LINES = 15;
const MAX_LINES = 250;

function manifestHtml({ manifest, marks }: ReportedPod): string {
  if (manifest === undefined) return '';
  const { lines, first, file, isFile } = manifest;
  const isShown = (number: number): boolean =>
    lines.length <= MAX_LINES || marks.some(({ line }) => Math.abs(line - number) <= CONTEXT_LINES);
  let isCut = false;
  const shown = lines.flatMap((line, index) => {
    const number = first + index;
    if (!isShown(number)) {
      const cut = isCut ? [] : ['…'];
      isCut = true;
      return cut;
    }
    isCut = false;
    const marked = marks.filter((mark) => mark.line === number);
    const notes = marked.map(
      ({ diagnosis }) => `<i></i><b>↑ ${escapeXml(shorten(causeText(diagnosis)))}</b>`,
    );
    const source = `<i>${number}</i>${block(line)}`;
    return [marked.length === 0 ? source : `<mark>${source}</mark>`, ...notes];
  });
  const from = isFile ? '' : ', as it was recorded, with its defaults';
  return `<p class=dim>${escapeXml(file)}${from}<pre>${shown.join('\n')}</pre>`;
}

function eventsHtml(events: ReportedPod['events']): string {
  const shown = events.slice(-MAX_EVENTS);
  if (shown.length === 0) return '';
  const left = events.length - shown.length;
  const rows = shown.map(({ t, container, type, reason, text: message, count, lastAt }) => {
    const times =
      count > 1 ? ` <span class=dim>(${count} times, last at ${lastAt.toFixed(3)})</span>` : '';
    const tone = type === 'Warning' ? 'k warn' : 'k';
    return `<tr><td class=n>${t.toFixed(3)}<td class=k>${escapeXml(container)}<td class="${tone}">${escapeXml(type)}<td class=k>${escapeXml(reason)}<td>${escapeXml(shorten(message))}${times}`;
  });
  const more = left > 0 ? `<p class=dim>${left} earlier events are not shown.` : '';
  return `${more}<div class=wide><table><tr><th class=n>seconds<th>container<th>type<th>reason<th>message${rows.join('\n')}</table></div>`;
}
