import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';

const COMPOSE = `services:
  web:
    image: web:1
    healthcheck: {test: [CMD, ok, "$SHOP_NAME", "\${SHOP_PACE:-fast}"]}
`;

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-import-'));
  writeFileSync(join(folder, 'compose.yaml'), COMPOSE);
});

const run = (path: string, env: Record<string, string> = {}, input = '') =>
  inProcess(['import', path], { cwd: folder, env, input });

describe('kprobe import', () => {
  it.each([
    ['a file', 'compose.yaml', undefined],
    ['standard input', '-', COMPOSE],
  ])('uses the variables of .env beside %s', async (_, path, input) => {
    writeFileSync(join(folder, '.env'), 'SHOP_NAME="from .env" # a comment\n');
    const { stdout, stderr, code } = await run(path, {}, input);
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toContain('        - ok\n        - from .env\n        - fast\n');
  });

  it('prefers the environment', async () => {
    writeFileSync(join(folder, '.env'), 'SHOP_NAME=file\nSHOP_PACE=slow\n');
    const { stdout } = await run('compose.yaml', { SHOP_NAME: 'environment' });
    expect(stdout).toContain('        - environment\n        - slow\n');
  });

  it('names the line of .env that cannot be read', async () => {
    writeFileSync(join(folder, '.env'), 'A=b\nSHOP_NAME="open\n');
    const { stderr, stdout, code } = await run('compose.yaml');
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toContain('.env:2:1: error: SHOP_NAME: the value has no closing quote');
  });
});
