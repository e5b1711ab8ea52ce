import type { FC } from 'react';

import type { ContainerPort, Pod, Probe } from '../../api/index.js';
import { runSentence } from '../../diagnosis/words.js';
import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import { probeOf, probeTypeName } from '../../kubelet/prober/probe-of.js';
import { handlerText } from '../../report/probe-text.js';
import { age, formatLatency } from '../../text/duration.js';
import { type Line, line, span, type Tone } from '../../text/line.js';
import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import {
  bucketBound,
  type Histogram,
  percentile,
  type ProbeView,
} from '../../trace/summary/probe-view.js';
import { field, heading } from '../components/format.js';
import { TextBody } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import {
  findContainerIn,
  findProbeIn,
  type FoundContainer,
  type FoundProbe,
} from '../store/selection.js';
import { overlayOf, type Size, type Snapshot } from '../store/state.js';

export function describeTitle({ ui }: Snapshot): string {
  const { container = 'describe', probe } = overlayOf(ui, 'describe') ?? {};
  return probe === undefined ? container : `${container}/${probe}`;
}

export const DescribeView: FC<Size> = (size) => (
  <TextBody id="describe" lines={describe(useSnapshot())} {...size} />
);

function describe(snapshot: Snapshot): Line[] {
  const { summary, ui, size } = snapshot;
  const overlay = overlayOf(ui, 'describe');
  if (overlay === undefined) return [];
  const { probe } = overlay;
  if (probe === undefined) {
    const found = findContainerIn(summary, overlay);
    return found === undefined ? [] : containerLines(found, snapshot);
  }
  const found = findProbeIn(summary, { ...overlay, probe });
  return found === undefined ? [] : probeLines(found, size.columns);
}

const MAX_RUNS = 20;

function containerLines({ pod, container }: FoundContainer, { context, size }: Snapshot): Line[] {
  const { spec, state, lastState } = container;
  const policy = spec.restartPolicy ?? pod.object.spec.restartPolicy;
  const grace = podGracePeriod(pod.object);
  const simulated = context.isSimulated(pod.key, container.name);
  const rows = {
    image: spec.image,
    state: state.text,
    'last state': lastState.text || 'none',
    ports: (spec.ports ?? []).map(portText).join(', ') || 'none declared',
    command: [...(spec.command ?? []), ...(spec.args ?? [])].join(' ') || 'from the image',
    env: `${spec.env?.length ?? 0} variables`,
    hooks: HOOKS.filter((hook) => spec.lifecycle?.[hook] !== undefined).join(', ') || 'none',
    restarts: `${policy}${simulated ? ', simulated: the target is left alone' : ''}`,
    grace: `${grace} s between TERM and KILL`,
    probes: container.probes.map((probe) => probeText(container, probe)).join('; ') || 'none',
  };
  return [
    ...Object.entries(rows).flatMap(([name, value]) => field(name, value, size.columns)),
    [],
    heading('Runs'),
    ...container.runs.slice(-MAX_RUNS).map((run) => runLine(container, run)),
  ];
}

const HOOKS = ['postStart', 'preStop'] as const;

function portText({ name, containerPort, protocol = 'TCP' }: ContainerPort): string {
  return `${name === undefined ? '' : `${name} `}${containerPort}/${protocol}`;
}

function probeText({ spec }: ContainerView, { type }: ProbeView): string {
  const probe = probeOf(spec, type);
  return probe === undefined ? type : `${type} ${handlerText(probe, spec)}`;
}

function runLine(container: ContainerView, run: RunView): Line {
  const { startedAt, endedAt, exitCode, backOff } = run;
  const from = startedAt === undefined ? 'not started' : `from ${startedAt.toFixed(1)} s`;
  if (endedAt === undefined) return [span(`  run ${run.run}  ${from}  `), span('running', 'good')];
  const lived = startedAt === undefined ? '' : ` for ${age(endedAt - startedAt)}`;
  const exit = exitCode === undefined ? '' : `exit ${exitCode}, `;
  const wait = backOff === undefined ? '' : `back-off ${age(backOff.delay)}, `;
  return [
    span(`  run ${run.run}  ${from}${lived}  `),
    span(`${exit}${wait}${runSentence(container, run)}`, 'bad'),
  ];
}

const SETTINGS = [
  { name: 'initialDelaySeconds', unit: ' s', usual: 0 },
  { name: 'periodSeconds', unit: ' s', usual: 10 },
  { name: 'timeoutSeconds', unit: ' s', usual: 1 },
  { name: 'successThreshold', unit: '', usual: 1 },
  { name: 'failureThreshold', unit: '', usual: 3 },
] as const;

function probeLines({ pod, container, probe }: FoundProbe, width: number): Line[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  return [
    heading('Settings'),
    settingLine('handler', handlerText(spec, container.spec), false),
    ...(spec.httpGet?.httpHeaders ?? []).map(({ name, value }) =>
      settingLine('header', `${name}: ${value}`, false),
    ),
    ...SETTINGS.map(({ name, unit, usual }) =>
      settingLine(name, `${spec[name]}${unit}`, spec[name] === usual),
    ),
    ...(probe.type === 'readiness' ? [] : [graceLine(spec, pod.object)]),
    [],
    heading('Counters'),
    ...counterLines(pod.object, container.name, probe),
    [],
    heading('Latency'),
    ...latencyLines(probe, spec, width),
  ];
}

function settingLine(name: string, value: string, isDefault: boolean): Line {
  return [
    span(`  ${name.padEnd(31)}`, 'dim'),
    span(value),
    ...(isDefault ? [span('  (default)', 'dim')] : []),
  ];
}

/** A probe that kills may have a grace period of its own. */
function graceLine({ terminationGracePeriodSeconds: seconds }: Probe, pod: Pod): Line {
  const grace = seconds ?? podGracePeriod(pod);
  const from = seconds === undefined ? ", the pod's" : '';
  return settingLine('terminationGracePeriodSeconds', `${grace} s${from}`, seconds === undefined);
}

/** As the kubelet's metrics have them, which do not count errored attempts. */
function counterLines({ metadata }: Pod, container: string, probe: ProbeView): Line[] {
  const { name, namespace } = metadata;
  const labels = `container="${container}",namespace="${namespace}",pod="${name}"`;
  const row = (count: number, text: string, tone: Tone = 'plain'): Line => [
    span(`${count}`.padStart(6), tone),
    span(`  ${text}`, 'dim'),
  ];
  const type = probeTypeName(probe.type);
  const metric = (result: string): string =>
    `prober_probe_total{result="${result}",probe_type="${type}",${labels}}`;
  return [
    row(probe.successes, metric('successful')),
    row(probe.failures, metric('failed')),
    ...(probe.errors === 0
      ? []
      : [row(probe.errors, "errored attempts, which don't count", 'warn')]),
  ];
}

function latencyLines({ latencies }: ProbeView, spec: Probe, width: number): Line[] {
  if (latencies.total === 0) return [line('  no results yet', 'dim')];
  const at = (percent: number): string => formatLatency(percentile(latencies, percent) ?? 0);
  const text = `p50 ${at(50)}, p90 ${at(90)}, p99 ${at(99)}, worst ${formatLatency(latencies.max)} of ${latencies.total}; timeout ${spec.timeoutSeconds} s`;
  return [
    ...field('', text, width).map((parts) => [span('  '), ...parts.slice(1)]),
    ...histogramLines(latencies, width),
  ];
}

const MAX_HISTOGRAM_ROWS = 12;

function histogramLines({ counts }: Histogram, width: number): Line[] {
  const first = counts.findIndex((count) => count > 0);
  if (first === -1) return [];
  const used = counts.slice(first);
  const perRow = Math.ceil(used.length / MAX_HISTOGRAM_ROWS);
  const rows = Array.from({ length: Math.ceil(used.length / perRow) }, (_, index) => {
    const row = used.slice(index * perRow, (index + 1) * perRow);
    return {
      bound: bucketBound(first + index * perRow + row.length - 1),
      count: row.reduce((sum, count) => sum + count, 0),
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
