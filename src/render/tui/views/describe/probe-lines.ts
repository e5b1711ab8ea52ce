import type { Pod, Probe } from '../../../../api/index.js';
import { probeOf } from '../../../../kubelet/prober/probe-of.js';
import { percentile } from '../../../../trace/summary/histogram.js';
import type { ProbeView } from '../../../../trace/summary/probe-view.js';
import { handlerText } from '../../../handler-text.js';
import { formatLatency } from '../../../text/duration.js';
import { EMPTY_LINE, type Line, span } from '../../../text/line.js';
import { field, heading } from '../../format/fields.js';
import type { FoundProbe } from '../../store/find-probe.js';
import { histogramLines } from './histogram-lines.js';

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
