import { afterEach, expect, test } from 'vitest';

import { aConfig, aContainer, aPod, LocalRig, node } from './local-rig.js';

const rigs: LocalRig[] = [];

function rigOf(...args: Parameters<typeof LocalRig.of>): LocalRig {
  const rig = LocalRig.of(...args);
  rigs.push(rig);
  return rig;
}

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.runtime.close(0)));
});

function writing(exitCode: number, ...writes: readonly (readonly [string, string | Buffer])[]) {
  const encoded = writes.map(
    ([stream, bytes]) => `${stream}=${Buffer.from(bytes).toString('base64')}`,
  );
  return node('write-bytes.js', `${exitCode}`, ...encoded);
}

const FALLBACK = aConfig(aPod(aContainer({ terminationMessagePolicy: 'FallbackToLogsOnError' })));

test('output arrives line by line, including a last line without a line break', async () => {
  const rig = rigOf(writing(0, ['stdout', 'one\ntwo'], ['stderr', 'oh\n'], ['stdout', '\nthree']));
  const id = await rig.start();
  await rig.ended(id);
  expect(rig.texts('stdout')).toEqual(['one', 'two', 'three']);
  expect(rig.lines).toContainEqual({ id, stream: 'stderr', text: 'oh' });
});

test('bytes that are not UTF-8 become U+FFFD', async () => {
  const rig = rigOf(writing(0, ['stdout', Buffer.from([0x61, 0xff, 0xfe, 0x62])]));
  await rig.ended(await rig.start());
  expect(rig.texts()).toEqual(['a\ufffd\ufffdb']);
});

test.each([
  [
    'the last lines are the termination message of a failed run',
    1,
    'FallbackToLogsOnError',
    'fatal: no\n',
  ],
  ['a successful run has no termination message', 0, 'FallbackToLogsOnError', ''],
  ['without FallbackToLogsOnError there is no termination message', 1, 'File', ''],
] as const)('%s', async (_, exitCode, terminationMessagePolicy, message) => {
  const rig = rigOf(writing(exitCode, ['stderr', 'fatal: no\n']));
  const id = await rig.start(aConfig(aPod(aContainer({ terminationMessagePolicy }))));
  expect((await rig.ended(id)).message).toBe(message);
});

test('the termination message includes lines that were left out of the output', async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `${i}\n`).join('');
  const rig = rigOf(writing(1, ['stdout', lines]));
  const id = await rig.start(FALLBACK);
  expect((await rig.ended(id)).message).toMatch(/^4920\n.*4999\n$/s);
  expect(rig.texts().slice(1000)[0]).toBe('[kprobe: 3920 lines left out]');
  expect(rig.texts().at(-1)).toBe('4999');
});

test('a process that writes too much is slowed down but not blocked', async () => {
  // 8 of 9.8 MB are read in the first second.
  const rig = rigOf(node('flood.js', '1100000'));
  const id = await rig.start(FALLBACK);
  const { exitCode, startedAt = 0, finishedAt = 0 } = await rig.ended(id);
  expect(exitCode).toBe(0);
  expect(rig.texts('stderr')).toEqual(['done']);
  // Of each second a thousand lines, and how many were left out.
  const seconds = Math.ceil((finishedAt - startedAt) / 1000) + 1;
  expect(rig.lines.length).toBeLessThan(1002 * seconds);
});

test('a process that writes too much can be stopped', async () => {
  const rig = rigOf(node('flood.js'));
  const id = await rig.start();
  await rig.line('line 999');
  await rig.runtime.stopContainer(id, 30);
  expect((await rig.status(id)).exitCode).toBe(143);
});
