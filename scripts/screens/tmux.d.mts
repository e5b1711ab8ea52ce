export interface TmuxStart {
  readonly columns: number;
  readonly rows: number;
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A shell in a tmux of its own. */
export class Tmux {
  /** The socket's name. */
  constructor(socket: string);
  start(options: TmuxStart): Promise<void>;
  resize(columns: number, rows: number): void;
  type(text: string): void;
  press(...keys: string[]): void;
  enter(text: string): void;
  paste(text: string): void;
  screen(options?: { readonly colors?: boolean }): string;
  ask(format: string): string;
  shows(...patterns: RegExp[]): Promise<string>;
  until<T>(look: () => T, isRight: (found: T) => boolean, what: string): Promise<T>;
  end(): void;
}
