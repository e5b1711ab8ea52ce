import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { KPROBE, kprobe, ROOT } from '../helpers/kprobe.js';
import { isAlive, openTerminal } from '../helpers/terminal.js';

describe('the terminal UI when it ends', () => {
  it.each([
    { name: 'q', code: 0, said: /, quit, after/, end: 'q' },
    { name: 'Ctrl-C', code: 130, said: /, interrupted, after/, end: 'C-c' },
  ])('gives the terminal back on $name, and says what happened', async ({ end, code, said }) => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    tmux.press(end);
    const screen = await tmux.shows(new RegExp(`^code=${code}$`, 'm'));
    expect(screen).toMatch(/^ready +after \d+\.\d s$/m);
    expect(screen).toMatch(/^restarts +none$/m);
    expect(screen).toMatch(/^latency +worst .* of \d+ attempts?$/m);
    expect(screen).toMatch(/^verdict +default\/web ready after/m);
    expect(screen).toMatch(said);
    expect(screen).toMatch(/^again +kprobe run/m);
    await terminal.isAsBefore();
    await terminal.serverIsGone();
  });

  it('breaks no word of its summary in a terminal of 40 columns', async () => {
    await using terminal = await openTerminal({ columns: 200, rows: 60 });
    const { tmux, folder } = terminal;
    const simulated = await kprobe(
      ['simulate', 'pod.yaml', '--hangs-at', '10s..', '--for', '60s', '-o', 'json'],
      { cwd: folder },
    );
    writeFileSync(join(folder, 'trace.ndjson'), simulated.stdout);
    const summaryAt = async (columns: number): Promise<string[]> => {
      tmux.resize(columns, 60);
      tmux.enter(`clear; '${process.execPath}' '${KPROBE}' replay --speed 1000 trace.ndjson`);
      await tmux.shows(/replay,\s+over/);
      tmux.press('q');
      const screen = await tmux.shows(/^again/m);
      return screen.slice(screen.lastIndexOf('ready  '), screen.indexOf('again  ')).split('\n');
    };
    const narrow = await summaryAt(40);
    const wide = await summaryAt(200);
    expect(narrow.length).toBeGreaterThan(wide.length);
    const wordsOf = (rows: readonly string[]): string[] => rows.join(' ').trim().split(/\s+/);
    expect(wordsOf(narrow)).toEqual(wordsOf(wide));
  });

  it('names the pods in trouble first, and folds the others', async () => {
    await using terminal = await openTerminal({ columns: 80, rows: 40 });
    const { tmux, folder } = terminal;
    const pod = (name: string, probe: string): string =>
      `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: app, image: 'a:1', ${probe}}]}}`;
    // Nothing listens on port 1.
    const refused = 'tcpSocket: {port: 1}, periodSeconds: 1, failureThreshold: 1';
    const manifests = [
      ...['a', 'b', 'c'].map((name) => pod(`healthy-${name}`, 'ports: [{containerPort: 80}]')),
      pod('killed', `livenessProbe: {${refused}}`),
      pod('unready', `readinessProbe: {${refused}}`),
    ];
    writeFileSync(join(folder, 'pods.yaml'), manifests.join('\n---\n'));
    tmux.enter(`'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}' run pods.yaml`);
    await tmux.shows(/^5 pods/m, /killed .* killed 2 ×/, /unready .* readiness \d+ × refused/);
    tmux.press('q');
    const screen = await tmux.shows(/^again/m);
    expect(screen).toMatch(/^ready +unready: never\n +4 pods ready$/m);
    expect(screen).toMatch(/^restarts +killed: \d+ of app \([^]*\n +4 pods without restarts$/m);
    expect(screen).toMatch(/^verdict +default\/killed:/m);
    expect(screen).toMatch(/^cause +killed: app killed \d+ ×[^]*^cause +unready: app: readiness/m);
    expect(screen).not.toContain('healthy-');
  });

  it('takes keys from the terminal when the manifest comes through a pipe, and gives it back on q', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    tmux.enter(`cat pod.yaml | ${terminal.command().replace(' pod.yaml ', ' - ')}; echo "code=$?"`);
    await tmux.shows(/Ready ✓/, /readiness/);
    tmux.press('?');
    await tmux.shows(/Everywhere/);
    tmux.press('Escape', 'q');
    await tmux.shows(/^code=0$/m);
    await terminal.isAsBefore();
    await terminal.serverIsGone();
  });

  it.each([
    { signal: 'SIGTERM', code: 143 },
    { signal: 'SIGHUP', code: 129 },
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGQUIT', code: 131 },
  ] as const)('gives the terminal back on $signal', async ({ signal, code }) => {
    await using terminal = await openTerminal();
    await terminal.runUi();
    process.kill(terminal.pid(), signal);
    await terminal.tmux.shows(new RegExp(`^code=${code}$`, 'm'));
    await terminal.isAsBefore();
    await terminal.serverIsGone();
  });

  it('gives the terminal back when kprobe crashes, and says that it is a bug', async () => {
    const crash = "process.on('SIGUSR2', () => { throw new Error('boom'); })";
    const url = `data:text/javascript,${encodeURIComponent(crash)}`;
    await using terminal = await openTerminal(undefined, { NODE_OPTIONS: `--import=${url}` });
    await terminal.runUi();
    process.kill(terminal.pid(), 'SIGUSR2');
    await terminal.tmux.shows(/^code=70$/m, /this is a bug in kprobe/, /Error: boom/);
    await terminal.isAsBefore();
    await terminal.serverIsGone();
  });

  it('ends, and leaves no process, when the terminal is closed', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    const pid = terminal.pid();
    tmux.end();
    await expect.poll(() => isAlive(pid), { interval: 100 }).toBe(false);
    await terminal.serverIsGone();
  });
});
