import { type Diagnostic, isAsBadAs, type Severity } from '../../manifest/diagnostic.js';
import type { Report, ReportedRule } from './report.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The findings as SARIF 2.1.0, which code scanning takes; texts stand as they are. */
export function sarifReport({ command, version, files, rules, failOn = 'error' }: Report): string {
  const diagnostics = files.flatMap((file) => file.diagnostics);
  const described = rulesOf(rules, diagnostics);
  const run = {
    tool: {
      driver: {
        name: `kprobe ${command}`,
        version,
        rules: described.map(({ id, description, helpUri }) => ({
          id,
          shortDescription: { text: description },
          ...(helpUri !== undefined && { helpUri }),
        })),
      },
    },
    columnKind: 'unicodeCodePoints',
    results: diagnostics.map((diagnostic) => result(diagnostic, described, failOn)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
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
  return [...described, ...others.map((id) => ({ id, description: id }))];
}

function ruleId({ rule, severity }: Diagnostic): string {
  return rule ?? severity;
}

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

function result(diagnostic: Diagnostic, rules: readonly ReportedRule[], failOn: Severity): object {
  const { severity, file, line, column, field, message, hint, source } = diagnostic;
  const what = field === '' ? message : `${field}: ${message}`;
  const id = ruleId(diagnostic);
  return {
    ruleId: id,
    ruleIndex: rules.findIndex((rule) => rule.id === id),
    level: isAsBadAs(severity, failOn) ? LEVELS.error : LEVELS[severity],
    message: { text: hint === undefined ? what : `${what} (${hint})` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: {
            startLine: line,
            startColumn: column,
            ...(source !== undefined && { snippet: { text: source } }),
          },
        },
        ...(field !== '' && { logicalLocations: [{ fullyQualifiedName: field }] }),
      },
    ],
  };
}

/** A path as a URI reference, which is relative where the path is. */
function uriOf(path: string): string {
  const encoded = path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}
