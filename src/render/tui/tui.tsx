import { EventEmitter } from 'node:events';

import { render } from 'ink';

import type { Clock } from '../../clock/clock.js';
import type { ProbeType } from '../../kubelet/event.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Ending, Renderer } from '../renderer.js';
import { paintLine } from '../text/paint.js';
import { App } from './app.js';
import { endingLines } from './ending-lines.js';
import { Screen, type Terminal } from './screen.js';
import type { About, Effect, OfProbe } from './state.js';
import { Store } from './store.js';

export interface TuiOptions {
  readonly clock: Clock;
  /** Seconds since the trace began. */
  readonly now: () => number;
  readonly terminal: Terminal;
  readonly about: About;
  readonly actions: TuiActions;
  /** How to look again: a command line. */
  readonly again: string;
}

/** What the user can do to the run. */
export interface TuiActions {
  /** Has a probe look now; what is against it. */
  trigger(pod: string, container: string, probe: ProbeType): string | undefined;
  /** Stops a container's run as if it had been killed; resolves with what is against it. */
  restart(pod: string, container: string): Promise<string | undefined>;
  /** Saves the trace so far; resolves with what to say of that. */
  save(): Promise<string>;
  /** As Ctrl-C does where no UI takes it. */
  interrupt(): void;
}

/** The UI as a renderer; `quit` settles when the user has seen enough. */
export type Tui = Renderer & { readonly quit: Promise<void> };

/** Takes the terminal and shows the first frame. */
export function createTui(options: TuiOptions): Tui {
  return new InkTui(options);
}

class InkTui implements Renderer {
  readonly quit: Promise<void>;
  readonly #screen: Screen;
  readonly #store: Store;
  readonly #app: ReturnType<typeof render>;
  #quit: () => void = () => undefined;

  constructor(private readonly options: TuiOptions) {
    const { clock, now, terminal, about } = options;
    this.quit = new Promise((resolve) => {
      this.#quit = resolve;
    });
    this.#screen = new Screen(terminal, (size) => this.#store.resize(size));
    this.#store = new Store({
      clock,
      now,
      about,
      size: this.#screen.size,
      perform: (effect) => this.#perform(effect),
    });
    this.#screen.enter();
    this.#app = render(<App store={this.#store} />, {
      // Each frame comes whole (debug): what of it is new, the screen finds out.
      debug: true,
      stdout: new FrameStream(this.#screen) as unknown as NodeJS.WriteStream,
      stdin: terminal.input,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    // Rejects with what a view has thrown: that is a bug, and ends kprobe as such.
    void this.#app.waitUntilExit();
    this.#store.subscribe(() => this.#screen.refresh());
  }

  line(_: TraceLine, summary: Summary): void {
    this.#store.receive(summary);
  }

  end(ending: Ending, summary: Summary): void {
    const { terminal, about, again } = this.options;
    this.#store.stop();
    this.#app.unmount();
    this.#screen.leave();
    const lines = endingLines(ending, summary, again);
    terminal.write(lines.map((line) => `${paintLine(line, about.look)}\n`).join(''));
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'quit':
        this.#store.end();
        return this.#quit();
      case 'interrupt':
        this.#store.end();
        return this.options.actions.interrupt();
      case 'suspend':
        return this.#screen.suspend();
      case 'redraw':
        return this.#screen.repaint();
      case 'say':
        return this.#store.say(effect.text, 'bad');
      case 'save':
        return void this.#save();
      case 'restart':
        return void this.#restart(effect.pod, effect.container);
      case 'trigger':
        return this.#trigger(effect);
    }
  }

  #trigger({ pod, container, probe }: OfProbe): void {
    const objection = this.options.actions.trigger(pod, container, probe);
    const done = `${container}/${probe} looks now; its period begins anew`;
    this.#store.say(objection ?? done, objection === undefined ? 'good' : 'bad');
  }

  async #restart(pod: string, container: string): Promise<void> {
    this.#store.say(`${container} is being stopped, as if it had been killed`, 'good');
    const objection = await this.options.actions.restart(pod, container);
    if (objection !== undefined) this.#store.say(objection, 'bad');
  }

  async #save(): Promise<void> {
    try {
      this.#store.say(`saved ${await this.options.actions.save()}`, 'good');
    } catch (error) {
      this.#store.say(
        `not saved: ${error instanceof Error ? error.message : String(error)}`,
        'bad',
      );
    }
  }
}

/** What Ink takes for a terminal, and writes whole frames to. */
class FrameStream extends EventEmitter {
  constructor(private readonly screen: Screen) {
    super();
  }

  get columns(): number {
    return this.screen.size.columns;
  }

  get rows(): number {
    return this.screen.size.rows;
  }

  write(frame: string): boolean {
    this.screen.draw(frame);
    return true;
  }
}
