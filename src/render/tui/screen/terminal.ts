import type { EventEmitter } from 'node:events';

/** The terminal that the UI runs in, as the process knows it. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  /** Told of `resize`; columns and rows are what they are then. */
  readonly output: EventEmitter;
  size(): Size;
  write(text: string): void;
  setRawMode(on: boolean): void;
  /** Stops the process, with the job it belongs to, until it is continued. */
  suspend(): void;
  /** Called before the process is stopped from outside, and when it goes on; returns how to stop that. */
  onSuspend(before: () => void, after: () => void): () => void;
  /** Called when the process ends in any way that still lets it write; returns how to stop that. */
  onExit(restore: () => void): () => void;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}
