import type { Pod, Probe } from '../../../api/index.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import type { ContainerView, RunView } from '../../../trace/summary/container-view.js';
import { bucketBound, type Histogram, percentile } from '../../../trace/summary/histogram.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import { handlerText } from '../../probe-text.js';
import { age, formatLatency } from '../../text/duration.js';
import { EMPTY_LINE, type Line, span } from '../../text/line.js';
import { field, heading } from '../format.js';
import {
  findContainerIn,
  findProbeIn,
  type FoundContainer,
  type FoundProbe,
} from '../selection.js';
import type { Snapshot } from '../state.js';
import { causeText } from './container-line.js';
import { filteredBody, type ViewKind } from './view.js';

/** All settings of a container or a probe, and what has come of it. */
export const describeView: ViewKind = {
  title: (snapshot) => {
    const overlay = overlayOf(snapshot);
    if (overlay === undefined) return 'describe';
    const { container, probe } = overlay;
    return probe === undefined ? container : `${container}/${probe}`;
  },
  show(snapshot) {
    return { head: [], body: filteredBody('describe', lines(snapshot), snapshot.ui), tail: [] };
  },
  keys: [
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
    { key: 'x', word: 'explain', sentence: "what a probe's settings mean in time" },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
};

function lines(snapshot: Snapshot): Line[] {
  const overlay = overlayOf(snapshot);
  if (overlay === undefined) return [];
  const { probe } = overlay;
  const width = snapshot.size.columns;
  if (probe === undefined) {
    const found = findContainerIn(snapshot.summary, overlay);
    return found === undefined ? [] : containerLines(found, snapshot, width);
  }
  const found = findProbeIn(snapshot.summary, { ...overlay, probe });
  return found === undefined ? [] : probeLines(found, width);
}

function overlayOf({
  ui,
}: Snapshot): Extract<Snapshot['ui']['overlays'][number], { kind: 'describe' }> | undefined {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'describe');
  return overlay?.kind === 'describe' ? overlay : undefined;
}

/** Runs that are listed. */
const MAX_RUNS = 20;

/** A container's settings, and its runs. */
export function containerLines(
  { pod, container }: FoundContainer,
  { about }: Snapshot,
  width: number,
): Line[] {
  const { spec } = container;
  const policy = spec.restartPolicy ?? pod.object.spec.restartPolicy;
  const grace = pod.object.spec.terminationGracePeriodSeconds ?? 30;
  const simulated = about.isSimulated(pod.key, container.name);
  const rows: readonly (readonly [string, string])[] = [
    ['image', spec.image],
    ['state', container.state.text],
    ['last state', container.lastState === '' ? 'none' : container.lastState],
    ['ports', portsText(container)],
    ['command', [...(spec.command ?? []), ...(spec.args ?? [])].join(' ') || "the image's own"],
    ['env', `${spec.env?.length ?? 0} variables`],
    ['hooks', hooksText(container)],
    ['restarts', `${policy}${simulated ? ', simulated: what answers there is left alone' : ''}`],
    ['grace', `${grace} s between TERM and KILL`],
    ['probes', probesText(container)],
  ];
  return [
    ...rows.flatMap(([name, value]) => field(name, value, width)),
    EMPTY_LINE,
    heading('Runs'),
    ...container.runs.slice(-MAX_RUNS).map(runLine),
  ];
}

function portsText({ spec }: ContainerView): string {
  const ports = (spec.ports ?? []).map(({ name, containerPort, protocol = 'TCP' }) =>
    name === undefined ? `${containerPort}/${protocol}` : `${name} ${containerPort}/${protocol}`,
  );
  return ports.length === 0 ? 'none declared' : ports.join(', ');
}

function hooksText({ spec: { lifecycle } }: ContainerView): string {
  const hooks = [
    ...(lifecycle?.postStart === undefined ? [] : ['postStart']),
    ...(lifecycle?.preStop === undefined ? [] : ['preStop']),
  ];
  return hooks.length === 0 ? 'none' : hooks.join(', ');
}

function probesText({ spec, probes }: ContainerView): string {
  const texts = probes.map(({ type }) => {
    const probe = spec[`${type}Probe`];
    return probe === undefined ? type : `${type} ${handlerText(probe, spec)}`;
  });
  return texts.length === 0 ? 'none' : texts.join('; ');
}

function runLine(run: RunView): Line {
  const { startedAt, endedAt } = run;
  const from = startedAt === undefined ? 'not started' : `from ${startedAt.toFixed(1)} s`;
  if (endedAt === undefined) return [span(`  run ${run.run}  ${from}  `), span('goes on', 'good')];
  const lived = startedAt === undefined ? '' : ` for ${age(endedAt - startedAt)}`;
  const exit = run.exitCode === undefined ? '' : `, exit ${run.exitCode}`;
  const backOff = run.backOff === undefined ? '' : `, back-off ${age(run.backOff.delay)}`;
  return [
    span(`  run ${run.run}  ${from}${lived}  `),
    span(`${causeText(run)}${exit}${backOff}`, 'bad'),
  ];
}

/** A number of a probe, with what the API server would have set. */
interface Setting {
  readonly name: keyof Probe;
  readonly unit: string;
  readonly usual: number;
}

const SETTINGS: readonly Setting[] = [
  { name: 'initialDelaySeconds', unit: ' s', usual: 0 },
  { name: 'periodSeconds', unit: ' s', usual: 10 },
  { name: 'timeoutSeconds', unit: ' s', usual: 1 },
  { name: 'successThreshold', unit: '', usual: 1 },
  { name: 'failureThreshold', unit: '', usual: 3 },
];

/** A probe's settings, counters and latencies. */
export function probeLines({ pod, container, probe }: FoundProbe, width: number): Line[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  return [
    heading('Settings'),
    ...setting('handler', handlerText(spec, container.spec), false),
    ...headers(spec),
    ...SETTINGS.flatMap(({ name, unit, usual }) => {
      const value = Number(spec[name]);
      return setting(name, `${value}${unit}`, value === usual);
    }),
    ...(probe.type === 'readiness' ? [] : graceSetting(spec, pod.object)),
    EMPTY_LINE,
    heading('Counters'),
    ...counters(pod.object.metadata.namespace, pod.object.metadata.name, container.name, probe),
    EMPTY_LINE,
    heading('Latency'),
    ...latencyLines(probe, spec, width),
  ];
}

function setting(name: string, value: string, isDefault: boolean): Line[] {
  return [
    [
      span(`  ${name.padEnd(31)}`, 'dim'),
      span(value),
      ...(isDefault ? [span('  (default)', 'dim')] : []),
    ],
  ];
}

/** A probe that kills may have a grace period of its own. */
function graceSetting({ terminationGracePeriodSeconds: own }: Probe, { spec }: Pod): Line[] {
  const grace = own ?? spec.terminationGracePeriodSeconds ?? 30;
  const whose = own === undefined ? ", the pod's" : '';
  return setting('terminationGracePeriodSeconds', `${grace} s${whose}`, own === undefined);
}

function headers({ httpGet }: Probe): Line[] {
  return (httpGet?.httpHeaders ?? []).flatMap(({ name, value }) =>
    setting('header', `${name}: ${value}`, false),
  );
}

/** As the kubelet's metrics have them; errored attempts count nowhere there. */
function counters(namespace: string, pod: string, container: string, probe: ProbeView): Line[] {
  const labels = `container="${container}",namespace="${namespace}",pod="${pod}"`;
  const type = `${probe.type.charAt(0).toUpperCase()}${probe.type.slice(1)}`;
  const row = (result: string, count: number): Line => [
    span(`${count}`.padStart(6)),
    span(`  prober_probe_total{result="${result}",probe_type="${type}",${labels}}`, 'dim'),
  ];
  return [
    row('successful', probe.successes),
    row('failed', probe.failures),
    ...(probe.errors === 0
      ? []
      : [
          [
            span(`${probe.errors}`.padStart(6), 'warn'),
            span('  errored attempts, which count nowhere', 'dim'),
          ],
        ]),
  ];
}

function latencyLines({ latencies }: ProbeView, spec: Probe, width: number): Line[] {
  if (latencies.total === 0) return [[span('  no attempt has come to a result yet', 'dim')]];
  const at = (percent: number): string => formatLatency(percentile(latencies, percent) ?? 0);
  const text = `p50 ${at(50)}, p90 ${at(90)}, p99 ${at(99)}, worst ${formatLatency(latencies.max)} of ${latencies.total}; timeout ${spec.timeoutSeconds} s`;
  return [
    ...field('', text, width).map((line) => [span('  '), ...line.slice(1)]),
    ...histogramLines(latencies, width),
  ];
}

/** More rows than that are put together. */
const MAX_ROWS = 12;

/** A histogram as rows: an upper bound, a bar, and how many. */
export function histogramLines({ counts }: Histogram, width: number): Line[] {
  const first = counts.findIndex((count) => count > 0);
  if (first === -1) return [];
  const used = counts.slice(first);
  const perRow = Math.ceil(used.length / MAX_ROWS);
  const rows = Array.from({ length: Math.ceil(used.length / perRow) }, (_, index) => {
    const own = used.slice(index * perRow, (index + 1) * perRow);
    return {
      bound: bucketBound(first + index * perRow + own.length - 1),
      count: own.reduce((sum, count) => sum + count, 0),
    };
  });
  const highest = Math.max(...rows.map(({ count }) => count));
  const room = Math.max(10, Math.min(50, width - 26));
  return rows.map(({ bound, count }) => [
    span(`  ≤ ${formatLatency(bound).padStart(8)} `, 'dim'),
    span('█'.repeat(Math.ceil((count / highest) * room)), 'info'),
    span(` ${count}`, 'dim'),
  ]);
}
