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
  const code = chunks(/^(?:base|shared|once)-[^.]+\.js$/);
  expect(code.length).toBeGreaterThanOrEqual(4);
  expect(code.filter((text) => text.includes('RGI_Emoji'))).toEqual([]);
});

it('the code that validates a pod has no readers of Dockerfiles and CRDs, and no js-yaml', () => {
  const code = chunks(/^manifest-[^.]+\.js$/);
  expect(code.length).toBeGreaterThanOrEqual(1);
  expect(code.filter((text) => /ONBUILD|json-schema\.org|YAMLException/.test(text))).toEqual([]);
});

it('the code of every start has the version of package.json, and no other field', () => {
  const code = chunks(/^base-[^.]+\.js$/);
  expect(code).toHaveLength(1);
  expect(code[0]).not.toContain('devDependencies');
});

function chunks(name: RegExp): readonly string[] {
  const names = readdirSync(DIST).filter((file) => name.test(file));
  return names.map((file) => readFileSync(join(DIST, file), 'utf8'));
}
