import { counted } from '../../text/count.js';
import { formatLatency, formatSeconds } from '../../text/duration.js';
import type { Evidence, EvidenceOf, Fault, Finding } from '../fault.js';
import { answerOfCommand } from '../trials.js';
import { firstChange, valueText } from './change-text.js';
import { plainText } from './fault-table.js';
import { atPlace, joined, shortened, socketsText } from './parts.js';

const SAID_BY_OUTPUT: ReadonlySet<Fault['kind']> = new Set(['commandFailed', 'flapping']);

/** `The reason. The change`; undefined where the attempt's own output says as much. */
export function findingText(finding: Finding | undefined): string | undefined {
  if (finding === undefined || SAID_BY_OUTPUT.has(finding.fault.kind)) return undefined;
  const text = withChange(faultText(finding), finding);
  return text === '' ? undefined : text;
}

export function withChange(text: string, finding: Finding): string {
  const change = firstChange(finding);
  if (change === undefined) return text;
  return text === '' ? change : `${text.replace(/\.$/, '')}. ${change}`;
}

/** The cause behind a failure; empty where the failure says all that is known. */
export function faultText({ fault, evidence, changes }: Omit<Finding, 'certainty'>): string {
  return joined([
    fault.kind === 'slowStart' ? '' : plainText(fault, evidence),
    ...evidenceOf('peers', evidence).map(peersText),
    ...evidenceOf('written', evidence).map(writtenText),
    ...evidenceOf('oomKills', evidence).map(killsText),
    ...evidenceOf('throttled', evidence).map(throttledText),
    budgetText(evidence),
    ...evidenceOf('stop', evidence).map(stopText),
    ...evidenceOf('late', evidence).map(({ by }) => `kprobe itself was ${formatLatency(by)} late`),
    commandAnswerText(evidence),
    changes.length === 0 ? failedTrialText(evidence) : '',
  ]);
}

function evidenceOf<K extends Evidence['kind']>(kind: K, evidence: readonly Evidence[]) {
  return evidence.filter((each): each is EvidenceOf<K> => each.kind === kind);
}

function writtenText({ text: whole, at: place, times, ago }: EvidenceOf<'written'>) {
  const text = shortened(whole);
  if (ago !== undefined)
    return `the program wrote its last line ${formatSeconds(ago)} ago: ${text}`;
  return times === undefined
    ? `the program reports: ${text}${atPlace(place)}`
    : `the program has written ${times} times: ${text}`;
}

function peersText({ peers }: EvidenceOf<'peers'>): string {
  const isAsked = peers.some((peer) => peer.isAsked);
  const text = socketsText(peers);
  return isAsked
    ? `it has asked ${text} for a connection, and waits for that`
    : `it is connected to ${text}`;
}

function killsText({ count }: EvidenceOf<'oomKills'>): string {
  return `the system has killed ${counted(count, 'process', 'processes')} there for lack of memory`;
}

function throttledText({ share }: EvidenceOf<'throttled'>): string {
  return `its CPU limit throttled it in ${Math.round(100 * share)} % of the periods in which it ran`;
}

function budgetText(evidence: readonly Evidence[]): string | undefined {
  const budget = evidence.find((each) => each.kind === 'budget');
  if (budget === undefined) return undefined;
  const { seconds, needs } = budget;
  const text = `the startup budget is ${seconds} s`;
  return needs === undefined ? text : `it needs about ${Math.ceil(needs)} s, ${text}`;
}

function stopText({ preStop, ignored, gracePeriod }: EvidenceOf<'stop'>): string {
  const hook = `its preStop hook had not ended after ${formatSeconds(preStop ?? 0)}`;
  const term = `it ignored TERM: KILL after ${gracePeriod} s`;
  return joined([preStop === undefined ? '' : hook, ignored ? term : '']);
}

function commandAnswerText(evidence: readonly Evidence[]): string | undefined {
  const trial = answerOfCommand(evidence);
  if (trial === undefined || !/^\d/.test(trial.result)) return undefined;
  return `${valueText(trial.to)} answers ${trial.result}`;
}

/** The first change that was tried without success, where no change is proposed. */
function failedTrialText(evidence: readonly Evidence[]): string | undefined {
  const trial = evidence.find((each) => each.kind === 'trial');
  const field = trial?.field.split('.').at(-1);
  if (trial === undefined || trial.isSuccess || field === 'timeoutSeconds') return undefined;
  return `${field === 'httpHeaders' ? 'the header' : field} ${valueText(trial.to)} was tried: ${trial.result}`;
}
