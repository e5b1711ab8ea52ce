import type { Diagnostic, Severity } from '../manifest/diagnostic.js';
import { thousands } from '../text/count.js';
import { escapeControl, shorten } from '../text/escape.js';
import type { Tone } from '../text/line.js';
import { type TextStyle, UNPAINTED } from '../text/text-style.js';

/** Characters of a source line; longer ones are cut around the caret. */
const MAX_SOURCE = 100;
const ELLIPSIS = '…';

/**
 * Formats a diagnostic as compilers do: `pod.yaml:14:7: error: spec.x: unknown field (did you mean "y"?)`, and below it
 * the source line with a caret.
 */
export function formatDiagnostic(diagnostic: Diagnostic, style = UNPAINTED): string {
  const { file, line, column, severity, hint, source } = diagnostic;
  const place = `${file}:${line}:${column}`;
  const what = withHint(shorten(withField(diagnostic)), hint);
  const text = style.wrap(escapeControl(`${place}: ${severity}: ${what}`), INDENT.length);
  const head = paintedHead(text, escapeControl(place), severity, style);
  return source === undefined || source.trim() === ''
    ? head
    : `${head}\n${formatSource(source, column, style)}`;
}

const INDENT = '    ';

const TONES: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'warn', info: 'info' };

function paintedHead(
  text: string,
  place: string,
  severity: Severity,
  { paint }: TextStyle,
): string {
  const head = `${place}: ${severity}:`;
  if (!text.startsWith(head)) return text;
  return `${paint(`${place}:`, 'strong')} ${paint(`${severity}:`, TONES[severity])}${paint(text.slice(head.length), 'plain')}`;
}

/** `spec.x: unknown field` */
export function withField({ field, message }: Diagnostic): string {
  return field === '' ? message : `${field}: ${message}`;
}

/** `unknown field (did you mean "y"?)` */
export function withHint(text: string, hint: string | undefined): string {
  return hint === undefined ? text : `${text} (${hint})`;
}

/** Formats all diagnostics, but at most 50 errors. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: (diagnostic: Diagnostic) => string = (each) => `${formatDiagnostic(each)}\n`,
): string {
  let errors = 0;
  const shown = diagnostics.filter(
    ({ severity }) => severity !== 'error' || ++errors <= MAX_ERRORS,
  );
  const hidden = errors - MAX_ERRORS;
  const more = hidden > 0 ? `and ${thousands(hidden)} more\n` : '';
  return `${shown.map(format).join('')}${more}`;
}

const MAX_ERRORS = 50;

function formatSource(source: string, column: number, { paint }: TextStyle): string {
  const characters = Array.from(source);
  const from = characters.length > MAX_SOURCE ? Math.max(0, column - MAX_SOURCE / 2) : 0;
  const to = from + MAX_SOURCE;
  const before = escapeSource(characters.slice(from, column - 1).join(''));
  const after = escapeSource(characters.slice(column - 1, to).join(''));
  const head = from > 0 ? ELLIPSIS : '';
  const tail = to < characters.length ? ELLIPSIS : '';
  const blank = ' '.repeat(Array.from(head + before).length);
  return `${INDENT}${head}${before}${after}${tail}\n${INDENT}${blank}${paint('^', 'good')}`;
}

function escapeSource(text: string): string {
  return escapeControl(text.replaceAll('\t', '→'));
}
