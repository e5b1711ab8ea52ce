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

test('output comes line by line, the last line without a line break, too', async () => {
  const rig = rigOf(writing(0, ['stdout', 'one\ntwo'], ['stderr', 'oh\n'], ['stdout', '\nthree']));
  const id = await rig.start();
  await rig.ended(id);
  expect(rig.texts('stdout')).toEqual(['one', 'two', 'three']);
  expect(rig.lines).toContainEqual({ id, stream: 'stderr', text: 'oh' });
});

test('bytes that are not UTF-8 are shown as such', async () => {
  const rig = rigOf(writing(0, ['stdout', Buffer.from([0x61, 0xff, 0xfe, 0x62])]));
  await rig.ended(await rig.start());
  expect(rig.texts()).toEqual(['a\ufffd\ufffdb']);
});

test.each([
  [
    'the last lines are the message of a run that failed',
    1,
    'FallbackToLogsOnError',
    'fatal: no\n',
  ],
  ['a run that went well has none', 0, 'FallbackToLogsOnError', ''],
  ['with another policy there is none', 1, 'File', ''],
] as const)('%s', async (_, exitCode, terminationMessagePolicy, message) => {
  const rig = rigOf(writing(exitCode, ['stderr', 'fatal: no\n']));
  const id = await rig.start(aConfig(aPod(aContainer({ terminationMessagePolicy }))));
  expect((await rig.ended(id)).message).toBe(message);
});

test('the message has what a flood left out of the lines', async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `${i}\n`).join('');
  const rig = rigOf(writing(1, ['stdout', lines]));
  const id = await rig.start(FALLBACK);
  expect((await rig.ended(id)).message).toMatch(/^4920\n.*4999\n$/s);
  expect(rig.texts().at(-1)).toBe('[kprobe: 4000 lines left out]');
});

test('a flood neither blocks its process for ever nor us', { timeout: 20_000 }, async () => {
  // Of 9.8 MB, 8 are read in the first second.
  const rig = rigOf(node('flood.js', '1100000'));
  const id = await rig.start(FALLBACK);
  expect((await rig.ended(id, 15_000)).exitCode).toBe(0);
  expect(rig.texts('stderr')).toEqual(['done']);
  expect(rig.lines.length).toBeLessThan(10_000);
});

test('a flood can be stopped', async () => {
  const rig = rigOf(node('flood.js'));
  const id = await rig.start();
  await rig.line('line 999');
  await rig.runtime.stopContainer(id, 30);
  expect((await rig.status(id)).exitCode).toBe(143);
});
