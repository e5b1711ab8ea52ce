import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage, memoryUsage, stdout } from 'node:process';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ROOT } from '../helpers/kprobe.js';
import { fc, RUNS_FACTOR, SEED } from '../helpers/property.js';
import { expectNoRawBytes } from '../helpers/raw-bytes.js';
import { textMutation, traceMutation } from '../trace/fuzz/mutations.js';

/** `.ci/run` makes three times as many, so more than 2,000. */
const RUNS = 500 * RUNS_FACTOR;
/** Limits of one input: milliseconds of CPU time, and bytes. */
const LONGEST = 2000;
const MOST_MEMORY = 512 * 1024 * 1024;

const tally = { inputs: 0, readable: 0, slowest: 0, memory: 0 };

let folder = '';
const recordings: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
  recordings.push(readFileSync(join(ROOT, 'examples/record-replay/run.ndjson'), 'utf8'));
  for (const args of [
    ['examples/crash-loop/pod.yaml', '--dies-after', '5s', '--for', '3m'],
    ['examples/sidecar/pod.yaml', '--ready-after', '8s', '--for', '1m', '--delete-at', '40s'],
    ['examples/hang/pod.yaml', '--hangs-at', '20s..2m', '--for', '3m'],
  ]) {
    const {
      code,
      stdout: trace,
      stderr,
    } = await inProcess(['simulate', ...args, '-o', 'json'], { cwd: ROOT });
    expect(code, stderr).toBeLessThanOrEqual(1);
    recordings.push(trace);
  }
});

/** What is done with a trace: the arguments after its name, and the files that are written. */
const USES: readonly (readonly string[])[] = [
  ['replay', '--partial', '--plain', '-o', 'lines', '--verbose', '--logs'],
  ['replay', '--partial', '-o', 'yaml'],
  ['replay', '--partial', '-o', 'json'],
  ['replay', '--partial', '-q', '--report', 'html=R.html', '--report', 'junit=R.xml'],
  [
    'replay',
    '--partial',
    '-q',
    '--report',
    'markdown=R.md',
    '--report',
    'tap=R.tap',
    '--report',
    'github=R.txt',
  ],
  ['replay', '--partial', '--set', 'CONTAINER.livenessProbe.failureThreshold=9'],
  [
    'replay',
    '--partial',
    '--set',
    'CONTAINER.readinessProbe.timeoutSeconds=7',
    '-o',
    'json',
    '--report',
    'html=R.html',
  ],
  ['suggest', '--partial'],
  ['suggest', '--partial', '-o', 'json', '--report', 'html=R.html'],
  ['suggest', '--partial', '-o', 'yaml'],
];

const input = fc.record({
  recording: fc.noBias(fc.nat(3)),
  use: fc.noBias(fc.nat(USES.length - 1)),
  mutations: fc.array(traceMutation, { minLength: 1, maxLength: 4 }),
  text: textMutation,
});

function isPrintable(args: readonly string[]): boolean {
  return !args.includes('-q');
}

it(
  `a damaged trace is used or refused, in time and in clean text (seed ${SEED})`,
  async () => {
    const property = fc.asyncProperty(input, async ({ recording, use, mutations, text }) => {
      const lines = (recordings[recording] ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const container = lines.find(({ kind }) => kind === 'started')?.['container'];
      for (const mutate of mutations) mutate(lines);
      const path = join(folder, 'trace.ndjson');
      await writeFile(path, text(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`));
      const [command = '', ...flags] = USES[use] ?? [];
      const args = flags.map((flag) =>
        flag.replace('CONTAINER', String(container)).replace(/=R\./, () => `=${folder}/R.`),
      );
      const files = args
        .filter((arg) => arg.includes('/R.'))
        .map((arg) => arg.slice(arg.indexOf('=') + 1));
      for (const file of files) await writeFile(file, '');
      const before = cpuUsage();
      const held = memoryUsage.rss();
      const found = await inProcess([command, path, ...args]);
      const { user, system } = cpuUsage(before);
      const took = (user + system) / 1000;
      tally.inputs++;
      if (found.code !== 2) tally.readable++;
      tally.slowest = Math.max(tally.slowest, took);
      tally.memory = Math.max(tally.memory, memoryUsage.rss() - held);
      if (took > LONGEST)
        throw new Error(`${command} ${args.join(' ')} took ${took.toFixed(0)} ms`);
      expect(found.code).toBeLessThanOrEqual(3);
      if (isPrintable(args)) expectNoRawBytes('standard output', found.stdout);
      expectNoRawBytes('standard error', found.stderr);
      for (const file of files) {
        const report = await readFile(file, 'utf8');
        expectNoRawBytes(file, report);
        if (file.endsWith('.html')) {
          expect(
            report
              .match(/<svg.*?<\/svg>/gs)
              ?.join('')
              .match(/.{40}(?:NaN|Infinity).{40}/s)?.[0],
          ).toBeUndefined();
        }
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(tally.readable).toBeGreaterThan(RUNS / 4);
    expect(tally.memory).toBeLessThan(MOST_MEMORY);
  },
  LONGEST * RUNS + 60_000,
);

afterAll(() => {
  const { inputs, readable, slowest, memory } = tally;
  stdout.write(
    `trace fuzz: seed ${SEED}, ${inputs} inputs, ${readable} of them used, slowest ${slowest.toFixed(0)} ms, at most ${(memory / 1024 / 1024).toFixed(0)} MiB an input\n`,
  );
});
