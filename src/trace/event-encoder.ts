import type { Event, ProbeType } from '../kubelet/event.js';
import { encodeLine } from './codec.js';
import { roundMilliseconds, secondsSince, toTraceLine } from './trace-line.js';

type Of<Kind> = Extract<Event, { kind: Kind }>;

/** What the lines about one probe of a run have in common. */
interface ProbeParts {
  /** Up to the attempt's number. */
  readonly attempt: string;
  readonly attemptDone: string;
  readonly containerID: string;
}

/** What the lines about one command in a run have in common. */
interface CommandParts {
  readonly pod: string;
  readonly container: string;
  readonly run: number;
  readonly exec: string;
  readonly execDone: string;
}

/**
 * Writes events as the NDJSON of their trace lines. Nearly all lines of a simulation are about attempts: those are put
 * together from what they have in common and the few parts that change, without an object of the line and without
 * JSON.stringify, which would take a third of all that a simulated hour costs.
 */
export class EventEncoder {
  /** By container id; an id is of one run. */
  private readonly probes = new Map<string, Partial<Record<ProbeType, ProbeParts>>>();
  private readonly commands = new Map<string, CommandParts>();

  /** The line's text without its line break: what encodeLine makes of toTraceLine's line. */
  encode(event: Event, now: number, origin: number): string {
    const t = secondsSince(origin, now);
    return this.brief(event, t, origin) ?? encodeLine(toTraceLine(event, now, origin));
  }

  /** Of an event that is as nearly all of its kind are. */
  private brief(event: Event, t: number, origin: number): string | undefined {
    const { kind } = event;
    if (kind === 'attempt' && event.trigger === undefined) {
      const { attempt, containerID } = this.probe(event);
      return `{"t":${t}${attempt}${event.attempt}${containerID}}`;
    }
    if (kind === 'exec') return `{"t":${t}${this.command(event).exec}}`;
    if (kind === 'execDone' && 'exit' in event) {
      return `{"t":${t}${this.command(event).execDone},"exit":${event.exit}}`;
    }
    if (kind !== 'attemptDone' || event.error !== undefined || event.detail !== undefined) {
      return undefined;
    }
    return this.attemptDone(event, t, secondsSince(origin, event.nextTick));
  }

  private attemptDone(event: Of<'attemptDone'>, t: number, nextTick: number): string {
    const { attempt, result, output, tries, latency, lastResult, resultRun, threshold, set } =
      event;
    const parts = this.probe(event);
    const text = output === '' ? '""' : JSON.stringify(output);
    const end = set === undefined ? '}' : `,"set":"${set}"}`;
    return `{"t":${t}${parts.attemptDone}${attempt}${parts.containerID},"result":"${result}","output":${text},"tries":${tries},"latency":${roundMilliseconds(latency)},"lastResult":"${lastResult}","resultRun":${resultRun},"threshold":${threshold},"nextTick":${nextTick}${end}`;
  }

  private probe(event: Of<'attempt' | 'attemptDone'>): ProbeParts {
    const { probe, containerID } = event;
    let probes = this.probes.get(containerID);
    if (probes === undefined) this.probes.set(containerID, (probes = {}));
    return (probes[probe] ??= probeParts(event));
  }

  private command(event: Of<'exec' | 'execDone'>): CommandParts {
    const { pod, container, run, command } = event;
    const known = this.commands.get(command);
    if (known?.run === run && known.container === container && known.pod === pod) return known;
    const parts = commandParts(event);
    this.commands.set(command, parts);
    return parts;
  }
}

function probeParts({
  pod,
  container,
  probe,
  containerID,
}: Of<'attempt' | 'attemptDone'>): ProbeParts {
  const names = `${JSON.stringify(pod)},"container":${JSON.stringify(container)}`;
  const upToNumber = `,"pod":${names},"probe":"${probe}","attempt":`;
  return {
    attempt: `,"kind":"attempt"${upToNumber}`,
    attemptDone: `,"kind":"attemptDone"${upToNumber}`,
    containerID: `,"containerID":${JSON.stringify(containerID)}`,
  };
}

function commandParts({ pod, container, run, command }: Of<'exec' | 'execDone'>): CommandParts {
  const about = JSON.stringify({ pod, container, run, command }).slice(1, -1);
  const exec = `,"kind":"exec",${about}`;
  return { pod, container, run, exec, execDone: `,"kind":"execDone",${about}` };
}
