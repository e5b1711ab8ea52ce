import type { ProbeCount } from '../types.js';

const SAMPLE = /^prober_probe_total\{(.*)\} (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const RESULTS = ['successful', 'failed', 'unknown'] as const;

/** Reads prober_probe_total of a kubelet's /metrics/probes, in Prometheus' text format. */
export function parseProbeCounts(text: string): readonly ProbeCount[] {
  const counts = new Map<string, ProbeCount>();
  for (const line of text.split('\n')) {
    const [, labelText, value] = SAMPLE.exec(line) ?? [];
    if (labelText === undefined) continue;
    const labels = new Map([...labelText.matchAll(LABEL)].map(([, name, of]) => [name, of ?? '']));
    const get = (name: string): string => labels.get(name) ?? '';
    const probe = get('probe_type').toLowerCase();
    const result = RESULTS.find((one) => one === get('result'));
    if (result === undefined || !isProbe(probe)) continue;
    const of = { uid: get('pod_uid'), container: get('container'), probe };
    const key = Object.values(of).join(' ');
    const none = { successful: 0, failed: 0, unknown: 0 };
    const count = counts.get(key) ?? {
      namespace: get('namespace'),
      pod: get('pod'),
      ...of,
      ...none,
    };
    counts.set(key, { ...count, [result]: Number(value) });
  }
  return [...counts.values()];
}

function isProbe(text: string): text is ProbeCount['probe'] {
  return text === 'startup' || text === 'readiness' || text === 'liveness';
}
