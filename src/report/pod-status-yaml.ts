import { apiPodStatus } from '../kubelet/status/api-status.js';
import { dumpYaml } from '../manifest/documents/dump-yaml.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { Renderer, Write } from './renderer.js';

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
  if (others.length === 0) return dumpYaml(first, { sortKeys: true });
  const list = { apiVersion: 'v1', items: [first, ...others], kind: 'List' };
  return dumpYaml(list, { sortKeys: true });
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
