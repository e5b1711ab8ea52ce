import { currentRun } from '../../../../trace/forecast/current-run.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import { age } from '../../../text/duration.js';
import { joinLines, type Line, line, span, spreadParts, type Tone } from '../../../text/line.js';
import { lossText } from '../../format/losses.js';
import type { About } from '../../store/snapshot.js';

/** The pod in one row: `web  default  Running  Ready ✗ …        up 1m12s   process target   kubelet 1.36`. */
export function podHeader(
  pod: PodSummary,
  now: number,
  about: About,
  width: number,
  filter: Line,
): Line {
  const { name, namespace } = pod.object.metadata;
  const left = joinLines([
    [span(name, 'strong')],
    line(namespace, 'dim'),
    phaseLine(pod),
    readyLine(pod),
    filter,
  ]);
  return spreadParts(
    left,
    [line(`up ${age(now - pod.addedAt)}`), ...sourceLines(about, now)],
    width,
  );
}

/** Where it comes from, and the kubelet's version. */
export function sourceLines(about: About, now: number): Line[] {
  return [line(sourceText(about, now), 'dim'), line(`kubelet ${about.kubeletVersion}`, 'dim')];
}

/** Where it comes from: `process target`, `replay, 12s of 40s`, `replay, over`. */
function sourceText({ target, replayLength }: About, now: number): string {
  if (replayLength === undefined) return `${target} target`;
  return now < replayLength ? `replay, ${age(now)} of ${age(replayLength)}` : 'replay, over';
}

export function phaseLine({ phase, reason, deletedAt }: PodSummary): Line {
  if (deletedAt !== undefined) return line('Terminating', 'warn');
  if (phase === '') return line('starting', 'dim');
  return line(reason === '' ? phase : `${phase} (${reason})`, phaseTone(phase));
}

function phaseTone(phase: string): Tone {
  switch (phase) {
    case 'Failed':
      return 'bad';
    case 'Succeeded':
      return 'good';
    case 'Pending':
      return 'warn';
    default:
      return 'plain';
  }
}

/** `Ready ✓`, or `Ready ✗ (ContainersNotReady: app)`. */
function readyLine(pod: PodSummary): Line {
  const ready = pod.conditions['Ready'];
  if (ready === undefined) return [];
  const lost = lossText(pod);
  if (ready === 'True') return line(`Ready ✓${lost === '' ? '' : ` (${lost})`}`, 'good');
  if (pod.phase === 'Succeeded') return line('Ready – (completed)', 'dim');
  const reason = /^False (\w+)/.exec(ready)?.[1] ?? '';
  const unready = /\[(.*)\]$/.exec(ready)?.[1]?.split(' ').join(', ') ?? '';
  const why = unready === '' ? reason : `${reason}: ${unready}`;
  const tone = pod.containers.some((c) => currentRun(c) === undefined || c.started)
    ? 'bad'
    : 'warn';
  const whys = [why, lost].filter((text) => text !== '').join('; ');
  return line(`Ready ✗${whys === '' ? '' : ` (${whys})`}`, tone);
}
