import type { TraceLine } from '../../src/trace/trace-line.js';

/**
 * Seconds by which the real thing may be off, counted from the pod's sandbox or from the last thing that the engine did: how
 * long an engine takes to make and start a container is its own affair, and a simulated one takes three milliseconds.
 */
export const TOLERANCE = 1.5;

interface Step {
  readonly value: string;
  readonly t: number;
  /** Since the engine last did something. */
  readonly since: number;
}

type Sequences = ReadonlyMap<string, readonly Step[]>;

/** How a trace leaves another one, a sentence each; empty when it does not, up to `until` seconds. */
export function compareTraces(
  expected: readonly TraceLine[],
  got: readonly TraceLine[],
  until: number,
): readonly string[] {
  const [left, right] = [sequences(expected), sequences(got)];
  const starts = startTimes(got);
  const shifts = startTimes(expected).map((t, at) => (starts[at] ?? t) - t);
  const shift = Math.max(0, ...shifts);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((subject) => {
    const steps = left.get(subject) ?? [];
    const seen = right.get(subject) ?? [];
    return divergence(subject, steps, seen, until, shift);
  });
}

function divergence(
  subject: string,
  steps: readonly Step[],
  got: readonly Step[],
  until: number,
  shift: number,
): string[] {
  const isStatus = !/^(?:runs|stops|pulls|events)\//.test(subject);
  // A status that stands for a moment only is seen or not, as the relist falls.
  const isBrief = (list: readonly Step[], at: number): boolean =>
    isStatus && (list[at + 1]?.t ?? Infinity) - (list[at]?.t ?? 0) < TOLERANCE;
  const isLate = (step: Step | undefined): boolean =>
    (step?.t ?? Infinity) >= until - TOLERANCE - shift;
  let furthest: readonly [number, number] = [0, 0];
  const seen = new Set<string>();
  const follow = (i: number, j: number, value: string | undefined): boolean => {
    const [step, other] = [steps[i], got[j]];
    if ((step === undefined || isLate(step)) && (other === undefined || isLate(other))) return true;
    const key = `${i} ${j} ${value ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (i + j > furthest[0] + furthest[1]) furthest = [i, j];
    if (step !== undefined && other !== undefined) {
      const near = [step.t - other.t, step.since - other.since].some(
        (d) => Math.abs(d) <= TOLERANCE,
      );
      if (step.value === other.value && near && follow(i + 1, j + 1, step.value)) return true;
    }
    if (other !== undefined && (isBrief(got, j) || (isStatus && other.value === value))) {
      if (follow(i, j + 1, value)) return true;
    }
    if (step === undefined || !(isBrief(steps, i) || (isStatus && step.value === value)))
      return false;
    return follow(i + 1, j, value);
  };
  if (follow(0, 0, undefined)) return [];
  const show = (step: Step | undefined): string =>
    step === undefined ? 'nothing' : `${step.value} at ${step.t}`;
  return [
    `${subject}: ${show(got[furthest[1]])}, where the simulator has ${show(steps[furthest[0]])}`,
  ];
}

/** What a trace says, subject by subject. */
function sequences(lines: readonly TraceLine[]): Sequences {
  const found = new Map<string, Step[]>();
  let last = 0;
  const origin = lines.find(({ kind }) => kind === 'runPodSandbox')?.t ?? 0;
  const push = (subject: string, value: string, t: number): void => {
    const list = found.get(subject) ?? [];
    found.set(subject, list);
    list.push({ value, t: t - origin, since: t - last });
  };
  const change = (subject: string, value: string, t: number): void => {
    if (found.get(subject)?.at(-1)?.value !== value) push(subject, value, t);
  };
  for (const line of lines) {
    switch (line.kind) {
      case 'started':
        push(`runs/${line.container}`, 'start', line.t);
        break;
      case 'exited':
        push(`runs/${line.container}`, `exit ${line.exitCode}`, line.t);
        break;
      case 'stop':
        push(`stops/${line.container}`, String(line.gracePeriod), line.t);
        break;
      case 'event':
        // Images are there already in an engine, and a simulated one pulls them at once.
        if (line.reason === 'Pulling') break;
        if (line.reason === 'Pulled') {
          push(`pulls/${line.fieldPath ?? ''}`, 'Pulled', line.t);
          break;
        }
        change(
          `events/${line.fieldPath ?? 'pod'}`,
          `${line.type} ${line.reason}: ${withoutIDs(line.message)}`,
          line.t,
        );
        break;
      case 'status':
        change('phase', line.phase, line.t);
        for (const [name, value] of Object.entries(line.conditions))
          change(`condition/${name}`, value, line.t);
        for (const container of [...line.containers, ...line.initContainers]) {
          for (const field of ['ready', 'started', 'restartCount', 'state', 'lastState'] as const) {
            const value = container[field];
            if (value !== undefined) change(`${container.name}/${field}`, String(value), line.t);
          }
        }
        break;
      default:
    }
    if (isAnchor(line)) last = line.t;
  }
  return found;
}

function isAnchor(line: TraceLine): boolean {
  if (line.kind === 'event') return ['Pulled', 'Created'].includes(line.reason);
  return ['runPodSandbox', 'started', 'exited'].includes(line.kind);
}

function startTimes(lines: readonly TraceLine[]): number[] {
  return lines.filter(({ kind }) => kind === 'started').map(({ t }) => t);
}

function withoutIDs(text: string): string {
  return text.replace(/\([0-9a-z-]*uid[0-9a-z-]*\)|\([0-9a-f-]{36}\)/g, '(uid)');
}
