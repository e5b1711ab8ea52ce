import { formatDiagnostics } from '../format-diagnostic.js';
import type { Report } from './report.js';

/** The findings, each with its line and a caret, and the summary. */
export function textReport({ files, summary }: Report): string {
  const findings = files.map(({ diagnostics }) => formatDiagnostics(diagnostics)).join('');
  return `${findings}${summary.map((line) => `${line}\n`).join('')}`;
}
