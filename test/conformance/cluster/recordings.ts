import type { TraceLine } from '../../../src/trace/trace-line.js';

/** Returns recordings as text: a line for each pod, without what no comparison reads. */
export function encodeRecordings(recordings: ReadonlyMap<string, readonly TraceLine[]>): string {
  return [...recordings]
    .map(([name, lines]) => `${JSON.stringify({ name, lines: lines.map(reduced) })}\n`)
    .join('');
}

export function decodeRecordings(text: string): ReadonlyMap<string, readonly TraceLine[]> {
  const pods = text.trimEnd().split('\n');
  return new Map(
    pods.map((line) => {
      const { name, lines } = JSON.parse(line) as { name: string; lines: readonly TraceLine[] };
      return [name, lines];
    }),
  );
}

function reduced(line: TraceLine): TraceLine {
  const { t } = line;
  if (line.kind !== 'status') return { ...line, t: Math.round(t * 1000) / 1000 };
  const { Initialized = '', Ready = '' } = line.conditions;
  return {
    ...line,
    t: Math.round(t * 1000) / 1000,
    conditions: { Initialized, Ready },
    podStatus: {},
  };
}
