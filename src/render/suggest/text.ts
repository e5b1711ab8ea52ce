import { dumpYaml } from '../../manifest/dump-yaml.js';
import type { Suggestion, Trade } from '../../suggest/suggest.js';
import type { PodNumbers } from '../../trace/summary/pod-numbers.js';
import { escapeControl } from '../escape.js';
import { numbersTable } from '../what-if/comparison.js';
import { seconds, table } from '../what-if/table.js';

export interface SuggestReport {
  readonly pods: readonly {
    readonly pod: string;
    readonly suggestions: readonly Suggestion[];
    readonly patch: object;
  }[];
  readonly before: readonly PodNumbers[];
  readonly after: readonly PodNumbers[];
}

/** Proposed settings with their reasons, as text that is a YAML patch: the reasons stand in comments. */
export function suggestText({ pods, before, after }: SuggestReport): string {
  const told = pods.map(({ pod, suggestions }) => {
    const none = 'nothing to propose: no probe of it has succeeded in the recording\n';
    return `${escapeControl(pod)}\n${suggestions.length === 0 ? none : suggestions.map(suggestionText).join('\n')}`;
  });
  const simulation = `simulated over the recording\n${numbersTable(before, after, ['recorded', 'proposed'])}`;
  const comments = commented(`${told.join('\n')}\n${simulation}`);
  return `${comments}${patches(pods)}`;
}

/** The patches alone, a document each. */
export function patches(pods: SuggestReport['pods']): string {
  return pods
    .filter(({ suggestions }) => suggestions.length > 0)
    .map(({ patch }) => dumpYaml(patch))
    .join('---\n');
}

function commented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')
    .concat('\n');
}

function suggestionText({
  container,
  probe,
  before,
  after,
  reasons,
  trades,
  runs,
  attempts,
}: Suggestion): string {
  const few = runs === 1 ? '; one start is little to go by' : '';
  const head = `\n${escapeControl(container)} ${probe}: ${settings(after)}\n  was: ${before === undefined ? 'none' : settings(before)}\n`;
  const sample = `  measured: ${attempts} attempts in ${runs} ${runs === 1 ? 'run' : 'runs'}${few}\n`;
  const why = reasons.map((reason) => `  - ${reason}\n`).join('');
  return `${head}${sample}${why}${trades.length === 0 ? '' : tradesTable(trades, after.failureThreshold)}`;
}

function settings(probe: Suggestion['after']): string {
  const { initialDelaySeconds, periodSeconds, timeoutSeconds, failureThreshold } = probe;
  return `every ${periodSeconds} s, timeout ${timeoutSeconds} s, ${failureThreshold} to fail, initial delay ${initialDelaySeconds} s`;
}

function tradesTable(trades: readonly Trade[], chosen: number): string {
  const rows = trades.map(({ failureThreshold, detects, falseAlarms }) => [
    `${failureThreshold}`,
    seconds(detects),
    `${falseAlarms}`,
    failureThreshold === chosen ? '← proposed' : '',
  ]);
  return table([
    ['to fail', 'a hang is seen within', 'false alarms in the recording', ''],
    ...rows,
  ]);
}
