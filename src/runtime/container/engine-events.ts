import { createInterface } from 'node:readline';

import type { EngineCli, EngineStream } from './engine-cli.js';
import { Fields } from './fields.js';

export interface EngineEvent {
  /** The container. */
  readonly id: string;
  readonly action: string;
  /** Of its end. */
  readonly exitCode?: number;
}

const ACTIONS = ['start', 'die', 'died', 'oom', 'destroy', 'remove', 'pause', 'unpause'];

/** The engine's event stream; polling shows the same, later. */
export class EngineEvents {
  readonly #cli: EngineCli;
  readonly #filters: readonly string[];
  readonly #onEvent: (event: EngineEvent) => void;
  #stream: EngineStream | undefined;
  #stopped = false;

  constructor(cli: EngineCli, filters: readonly string[], onEvent: (event: EngineEvent) => void) {
    this.#cli = cli;
    this.#filters = filters;
    this.#onEvent = onEvent;
  }

  /** Starts listening if needed. */
  ensure(): void {
    if (this.#stream !== undefined || this.#stopped) return;
    const filters = this.#filters.flatMap((filter) => ['--filter', filter]);
    const format = ['--format', '{{json .}}'];
    const stream = this.#cli.stream([
      'events',
      '--filter',
      'type=container',
      ...filters,
      ...format,
    ]);
    this.#stream = stream;
    stream.stderr.resume();
    stream.stderr.on('error', () => undefined);
    stream.stdout.on('error', () => undefined);
    createInterface({ input: stream.stdout }).on('line', (line) => this.#read(line));
    void stream.ended.then(() => {
      this.#stream = undefined;
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stream?.stop();
  }

  #read(line: string): void {
    const event = parseEvent(line);
    if (event !== undefined && ACTIONS.includes(event.action)) this.#onEvent(event);
  }
}

/** One line of `events`; undefined when it is none. */
function parseEvent(line: string): EngineEvent | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  const fields = new Fields(parsed);
  const [actor, attributes] = [fields.in('Actor'), fields.in('Attributes')];
  const id = actor.text('ID') || fields.text('id') || fields.text('ID');
  const action = fields.text('Action') || fields.text('status') || fields.text('Status');
  if (id === '' || action === '') return undefined;
  const code = actor.in('Attributes').text('exitCode') || attributes.text('containerExitCode');
  return { id, action, ...(code === '' ? {} : { exitCode: Number(code) }) };
}
