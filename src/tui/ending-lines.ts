import { age, formatLatency } from '../text/duration.js';
import { joinLines, type Line, line, span } from '../text/line.js';
import type { RunView } from '../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../trace/summary/summary.js';
import type { Ending } from '../trace/trace-record.js';
import { lossText } from './components/format.js';
import { endWord } from './components/pod-rows.js';

const MAX_PODS = 3;
const MAX_RUNS = 3;
const NAME_WIDTH = 11;

const HOW: Readonly<Record<Ending['kind'], string>> = {
  goal: '',
  quit: ', quit',
  timeout: ', timed out',
  interrupted: ', interrupted',
  saved: ', saved while running',
};

/** Stays on the normal screen after the UI: the run in five rows, and the command to repeat it. */
export function endingLines(
  ending: Ending,
  summary: Summary,
  again: string,
  causes: readonly string[] = [],
): Line[] {
  const { verdict, exitCode, kind } = ending;
  const tone = verdict.kind === 'holds' ? 'good' : verdict.kind === 'unknown' ? 'warn' : 'bad';
  return [
    row('ready', perPod(summary, readyLine)),
    row('restarts', perPod(summary, restartsLine)),
    row('latency', line(latencyText(summary))),
    row('verdict', line(verdict.sentence, tone)),
    ...causes.slice(0, MAX_PODS).map((cause) => row('cause', line(cause, 'info'))),
    row('exit code', line(`${exitCode}${HOW[kind]}, after ${age(ending.t)}`)),
    row('again', line(again, 'dim')),
  ];
}

function row(name: string, value: Line): Line {
  return [span(name.padEnd(NAME_WIDTH), 'dim'), ...value];
}

function perPod({ pods }: Summary, show: (pod: PodSummary) => Line): Line {
  if (pods.length === 0) return line('no pod', 'dim');
  const lines = pods.slice(0, MAX_PODS).map((pod): Line => {
    const name = pods.length > 1 ? [span(`${pod.object.metadata.name}: `)] : [];
    return [...name, ...show(pod)];
  });
  const more = pods.length > MAX_PODS ? line(`and ${pods.length - MAX_PODS} more pods`, 'dim') : [];
  return joinLines([...lines, more], '; ');
}

function readyLine(pod: PodSummary): Line {
  const { firstReadyAt, addedAt, conditions, phase } = pod;
  if (firstReadyAt === undefined) {
    return phase === 'Succeeded' ? line('completed', 'good') : line('never', 'bad');
  }
  const after = `after ${(firstReadyAt - addedAt).toFixed(1)} s`;
  const lost = lossText(pod);
  if (lost === '') return line(after, 'good');
  return conditions['Ready'] === 'True'
    ? line(`${after}, ${lost}`, 'warn')
    : line(`${after}, ${lost}, not ready at the end`, 'bad');
}

function restartsLine({ containers }: PodSummary): Line {
  const texts = containers
    .filter(({ restartCount }) => restartCount > 0)
    .map(({ name, restartCount, runs }) => {
      // The last run was not restarted.
      const ended = runs.slice(0, -1).filter(({ endedAt }) => endedAt !== undefined);
      // Of those before a watch, only the last end is known.
      if (ended.length === 0) return `${restartCount} of ${name}`;
      const earlier = restartCount > MAX_RUNS ? 'the latest: ' : '';
      return `${restartCount} of ${name} (${earlier}${ended.slice(-MAX_RUNS).map(endText).join(', ')})`;
    });
  return texts.length === 0 ? line('none', 'good') : line(texts.join('; '), 'bad');
}

function endText(run: RunView): string {
  const exit = run.exitCode === undefined ? '' : ` exit ${run.exitCode}`;
  return `${endWord(run)}${exit} at ${(run.endedAt ?? 0).toFixed(1)} s`;
}

function latencyText({ pods }: Summary): string {
  const probes = pods.flatMap(({ object, containers }) => {
    const prefix = pods.length > 1 ? `${object.metadata.name}/` : '';
    return containers.flatMap(({ name, probes }) =>
      probes.map((probe) => ({ ...probe, name: `${prefix}${name}/${probe.type}` })),
    );
  });
  const [worst] = probes.toSorted((a, b) => b.latencies.max - a.latencies.max);
  if (worst !== undefined && worst.latencies.total > 0) {
    const total = probes.reduce((sum, { latencies }) => sum + latencies.total, 0);
    return `worst ${formatLatency(worst.latencies.max)} (${worst.name}), of ${total} attempts`;
  }
  const isReported = probes.some(({ attempts }) => attempts.at(-1)?.evidence !== undefined);
  if (isReported) return 'not reported by kubelets';
  const errors = probes.reduce((sum, probe) => sum + probe.errors, 0);
  return errors === 0 ? 'no attempts' : `none: all ${errors} attempts errored`;
}
