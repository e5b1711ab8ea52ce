import type { Span } from '../../schedule/probe-times.js';
import { counted } from '../../text/count.js';
import { formatRange } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import { table } from '../../text/table.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';
import type { ContainerChange, ProbeChange, TimeChange } from './container-changes.js';
import type { Difference, ObjectDifference } from './diff-objects.js';
import type { FieldChange } from './field-change.js';

export function diffText(differences: readonly Difference[], style = UNPAINTED): string {
  if (differences.length === 0) return 'no pod and no workload differs\n';
  return differences.map((difference) => objectText(difference, style)).join('\n');
}

function objectText(difference: Difference, style: TextStyle): string {
  const { kind, namespace, name } = difference;
  const title = style.paint(escapeControl(`${kind} ${namespace}/${name}`), 'strong');
  if (difference.in !== 'both') return `${title}: only ${difference.in}\n`;
  const { fields, containers, behavior } = difference;
  return [
    `${title}\n`,
    updateText(difference, style),
    table(fields.map((each) => [each.path, arrow(each), ...(each.refused ? ['refused'] : [])])),
    section(
      'containers',
      containers.map((change) => containerRow(change, difference)),
    ),
    section('the pod', behavior.times.map(timeRow)),
    ...behavior.containers.flatMap((container) => [
      section(container.name, container.times.map(timeRow)),
      ...container.probes.map((probe) => probeText(container.name, probe)),
    ]),
  ].join('');
}

function updateText(
  { kind, errors, fields, rollout, behavior }: ObjectDifference,
  style: TextStyle,
): string {
  if (errors.length > 0) {
    const lines = errors.map(({ message }) => row(escapeControl(message), style, 4));
    const refused = 'refused: nothing changes, unless the object is deleted and created again';
    return `${style.paint(row(refused, style, 2), 'bad')}${lines.join('')}`;
  }
  const scale = fields.map((change) => scaleText(kind, change)).join('');
  if (rollout !== undefined) return `${row(rollout.text, style, 2)}${scale}`;
  if (kind !== 'Pod') return scale || '  its pods stay as they are\n';
  // The API server accepts changed probes of a pod only where the kubelet applies them.
  const probes = behavior.containers.flatMap((container) => container.probes);
  if (!probes.some(({ what, settings }) => what !== 'changed' || settings.length > 0)) return '';
  return row(
    'changed probes take effect in the running pod: no container restarts for them',
    style,
    2,
  );
}

/** Describes a change of the number of pods; empty for other fields. */
function scaleText(kind: string, { path, before, after }: FieldChange): string {
  if (kind === 'Job' && path === 'spec.suspend')
    return after === true ? '  its running pods are deleted\n' : '';
  const [from, to] = [Number(before ?? 1), Number(after ?? 1)];
  if (path === 'spec.parallelism') return `  at most ${counted(to, 'pod')} at a time\n`;
  if (path !== 'spec.replicas' || from === to) return '';
  const count = Math.abs(to - from);
  return `  ${counted(count, 'pod is', 'pods are')} ${to < from ? 'deleted' : 'created'}\n`;
}

function row(text: string, style: TextStyle, indent: number): string {
  return `${style.wrap(' '.repeat(indent) + text, indent)}\n`;
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  const indented = table(rows).replace(/^/gm, '  ').replace(/ +$/, '');
  return rows.length === 0 ? '' : `  ${title}\n${indented}`;
}

function containerRow(change: ContainerChange, { kind, errors }: ObjectDifference): string[] {
  const { name, role, hash } = change;
  const title = role === 'container' ? name : `${name} (${role})`;
  if (hash.before === undefined) return [title, 'only after'];
  if (hash.after === undefined) return [title, 'only before'];
  return [
    title,
    `hash ${hash.before} → ${hash.after}`,
    restartText(change, kind, errors.length > 0),
  ];
}

function restartText({ stops }: ContainerChange, kind: string, refused: boolean): string {
  if (kind !== 'Pod') return 'other image';
  if (refused) return 'would restart, but the change is refused';
  if (stops === undefined) return 'does not run again';
  return `restarts: stopped in ${formatRange(stops)}, then started at once`;
}

function probeText(container: string, { type, what, settings, times }: ProbeChange): string {
  const title = `${container}/${type}`;
  const rows = [...settings.map((change) => [change.path, arrow(change)]), ...times.map(timeRow)];
  return section(what === 'changed' ? title : `${title} (${what})`, rows);
}

function timeRow({ topic, since, before, after }: TimeChange): string[] {
  return [topic, `${spanOf(before)} → ${spanOf(after)} after ${since}`];
}

function spanOf(span: Span | undefined): string {
  if (span === undefined) return 'none';
  return span.from === Infinity ? 'never' : formatRange(span);
}

function arrow({ before, after }: FieldChange): string {
  return `${valueText(before)} → ${valueText(after)}`;
}

const MAX_VALUE = 60;

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}
