import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { neutralizer } from '../../../src/cli/shared/workflow-commands.js';
import { inProcess } from '../../helpers/in-process.js';
import { startReplyServer } from '../../helpers/raw-server.js';

const COMMAND = /^\s*::|##\[/m;
const ON_GITHUB = { env: { GITHUB_ACTIONS: 'true' } };
const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));

describe('a text on GitHub', () => {
  it.each([
    ['::stop-commands::x\n', ': :stop-commands::x\n'],
    ['a\n  ::set-env::x\n', 'a\n  : :set-env::x\n'],
    ['a\r::x', 'a\r: :x'],
    ['a ##[error]x', 'a ## [error]x'],
    ['the address ::1 and a::b', 'the address ::1 and a::b'],
  ])('%j becomes %j, wherever it is cut', (text, neutral) => {
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const next = neutralizer();
        const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        expect(parts.map(next).join('')).toBe(neutral);
      }
    }
  });
});

it('an answer with workflow commands is printed without them on GitHub alone', async () => {
  const { port } = await startReplyServer(
    'HTTP/1.1 503 No\r\n\r\nno\n::stop-commands::x\n ::error::y ##[error]z',
  );
  const once = ['once', '-v', '--http', `127.0.0.1:${port}/`];
  const elsewhere = await inProcess(once);
  expect(elsewhere.stdout).toMatch(COMMAND);
  const { stdout } = await inProcess(once, ON_GITHUB);
  expect(stdout).not.toMatch(COMMAND);
  expect(stdout).toContain(': :stop-commands::x');
});

it('JSON on GitHub has no command, and says the same', async () => {
  const file = join(folder, 'pod.json');
  const command = ['##[error]x', '::error::y'];
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', image: 'web:1', command }] },
  };
  writeFileSync(file, JSON.stringify(pod));
  const args = ['simulate', '--for', '1s', '-o', 'json', file];
  const [plain, onGitHub] = [await inProcess(args), await inProcess(args, ON_GITHUB)];
  expect(onGitHub.stdout).not.toMatch(COMMAND);
  expect(onGitHub.stdout).toBe(plain.stdout);
  expect(JSON.stringify(JSON.parse(plain.stdout.split('\n')[1] ?? ''))).toContain('##[error]x');
});

it.each(['lint', 'validate'])('%s -o github keeps its own commands', async (command) => {
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: Pod\nmetadata: {name: Web}\n');
  const { stdout } = await inProcess([command, '-o', 'github', file], ON_GITHUB);
  expect(stdout).toMatch(/^::error file=/m);
});
