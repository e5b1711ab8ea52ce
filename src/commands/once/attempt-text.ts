import type { AttemptDetail, AttemptTimings } from '../../kubelet/ports.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { handlerText } from '../../report/probe-text.js';
import { counted } from '../../text/count.js';
import { clockColumn, formatSeconds } from '../../text/duration.js';
import { escapeControl, escapeControlInLines } from '../../text/escape.js';
import type { Tone } from '../../text/line.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';
import type { Tally } from '../../trace/summary/tally.js';
import type { OnceAttempt } from './once.js';
import type { FailedProbe } from './once-cause.js';

export function attemptParagraph(
  probe: ReportedProbe,
  { line, event, cause }: OnceAttempt,
  verbose: boolean,
  style: TextStyle,
): string {
  const { detail, output, error = '', latency, tries } = line;
  const rows: (readonly [string, string])[] = [
    ['probe', titleWithAddress(probe, detail)],
    ['result', resultText(line)],
    ['output', output],
    ['error', error],
    // What a command wrote may be all that is known.
    ['cause', cause?.text === output.trim() ? '' : (cause?.text ?? '')],
    ['event', event === undefined ? '' : `${event.type}  ${event.reason}  ${event.message}`],
    ['latency', `${formatSeconds(latency / 1000)}${tries > 1 ? `, ${tries} tries` : ''}`],
    ...(verbose && detail !== undefined ? wireRows(detail, output) : []),
  ];
  return rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      const shown = indented(text, style);
      const tone = name === 'result' ? resultTone(line) : 'plain';
      return `${style.paint(name.padEnd(NAME_COLUMNS), 'dim')}${style.paint(shown, tone)}\n`;
    })
    .join('');
}

function titleWithAddress(probe: ReportedProbe, detail?: AttemptDetail): string {
  const { address = '', via } = detail ?? {};
  const title = probeTitle(probe);
  // The address of a command is the command with its variables expanded.
  const command = probeOf(probe.container, probe.probeType)?.exec?.command ?? [];
  const isKnown = title.includes(address) || address === command.join(' ');
  const at = isKnown ? title : `${title} at ${address}`;
  return via === undefined ? at : `${at}, via ${via}`;
}

function resultTone(line: OnceAttempt['line']): Tone {
  const result = resultName(line);
  return result === 'success' ? 'good' : result === 'failure' ? 'bad' : 'warn';
}

function resultText({ result, error }: OnceAttempt['line']): string {
  if (error !== undefined)
    return 'error: the attempt could not be made, so the kubelet discards it';
  return result === 'warning' ? 'warning, which counts as a success' : result;
}

function wireRows(
  { request = '', response = '', body, timings }: AttemptDetail,
  output: string,
): (readonly [string, string])[] {
  const received = body === undefined ? '' : new TextDecoder().decode(body);
  return [
    ['request', marked('>', request)],
    ['response', marked('<', response)],
    ['body', received === output ? '' : received],
    ['timings', timingsText(timings)],
  ];
}

function marked(mark: string, text: string): string {
  const lines = text.trimEnd().split(/\r?\n/);
  return text.trim() === '' ? '' : lines.map((line) => `${mark} ${line}`).join('\n');
}

/** Lists the steps: `lookup 0.3 ms, connect 0.5 ms, TLS 2.1 ms, first byte 3.0 ms, total 3.2 ms`. */
function timingsText({ lookup, connect, tls, firstByte, total }: AttemptTimings): string {
  const named = { lookup, connect, TLS: tls, 'first byte': firstByte, total };
  return Object.entries(named)
    .flatMap(([name, time]) => (time === undefined ? [] : [`${name} ${time.toFixed(1)} ms`]))
    .join(', ');
}

const NAME_COLUMNS = 9;

function indented(text: string, { wrap }: TextStyle): string {
  return escapeControlInLines(text.replaceAll('\r\n', '\n').trimEnd())
    .split('\n')
    .map((line) => wrap(line, NAME_COLUMNS, NAME_COLUMNS))
    .join(`\n${' '.repeat(NAME_COLUMNS)}`);
}

/** Returns one of several attempts as a line; `width` is that of the longest title. */
export function attemptLine(
  probe: ReportedProbe,
  { line, cause }: OnceAttempt,
  width = 0,
  style: TextStyle = UNPAINTED,
): string {
  const { error, latency, threshold } = line;
  const run =
    error === undefined ? `${Math.min(line.resultRun, threshold)} of ${threshold}` : 'not counted';
  const output = (error ?? line.output).trim();
  const text = cause?.text === undefined ? output : `${output} (${cause.text})`;
  const result = resultName(line).padEnd('success'.length);
  const begin = escapeControl(`${clockColumn(line.t)}  ${probeTitle(probe).padEnd(width)}  `);
  const end = `  (${run}, ${formatSeconds(latency / 1000)})${text === '' ? '' : `  ${text}`}`;
  const head = begin + result;
  const wrapped = style.wrap(head + escapeControl(end), clockColumn(line.t).length + 2);
  const painted = begin + style.paint(result, resultTone(line));
  return `${wrapped.startsWith(head) ? painted + wrapped.slice(head.length) : wrapped}\n`;
}

export function tallyLine(probe: ReportedProbe, tally: Tally): string {
  const { successes, failures, errors, latency } = tally;
  const attempts = successes + failures + errors;
  const counts = [
    counted(attempts, 'attempt'),
    `${successes} succeeded`,
    `${failures} failed`,
    ...(errors === 0 ? [] : [`${errors} not counted`]),
  ];
  const times =
    latency === undefined
      ? ''
      : `; latency min ${formatSeconds(latency.min / 1000)}, mean ${formatSeconds(latency.sum / attempts / 1000)}, max ${formatSeconds(latency.max / 1000)}`;
  return `${escapeControl(`${probeTitle(probe)}: ${counts.join(', ')}${times}`)}\n`;
}

export interface ReportedProbe extends FailedProbe {
  readonly named: boolean;
}

/** Returns `web/app liveness http :8080/healthz`; without the names where no manifest has them. */
export function probeTitle(probe: ReportedProbe): string {
  const spec = probeOf(probe.container, probe.probeType);
  const what = spec === undefined ? '' : handlerText(spec, probe.container);
  if (!probe.named) return what;
  return `${probe.pod.metadata.name}/${probe.container.name} ${probe.probeType}: ${what}`;
}

/** Returns `success`, `warning`, `failure`, or `error` for a discarded attempt. */
export function resultName({ result, error }: OnceAttempt['line']): string {
  return error === undefined ? result : 'error';
}
