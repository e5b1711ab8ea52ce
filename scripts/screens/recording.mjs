/** The recording at the top of the README: `kprobe demo` from the first key to the last. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { animatedSvg } from './animated-svg.mjs';
import { Tmux } from './tmux.mjs';

const SIZE = { columns: 100, rows: 28 };
/** Milliseconds between two frames, between two keys, and for the last frame. */
const PERIOD = 500;
const TYPING = 70;
const LAST = 8000;

/** The server's command line has a path of this machine. */
const HAS_PATH = /node \//;

/** What the recording shows, in this order: the patterns that tell when it is there, and the key that is pressed after so many milliseconds. */
const MOMENTS = [
  { name: 'starting', patterns: [/PROBE/, /ready ✗/, /kubelet does next/, /q quit/] },
  { name: 'ready', patterns: [/Ready ✓/], hold: 1500, key: '2' },
  { name: 'timeline', patterns: [/per cell/], hold: 3500, key: '1' },
  { name: 'killed', patterns: [/→ TERM sent/, /= Raise/] },
  { name: 'restarted', patterns: [/Ready ✓ \(lost once\)/, /restarts 1/], hold: 2500, key: 'q' },
  { name: 'lesson', patterns: [/^Lesson: /m, /^Other faults: /m, /^\$ *$/m] },
];

/** Runs the demo, and calls `shoot` for each moment and every now and then; resolves when the last moment is there. */
export async function play(shoot) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-recording-'));
  const tmux = new Tmux(`kprobe-recording-${process.pid}`);
  let next = 0;
  const shootUntil = (isRight, what) =>
    tmux.until(
      () => {
        if (Date.now() >= next) {
          shoot(tmux);
          next = Date.now() + PERIOD;
        }
        return tmux.screen();
      },
      isRight,
      what,
    );
  try {
    const program = join(import.meta.dirname, '../../bin/kprobe.js');
    writeFileSync(join(folder, 'kprobe'), `#!/bin/sh\nexec node '${program}' "$@"\n`);
    chmodSync(join(folder, 'kprobe'), 0o755);
    const env = { PATH: `${folder}:${process.env.PATH}`, CI: '', NO_COLOR: '', LC_ALL: 'C.UTF-8' };
    await tmux.start({ ...SIZE, folder, env });
    shoot(tmux);
    for (const letter of 'kprobe demo') {
      tmux.type(letter);
      await sleep(TYPING);
      shoot(tmux);
    }
    tmux.press('Enter');
    for (const { name, patterns, hold = 0, key } of MOMENTS) {
      await shootUntil(
        (screen) => !HAS_PATH.test(screen) && patterns.every((pattern) => pattern.test(screen)),
        name,
      );
      shoot(tmux, name);
      const end = Date.now() + hold;
      await shootUntil(() => Date.now() >= end, `the time after ${name}`);
      if (key !== undefined) tmux.press(key);
    }
  } finally {
    tmux.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the recording as an animated SVG. */
export async function record() {
  const frames = [];
  const begin = performance.now();
  await play((tmux, name) => {
    const capture = tmux.screen({ colors: true });
    if (HAS_PATH.test(capture)) return;
    const time = performance.now() - begin;
    if (capture !== frames.at(-1)?.capture) frames.push({ capture, time });
    if (name !== undefined) frames.at(-1).name = name;
  });
  const first = frames[0].time;
  const shifted = frames.map((frame) => ({ ...frame, time: frame.time - first }));
  const end = shifted.at(-1).time + LAST;
  const still = frames.findIndex(({ name }) => name === 'killed');
  const title =
    'kprobe demo: a server starts, gets ready, hangs, and is restarted; kprobe says why';
  return animatedSvg(shifted, { ...SIZE, end, still, title });
}
