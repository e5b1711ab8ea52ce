import type { Tmux } from './tmux.mjs';

/** Runs the demo, and calls `shoot` for each moment of the recording, with its name, and every now and then. */
export function play(shoot: (tmux: Tmux, name?: string) => void): Promise<void>;
