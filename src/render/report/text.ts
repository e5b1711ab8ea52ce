import type { Diagnostic } from '../../manifest/diagnostic.js';
import { formatDiagnostic } from '../format-diagnostic.js';
import { escapeControl } from '../text/escape.js';
import type { Report } from './report.js';

/** The findings, each with its line and a caret and, where there is one, its fix; and the summary. */
export function textReport({ files, summary, rules, command }: Report): string {
  const isLint = command === 'lint';
  const advised = new Set(isLint ? rules.filter(isAdvice).map(({ id }) => id) : []);
  const findings = files.flatMap(({ diagnostics }) =>
    diagnostics.map((each) => finding(each, advised)),
  );
  return `${findings.join('')}${summary.map((line) => `${line}\n`).join('')}`;
}

/** Rules with a source to read, which can be switched off by their names. */
function isAdvice({ helpUri }: Report['rules'][number]): boolean {
  return helpUri !== undefined;
}

function finding(diagnostic: Diagnostic, advised: ReadonlySet<string>): string {
  const { rule = '', message, hint, fix } = diagnostic;
  if (!advised.has(rule)) return `${formatDiagnostic(diagnostic)}\n`;
  const { hint: _hint, ...plain } = diagnostic;
  const named = {
    ...plain,
    message: `${message}${hint === undefined ? '' : ` (${hint})`} [${rule}]`,
  };
  return `${formatDiagnostic(named)}\n${fix === undefined ? '' : diffLines(fix.diff)}`;
}

/** Without the lines that name the file, which the finding does. */
function diffLines(diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n').slice(2);
  return lines.map((line) => `    ${escapeControl(line)}\n`).join('');
}
