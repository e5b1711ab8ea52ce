import { type Diagnostic, isAsBadAs, type Severity } from '../../manifest/diagnostic.js';
import { formatDiagnostics } from '../format-diagnostic.js';
import { counted } from '../text/count.js';
import { escapeControlInLines } from '../text/escape.js';
import { xmlAttribute, xmlText } from '../text/xml.js';
import type { Report, ReportedFile } from './report.js';

/** A JUnit report: each file is a test, which fails when there is something in it that fails. */
export function junitReport({ command, files, failOn = 'error' }: Report): string {
  const failed = files.filter(
    ({ diagnostics }) => failuresOf(diagnostics, failOn).length > 0,
  ).length;
  const name = `kprobe ${command}`;
  const totals = `name="${name}" tests="${files.length}" failures="${failed}" errors="0" time="0.000"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite ${totals}>`,
    ...files.flatMap((file) => testCase(name, file, failOn)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, { file, diagnostics }: ReportedFile, failOn: Severity): string[] {
  const open = `    <testcase classname="${suite}" name="${xmlAttribute(file)}" time="0.000"`;
  if (diagnostics.length === 0) return [`${open}/>`];
  const failures = failuresOf(diagnostics, failOn);
  const text = xmlText(escapeControlInLines(formatDiagnostics(diagnostics)));
  const first = failures[0];
  if (first === undefined) {
    return [`${open}>`, `      <system-out>${text}</system-out>`, '    </testcase>'];
  }
  const message = `${counted(failures.length, failOn === 'error' ? 'error' : 'finding')}: ${first.field === '' ? '' : `${first.field}: `}${first.message}`;
  const failure = `type="${xmlAttribute(first.rule ?? 'error')}" message="${xmlAttribute(message)}"`;
  return [`${open}>`, `      <failure ${failure}>${text}</failure>`, '    </testcase>'];
}

function failuresOf(diagnostics: readonly Diagnostic[], failOn: Severity): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => isAsBadAs(severity, failOn));
}
