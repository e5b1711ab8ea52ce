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

  /** Lets the output that was written arrive. */
  settle(milliseconds = 0): Promise<void> {
    return this.clock.advance(milliseconds);
  }
}

const FLOOD = Array.from({ length: 3000 }, (_, i) => `${i}\n`).join('');

test('lines arrive as they are written, from both streams', async () => {
  const rig = new Rig();
  rig.stdout.write('one\ntw');
  await rig.settle();
  rig.stderr.write('oh\n');
  await rig.settle();
  rig.stdout.write('o\n');
  await rig.settle();
  expect(rig.lines).toEqual(['stdout: one', 'stderr: oh', 'stdout: two']);
});

test('an unfinished line arrives at the end', async () => {
  const rig = new Rig();
  rig.stdout.write('half');
  await rig.settle();
  expect(rig.lines).toEqual([]);
  rig.output.end();
  expect(rig.lines).toEqual(['stdout: half']);
});

test('too many lines are limited to the first of each second, with a count of the rest', async () => {
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

test('too many lines on one stream do not limit the other', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  rig.stderr.write('last');
  await rig.settle();
  rig.output.end();
  expect(rig.lines.slice(1000)).toHaveLength(82);
  expect(rig.lines[1000]).toBe('stdout: [kprobe: 1920 lines left out]');
  expect(rig.lines.at(-1)).toBe('stderr: last');
});

test.each([
  ['its last lines', FLOOD, 80, '2999'],
  ['a last line without a line break', `${FLOOD}fatal`, 80, 'fatal'],
  ['only those that were left out', FLOOD.slice(0, FLOOD.indexOf('1003\n')), 3, '1002'],
  ['no part of a line', `${FLOOD}${'x'.repeat(2000)}\n${'y'.repeat(2000)}\n`, 1, 'y'.repeat(2000)],
])('a flood ends with %s', async (_, written, count, last) => {
  const rig = new Rig();
  rig.stdout.write(written);
  await rig.settle();
  rig.output.end();
  const dropped = written.trimEnd().split('\n').length - 1000;
  const note = dropped === count ? [] : [`stdout: [kprobe: ${dropped - count} lines left out]`];
  const end = rig.lines.slice(1000);
  expect(end.slice(0, -count)).toEqual(note);
  expect(end.at(-1)).toBe(`stdout: ${last}`);
});

test('long lines are limited to one megabyte per second', async () => {
  const rig = new Rig();
  rig.stdout.write(`${'x'.repeat(16 * 1024)}\n`.repeat(100));
  await rig.settle();
  expect(rig.lines).toHaveLength(64);
});

test('the tail includes lines that were left out', async () => {
  const rig = new Rig();
  rig.stdout.write(FLOOD);
  await rig.settle();
  rig.output.end();
  expect(rig.output.tail()).toMatch(/^2920\n.*\n2999\n$/s);
});

test('a process that writes too fast is paused until the next second', async () => {
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

test('drain() reads the rest at once when the process has exited', async () => {
  const rig = new Rig();
  const chunk = Buffer.alloc(1024 * 1024, '\n');
  for (let i = 0; i < 12; i++) rig.stdout.write(chunk);
  rig.stdout.write('the end\n');
  await rig.settle();
  rig.output.drain();
  await rig.settle();
  expect(rig.output.tail()).toMatch(/the end\n$/);
});

test('no timer is left after end()', async () => {
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
  ['the tail is empty without output', [], ''],
  ['the tail is all of a short output', ['one\n', 'two'], 'one\ntwo'],
  ['the tail is the last 80 lines', numbers, numbers.slice(-80).join('')],
  [
    'the tail is the last 80 lines including an unfinished one',
    [...numbers, 'end'],
    [...numbers.slice(-79), 'end'].join(''),
  ],
  [
    'the tail is the last 2048 bytes of a chunk',
    [`${'a'.repeat(100)}${'b'.repeat(2048)}`],
    'b'.repeat(2048),
  ],
  [
    'the tail is the last 2048 bytes of several chunks',
    ['a'.repeat(1500), 'b'.repeat(1500), 'c'.repeat(10)],
    `${'a'.repeat(538)}${'b'.repeat(1500)}${'c'.repeat(10)}`,
  ],
  [
    'the tail has U+FFFD for bytes that are not UTF-8',
    [Buffer.from([0x61, 0xff, 0x0a])],
    'a\ufffd\n',
  ],
])('%s', (_, chunks, expected) => {
  expect(tailOf(...chunks)).toBe(expected);
});
