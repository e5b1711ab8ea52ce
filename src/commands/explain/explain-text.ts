import type { EventMeaning } from '../../diagnosis/words.js';
import type { ExplainedContainer, ExplainedMoment, Field } from '../../schedule/explain-pod.js';
import { spanText } from '../../schedule/probe-times.js';
import type { BackOffStep } from '../../schedule/restarts.js';
import { counted } from '../../text/count.js';
import { formatRange, formatSeconds } from '../../text/duration.js';
import { escapeControl, shorten } from '../../text/escape.js';
import { hangingRows, type Line, line, span, type Tone } from '../../text/line.js';
import { alignRows } from '../../text/table.js';
import type { TextStyle } from '../../text/text-style.js';
import type {
  ExplainedRollout,
  ExplainedWorkload,
  RolloutSettings,
  SimulatedRollout,
} from './explain-rollout.js';

const ASSUMED =
  'No other container of the pod is being stopped or runs a hook at that time. Before a change, answers took less than a period, and initial delays were over. Restarts are first restarts; the back-off table shows the delays of later ones.';

const INDENT = 2;
const TOPIC_WIDTH = 26;

export function explainLines(pod: ExplainedWorkload, columns: number): Line[] {
  return [
    line(pod.pod, 'strong'),
    ...textLines('assumed', ASSUMED, columns, 'dim'),
    ...[pod.ready, pod.gone].flatMap((moment) => momentLines(moment, 'spec', columns)),
    ...(pod.rollout === undefined ? [] : rolloutLines(pod.rollout, columns)),
    ...pod.containers.flatMap((container) => [[], ...containerLines(container, columns)]),
  ];
}

function rolloutLines(rollout: ExplainedRollout, columns: number): Line[] {
  const text = textLines('rollout', rolloutText(rollout), columns, 'info');
  if (rollout.simulated === undefined) return text;
  const simulated = `As kubectl rollout restart: the controllers of Kubernetes v1.36 replace all pods in virtual time, on ${counted(rollout.simulated.nodes, 'node')} with a simulated kubelet for each pod. kprobe rollout shows each step, and takes slow containers, requests and drains.`;
  const assumed = `Assumed: ${rollout.assumed.join('; ')}.`;
  return [...text, ...textLines('', simulated, columns), ...textLines('', assumed, columns, 'dim')];
}

function containerLines(container: ExplainedContainer, columns: number): Line[] {
  const { name, role, path, life, failures, probes, backOff } = container;
  const heading: Line = [span(name, 'strong'), span(role === 'container' ? '' : ` (${role})`)];
  return [
    heading,
    ...[...life, ...failures].flatMap((moment) => momentLines(moment, path, columns)),
    ...backOffLines(backOff, columns),
    ...probes.flatMap(({ type, sentences }) => [
      [],
      line(`${name}/${type}`, 'strong'),
      ...sentences.flatMap(({ topic, text }) => textLines(topic, text, columns)),
    ]),
  ];
}

function momentLines(moment: ExplainedMoment, owner: string, columns: number): Line[] {
  const fields = moment.fields
    .filter(({ value }) => value !== undefined)
    .map((field) => fieldText(field, owner));
  return [
    ...textLines(moment.topic, spanText(moment), columns, 'info'),
    ...textLines('', moment.reason, columns),
    ...(fields.length === 0 ? [] : textLines('', fields.join(', '), columns, 'dim')),
  ];
}

/** Writes a field of the container without the container's path, other fields from the spec on. */
function fieldText({ path, value, isDefault }: Field, owner: string): string {
  const prefix = `${owner}.`;
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : path.replace(/^spec\./, '');
  const shown = typeof value === 'number' || typeof value === 'string' ? ` ${value}` : '';
  return `${name}${shown}${isDefault ? ' (default)' : ''}`;
}

function backOffLines(steps: readonly BackOffStep[], columns: number): Line[] {
  if (steps.length === 0) return [];
  const rows = backOffRows(steps).map((row) => [
    span(' '.repeat(INDENT + TOPIC_WIDTH)),
    span(row, 'info'),
  ]);
  return [
    ...textLines('back-off', 'From its end to the next start, and so on:', columns),
    ...rows,
    ...textLines('', backOffNote(steps), columns),
  ];
}

function textLines(topic: string, text: string, columns: number, tone: Tone = 'plain'): Line[] {
  const head = span(`  ${topic.padEnd(TOPIC_WIDTH)}`);
  return hangingRows(head, text, Math.max(INDENT + TOPIC_WIDTH + 20, columns), tone);
}

/** Returns rows of a table: how long after its end a container is started again, for each restart. */
function backOffRows(steps: readonly BackOffStep[]): string[] {
  const isProbed = steps.some(({ neverAnswers }) => neverAnswers !== undefined);
  const rows = steps.map(({ restart, exited, killed, neverAnswers }) => {
    const prefix = [`${restart}`, formatRange(exited.span)];
    if (neverAnswers === undefined) return prefix;
    const afterKill = killed.delay === 0 ? 'at once' : `${formatRange(killed.span)} *`;
    return [...prefix, afterKill, neverAnswers.to === 0 ? 'at once' : formatRange(neverAnswers)];
  });
  const head = ['restart', 'it exits', ...(isProbed ? ['a probe kills it', 'never answers'] : [])];
  return alignRows([head, ...rows]);
}

function backOffNote(steps: readonly BackOffStep[]): string {
  const resetNote = 'A run of ten minutes resets it.';
  const isProbed = steps.some(({ neverAnswers }) => neverAnswers !== undefined);
  if (!isProbed) return resetNote;
  const maxDelay = steps.at(-1)?.exited.delay ?? 0;
  return `* At once if the back-off is over by then: a kill counts it from the end before its own, so after a wait of ${maxDelay} s the next is at once. ${resetNote}`;
}

const LABELS = { cause: 'cause', change: 'help', next: 'next' } as const;
const EVENT_INDENT = '  cause  '.length;

export function eventText(meaning: EventMeaning, style: TextStyle): string {
  const rows = (['cause', 'change', 'next'] as const).flatMap((key) => {
    const text = meaning[key];
    if (text === undefined || text === '') return [];
    const label = `  ${LABELS[key].padEnd(EVENT_INDENT - 4)}  `;
    const shown = style.wrap(`${label}${escapeControl(shorten(text))}`, EVENT_INDENT);
    return [`${style.paint(label, 'dim')}${shown.slice(label.length)}\n`];
  });
  const head = `${meaning.reason}: ${escapeControl(meaning.meaning)}`;
  return `${style.paint(style.wrap(head, 2), 'strong')}\n${rows.join('')}`;
}

/** A rollout in one sentence: its end, the least number of replicas, and the settings that decide. */
export function rolloutText({ blocked, simulated, settings }: ExplainedRollout): string {
  if (blocked !== undefined) return `a change does not roll out: ${blocked}`;
  if (simulated === undefined) {
    return settings.replicas === 0
      ? 'nothing rolls out: 0 replicas'
      : 'not simulated: too many replicas for explain; see kprobe rollout';
  }
  return `${simulatedText(simulated)} (${rolloutSettingsText(settings)})`;
}

function simulatedText(rollout: SimulatedRollout): string {
  const { doneAt, seconds, counts, leastReady, leastEndpoints } = rollout;
  const { wanted, updated } = counts;
  const { count, seconds: lasting } = leastEndpoints;
  const end =
    doneAt === undefined
      ? `not rolled out after ${formatSeconds(seconds)}: ${updated} of ${counted(wanted, 'replica is', 'replicas are')} new`
      : `rolled out in ${formatSeconds(doneAt)}`;
  const ready =
    leastReady >= wanted
      ? `never fewer than ${counted(wanted, 'ready replica')}`
      : `at least ${leastReady} of ${counted(wanted, 'replica')} ready`;
  const fewer =
    count >= wanted ? '' : `, ${counted(count, 'ready endpoint')} for ${formatSeconds(lasting)}`;
  return `simulated: ${end}; ${ready}${fewer}`;
}

/** `maxSurge 25 %, maxUnavailable 25 %` */
function rolloutSettingsText(settings: RolloutSettings): string {
  const { strategy, maxSurge, maxUnavailable, podManagementPolicy, partition } = settings;
  const { minReadySeconds } = settings;
  const fields = {
    maxSurge,
    maxUnavailable,
    partition: partition === 0 ? undefined : partition,
    minReadySeconds: minReadySeconds === 0 ? undefined : minReadySeconds,
  };
  return [
    ...(strategy === 'RollingUpdate' ? [] : [strategy]),
    ...(podManagementPolicy === undefined ? [] : [podManagementPolicy]),
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${String(value).replace('%', ' %')}`],
    ),
  ].join(', ');
}
