import type { Diagnostic } from '../../manifest/diagnostic.js';
import { countsOf, type Report, type ReportedFile } from './report.js';

/** All of it as one JSON value; texts stand as they are. */
export function jsonReport({ command, version, files }: Report): string {
  const report = {
    kprobe: version,
    command,
    summary: countsOf(files),
    files: files.map(fileJson),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function fileJson({ file, diagnostics, objects, more }: ReportedFile): object {
  return { file, objects, ...more, diagnostics: diagnostics.map(diagnosticJson) };
}

/** A diagnostic as machines get it, without its file. */
export function diagnosticJson(diagnostic: Diagnostic): object {
  const { severity, rule, line, column, field, message, hint, source, fix } = diagnostic;
  return {
    severity,
    rule: rule ?? null,
    line,
    column,
    field,
    message,
    hint: hint ?? null,
    source: source ?? null,
    ...(fix && { fix }),
  };
}
