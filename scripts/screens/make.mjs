/**
 * Makes the pictures of docs/tui.md and the recording of the README: runs kprobe in a tmux, presses keys, and draws what is there.
 *
 *     npm run screens
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ansiToSvg } from './ansi-svg.mjs';
import { record } from './recording.mjs';
import { Tmux } from './tmux.mjs';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'docs');
const SIZE = { columns: 110, rows: 26 };
const LARGE = { columns: 120, rows: 40 };

const folder = mkdtempSync(join(tmpdir(), 'kprobe-screens-'));
const tmux = new Tmux(`kprobe-screens-${process.pid}`);

function save(name, { columns = SIZE.columns, rows = SIZE.rows, title }) {
  const svg = ansiToSvg(tmux.screen({ colors: true }), { columns, rows, title });
  writeFileSync(join(DOCS, name), svg);
  process.stdout.write(`docs/${name}\n`);
}

async function demo() {
  tmux.enter('kprobe run --allow-local-exec --container app pod.yaml -- node server.js');
  await tmux.shows(/restarts 1/, /alive/);
  await tmux.shows(/not ready/, /cat: healthy/, /1\/3 → restart/);
  save('screen.svg', { title: 'kprobe run: a pod whose liveness probe begins to fail' });
  const views = [
    ['2', /per cell/, 'timeline'],
    ['3', /\[3 events\]/, 'events'],
    ['4', /\[4 status\]/, 'status'],
    ['5', /\[5 logs\]/, 'logs'],
  ];
  for (const [key, pattern, name] of views) {
    tmux.press(key);
    await tmux.shows(pattern);
    save(`screens/${name}.svg`, { title: `kprobe: ${name}` });
  }
  tmux.press('1', 'g', 'j', 'j');
  await tmux.shows(/▸ readiness/);
  const details = [
    ['Enter', /attempt \d+ of/, 'attempt'],
    ['d', /Counters/, 'describe'],
    ['x', /explained/, 'explain'],
  ];
  for (const [key, pattern, name] of details) {
    tmux.press(key);
    await tmux.shows(pattern);
    save(`screens/${name}.svg`, { title: `kprobe: ${name}` });
    tmux.press('Escape');
    await tmux.shows(/▸ readiness/);
  }
  tmux.press('?');
  await tmux.shows(/Everywhere/);
  save('screens/keys.svg', { title: 'kprobe: keys' });
  tmux.press('Escape');
  await tmux.shows(/▸ readiness/);
  tmux.resize(LARGE.columns, LARGE.rows);
  await tmux.shows(/logs of app/);
  save('screens/panels.svg', { ...LARGE, title: 'kprobe: a large terminal' });
  tmux.resize(SIZE.columns, SIZE.rows);
  await tmux.shows(/▸ readiness/);
  tmux.press('q');
  await tmux.shows(/^again /m);
  save('screens/ending.svg', { rows: 8, title: 'kprobe: the summary' });
}

/** Four pods: one whose server is missing, and one that loses its readiness. */
async function list() {
  tmux.resize(LARGE.columns, LARGE.rows);
  tmux.enter('clear; PORT=18090 node server.js > log 2>&1 & kprobe run pods.yaml; kill $!');
  await tmux.shows(/4 pods/, /✗ .*refused/, /┌─ events/, /^\* cart/m);
  save('screens/pods.svg', { ...LARGE, title: 'kprobe: a list of pods' });
  tmux.press('q');
  // At the prompt, the shell has ended the server.
  await tmux.shows(/^again /m, /^\$ *$/m);
}

try {
  mkdirSync(join(DOCS, 'screens'), { recursive: true });
  cpSync(join(import.meta.dirname, 'demo'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'kprobe'), `#!/bin/sh\nexec node ${ROOT}/bin/kprobe.js "$@"\n`);
  chmodSync(join(folder, 'kprobe'), 0o755);
  await tmux.start({
    ...SIZE,
    folder,
    env: { PATH: `${folder}:${process.env.PATH}`, CI: '', LC_ALL: 'C.UTF-8' },
  });
  await demo();
  await list();
} finally {
  tmux.end();
  rmSync(folder, { recursive: true, force: true });
}

writeFileSync(join(DOCS, 'recording.svg'), await record());
process.stdout.write('docs/recording.svg\n');
