import type { Event, ProbeType } from '../kubelet/event.js';
import { encodeLine } from './codec.js';
import { CommandLines } from './command-lines.js';
import { ProbeLines } from './probe-lines.js';
import { secondsSince, toTraceLine } from './trace-line.js';

type Of<Kind> = Extract<Event, { kind: Kind }>;

/**
 * Writes events as the NDJSON of their trace lines. Nearly all lines of a simulation are about attempts: those are put
 * together from what they have in common and the few parts that change, without an object of the line and without
 * JSON.stringify, which would take a third of all that a simulated hour costs.
 */
export class EventEncoder {
  /** By container id; an id is of one run. */
  private readonly probes = new Map<string, Partial<Record<ProbeType, ProbeLines>>>();
  private readonly commands = new Map<string, CommandLines>();
  /** How the lines of this time begin. */
  private head = '';
  private headTime = Number.NaN;

  /** When the trace begins, in the clock's milliseconds. */
  constructor(private readonly origin: number) {}

  /** The line with its line break: what encodeLine makes of toTraceLine's line. */
  encode(event: Event, now: number): string {
    if (now !== this.headTime) {
      this.headTime = now;
      this.head = `{"t":${secondsSince(this.origin, now)}`;
    }
    switch (event.kind) {
      case 'attempt':
        if (event.trigger !== undefined) break;
        return this.probe(event).attempt(this.head, event.attempt);
      case 'exec':
        return this.command(event).begun(this.head);
      case 'execDone':
        if (!('exit' in event)) break;
        return this.command(event).ended(this.head, event.exit);
      case 'attemptDone': {
        if (event.error !== undefined || event.detail !== undefined) break;
        const nextTick = secondsSince(this.origin, event.nextTick);
        return this.probe(event).attemptDone(this.head, event, nextTick);
      }
      default:
    }
    return `${encodeLine(toTraceLine(event, now, this.origin))}\n`;
  }

  private probe(event: Of<'attempt' | 'attemptDone'>): ProbeLines {
    const { probe, containerID } = event;
    let probes = this.probes.get(containerID);
    if (probes === undefined) this.probes.set(containerID, (probes = {}));
    return (probes[probe] ??= new ProbeLines(event));
  }

  private command(event: Of<'exec' | 'execDone'>): CommandLines {
    const known = this.commands.get(event.command);
    if (known?.isOf(event) === true) return known;
    const lines = new CommandLines(event);
    this.commands.set(event.command, lines);
    return lines;
  }
}
