import { isFailing } from '../diagnosis/fault.js';
import { diagnosisText, firstChange, headline, outlookText } from '../diagnosis/words.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import type { Position } from '../manifest/documents/source-file.js';
import { formatLatency, secondsOrDash } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { percentile } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { Check } from './check.js';
import { annotation, data } from './findings-formats.js';
import { withField, withHint } from './format-diagnostic.js';
import { type JunitCase, junitSuites } from './junit.js';
import {
  endSentence,
  isCutShort,
  type Outcome,
  outcomeOfRun,
  type ReportedManifest,
  type ReportedPod,
  type RunReport,
  type SettingEffect,
} from './run-report.js';
import { numberRows } from './what-if-text.js';

/** Reports a suite per pod, with a test per container and probe. */
export function junitReport(report: RunReport): string {
  const { command, pods, result } = report;
  const ofRun = checksOf(report).map((check) => junitCase(command, check));
  const first = ofRun.length === 0 ? [] : [{ name: command, cases: ofRun }];
  const suites = pods.map(({ pod: { key }, outcomes }) => {
    const cases = outcomes.map((each) => junitCase(`${key}/${each.container}`, each));
    return { name: key, cases };
  });
  return junitSuites(command, [...first, ...suites], result?.text);
}

/** Returns the checks of the whole run; the text of one that was refused has all errors. */
function checksOf(report: RunReport): readonly Check[] {
  const { checks = [], refused = [] } = report;
  const failure = outcomeOfRun(report);
  if (failure === undefined) return checks;
  const text = [failure.text, ...refused.map(diagnosticText)].join('\n');
  return [...checks, { ...failure, text }];
}

/** Returns `pod.yaml:7: spec.containers[0].image: required`. */
export function diagnosticText(diagnostic: Diagnostic): string {
  const { file, line, hint } = diagnostic;
  return `${file}:${line}: ${withHint(withField(diagnostic), hint)}`;
}

function junitCase(
  classname: string,
  { name, kind, type, text, time = 0 }: Check & Partial<Pick<Outcome, 'type' | 'time'>>,
): JunitCase {
  const common = { classname, name, time };
  if (kind === 'passed') return { ...common, output: text };
  if (kind === 'skipped') return { ...common, skipped: text };
  const problem = { kind: kind === 'failed' ? 'failure' : kind, message: text, text } as const;
  return { ...common, problem: { ...problem, ...(type !== undefined && { type }) } };
}

/** Reports the same tests in the Test Anything Protocol, version 13. */
export function tapReport(report: RunReport): string {
  const { command, pods, ending, refused } = report;
  const probes = pods.flatMap(({ pod, outcomes }) =>
    outcomes.map((each) => ({ ...each, name: `${pod.key} ${each.name}` })),
  );
  const ofRun = checksOf(report).map((each) => ({ ...each, name: `${command}: ${each.name}` }));
  const isIncomplete = isCutShort(ending) || refused !== undefined;
  const bailOut = isIncomplete ? [`Bail out! ${tapText(endSentence(ending))}`] : [];
  const lines = [...ofRun, ...probes].flatMap(({ kind, text, name }, index) => {
    const isOk = kind === 'passed' || kind === 'skipped';
    const skip = kind === 'skipped' ? ` # SKIP ${tapText(text)}` : '';
    const detail = isOk
      ? []
      : ['  ---', `  message: ${JSON.stringify(escapeControl(text))}`, '  ...'];
    return [`${isOk ? 'ok' : 'not ok'} ${index + 1} - ${tapText(name)}${skip}`, ...detail];
  });
  const plan = `1..${ofRun.length + probes.length}`;
  return ['TAP version 13', plan, ...lines, ...bailOut, ''].join('\n');
}

/** Escapes `#`, which would begin a directive. */
function tapText(text: string): string {
  return escapeControl(text).replaceAll(/[\\#]/g, String.raw`\$&`);
}

/** Prints workflow commands of GitHub Actions at lines of the manifest, as `kprobe lint -o github` does. */
export function githubReport(report: RunReport): string {
  const { command, pods, ending, checks = [], refused = [] } = report;
  const refusals = refused.map((diagnostic) => annotation(command, diagnostic, 'error'));
  const lines = pods.flatMap(({ pod, diagnoses, marks, manifest }) =>
    diagnoses.map((diagnosis) => {
      const mark = marks.find((each) => each.diagnosis === diagnosis);
      const message = `${pod.key}: ${diagnosisText(diagnosis)}`;
      const level = isFailing(diagnosis) ? 'error' : 'warning';
      return placedCommand(command, message, manifest, mark, level);
    }),
  );
  const placed = checks.flatMap((check) => placedCheck(report, check));
  const isNamed =
    refused.length > 0 ||
    checks.some(({ kind, place }) => kind === 'failed' && place !== undefined) ||
    pods.some(({ diagnoses }) => diagnoses.some(isFailing));
  const isBad = ending.exitCode !== 0 && !isNamed;
  const ofRun = isBad || isCutShort(ending) ? [undiagnosed(report)] : [];
  return [...refusals, ...lines, ...placed, ...ofRun].map((line) => `${line}\n`).join('');
}

/** A check of a field: an error when it failed, a warning when it got worse. */
function placedCheck(
  { command, pods }: RunReport,
  { kind, place, isWorse, text }: Check,
): string[] {
  if (place === undefined || (kind !== 'failed' && isWorse !== true)) return [];
  const manifest = pods.find(({ pod }) => pod.key === place.pod)?.manifest;
  const position = manifest?.positions(place.path);
  const message = `${place.pod}: ${text}`;
  const level = kind === 'failed' ? 'error' : 'warning';
  return [placedCommand(command, message, manifest, position, level)];
}

/** An error at a place in the user's manifest, or else of the whole run. */
function placedCommand(
  command: string,
  message: string,
  manifest: ReportedManifest | undefined,
  place: Position | undefined,
  level: 'error' | 'warning' = 'error',
): string {
  if (place === undefined || manifest?.isFile !== true) {
    return `::${level} title=${command}::${data(message)}`;
  }
  const { line, column } = place;
  const common = { severity: level, file: manifest.file, line, column, field: '' } as const;
  return annotation(command, { ...common, message }, 'error');
}

/** Reports the failure that no diagnosis explains; for a shutdown, at the grace period. */
function undiagnosed({ command, pods, ending, checks }: RunReport): string {
  const manifest = pods[0]?.manifest;
  const place = checks && manifest?.positions('spec.terminationGracePeriodSeconds');
  return placedCommand(command, endSentence(ending), manifest, place);
}

const SIGNS = { passed: '✅', failed: '❌', error: '⚠️', skipped: '➖' } as const;

/** Summarizes a run for a pull request or a job, in GitHub's Markdown. */
export function markdownReport(report: RunReport): string {
  const { command, ending, pods, effects, result, checks = [], refused } = report;
  const sign = ending.exitCode === 0 ? SIGNS.passed : SIGNS.failed;
  const after = `after ${secondsOrDash(ending.t)}, exit code ${ending.exitCode}`;
  return [
    `## ${sign} ${markdown(command)}: ${markdown(endSentence(ending))}`,
    '',
    ...(refused === undefined ? [`${after}.`] : refusedMarkdown(refused)),
    ...checksMarkdown(checks),
    ...pods.flatMap(podMarkdown),
    ...(effects.length === 0 ? [] : ['', '### With another setting', '', ...effectsTable(effects)]),
    ...(result === undefined ? [] : ['', `### ${result.title}`, '', fenced(result.text)]),
    '',
  ].join('\n');
}

function checksMarkdown(checks: readonly Check[]): string[] {
  if (checks.length === 0) return [];
  const rows = checks.map(({ name, kind, text, isWorse }) => {
    const sign = isWorse === true && kind === 'passed' ? '⚠️' : SIGNS[kind];
    return `| ${sign} ${kind} | ${markdown(name)} | ${markdown(text)} |`;
  });
  return ['', '| result | check | |', '| --- | --- | --- |', ...rows];
}

function podMarkdown({ pod, outcomes, diagnoses, marks, manifest }: ReportedPod): string[] {
  const rows = outcomes.map((outcome) => {
    const { name, kind, text } = outcome;
    const latency = latencyOf(pod, outcome);
    return `| ${SIGNS[kind]} ${kind} | ${markdown(name)} | ${latency} | ${markdown(text)} |`;
  });
  const causes = diagnoses.map((diagnosis) => {
    const next = diagnosis.next && outlookText(diagnosis.next);
    const mark = marks.find((each) => each.diagnosis === diagnosis);
    const place = mark && manifest?.isFile === true ? ` (${manifest.file}:${mark.line})` : '';
    const others = [next, firstChange(diagnosis)].filter((part) => part !== undefined);
    const first = `- **${markdown(headline(diagnosis))}**${markdown(place)}`;
    return [first, ...others.map((part) => `  <br>${markdown(part)}`)].join('\n');
  });
  return [
    '',
    `### ${markdown(pod.key)}`,
    ...(causes.length === 0 ? [] : ['', ...causes]),
    '',
    '| result | probe | p50 / max | |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
}

function latencyOf({ containers }: PodSummary, { container, probe }: Outcome): string {
  const view = containers.find(({ name }) => name === container);
  const latencies = view?.probes.find(({ type }) => type === probe)?.latencies;
  const median = latencies && percentile(latencies, 50);
  return median === undefined
    ? ''
    : `${formatLatency(median)} / ${formatLatency(latencies?.max ?? 0)}`;
}

function effectsTable(effects: readonly SettingEffect[]): string[] {
  return effects.flatMap((effect) => [
    `| ${markdown(effect.pod)} | as run | \`${effect.setting}\` |`,
    '| --- | --- | --- |',
    ...numberRows(effect.before, effect.after).map((row) => `| ${row.map(markdown).join(' | ')} |`),
    '',
  ]);
}

/** Lists the errors of a manifest that nothing was started from. */
function refusedMarkdown(diagnostics: readonly Diagnostic[]): string[] {
  const items = diagnostics.map((diagnostic) => {
    const sign = diagnostic.severity === 'error' ? SIGNS.failed : SIGNS.error;
    return `- ${sign} ${markdown(diagnosticText(diagnostic))}`;
  });
  return ['Nothing was started.', '', ...items];
}

/** Escapes what Markdown or HTML would interpret. */
function markdown(text: string): string {
  return escapeControl(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#|!~>@]/g, String.raw`\$&`);
}

/** Returns a code block whose fence no line of the text closes. */
function fenced(text: string): string {
  const ticksInText = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(ticksInText + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
