import { type Diagnosis, headline, isPast } from '../../../diagnosis/diagnosis.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { divergenceText } from '../../divergence-text.js';
import type { Line } from '../../text/line.js';
import { signedRows } from './format.js';

/** The first thing that a cluster's kubelet did otherwise. */
export function divergenceRows({ divergence }: PodSummary, width: number, max: number): Line[] {
  if (divergence === undefined) return [];
  return signedRows('≠ ', divergenceText(divergence), 'warn', width, max);
}

/** The worst trouble: what and why, what comes next, and what to change. */
export function diagnosisRows(worst: Diagnosis | undefined, width: number, max: number): Line[] {
  if (worst === undefined) return [];
  const { next, change } = worst;
  const tone = isPast(worst) ? 'warn' : 'bad';
  return [
    ...signedRows('✗ ', headline(worst), tone, width, max),
    ...signedRows('  → ', next?.text ?? '', 'plain', width, max),
    ...signedRows('  = ', change ?? '', 'info', width, max),
  ];
}
