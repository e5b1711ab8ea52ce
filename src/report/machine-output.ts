import { diagnosisJson } from '../diagnosis/diagnosis-json.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { apiPodStatus } from '../kubelet/status/api-status.js';
import { dumpYaml } from '../manifest/documents/dump-yaml.js';
import { printableJson } from '../text/escape.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { lineEncoder, traceEnd, type TraceHeader } from '../trace/trace-record.js';
import { DiagnosisChanges } from './diagnosis-changes.js';
import type { Renderer, Write } from './renderer.js';

/** The trace, and the diagnoses of a pod after each line that changes them; none without `isSimulated`. */
export function createJson(write: Write, header: TraceHeader, isSimulated?: IsSimulated): Renderer {
  const encode = lineEncoder();
  const changes = new DiagnosisChanges(isSimulated);
  write(`${encode(header)}\n`);
  return {
    line(line, summary) {
      write(`${encode(line)}\n`);
      const { pod, diagnoses = [] } = changes.line(line, summary) ?? {};
      if (pod === undefined) return;
      const found = { kind: 'diagnosis', pod: pod.key, diagnoses: diagnoses.map(diagnosisJson) };
      write(`${printableJson({ t: line.t, ...found })}\n`);
    },
    end: (ending, { t }) => write(`${encode(traceEnd(ending, t))}\n`),
  };
}

/** Prints the pods' statuses at the end, as `kubectl get pod -o yaml` does. */
export function createYaml(write: Write): Renderer {
  return {
    line: () => undefined,
    end: (_, { pods }) => write(podStatusYaml(pods)),
  };
}

export function podStatusYaml(pods: readonly PodSummary[]): string {
  const [first, ...others] = pods.map(podObject);
  if (first === undefined) return '';
  if (others.length === 0) return dumpYaml(first);
  return dumpYaml({ apiVersion: 'v1', items: [first, ...others], kind: 'List' });
}

function podObject({ object, status }: PodSummary): object {
  const { name, namespace, uid } = object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid },
    status: status === undefined ? { phase: 'Pending' } : apiPodStatus(status),
  };
}
