import type { AttemptTimings } from '../../../../kubelet/ports.js';
import { formatLatency } from '../../../text/duration.js';
import { type Line, span } from '../../../text/line.js';
import { FIELD_WIDTH } from '../../format/fields.js';

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The steps of an attempt, each as a bar where it was in the whole. */
export function timingLines(timings: AttemptTimings, width: number): Line[] {
  const room = Math.max(8, Math.min(50, width - FIELD_WIDTH - 24));
  const scale = timings.total <= 0 ? 0 : room / timings.total;
  return stepsOf(timings).map(({ name, from, to }, index) => {
    const begin = Math.min(room - 1, Math.floor(from * scale));
    const length = Math.max(1, Math.min(room - begin, Math.round((to - from) * scale)));
    const bar = `${' '.repeat(begin)}${'█'.repeat(length)}`.padEnd(room);
    return [
      span((index === 0 ? 'took' : '').padEnd(FIELD_WIDTH), 'dim'),
      span(name.padEnd(11)),
      span(formatLatency(to - from).padStart(8)),
      span(`  ${bar}`, 'info'),
    ];
  });
}

function stepsOf({ connect, tls, firstByte, total }: AttemptTimings): Step[] {
  const steps: Step[] = [];
  const add = (name: string, to: number | undefined): void => {
    if (to !== undefined) steps.push({ name, from: steps.at(-1)?.to ?? 0, to });
  };
  add('connect', connect);
  add('TLS', tls);
  add('first byte', firstByte);
  add(steps.length === 0 ? 'all' : 'the rest', total);
  return steps;
}
