import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { probeTypeName } from '../../kubelet/prober/probe-of.js';
import type { RunSession } from '../../session/wait-for-goal.js';
import { findPod, type PodSummary, type Summary } from '../../trace/summary/summary.js';
import type { LineOf } from '../../trace/trace-line.js';
import { UsageError } from '../../usage-error.js';
import { systemErrorText } from './file-errors.js';
import type { MetricsAddress } from './option-values.js';

const OF_PROBE = ['probe_type', 'container', 'pod', 'namespace'] as const;
const OF_POD = ['namespace', 'pod', 'uid'] as const;
const OF_CONTAINER = [...OF_POD, 'container'] as const;
const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;
/** Prometheus' default buckets, which the kubelet uses too. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Serves metrics of the kubelet and of kube-state-metrics about the pods of a run. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #server: Server;
  /** Names, labels and help of pkg/kubelet/prober/prober_manager.go. */
  readonly #results = new Counter({
    name: 'prober_probe_total',
    help: 'Cumulative number of a liveness, readiness or startup probe for a container by result.',
    labelNames: [...OF_PROBE, 'result', 'pod_uid'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'prober_probe_duration_seconds',
    help: 'Duration in seconds for a probe response.',
    labelNames: OF_PROBE,
    buckets: BUCKETS,
    registers: [this.#registry],
  });

  private constructor() {
    this.#server = createServer((request, response) => {
      if (request.url?.replace(/\?.*/, '') !== '/metrics') {
        response.writeHead(404).end('metrics are at /metrics\n');
        return;
      }
      response.setHeader('content-type', this.#registry.contentType);
      void this.#registry.metrics().then((text) => response.end(text));
    });
    // A connection of a scraper does not delay the end of kprobe.
    this.#server.unref();
  }

  /** Starts to listen; throws a UsageError where that is impossible. */
  static async open({ host, port }: MetricsAddress): Promise<Metrics> {
    const metrics = new Metrics();
    const server = metrics.#server;
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      const text = `--metrics ${host}:${port}: ${systemErrorText(error)}`;
      throw new UsageError(text, { cause: error });
    }
    return metrics;
  }

  follow(session: Pick<RunSession, 'onLine' | 'summary'>): void {
    this.#addPodGauges(() => session.summary);
    session.onLine((line, summary) => {
      if (line.kind === 'attemptDone') this.#count(line, summary);
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Counts as doProbe does: errors are not counted, and failures have no duration. */
  #count(line: LineOf<'attemptDone'>, summary: Summary): void {
    const pod = findPod(summary, line.pod);
    if (pod === undefined || line.error !== undefined) return;
    const { name, namespace, uid } = pod.object.metadata;
    const { container, probe, result, latency, evidence } = line;
    const labels = { probe_type: probeTypeName(probe), container, pod: name, namespace };
    const word = { success: 'successful', warning: 'successful', failure: 'failed' } as const;
    const counted = result === 'unknown' ? 'unknown' : word[result];
    this.#results.inc({ ...labels, result: counted, pod_uid: uid });
    // A cluster's kubelet does not report how long its attempts take.
    if (counted !== 'failed' && evidence === undefined)
      this.#durations.observe(labels, latency / 1000);
  }

  /** Uses the names and labels of kube-state-metrics. */
  #addPodGauges(summary: () => Summary): void {
    for (const { name, help, labels, values } of GAUGES) {
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers: [this.#registry],
        collect() {
          this.reset();
          for (const pod of summary().pods) {
            const { name: podName, namespace, uid } = pod.object.metadata;
            for (const [more, value] of values(pod))
              this.set({ namespace, pod: podName, uid, ...more }, value);
          }
        },
      });
    }
  }
}

type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

interface PodGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: (pod: PodSummary) => Values;
}

function conditionGauge(name: string, type: string, help: string): PodGauge {
  return {
    name,
    help,
    labels: [...OF_POD, 'condition'],
    values: ({ conditions }) => {
      const now = (conditions[type]?.status ?? 'Unknown').toLowerCase();
      const all = ['true', 'false', 'unknown'];
      return all.map((condition) => [{ condition }, Number(condition === now)]);
    },
  };
}

function containerGauge(
  name: string,
  help: string,
  value: (container: PodSummary['containers'][number]) => number,
): PodGauge {
  return {
    name,
    help,
    labels: OF_CONTAINER,
    values: ({ containers }) =>
      containers
        .filter(({ role }) => role === 'container')
        .map((container) => [{ container: container.name }, value(container)]),
  };
}

const GAUGES: readonly PodGauge[] = [
  {
    name: 'kube_pod_status_phase',
    help: 'The pods current phase.',
    labels: [...OF_POD, 'phase'],
    values: ({ phase: now }) => PHASES.map((phase) => [{ phase }, Number(phase === now)]),
  },
  conditionGauge(
    'kube_pod_status_ready',
    'Ready',
    'Describes whether the pod is ready to serve requests.',
  ),
  conditionGauge(
    'kube_pod_status_scheduled',
    'PodScheduled',
    'Describes the status of the scheduling process for the pod.',
  ),
  containerGauge(
    'kube_pod_container_status_ready',
    'Describes whether the containers readiness check succeeded.',
    ({ ready }) => Number(ready),
  ),
  containerGauge(
    'kube_pod_container_status_running',
    'Describes whether the container is currently in running state.',
    ({ state }) => Number(state.kind === 'running'),
  ),
  containerGauge(
    'kube_pod_container_status_restarts_total',
    'The number of container restarts per container.',
    ({ restartCount }) => restartCount,
  ),
];
