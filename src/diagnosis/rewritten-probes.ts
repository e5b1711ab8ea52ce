import { decode, isObject, type Pod, type Probe } from '../api/index.js';
import { jsonNodeOf } from '../go/json.js';
import type { ProbeType } from '../kubelet/event.js';
import { probeOf } from '../kubelet/prober/probe-of.js';

/** A probe that a mesh answers for the container: its sidecar makes the original attempt. */
export interface RewrittenProbe {
  readonly container: string;
  readonly type: ProbeType;
  /** As the manifest had it: the handler, and the timeout where the mesh kept it. */
  readonly original: Partial<Probe>;
  /** As the kubelet runs it. */
  readonly rewritten: Probe;
}

export interface RewrittenProbes {
  readonly probes: readonly RewrittenProbe[];
  /** Parts that could not be read. */
  readonly problems: readonly string[];
}

/** Istio's list of the probes that it has rewritten, in the env of its sidecar. */
export const ISTIO_PROBERS = 'ISTIO_KUBE_APP_PROBERS';

const TYPES: Readonly<Record<string, ProbeType>> = {
  startupz: 'startup',
  readyz: 'readiness',
  livez: 'liveness',
};

/** Returns the probes of a pod that Istio has rewritten. */
export function rewrittenProbes({ spec }: Pod): RewrittenProbes {
  const all = [...(spec.initContainers ?? []), ...spec.containers];
  const texts = all.flatMap(({ env = [] }) =>
    env.flatMap(({ name, value }) => (name === ISTIO_PROBERS && value !== undefined ? value : [])),
  );
  const probes: RewrittenProbe[] = [];
  const problems: string[] = [];
  for (const [path, written] of texts.flatMap((text) => entriesOf(text, problems))) {
    const [, container = '', kind = ''] = /^\/app-health\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const type = TYPES[kind];
    const found = all.find(({ name }) => name === container);
    const rewritten = type && found && probeOf(found, type);
    // Istio rewrites lifecycle hooks, too.
    if (kind === 'prestopz' || kind === 'poststartz') continue;
    if (type === undefined || rewritten === undefined || !isObject(written)) {
      problems.push(`${ISTIO_PROBERS}: ${path} is about no probe of this pod`);
      continue;
    }
    const original = decode(jsonNodeOf(written), 'Probe').value as Partial<Probe>;
    probes.push({ container, type, original, rewritten });
  }
  return { probes, problems };
}

function entriesOf(text: string, problems: string[]): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return Object.entries(value);
  } catch {
    // Reported below, as other values that are no object.
  }
  problems.push(`${ISTIO_PROBERS} is not a JSON object`);
  return [];
}
