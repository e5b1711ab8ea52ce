import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { KPROBE, kprobe } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';

describe('a terminal of 40×12', () => {
  it('shows the settings of a probe whole, and what a filter leaves', async () => {
    await using terminal = await openTerminal({ columns: 40, rows: 12 });
    const { tmux } = terminal;
    tmux.enter(terminal.command());
    await tmux.shows(/Ready ✓/, /liveness/);
    tmux.press('g', 'j');
    await tmux.shows(/▸ readiness/);
    tmux.press('d');
    await tmux.shows(/^ {2}initialDelaySeconds +0 s {2}\(default\)$/m, /esc close/);
    tmux.press('Escape');
    await tmux.shows(/\[1 pod\]/, /liveness/);
    tmux.press('/');
    tmux.type('live');
    tmux.press('Enter');
    await tmux.shows(/\/live: 2 of 3, esc clears/);
  });
});

it.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('keeps a long command of a probe in one row: $columns×$rows', async (size) => {
  await using terminal = await openTerminal(size);
  const { tmux, folder } = terminal;
  const command = Array.from({ length: 40 }, (_, index) => `argument-${index}`);
  const probes = `readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}, livenessProbe: {exec: {command: [check, ${command.join(', ')}]}}`;
  const pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: 'a:1', ${probes}}]}}`;
  const { stdout } = await kprobe(['simulate', '-', '--for', '20s', '-o', 'json'], { input: pod });
  writeFileSync(join(folder, 'trace.ndjson'), stdout);
  tmux.enter(`'${process.execPath}' '${KPROBE}' replay --speed 1000 trace.ndjson`);
  const screen = await tmux.shows(/replay, over/, /liveness +exec check/);
  expect(screen.match(/argument-\d/g)?.length ?? 0).toBeLessThan(5);
});

it('leaves no empty rows below the panels at 300×80', async () => {
  await using terminal = await openTerminal({ columns: 300, rows: 80 });
  const { tmux } = terminal;
  await terminal.runUi();
  const screen = await tmux.shows(/┌─ logs of app ─+┐/, /listening on \d+/);
  expect(
    screen
      .trimEnd()
      .split('\n')
      .filter((row) => row.trim() === ''),
  ).toEqual([]);
});
