import { counted } from '../../text/count.js';
import { formatLatency } from '../../text/duration.js';
import { shorten } from '../../text/escape.js';
import { lineText } from '../../text/line.js';
import { escapeXml } from '../../text/xml.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import {
  type AttemptView,
  type ProbeView,
  verdictOfAttempt,
} from '../../trace/summary/probe-view.js';
import type { ReportedPod } from '../run-report.js';
import { resultLine } from '../view-text.js';

const MAX_ATTEMPTS = 2000;
/** Characters of an attempt's message, and of a response. */
const MAX_MESSAGE = 300;
const BODY = 4000;

/** Tables of the attempts; each row has an id for links. */
export class AttemptTables {
  readonly #ids = new Set<string>();

  constructor(
    private readonly reported: ReportedPod,
    private readonly id: string,
  ) {}

  of(container: string, { type }: ProbeView): { id: string; attempts: readonly AttemptView[] } {
    const all = this.reported.attempts.get(`${container}/${type}`) ?? [];
    return { id: this.#tableId(container, type), attempts: all.slice(-MAX_ATTEMPTS) };
  }

  html(containers: readonly ContainerView[]): string {
    return containers
      .flatMap((container) => container.probes.map((probe) => this.#table(container.name, probe)))
      .join('\n');
  }

  /** Names in a manifest that was not validated may have any characters. */
  #tableId(container: string, type: ProbeView['type']): string {
    const index = this.reported.pod.containers.findIndex(({ name }) => name === container);
    const name = /^[\w-]+$/.test(container) ? container : `container${index}`;
    return `${this.id}${name}.${type}`;
  }

  #table(container: string, probe: ProbeView): string {
    const { id, attempts } = this.of(container, probe);
    if (attempts.length === 0) return '';
    const total = probe.successes + probe.failures + probe.errors;
    const left = total - attempts.length;
    let before = '';
    const rows = attempts.map((attempt) => {
      const message = messageOf(attempt);
      const isSame = message !== '' && message === before;
      before = message;
      return this.#row(
        id,
        attempt,
        isSame ? '<td class=same>as above' : `<td>${escapeXml(message)}`,
      );
    });
    const more = left > 0 ? `, the latest ${attempts.length}` : '';
    return `<details><summary>${escapeXml(container)} ${probe.type}: ${counted(total, 'attempt')}${more}</summary>${lastFailureHtml(attempts)}
<div class=wide><table class=attempts id="${id}"><tr><th>attempt<th>seconds<th>run<th>result<th>latency<th>in a row<th>message
${rows.join('\n')}</table></div></details>`;
  }

  #row(table: string, attempt: AttemptView, messageCell: string): string {
    const { attempt: number, endedAt, run, latency, evidence, resultRun, threshold } = attempt;
    const verdict = verdictOfAttempt(attempt);
    const tone =
      attempt.result === 'warning' ? 'w' : { success: '', failure: 'f', error: 'e' }[verdict];
    const count =
      attempt.error === undefined ? `${Math.min(resultRun, threshold)} of ${threshold}` : '';
    const took = evidence ?? formatLatency(latency);
    return `<tr id=${this.#rowId(`${table}.${number}`)}${tone === '' ? '' : ` class=${tone}`}><td>${number}<td>${endedAt.toFixed(3)}<td>${run}<td>${escapeXml(lineText(resultLine(attempt)))}<td>${took}<td>${count}${messageCell}`;
  }

  #rowId(wanted: string): string {
    let id = wanted;
    for (let more = 2; this.#ids.has(id); more++) id = `${wanted}-${more}`;
    this.#ids.add(id);
    return id;
  }
}

function messageOf(attempt: AttemptView): string {
  if (attempt.error !== undefined) return shorten(attempt.error);
  if (attempt.result === 'success') return '';
  const { output } = attempt;
  return output.length > MAX_MESSAGE ? `${output.slice(0, MAX_MESSAGE)}…` : output;
}

/** Returns request and response of the last failure that was kept whole. */
function lastFailureHtml(attempts: readonly AttemptView[]): string {
  const failure = attempts.findLast((each) => verdictOfAttempt(each) !== 'success' && each.detail);
  const { address = '', request, response, body } = failure?.detail ?? {};
  if (failure === undefined) return '';
  const answer = body === undefined ? '' : new TextDecoder().decode(body.subarray(0, BODY));
  const parts = [address, request, response, answer].filter((part) => part?.trim());
  const texts = parts.map((part) => block((part ?? '').trim().replaceAll('\r\n', '\n')));
  return `<p class=dim>The last failure that was kept whole, attempt ${failure.attempt}:<pre>${texts.join('\n\n')}</pre>`;
}

export function block(source: string): string {
  return source
    .split('\n')
    .map((line) => escapeXml(line.replaceAll('\t', '    ')))
    .join('\n');
}
