import type { Event } from '../kubelet/event.js';

type Of<Kind> = Extract<Event, { kind: Kind }>;

/** The lines about one command in one run of a container: what they have in common is written once. */
export class CommandLines {
  private readonly exec: string;
  /** Up to the exit code. */
  private readonly doneHead: string;
  private exit: number | undefined;
  private done = '';

  constructor(private readonly first: Of<'exec' | 'execDone'>) {
    const { pod, container, run, command } = first;
    const about = JSON.stringify({ pod, container, run, command }).slice(1, -1);
    this.exec = `,"kind":"exec",${about}}\n`;
    this.doneHead = `,"kind":"execDone",${about},"exit":`;
  }

  /** Whether an event about the same command is about the same run, too. */
  isOf({ pod, container, run }: Of<'exec' | 'execDone'>): boolean {
    const { first } = this;
    return run === first.run && container === first.container && pod === first.pod;
  }

  /** `head` is the line's begin, with its time. */
  begun(head: string): string {
    return head + this.exec;
  }

  ended(head: string, exit: number): string {
    if (exit !== this.exit) {
      this.exit = exit;
      this.done = `${this.doneHead}${exit}}\n`;
    }
    return head + this.done;
  }
}
