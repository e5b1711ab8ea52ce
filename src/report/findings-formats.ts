import { type Diagnostic, type Fix, isAtLeast, type Severity } from '../manifest/diagnostic.js';
import { maskSource } from '../secrets/mask-source.js';
import { counted } from '../text/count.js';
import { escapeControl, printableJson } from '../text/escape.js';
import type { Tone } from '../text/line.js';
import type { TextStyle } from '../text/text-style.js';
import { HOMEPAGE, VERSION } from '../version.js';
import {
  findingCounts,
  pageURL,
  type Report,
  type ReportedFile,
  type ReportedRule,
} from './findings-report.js';
import { formatDiagnostic, formatDiagnostics, withField, withHint } from './format-diagnostic.js';
import { type JunitCase, junitXml } from './junit.js';

const FORMATS = {
  text: textReport,
  json: jsonReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport,
} satisfies Record<string, (report: Report, style: TextStyle) => string>;

export function renderReport(
  report: Report,
  format: keyof typeof FORMATS,
  style: TextStyle,
): string {
  return FORMATS[format](report, style);
}

/** Lists the findings, each with its line, a caret and its fix; then the summary. */
function textReport({ files, summary, rules, command }: Report, style: TextStyle): string {
  const advice = rules.filter(({ reason }) => command === 'lint' && reason !== undefined);
  const advised = new Set(advice.map(({ id }) => id));
  const diagnostics = files.flatMap((file) => file.diagnostics);
  const findings = formatDiagnostics(diagnostics, (each) => finding(each, advised, style));
  // Without files there is nothing to summarize.
  const end = files.length === 0 ? [] : summary;
  return `${findings}${end.map((line) => `${line}\n`).join('')}`;
}

function finding(diagnostic: Diagnostic, advised: ReadonlySet<string>, style: TextStyle): string {
  const { rule = '', message, hint, fix } = diagnostic;
  if (!advised.has(rule)) return `${formatDiagnostic(diagnostic, style)}\n`;
  const { hint: _hint, ...plain } = diagnostic;
  const named = { ...plain, message: `${withHint(message, hint)} [${rule}]` };
  return `${formatDiagnostic(named, style)}\n${fix === undefined ? '' : fixText(fix, style)}`;
}

/** Leaves out the lines of the diff that name the file. */
function fixText({ diff, safe }: Fix, { paint }: TextStyle): string {
  const lines = diff.replace(/\n$/, '').split('\n').slice(2);
  const head = safe ? '--fix makes this change:' : 'a suggestion, which --fix does not make:';
  const rows = lines.map((line) => `    ${paint(escapeControl(line), diffTone(line))}\n`);
  return `    ${head}\n${rows.join('')}`;
}

function diffTone(line: string): Tone {
  if (line.startsWith('+')) return 'good';
  if (line.startsWith('-')) return 'bad';
  return line.startsWith('@@') ? 'info' : 'plain';
}

function jsonReport({ command, files, problems }: Report): string {
  const report = {
    kprobe: VERSION,
    command,
    summary: findingCounts(files),
    problems,
    files: files.map(({ file, objects, jsonFields, diagnostics }) => ({
      file,
      objects,
      ...jsonFields,
      diagnostics: diagnostics.map(diagnosticJson),
    })),
  };
  return `${printableJson(report, 2)}\n`;
}

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
    ...(fix && {
      fix: { ...fix, edits: fix.edits.map((e) => ({ ...e, text: maskSource(e.text) })) },
    }),
  };
}

/** Prints workflow commands of GitHub Actions, which appear at their lines in a pull request; then the summary. */
function githubReport({ command, files, problems, summary, failOn = 'error' }: Report): string {
  const commands = files.flatMap(({ diagnostics }) =>
    diagnostics.map((diagnostic) => annotation(`kprobe ${command}`, diagnostic, failOn)),
  );
  const errors = problems.map((problem) => `::error title=kprobe ${command}::${data(problem)}`);
  return [...errors, ...commands, ...summary].map((line) => `${line}\n`).join('');
}

export function annotation(command: string, diagnostic: Diagnostic, failOn: Severity): string {
  const { severity, file, line, column, hint, rule } = diagnostic;
  const properties = {
    file,
    line: String(line),
    col: String(column),
    title: rule === undefined ? command : `${command}: ${rule}`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  const level = isAtLeast(severity, failOn) ? 'error' : severity === 'info' ? 'notice' : severity;
  return `::${level} ${list.join(',')}::${data(withHint(withField(diagnostic), hint))}`;
}

/** Ports escapeData of the runner's toolkit (actions/toolkit packages/core/src/command.ts). */
export function data(text: string): string {
  return escapeControl(text).replaceAll('%', '%25');
}

/** Ports escapeProperty. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Reports each file as a test, which fails when a finding in it does. */
function junitReport({ command, files, problems, failOn = 'error' }: Report): string {
  const classname = `kprobe ${command}`;
  const errors = problems.map((message): JunitCase => {
    const problem = { kind: 'error', message, text: message } as const;
    return { classname, name: 'input', time: 0, problem };
  });
  const cases = files.map((file) => junitCase(classname, file, failOn));
  return junitXml(classname, [...errors, ...cases]);
}

function junitCase(
  classname: string,
  { file, diagnostics }: ReportedFile,
  failOn: Severity,
): JunitCase {
  const common = { classname, name: file, time: 0 };
  const failures = diagnostics.filter(({ severity }) => isAtLeast(severity, failOn));
  const [first] = failures;
  const text = formatDiagnostics(diagnostics);
  if (first === undefined) return { ...common, ...(text !== '' && { output: text }) };
  const count = counted(failures.length, failOn === 'error' ? 'error' : 'finding');
  const message = `${count}: ${withField(first)}`;
  return { ...common, problem: { kind: 'failure', type: first.rule ?? 'error', message, text } };
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Prints the findings as SARIF 2.1.0 for code scanning; texts are not escaped. */
function sarifReport(report: Report): string {
  const { command, files, rules, failOn = 'error' } = report;
  const diagnostics = files.flatMap((file) => file.diagnostics);
  const described = rulesOf(rules, diagnostics);
  const driver = { name: `kprobe ${command}`, version: VERSION, informationUri: HOMEPAGE };
  const run = {
    tool: { driver: { ...driver, rules: described.map(descriptor) } },
    invocations: [invocation(report)],
    columnKind: 'unicodeCodePoints',
    results: diagnostics.map((diagnostic) => result(diagnostic, described, failOn)),
  };
  return `${printableJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`;
}

function descriptor({ id, title, reason = title, page }: ReportedRule): object {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: reason },
    ...(page !== undefined && {
      helpUri: pageURL(page),
      help: { text: `${reason}\n${pageURL(page)}` },
    }),
  };
}

/** After exit code 2 something was not read, and consumers must know that results are missing. */
function invocation({ exitCode, problems, files }: Report): object {
  const notifications = [
    ...problems.map((text) => ({ level: 'error', message: { text } })),
    ...files
      .flatMap(({ unreadable, diagnostics }) => (unreadable ? diagnostics : []))
      .filter(({ severity }) => severity === 'error')
      .map((error) => ({ level: 'error', message: message(error), locations: [location(error)] })),
  ];
  return {
    executionSuccessful: exitCode < 2,
    exitCode,
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
}

function rulesOf(
  rules: readonly ReportedRule[],
  diagnostics: readonly Diagnostic[],
): readonly ReportedRule[] {
  const used = new Set(diagnostics.map(ruleId));
  const described = rules.filter(({ id }) => used.has(id));
  const known = new Set(described.map(({ id }) => id));
  const others = [...used].filter((id) => !known.has(id));
  return [...described, ...others.map((id) => ({ id, title: id }))];
}

function ruleId({ rule, severity }: Diagnostic): string {
  return rule ?? severity;
}

function result(diagnostic: Diagnostic, rules: readonly ReportedRule[], failOn: Severity): object {
  const { severity } = diagnostic;
  const id = ruleId(diagnostic);
  return {
    ruleId: id,
    ruleIndex: rules.findIndex((rule) => rule.id === id),
    level: isAtLeast(severity, failOn) ? 'error' : severity === 'info' ? 'note' : severity,
    message: message(diagnostic),
    locations: [location(diagnostic)],
  };
}

function message(diagnostic: Diagnostic): object {
  return { text: withHint(withField(diagnostic), diagnostic.hint) };
}

function location({ file, line, column, field, source }: Diagnostic): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: {
        startLine: line,
        startColumn: column,
        ...(source !== undefined && { snippet: { text: source } }),
      },
    },
    ...(field !== '' && { logicalLocations: [{ fullyQualifiedName: field }] }),
  };
}

/** Returns a path as a URI reference, relative where the path is. */
function uriOf(path: string): string {
  const encoded = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}
