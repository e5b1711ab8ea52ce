import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { kprobe } from '../../helpers/kprobe.js';

const DIST = join(import.meta.dirname, '../../../dist');

it('a refused attempt loads neither TLS nor cryptography', async () => {
  const script = join(mkdtempSync(join(tmpdir(), 'kprobe-start-')), 'loaded.cjs');
  const loaded =
    "process.moduleLoadList.filter((one) => /^NativeModule \\w+$/.test(one)).join(', ')";
  writeFileSync(script, `process.on('exit', () => process._rawDebug(${loaded}));`);
  const port = await freePort();
  const { stderr } = await kprobe(['once', '--tcp', `127.0.0.1:${port}`], {
    env: { NODE_OPTIONS: `--require ${script}` },
  });
  expect(stderr).toContain('NativeModule net');
  expect(stderr).not.toMatch(/NativeModule (?:tls|crypto|http2|dns)\b/);
});

it('the code of a start has no pattern of emoji, which takes V8 20 ms to read', () => {
  const chunks = readdirSync(DIST).filter((name) => /^(?:base|shared|once)-[^.]+\.js$/.test(name));
  const code = chunks.map((name) => readFileSync(join(DIST, name), 'utf8'));
  expect(code.length).toBeGreaterThanOrEqual(4);
  expect(code.filter((text) => text.includes('RGI_Emoji'))).toEqual([]);
});
