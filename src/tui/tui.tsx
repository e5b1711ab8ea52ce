import { EventEmitter } from 'node:events';

import { render } from 'ink';

import { isEndOfRun } from '../diagnosis/diagnosis.js';
import { worstOfPods } from '../report/diagnosis-changes.js';
import type { Renderer } from '../report/renderer.js';
import { counted } from '../text/count.js';
import { paintLine, type Theme, toAscii } from '../text/paint.js';
import type { ProbeType } from '../trace/event.js';
import { EMPTY_SUMMARY, type Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending } from '../trace/trace-record.js';
import { App } from './app.js';
import { type Causes, endingLines } from './ending-lines.js';
import { Screen, type Terminal } from './screen.js';
import type { ContainerRef, Effect, Player, ProbeRef } from './store/state.js';
import { Store, type StoreOptions } from './store/store.js';

interface TuiOptions extends Pick<StoreOptions, 'clock' | 'now' | 'context'> {
  readonly terminal: Terminal;
  readonly actions: TuiActions;
  /** The player of a replay; absent for a live run. */
  readonly player?: Player | undefined;
  /** The command line that repeats or replays the run; undefined prints nothing at the end. */
  readonly command: string | undefined;
}

/** The user's actions on the run. One that cannot be done returns the reason. */
export interface TuiActions {
  /** Runs a probe now; returns the reason why not. */
  trigger(pod: string, container: string, probe: ProbeType): string | undefined;
  /** Tries changes that may end a probe's failure; returns the number of attempts. Absent where no key starts that. */
  try?(pod: string, container: string, probe: ProbeType): number;
  /** Stops a container's run as if it had been killed; resolves with the reason why not. */
  restart(pod: string, container: string): Promise<string | undefined>;
  /** Reads what a container's run writes from now on; absent where all output is read. */
  followLog?(pod: string, container: string): void;
  /** Saves the trace so far; resolves with its path. */
  save(): Promise<string>;
  /** Ends kprobe as Ctrl-C does without a UI. */
  interrupt(): void;
}

/** Takes the terminal and shows the first frame at once. */
export class InkTui implements Renderer {
  readonly quit: Promise<void>;
  readonly #screen: Screen;
  readonly #store: Store;
  readonly #app: ReturnType<typeof render>;
  #quit: () => void = () => undefined;
  #isLive = true;
  #live = EMPTY_SUMMARY;

  constructor(private readonly options: TuiOptions) {
    const { terminal } = options;
    this.quit = new Promise((resolve) => {
      this.#quit = resolve;
    });
    this.#screen = new Screen(terminal, (size) => this.#store.resize(size));
    this.#store = new Store({
      ...options,
      size: this.#screen.size,
      perform: (effect) => this.#perform(effect),
    });
    this.#screen.enter();
    this.#app = render(<App store={this.#store} />, {
      // Ink writes whole frames (debug): the screen writes only what changed.
      debug: true,
      stdout: new FrameStream(this.#screen, options.context.theme) as unknown as NodeJS.WriteStream,
      stdin: terminal.input,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    // Rejects with what a view has thrown: that is a bug, and ends kprobe as such.
    void this.#app.waitUntilExit();
    this.#store.subscribe(() => this.#screen.refresh());
  }

  line(line: TraceLine, summary: Summary): void {
    this.seek(summary, line);
  }

  /** Shows a replay at another time; `line` is the line that it has just reached, unless it went back. */
  seek(summary: Summary, line?: TraceLine): void {
    this.#isLive = line === undefined || (this.#isLive && !isEndOfRun(line));
    if (this.#isLive) this.#live = summary;
    this.#store.receive(summary);
  }

  end(ending: Ending, summary: Summary): void {
    const { terminal, context, command } = this.options;
    this.#store.stop();
    this.#app.unmount();
    this.#screen.leave();
    if (command === undefined) return;
    const causes = this.#causes(ending.t);
    // The UI may have been too busy to see the latest size.
    const width = terminal.size().columns;
    const lines = endingLines(ending, summary, command, { causes, width });
    terminal.write(lines.map((line) => `${paintLine(line, context.theme)}\n`).join(''));
  }

  /** Returns the causes in the pods as they were before kprobe stopped what it had started, the worst first. */
  #causes(now: number): Causes {
    const { hints, isSimulated } = this.options.context;
    if (!hints) return new Map();
    return new Map(
      worstOfPods(this.#live.pods, now, isSimulated).map(({ pod, worst, text }) => [
        pod.key,
        { text, isWarning: worst.urgency === 'warning' },
      ]),
    );
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
      case 'mouse':
        this.#screen.setMouse(effect.on);
        return this.#store.say(`${effect.on ? 'kprobe' : 'the terminal'} has the mouse`, 'good');
      case 'copy': {
        this.#screen.copy(effect.text);
        const { name, text } = effect;
        return this.#store.say(`copied: ${text.includes('\n') ? name : text}`, 'good');
      }
      case 'play':
        return this.options.player?.[effect.do]();
      case 'seek':
        return this.options.player?.seek(effect.seconds);
      case 'say':
        return this.#store.say(effect.text, 'bad');
      case 'followLog':
        return this.options.actions.followLog?.(effect.pod, effect.container);
      case 'save':
        return void this.#save();
      case 'restart':
        return void this.#restart(effect);
      case 'trigger':
        return this.#trigger(effect);
      case 'try':
        return this.#try(effect);
    }
  }

  #trigger({ pod, container, probe }: ProbeRef): void {
    const reason = this.options.actions.trigger(pod, container, probe);
    const done = `${container}/${probe}: probing now; its period restarts`;
    this.#store.say(reason ?? done, reason === undefined ? 'good' : 'bad');
  }

  #try({ pod, container, probe }: ProbeRef): void {
    const count = this.options.actions.try?.(pod, container, probe) ?? 0;
    const trying = `trying changes with ${counted(count, 'attempt')}`;
    const text = `${container}/${probe}: ${count === 0 ? 'no change is left to try' : trying}`;
    this.#store.say(text, count === 0 ? 'bad' : 'good');
  }

  async #restart({ pod, container }: ContainerRef): Promise<void> {
    this.#store.say(`stopping ${container}, as if it had been killed`, 'good');
    const reason = await this.options.actions.restart(pod, container);
    if (reason !== undefined) this.#store.say(reason, 'bad');
  }

  async #save(): Promise<void> {
    try {
      this.#store.say(`saved ${await this.options.actions.save()}`, 'good');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#store.say(`not saved: ${reason}`, 'bad');
    }
  }
}

/** The stream that Ink writes whole frames to, as if it were a terminal. */
class FrameStream extends EventEmitter {
  constructor(
    private readonly screen: Screen,
    private readonly theme: Theme,
  ) {
    super();
  }

  get columns(): number {
    return this.screen.size.columns;
  }

  get rows(): number {
    return this.screen.size.rows;
  }

  write(frame: string): boolean {
    // Ink marks what it cuts off with an ellipsis of its own.
    this.screen.draw(this.theme.unicode ? frame : toAscii(frame));
    return true;
  }
}
