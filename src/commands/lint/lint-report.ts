import type { Diagnostic, Severity } from '../../manifest/diagnostic.js';
import { diagnosticJson } from '../../report/findings-formats.js';
import {
  pageURL,
  type Report,
  type ReportedRule,
  VALIDATE_RULES,
} from '../../report/findings-report.js';
import { counted, kindLines } from '../../text/count.js';
import { printableJson } from '../../text/escape.js';
import type { TextStyle } from '../../text/text-style.js';
import type { LintedFile } from './lint-sources.js';
import type { Rule } from './rule.js';
import { RULES } from './rules.js';

const LINT_RULES: readonly ReportedRule[] = RULES.map(({ id, summary, reason }) => ({
  id,
  title: sentenceOf(summary),
  reason,
  page: `rules/${id}.md`,
}));

function sentenceOf(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

export function lintReport(
  files: readonly LintedFile[],
  failOn: Severity,
  end: Pick<Report, 'problems' | 'exitCode'>,
): Report {
  return {
    command: 'lint',
    ...end,
    failOn,
    files: files.map(({ file, diagnostics, validated }) => ({
      file,
      diagnostics,
      objects: validated.judged,
      unreadable: validated.unreadable,
    })),
    rules: [...LINT_RULES, ...VALIDATE_RULES],
    summary: summaryOf(files),
  };
}

function summaryOf(files: readonly LintedFile[]): readonly string[] {
  const all = files.flatMap(({ diagnostics }) => diagnostics);
  const objects = files.reduce((sum, { validated }) => sum + validated.judged, 0);
  const found = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = all.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [severity === 'info' ? `${count} info` : counted(count, severity)];
  });
  const what = `${counted(files.length, 'file')}, ${counted(objects, 'object')} checked`;
  const none = objects === 0 ? 'nothing to check' : 'no findings';
  const fixable = all.filter(({ fix }) => fix?.safe === true).length;
  return [
    `${what}: ${found.length === 0 ? none : found.join(', ')}`,
    ...(fixable > 0 ? [`${fixable} of them can be fixed by --fix`] : []),
    ...kindLines(
      'only their pod templates checked',
      files.map(({ validated }) => validated.templateKinds),
    ),
    ...kindLines(
      'without a pod',
      files.flatMap(({ validated }) => [validated.otherKinds, validated.unmatchedKinds]),
    ),
  ];
}

export function diagnosticLine(diagnostic: Diagnostic): string {
  return `${printableJson({ file: diagnostic.file, ...diagnosticJson(diagnostic) })}\n`;
}

/** The rules, one a line: id, severity, what they find. */
export function ruleList(): string {
  const width = Math.max(...RULES.map(({ id }) => id.length));
  return RULES.map(({ id, severity, optIn, safeFix, summary }) => {
    const level = (optIn ? 'off' : severity).padEnd('warning'.length);
    return `${id.padEnd(width)}  ${level}  ${summary}${safeFix ? ' (--fix)' : ''}\n`;
  }).join('');
}

/** A rule in full: what it finds, why that matters, its sources and its page. */
export function ruleText(rule: Rule, { paint, wrap }: TextStyle): string {
  const { id, severity, optIn, safeFix, summary, reason, sources } = rule;
  const settings = `--pedantic, --rule ${id}, or rules: {${id}: ${severity}} in .kprobe.yaml`;
  const notes = [
    ...(optIn ? [`Off by default: ${settings}.`] : []),
    ...(safeFix ? ['--fix corrects it.'] : []),
  ];
  const page = pageURL(`rules/${id}.md`);
  return [
    `${paint(id, 'strong')}  ${severity}\n${wrap(sentenceOf(summary), 0)}\n`,
    `${wrap(reason, 0)}\n`,
    ...notes.map((note) => `${wrap(note, 0)}\n`),
    `Examples, bad and good:\n  ${page}\n`,
    `Sources:\n${sources.map((source) => `  ${source}\n`).join('')}`,
  ].join('\n');
}
