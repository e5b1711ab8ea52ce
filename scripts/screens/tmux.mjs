/** A shell in a tmux of its own, with `kprobe` on its path. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 60_000;

export class Tmux {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  start({ columns, rows, folder, env }) {
    this.#run(
      ...['-f', '/dev/null', 'new-session', '-d', '-s', 'kprobe', '-c', folder],
      ...['-x', String(columns), '-y', String(rows)],
      // Not tmux's -e: a login shell in between would set the path anew.
      ...['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'sh'],
    );
    this.#run('set', '-g', 'status', 'off');
  }

  resize(columns, rows) {
    this.#run('resize-window', '-t', 'kprobe', '-x', String(columns), '-y', String(rows));
  }

  type(text) {
    this.#run('send-keys', '-t', 'kprobe', '-l', text);
  }

  press(...keys) {
    this.#run('send-keys', '-t', 'kprobe', ...keys);
  }

  /** The screen's rows, with their colours if wanted. */
  screen({ colors = false } = {}) {
    return this.#run('capture-pane', '-p', '-t', 'kprobe', ...(colors ? ['-e'] : []));
  }

  /** Resolves once the screen shows all of that. */
  async shows(...patterns) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const screen = this.screen();
      if (patterns.every((pattern) => pattern.test(screen))) return;
      if (Date.now() > end) throw new Error(`waited for ${patterns.join(', ')}, but:\n${screen}`);
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
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}
