import type { FC } from 'react';

import { PROBE_DEFAULTS } from '../../api/decode/index.js';
import type { ContainerPort, Pod, Probe } from '../../api/index.js';
import { runSentence } from '../../diagnosis/words.js';
import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import { probeOf, probeTypeName } from '../../kubelet/prober/probe-of.js';
import { handlerText } from '../../report/probe-text.js';
import { counted } from '../../text/count.js';
import { age, formatLatency } from '../../text/duration.js';
import type { Tone } from '../../text/line.js';
import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import {
  bucketBound,
  type Histogram,
  percentile,
  type ProbeView,
} from '../../trace/summary/probe-view.js';
import { Indented, useColumns } from '../components/columns.js';
import { Field, Heading, ItemLine } from '../components/item.js';
import { Scroll } from '../components/scroll.js';
import { Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import {
  findContainerIn,
  findProbeIn,
  type FoundContainer,
  type FoundProbe,
} from '../store/selection.js';
import { overlayOf, type Snapshot } from '../store/state.js';

export function describeTitle({ ui }: Snapshot): string {
  const { container = 'describe', probe } = overlayOf(ui, 'describe') ?? {};
  return probe === undefined ? container : `${container}/${probe}`;
}

export const DescribeView: FC = () => {
  const { summary, ui } = useSnapshot();
  const overlay = overlayOf(ui, 'describe');
  if (overlay === undefined) return null;
  const { probe } = overlay;
  const container = findContainerIn(summary, overlay);
  const found = probe && findProbeIn(summary, { ...overlay, probe });
  return (
    <Scroll id="describe">
      {probe === undefined && container && <Container {...container} />}
      {found && <ProbeDetails {...found} />}
    </Scroll>
  );
};

const MAX_RUNS = 20;

const Container: FC<FoundContainer> = ({ pod, container }) => {
  const { context } = useSnapshot();
  const { spec, state, lastState, probes, runs } = container;
  const policy = spec.restartPolicy ?? pod.object.spec.restartPolicy;
  const isSimulated = context.isSimulated(pod.key, container.name);
  const fields = {
    image: spec.image,
    state: state.text,
    'last state': lastState.text || 'none',
    ports: (spec.ports ?? []).map(portText).join(', ') || 'none declared',
    command: [...(spec.command ?? []), ...(spec.args ?? [])].join(' ') || 'from the image',
    env: counted(spec.env?.length ?? 0, 'variable'),
    hooks: HOOKS.filter((hook) => spec.lifecycle?.[hook] !== undefined).join(', ') || 'none',
    restarts: `${policy}${isSimulated ? ', simulated: the target is left alone' : ''}`,
    grace: `${podGracePeriod(pod.object)} s between TERM and KILL`,
    probes: probes.map((probe) => probeText(container, probe)).join('; ') || 'none',
  };
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <Field key={name} name={name} text={value} />
      ))}
      <Heading marginTop={1}>Runs</Heading>
      {runs.slice(-MAX_RUNS).map((run) => (
        <Run key={run.run} container={container} run={run} />
      ))}
    </>
  );
};

const HOOKS = ['postStart', 'preStop'] as const;

function portText({ name, containerPort, protocol = 'TCP' }: ContainerPort): string {
  return `${name === undefined ? '' : `${name} `}${containerPort}/${protocol}`;
}

function probeText({ spec }: ContainerView, { type }: ProbeView): string {
  const probe = probeOf(spec, type);
  return probe === undefined ? type : `${type} ${handlerText(probe, spec)}`;
}

const Run: FC<{ readonly container: ContainerView; readonly run: RunView }> = (props) => {
  const { container, run } = props;
  const { startedAt, endedAt, exitCode, backOff } = run;
  const from = startedAt === undefined ? 'not started' : `from ${startedAt.toFixed(1)} s`;
  const lived =
    startedAt === undefined || endedAt === undefined ? '' : ` for ${age(endedAt - startedAt)}`;
  const exit = exitCode === undefined ? '' : `exit ${exitCode}, `;
  const wait = backOff === undefined ? '' : `back-off ${age(backOff.delay)}, `;
  const end = endedAt === undefined ? 'running' : `${exit}${wait}${runSentence(container, run)}`;
  const begin = `  run ${run.run}  ${from}${lived}  `;
  return (
    <ItemLine text={`${begin}${end}`}>
      {begin}
      <Text tone={endedAt === undefined ? 'good' : 'bad'}>{end}</Text>
    </ItemLine>
  );
};

const SETTINGS = [
  { name: 'initialDelaySeconds', unit: ' s' },
  { name: 'periodSeconds', unit: ' s' },
  { name: 'timeoutSeconds', unit: ' s' },
  { name: 'successThreshold', unit: '' },
  { name: 'failureThreshold', unit: '' },
] as const;

const ProbeDetails: FC<FoundProbe> = ({ pod, container, probe }) => {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return null;
  return (
    <>
      <Heading>Settings</Heading>
      <Setting name="handler" value={handlerText(spec, container.spec)} />
      {(spec.httpGet?.httpHeaders ?? []).map(({ name, value }, index) => (
        <Setting key={index} name="header" value={`${name}: ${value}`} />
      ))}
      {SETTINGS.map(({ name, unit }) => (
        <Setting
          key={name}
          name={name}
          value={`${spec[name]}${unit}`}
          byDefault={`${PROBE_DEFAULTS[name]}${unit}`}
        />
      ))}
      {probe.type !== 'readiness' && <GracePeriod spec={spec} pod={pod.object} />}
      <Heading marginTop={1}>Counters</Heading>
      <Counters pod={pod} container={container} probe={probe} />
      <Heading marginTop={1}>Latency</Heading>
      <Latency latencies={probe.latencies} timeout={spec.timeoutSeconds} />
    </>
  );
};

interface SettingProps {
  readonly name: string;
  readonly value: string;
  readonly byDefault?: string;
}

const Setting: FC<SettingProps> = ({ name, value, byDefault }) => (
  <ItemLine text={`${name} ${value}`}>
    <Text tone="dim">{`  ${name.padEnd(Math.min(30, useColumns() / 2))} `}</Text>
    {value}
    {value === byDefault && <Text tone="dim">{'  (default)'}</Text>}
  </ItemLine>
);

/** A probe that kills may have its own grace period. */
const GracePeriod: FC<{ readonly spec: Probe; readonly pod: Pod }> = ({ spec, pod }) => {
  const byDefault = `${podGracePeriod(pod)} s, the pod's`;
  const { terminationGracePeriodSeconds: seconds } = spec;
  const value = seconds === undefined ? byDefault : `${seconds} s`;
  return <Setting name="terminationGracePeriodSeconds" value={value} byDefault={byDefault} />;
};

/** The probe's results as the kubelet's metrics count them: without attempts that errored. */
const Counters: FC<FoundProbe> = ({ pod, container, probe }) => {
  const { name, namespace } = pod.object.metadata;
  const labels = `container="${container.name}",namespace="${namespace}",pod="${name}"`;
  const metric = (result: string): string =>
    `prober_probe_total{result="${result}",probe_type="${probeTypeName(probe.type)}",${labels}}`;
  return (
    <>
      <Counter count={probe.successes} text={metric('successful')} />
      <Counter count={probe.failures} text={metric('failed')} />
      {probe.errors > 0 && (
        <Counter count={probe.errors} text="errored attempts, which don't count" tone="warn" />
      )}
    </>
  );
};

interface CounterProps {
  readonly count: number;
  readonly text: string;
  readonly tone?: Tone;
}

const Counter: FC<CounterProps> = ({ count, text, tone }) => (
  <ItemLine text={`${count} ${text}`}>
    <Text tone={tone}>{`${count}`.padStart(6)}</Text>
    <Text tone="dim">{`  ${text}`}</Text>
  </ItemLine>
);

const Latency: FC<{ readonly latencies: Histogram; readonly timeout: number }> = (props) => {
  const { latencies, timeout } = props;
  if (latencies.total === 0) return <ItemLine text="  no results yet" tone="dim" />;
  const at = (percent: number): string => formatLatency(percentile(latencies, percent) ?? 0);
  const text = `p50 ${at(50)}, p90 ${at(90)}, p99 ${at(99)}, worst ${formatLatency(latencies.max)} of ${latencies.total}; timeout ${timeout} s`;
  return (
    <Indented by={2}>
      <Field name="" nameWidth={0} text={text} />
      <Bars {...latencies} />
    </Indented>
  );
};

const MAX_BARS = 12;

/** A bar for each bucket, or for several where there are many. */
const Bars: FC<Histogram> = ({ counts }) => {
  const columns = useColumns();
  const first = counts.findIndex((count) => count > 0);
  const used = counts.slice(first);
  const perBar = Math.ceil(used.length / MAX_BARS);
  const bars = Array.from({ length: Math.ceil(used.length / perBar) }, (_, index) => {
    const bar = used.slice(index * perBar, (index + 1) * perBar);
    return {
      bound: formatLatency(bucketBound(first + index * perBar + bar.length - 1)),
      count: bar.reduce((sum, count) => sum + count, 0),
    };
  });
  const highest = Math.max(...bars.map(({ count }) => count));
  const room = Math.max(10, Math.min(50, columns - 24));
  return bars.map(({ bound, count }) => (
    <ItemLine key={bound} text={`≤ ${bound} ${count}`}>
      <Text tone="dim">{`≤ ${bound.padStart(8)} `}</Text>
      <Text tone="info">{'█'.repeat(Math.ceil((count / highest) * room))}</Text>
      <Text tone="dim">{` ${count}`}</Text>
    </ItemLine>
  ));
};
