import { PassThrough } from 'node:stream';

import { expect, test } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { OutputTail, ProcessOutput } from '../../src/runtime/process-output.js';

class Rig {
  readonly clock = new VirtualClock();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly lines: string[] = [];
  readonly output = new ProcessOutput(this.clock, this, (stream, text) =>
    this.lines.push(`${stream}: ${text}`),
  );

  /** What was written comes in. */
  settle(milliseconds = 0): Promise<void> {
    return this.clock.advance(milliseconds);
  }
}

const FLOOD = Array.from({ length: 3000 }, (_, i) => `${i}\n`).join('');

test('lines come as they are written, from both streams', async () => {
  const rig = new Rig();
  rig.stdout.write('one\ntw');
  await rig.settle();
  rig.stderr.write('oh\n');
  await rig.settle();
  rig.stdout.write('o\n');
  await rig.settle();
  expect(rig.lines).toEqual(['stdout: one', 'stderr: oh', 'stdout: two']);
});

test('half a line comes at the end', async () => {
  const rig = new Rig();
  rig.stdout.write('half');
  await rig.settle();
  expect(rig.lines).toEqual([]);
  rig.output.end();
  expect(rig.lines).toEqual(['stdout: half']);
});

test('of a flood the first lines of each second come, and how many are left out', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  await rig.settle();
  expect(rig.lines).toHaveLength(1000);
  expect(rig.lines.at(-1)).toBe('stdout: 999');
  await rig.settle(999);
  expect(rig.lines).toHaveLength(1000);
  await rig.settle(1);
  expect(rig.lines.slice(1000)).toEqual(['stdout: [kprobe: 2000 lines left out]']);
  rig.stderr.write('again\n');
  await rig.settle();
  expect(rig.lines.at(-1)).toBe('stderr: again');
});

test('a flood on one stream leaves the other one its lines', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  rig.stderr.write('last');
  await rig.settle();
  rig.output.end();
  expect(rig.lines.slice(1000)).toEqual(['stdout: [kprobe: 2000 lines left out]', 'stderr: last']);
});

test('a second of long lines is a megabyte of them', async () => {
  const rig = new Rig();
  rig.stdout.write(`${'x'.repeat(16 * 1024)}\n`.repeat(100));
  await rig.settle();
  expect(rig.lines).toHaveLength(64);
});

test('the tail has what was left out', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  await rig.settle();
  rig.output.end();
  expect(rig.output.tail()).toMatch(/^2920\n.*\n2999\n$/s);
});

test('a process that writes more than can be read waits for the next second', async () => {
  const rig = new Rig();
  const chunk = Buffer.alloc(1024 * 1024, '\n');
  for (let i = 0; i < 12; i++) rig.stdout.write(chunk);
  rig.stderr.write('waits, too\n');
  await rig.settle();
  expect(rig.stdout.isPaused()).toBe(true);
  await rig.settle(1000);
  expect(rig.stdout.isPaused()).toBe(false);
  rig.output.end();
  expect(rig.lines).toContain('stderr: waits, too');
});

test('once the process has ended, the rest is read at once', async () => {
  const rig = new Rig();
  const chunk = Buffer.alloc(1024 * 1024, '\n');
  for (let i = 0; i < 12; i++) rig.stdout.write(chunk);
  rig.stdout.write('the end\n');
  await rig.settle();
  rig.output.drain();
  await rig.settle();
  expect(rig.output.tail()).toMatch(/the end\n$/);
});

test('nothing is left on the clock at the end', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  await rig.settle();
  rig.output.end();
  const { length } = rig.lines;
  await rig.settle(10_000);
  expect(rig.lines).toHaveLength(length);
});

function tailOf(...chunks: readonly (string | Buffer)[]): string {
  const tail = new OutputTail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
}

const numbers = Array.from({ length: 100 }, (_, i) => `${i}\n`);

test.each<[string, readonly (string | Buffer)[], string]>([
  ['nothing', [], ''],
  ['a little', ['one\n', 'two'], 'one\ntwo'],
  ['the last 80 lines', numbers, numbers.slice(-80).join('')],
  [
    'the last 80 lines, one unfinished',
    [...numbers, 'end'],
    [...numbers.slice(-79), 'end'].join(''),
  ],
  ['the last 2048 bytes of a chunk', [`${'a'.repeat(100)}${'b'.repeat(2048)}`], 'b'.repeat(2048)],
  [
    'the last 2048 bytes of many chunks',
    ['a'.repeat(1500), 'b'.repeat(1500), 'c'.repeat(10)],
    `${'a'.repeat(538)}${'b'.repeat(1500)}${'c'.repeat(10)}`,
  ],
  ['bytes that are not UTF-8', [Buffer.from([0x61, 0xff, 0x0a])], 'a\ufffd\n'],
])('%s', (_, chunks, expected) => {
  expect(tailOf(...chunks)).toBe(expected);
});
