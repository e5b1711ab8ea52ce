import type { EventEmitter } from 'node:events';

import { textWidth } from '../text/line.js';
import type { Size } from './store/state.js';

/** Alternate screen, no cursor, no wrapping at the margin, pasted text marked as such. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h';
const LEAVE = '\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Clicks and the wheel, with columns as numbers. */
const MOUSE_ON = '\x1b[?1000h\x1b[?1006h';
const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l';
const CLEAR = '\x1b[0m\x1b[2J\x1b[H';
/** A terminal that knows these shows all between them at once. */
const BEGIN_UPDATE = '\x1b[?2026h';
const END_UPDATE = '\x1b[?2026l';

/** The terminal while the UI uses it: writes only what changed between two frames, and restores everything at the end. */
export class Screen {
  #shown: readonly string[] = [];
  #frame: readonly string[] = [];
  #entered = false;
  /** The terminal no longer shows what was drawn. */
  #stale = false;
  #hasMouse = true;
  #size: Size;
  readonly #release: (() => void)[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly onResize: (size: Size) => void,
  ) {
    this.#size = terminal.size();
  }

  get size(): Size {
    return this.#size;
  }

  enter(): void {
    const terminal = this.terminal;
    const resized = (): void => this.#resized();
    terminal.output.on('resize', resized);
    this.#release.push(
      () => terminal.output.off('resize', resized),
      terminal.onSuspend(
        () => this.#restore(),
        () => {
          this.#take();
          this.#resized();
        },
      ),
      terminal.onExit(() => this.#restore()),
    );
    this.#take();
  }

  /** Shows a frame: rows with line feeds between them. */
  draw(frame: string): void {
    this.#frame = frame.split('\n').slice(0, this.#size.rows);
    if (!this.#entered) return;
    const diff = `${this.#stale ? CLEAR : ''}${frameDiff(this.#shown, this.#frame)}`;
    if (diff === '') return;
    this.#stale = false;
    this.#shown = this.#frame;
    this.terminal.write(`${BEGIN_UPDATE}${diff}${END_UPDATE}`);
  }

  repaint(): void {
    this.#shown = [];
    this.#stale = true;
    this.refresh();
  }

  /** Shows the last frame again where the terminal has lost it. */
  refresh(): void {
    if (this.#stale) this.draw(this.#frame.join('\n'));
  }

  setMouse(on: boolean): void {
    this.#hasMouse = on;
    this.terminal.write(on ? MOUSE_ON : MOUSE_OFF);
  }

  /** Puts a text into the clipboard (OSC 52). */
  copy(text: string): void {
    this.terminal.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
  }

  suspend(): void {
    this.terminal.suspend();
  }

  leave(): void {
    for (const release of this.#release.splice(0)) release();
    this.#restore();
    this.terminal.close();
  }

  #take(): void {
    this.#entered = true;
    this.terminal.setRawMode(true);
    this.#shown = [];
    this.terminal.write(`${ENTER}${this.#hasMouse ? MOUSE_ON : ''}${CLEAR}`);
  }

  #restore(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.terminal.write(`${MOUSE_OFF}${LEAVE}`);
    this.terminal.setRawMode(false);
  }

  #resized(): void {
    this.#size = this.terminal.size();
    // Terminals differ in what they do to the rows: all are painted again.
    this.#shown = [];
    this.#stale = true;
    this.onResize(this.#size);
  }
}

/** Returns the output that replaces the rows on the screen by new ones; empty where they are the same. */
export function frameDiff(before: readonly string[], after: readonly string[]): string {
  const height = Math.max(before.length, after.length);
  let written = '';
  for (let y = 0; y < height; y++) {
    const row = after[y] ?? '';
    if (row === before[y]) continue;
    // Erased first: at the right margin, erasing afterwards would take the last character away.
    written += `\x1b[${y + 1};1H\x1b[2K${pinColumns(row)}`;
  }
  return written;
}

const PARTS = /\x1b\[[\d;]*m|[\x20-\x7e]+|[^\x1b\x20-\x7e]+/g;

/** Returns a painted row that sets the column after each non-ASCII part: terminals differ in how wide they draw it. */
export function pinColumns(row: string): string {
  let pinned = '';
  let column = 0;
  let unsure = false;
  for (const [part] of row.matchAll(PARTS)) {
    if (part.startsWith('\x1b')) {
      pinned += part;
      continue;
    }
    if (unsure) pinned += `\x1b[${column + 1}G`;
    pinned += part;
    unsure = !/^[\x20-\x7e]/.test(part);
    column += textWidth(part);
  }
  return pinned;
}

/** The terminal that the UI runs in, as the process knows it. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  /** Emits `resize`; `columns` and `rows` are the current ones. */
  readonly output: EventEmitter;
  size(): Size;
  write(text: string): void;
  setRawMode(on: boolean): void;
  /** Stops reading keys. */
  close(): void;
  /** Stops the process, with the job it belongs to, until it is continued. */
  suspend(): void;
  /** Calls these before the process is stopped from outside, and when it continues; returns how to stop that. */
  onSuspend(before: () => void, after: () => void): () => void;
  /** Calls this at every end of the process except KILL; returns how to stop that. */
  onExit(restore: () => void): () => void;
}
