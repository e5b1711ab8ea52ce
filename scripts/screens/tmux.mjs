/** A shell in a tmux of its own. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 120_000;
const PANE = 'kprobe';

export class Tmux {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  /** Starts the shell, and waits for its prompt. */
  async start({ columns, rows, folder, env = {} }) {
    this.#run(
      ...['-f', '/dev/null', 'new-session', '-d', '-s', PANE, '-c', folder],
      ...['-x', String(columns), '-y', String(rows)],
      // Not tmux's -e: a login shell in between would set the path anew.
      ...['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'sh'],
    );
    this.#run('set', '-g', 'status', 'off');
    this.enter("PS1='$ '; clear");
    await this.shows(/^\$ *$/m);
  }

  resize(columns, rows) {
    this.#run('resize-window', '-t', PANE, '-x', String(columns), '-y', String(rows));
  }

  type(text) {
    this.#run('send-keys', '-t', PANE, '-l', text);
  }

  /** Keys by their names in tmux: `q`, `Enter`, `C-c`, `Escape`. */
  press(...keys) {
    this.#run('send-keys', '-t', PANE, ...keys);
  }

  /** A command line for the shell. */
  enter(text) {
    this.type(text);
    this.press('Enter');
  }

  paste(text) {
    this.#run('set-buffer', text);
    this.#run('paste-buffer', '-p', '-t', PANE);
  }

  /** The screen's rows, with their colours if wanted. */
  screen({ colors = false } = {}) {
    return this.#run('capture-pane', '-p', '-t', PANE, ...(colors ? ['-e'] : []));
  }

  /** What tmux knows of the pane, as in `#{alternate_on}`. */
  ask(format) {
    return this.#run('display', '-p', '-t', PANE, format).trim();
  }

  /** Resolves with the screen once it shows all of that. */
  shows(...patterns) {
    return this.until(
      () => this.screen(),
      (screen) => patterns.every((pattern) => pattern.test(screen)),
      patterns.join(' and '),
    );
  }

  /** Resolves with what `look` finds once it is as it should be. */
  async until(look, isRight, what) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const found = look();
      if (isRight(found)) return found;
      if (Date.now() > end) throw new Error(`waited for ${what}, but:\n${found}\n${this.screen()}`);
      await sleep(50);
    }
  }

  end() {
    try {
      this.#run('kill-server');
    } catch {
      // It has ended by itself.
    }
  }

  #run(...args) {
    return execFileSync('tmux', ['-L', this.#socket, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
