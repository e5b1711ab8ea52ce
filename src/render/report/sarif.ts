import { type Diagnostic, isAsBadAs, type Severity } from '../../manifest/diagnostic.js';
import { withField, withHint } from '../format-diagnostic.js';
import { HOMEPAGE, pageURL, type Report, type ReportedRule, VERSION } from './report.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The findings as SARIF 2.1.0, which code scanning takes; texts stand as they are. */
export function sarifReport(report: Report): string {
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
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
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

/** With exit code 2 something has not been read: consumers must not take the results for all that there is. */
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

/** The rules that are used, the described ones first. */
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
    level: isAsBadAs(severity, failOn) ? 'error' : severity === 'info' ? 'note' : severity,
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

/** A path as a URI reference, which is relative where the path is. */
function uriOf(path: string): string {
  const encoded = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}
