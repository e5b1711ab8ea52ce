import type { Event } from '../kubelet/event.js';
import { roundMilliseconds } from './trace-line.js';

type Of<Kind> = Extract<Event, { kind: Kind }>;

/** The lines about one probe of one run of a container: what they have in common is written once. */
export class ProbeLines {
  /** Up to the attempt's number. */
  private readonly attemptHead: string;
  private readonly doneHead: string;
  private readonly containerID: string;
  private readonly attemptEnd: string;
  /** Most answers are as the last one: what of it comes after the number, after the latency, and after the run. */
  private last: Of<'attemptDone'> | undefined;
  private answer = '';
  private counted = '';
  private until = '';
  private end = '';

  constructor({ pod, container, probe, containerID }: Of<'attempt' | 'attemptDone'>) {
    const names = `${JSON.stringify(pod)},"container":${JSON.stringify(container)}`;
    const upToNumber = `,"pod":${names},"probe":"${probe}","attempt":`;
    this.attemptHead = `,"kind":"attempt"${upToNumber}`;
    this.doneHead = `,"kind":"attemptDone"${upToNumber}`;
    this.containerID = `,"containerID":${JSON.stringify(containerID)}`;
    this.attemptEnd = `${this.containerID}}\n`;
  }

  /** Of an attempt that nobody has asked for; `head` is the line's begin, with its time. */
  attempt(head: string, attempt: number): string {
    return `${head}${this.attemptHead}${attempt}${this.attemptEnd}`;
  }

  /** Of an answer without an error and detail; `nextTick` is in seconds. */
  attemptDone(head: string, event: Of<'attemptDone'>, nextTick: number): string {
    const { last } = this;
    if (last === undefined || !isAlike(event, last)) this.remember(event);
    return `${head}${this.doneHead}${event.attempt}${this.answer}${roundMilliseconds(event.latency)}${this.counted}${event.resultRun}${this.until}${nextTick}${this.end}`;
  }

  private remember(event: Of<'attemptDone'>): void {
    const { result, output, tries, lastResult, threshold, set } = event;
    this.last = event;
    this.answer = `${this.containerID},"result":"${result}","output":${JSON.stringify(output)},"tries":${tries},"latency":`;
    this.counted = `,"lastResult":"${lastResult}","resultRun":`;
    this.until = `,"threshold":${threshold},"nextTick":`;
    this.end = set === undefined ? '}\n' : `,"set":"${set}"}\n`;
  }
}

function isAlike(event: Of<'attemptDone'>, last: Of<'attemptDone'>): boolean {
  return (
    event.result === last.result &&
    event.output === last.output &&
    event.tries === last.tries &&
    event.lastResult === last.lastResult &&
    event.threshold === last.threshold &&
    event.set === last.set
  );
}
