import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Tmux } from '../../scripts/screens/tmux.mjs';
import { freePort } from './free-port.js';
import { ROOT } from './kprobe.js';

const SERVER = join(ROOT, 'test/fixtures/terminal/server.js');
const BIN = join(ROOT, 'bin/kprobe.js');

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal with a shell in a folder of its own, where there are a manifest, `pod.yaml`, and a server for it. */
export interface TestTerminal extends AsyncDisposable {
  readonly tmux: Tmux;
  readonly folder: string;
  /** Starts kprobe over the server, and waits until its UI shows the pod ready. */
  runUi(flags?: string): Promise<void>;
  /** Makes the server's answers fail, or succeed again. */
  breakServer(broken?: boolean): void;
  /** The command line of `runUi`. */
  command(flags?: string): string;
  /** kprobe's process. */
  pid(): number;
  /** Resolves when the server that kprobe started is gone. */
  serverIsGone(): Promise<void>;
  /** Resolves when the shell has the terminal, as it was at the beginning, and answers. */
  isAsBefore(): Promise<void>;
}

let count = 0;

export async function openTerminal(
  size: Size = { columns: 100, rows: 30 },
  env: Readonly<Record<string, string>> = {},
): Promise<TestTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-terminal-'));
  const tmux = new Tmux(`kprobe-test-${process.pid}-${++count}`);
  writeFileSync(join(folder, 'pod.yaml'), manifest(await freePort()));
  await tmux.start({ ...size, folder, env: { CI: '', NO_COLOR: '', LC_ALL: 'C.UTF-8', ...env } });
  tmux.enter('stty -a > before; clear');
  await tmux.until(
    () => read(folder, 'before'),
    (text) => text.includes('echo'),
    'stty',
  );

  const command = (flags = ''): string =>
    `'${process.execPath}' '${BIN}' run ${flags} pod.yaml -- '${process.execPath}' '${SERVER}'`;
  return {
    tmux,
    folder,
    breakServer(broken = true) {
      if (broken) writeFileSync(join(folder, 'broken'), '');
      else rmSync(join(folder, 'broken'), { force: true });
    },
    command,
    async runUi(flags) {
      tmux.enter(`${command(flags)}; echo "code=$?"`);
      await tmux.shows(/Ready ✓/, /readiness/);
    },
    pid: () => childOf(Number(tmux.ask('#{pane_pid}'))),
    async serverIsGone() {
      const pid = Number(read(folder, 'server.pid'));
      await tmux.until(
        () => isAlive(pid),
        (alive) => !alive,
        `the end of ${pid}`,
      );
    },
    async isAsBefore() {
      const state = (): string => tmux.ask('#{alternate_on} #{cursor_flag} #{mouse_any_flag}');
      await tmux.until(state, (now) => now === '0 1 0', 'the normal screen, its cursor, no mouse');
      tmux.enter('stty -a > after; echo answer-$((40 + 2))');
      await tmux.shows(/^(\$ )?answer-42$/m);
      if (modes(read(folder, 'after')) !== modes(read(folder, 'before'))) {
        throw new Error(`the terminal is not as before:\n${read(folder, 'after')}`);
      }
    },
    [Symbol.asyncDispose]() {
      tmux.end();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

/** Answers come late on a busy machine, and are no failures then. */
function manifest(port: number): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  terminationGracePeriodSeconds: 2
  containers:
    - name: app
      image: example/web:1
      env: [{ name: PORT, value: '${port}' }]
      readinessProbe:
        httpGet: { path: /ready, port: ${port} }
        periodSeconds: 1
        timeoutSeconds: 30
      livenessProbe:
        httpGet: { path: /healthz, port: ${port} }
        periodSeconds: 1
        timeoutSeconds: 30
        failureThreshold: 3
`;
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}

/** The shell's child. */
function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(children.at(-1));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What `stty -a` says but for the size, which is tmux's to give, and comes when it comes. */
function modes(stty: string): string {
  return stty.replace(/rows \d+; columns \d+/, '');
}
