import { type Diagnostic, isAsBadAs, type Severity } from '../../manifest/diagnostic.js';
import { escapeControl } from '../text/escape.js';
import type { Report } from './report.js';

/** Workflow commands of GitHub Actions, which show each finding at its line in a pull request; then the summary. */
export function githubReport({ command, files, summary, failOn = 'error' }: Report): string {
  const commands = files.flatMap(({ diagnostics }) =>
    diagnostics.map((diagnostic) => annotation(command, diagnostic, failOn)),
  );
  return [...commands, ...summary].map((line) => `${line}\n`).join('');
}

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

function annotation(command: string, diagnostic: Diagnostic, failOn: Severity): string {
  const { severity, file, line, column, field, message, hint, rule } = diagnostic;
  const properties = {
    file,
    line: String(line),
    col: String(column),
    title: `kprobe ${command}${rule === undefined ? '' : `: ${rule}`}`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  const what = field === '' ? message : `${field}: ${message}`;
  const level = isAsBadAs(severity, failOn) ? COMMANDS.error : COMMANDS[severity];
  return `::${level} ${list.join(',')}::${data(hint === undefined ? what : `${what} (${hint})`)}`;
}

/** Ports escapeData of the runner's toolkit (actions/toolkit packages/core/src/command.ts). */
function data(text: string): string {
  return escapeControl(text).replaceAll('%', '%25');
}

/** Ports escapeProperty. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
