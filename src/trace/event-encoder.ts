import type { Event } from '../kubelet/event.js';
import { encodeLine } from './codec.js';
import { roundMilliseconds, secondsSince, toTraceLine } from './trace-line.js';

type Of<Kind> = Extract<Event, { kind: Kind }>;

/**
 * Writes events as the NDJSON of their trace lines. Nearly all lines of a simulation are about attempts: those are put
 * together from the few parts that change, without an object of the line and without JSON.stringify, which would take
 * a third of all that a simulated hour costs.
 */
export class EventEncoder {
  /** The names in the last line, and their JSON: the next one is likely to be of the same container. */
  private pod = '';
  private container = '';
  private names = '';
  /** The JSON of ids and commands. */
  private readonly texts = new Map<string, string>();

  /** The line's text without its line break: what encodeLine makes of toTraceLine's line. */
  encode(event: Event, now: number, origin: number): string {
    return this.brief(event, now, origin) ?? encodeLine(toTraceLine(event, now, origin));
  }

  /** Of an event that is all in all as nearly all of them are. */
  private brief(event: Event, now: number, origin: number): string | undefined {
    const { kind } = event;
    if (kind === 'attempt') {
      return event.trigger === undefined
        ? this.attempt(event, secondsSince(origin, now))
        : undefined;
    }
    if (kind === 'exec') return `${this.exec(event, secondsSince(origin, now))}}`;
    if (kind === 'execDone' && 'exit' in event) {
      return `${this.exec(event, secondsSince(origin, now))},"exit":${event.exit}}`;
    }
    if (kind !== 'attemptDone' || event.error !== undefined || event.detail !== undefined) {
      return undefined;
    }
    return this.attemptDone(event, secondsSince(origin, now), secondsSince(origin, event.nextTick));
  }

  private attempt(event: Of<'attempt'>, t: number): string {
    const { kind, probe, attempt, containerID } = event;
    return `{"t":${t},"kind":"${kind}"${this.namesOf(event)},"probe":"${probe}","attempt":${attempt},"containerID":${this.text(containerID)}}`;
  }

  private exec(event: Of<'exec' | 'execDone'>, t: number): string {
    const { kind, run, command } = event;
    return `{"t":${t},"kind":"${kind}"${this.namesOf(event)},"run":${run},"command":${this.text(command)}`;
  }

  private attemptDone(event: Of<'attemptDone'>, t: number, nextTick: number): string {
    const { kind, probe, attempt, containerID, result, output, tries, latency, set } = event;
    const { lastResult, resultRun, threshold } = event;
    const about = `{"t":${t},"kind":"${kind}"${this.namesOf(event)},"probe":"${probe}","attempt":${attempt},"containerID":${this.text(containerID)}`;
    const answer = `,"result":"${result}","output":${output === '' ? '""' : JSON.stringify(output)},"tries":${tries},"latency":${roundMilliseconds(latency)}`;
    const counted = `,"lastResult":"${lastResult}","resultRun":${resultRun},"threshold":${threshold},"nextTick":${nextTick}`;
    return `${about}${answer}${counted}${set === undefined ? '}' : `,"set":"${set}"}`}`;
  }

  private namesOf({
    pod,
    container,
  }: {
    readonly pod: string;
    readonly container: string;
  }): string {
    if (pod !== this.pod || container !== this.container) {
      this.pod = pod;
      this.container = container;
      this.names = `,"pod":${JSON.stringify(pod)},"container":${JSON.stringify(container)}`;
    }
    return this.names;
  }

  private text(value: string): string {
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    this.texts.set(value, text);
    return text;
  }
}
