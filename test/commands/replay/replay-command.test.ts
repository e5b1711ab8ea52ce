import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';
import { buildEnd, HEADER, traceText } from '../../helpers/traces.js';

let folder = '';
let pod = '';
const file = (name: string): string => join(folder, name);
const job = ['--', process.execPath, '-e', 'setTimeout(() => process.exit(3), 300)'];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-replay-'));
  pod = file('pod.yaml');
  const probe = 'readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 1}';
  writeFileSync(
    pod,
    `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  restartPolicy: Never\n  containers:\n  - {name: app, image: a, ${probe}}\n`,
  );
});

/** A recording has no diagnoses: each reading of it finds them anew. */
function withoutDiagnoses(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => !line.includes('"kind":"diagnosis"'))
    .join('\n');
}

describe.concurrent('kprobe run --record', () => {
  it('writes what -o json prints', async () => {
    const path = file('same.ndjson');
    const { stdout, code } = await inProcess(['run', pod, '--record', path, '-o', 'json', ...job]);
    expect(code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(withoutDiagnoses(stdout));
  });

  it('can be replayed with the same output and exit code', async () => {
    const path = file('lines.ndjson');
    const live = await inProcess(['run', pod, '--record', path, '-v', ...job]);
    const replayed = await inProcess(['replay', path, '-v']);
    expect(replayed).toEqual(live);
    const json = await inProcess(['replay', path, '-o', 'json']);
    expect(withoutDiagnoses(json.stdout)).toBe(readFileSync(path, 'utf8'));
    const yaml = await inProcess(['replay', path, '-o', 'yaml']);
    expect(yaml.stdout).toMatch(/^ {2}phase: Failed$/m);
  });

  it('writes the end when kprobe is interrupted', async () => {
    const path = file('interrupted.ndjson');
    const child = startKprobe(['run', pod, '--record', path]);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    expect((await ended(child)).code).toBe(130);
    const replayed = await inProcess(['replay', path]);
    expect(replayed.stdout).toMatch(/interrupted: .* \(exit code 130\)\n$/);
    expect(replayed.code).toBe(130);
  });

  it('leaves whole lines when kprobe is killed', async () => {
    const path = file('killed.ndjson');
    const child = startKprobe(['run', pod, '--record', path]);
    child.stdout?.once('data', () => child.kill('SIGKILL'));
    await ended(child);
    const replayed = await inProcess(['replay', path]);
    expect(replayed.code).toBe(2);
    expect(replayed.stderr).toContain('the trace is truncated here: it has no end line');
    const partial = await inProcess(['replay', path, '--partial']);
    expect(partial.code).toBe(1);
    expect(partial.stdout).toContain('default/web is not ready');
  });

  it('does not overwrite a file that is not a trace', async () => {
    const { code, stderr } = await inProcess(['run', pod, '--record', pod]);
    expect(code).toBe(2);
    expect(stderr).toBe(`kprobe: ${pod}: is not a trace; refusing to overwrite it\n`);
    expect(readFileSync(pod, 'utf8')).toContain('kind: Pod');
  });

  it('reports a file that cannot be written before anything starts', async () => {
    const path = join(folder, 'none', 'run.ndjson');
    const { code, stderr, stdout } = await inProcess(['run', pod, '--record', path]);
    expect([code, stderr, stdout]).toEqual([2, `kprobe: ${path}: no such file or folder\n`, '']);
  });

  it('continues with a warning when the disk is full', async () => {
    const { code, stdout, stderr } = await inProcess(['run', pod, '--record', '/dev/full', ...job]);
    expect(code).toBe(1);
    expect(stdout).toContain('recording has stopped: /dev/full: no space left on the device');
    expect(stderr).toBe(
      'kprobe: /dev/full: no space left on the device: the recording is incomplete\n',
    );
  });
});

describe.concurrent('kprobe replay', () => {
  it('shows only the part before --until', async () => {
    const path = file('part.ndjson');
    const notes = [1, 2, 3].map(
      (t) => ({ t, kind: 'note', level: 'info', text: `note ${t}` }) as const,
    );
    writeFileSync(path, traceText(HEADER, ...notes, buildEnd()));
    const { stdout } = await inProcess(['replay', path, '--until', '2s']);
    expect(stdout).toContain('note 2');
    expect(stdout).not.toContain('note 3');
  });

  it.each([
    ['not a trace', '{', 'not a kprobe trace'],
    ['of a newer kprobe', '{"t":0,"kind":"trace","version":99}', 'a newer kprobe has written it'],
    ['of another program after its begin', traceText(HEADER).trimEnd(), 'not JSON'],
  ])('ends at an input without end that is %s', async (_, first, message) => {
    const input = (function* (): Iterable<string> {
      yield `${first}\n`;
      for (;;) yield 'y\n';
    })();
    const { code, stderr } = await inProcess(['replay', '-'], { input });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('waits between lines with --speed', async () => {
    const input = traceText(HEADER, buildEnd({ t: 2, at: 2 }));
    const begin = performance.now();
    await inProcess(['replay', '-', '--speed', '4'], { input });
    expect(performance.now() - begin).toBeGreaterThan(500);
  });

  it.each([
    ['fast', 'Write a factor such as 4 or 0.5, or max.'],
    ['0', 'Write a factor such as 4 or 0.5, or max.'],
  ])('rejects the speed %s', async (speed, message) => {
    const { code, stderr } = await inProcess(['replay', 'x', '--speed', speed]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('reports errors with file and line', async () => {
    const path = file('broken.ndjson');
    writeFileSync(path, `${traceText(HEADER)}{"t":1,"kind":"note"}\n${traceText(buildEnd())}`);
    const { code, stderr, stdout } = await inProcess(['replay', path]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${path}:2:1: error: note: level is missing\n`);
    const partial = await inProcess(['replay', path, '--partial']);
    expect(partial.code).toBe(0);
    expect(partial.stderr).toContain(`${path}:2:1: warning: note: level is missing\n`);
  });

  it('reports a missing file', async () => {
    const { code, stderr } = await inProcess(['replay', file('none')]);
    expect([code, stderr]).toEqual([2, `kprobe: ${file('none')}: no such file or folder\n`]);
  });
});

it.each([
  'replay',
  'replay -o json',
  'replay --report html=year.html --report markdown=year.md',
  'replay --set app.readinessProbe.periodSeconds=2',
  'suggest',
])('a recorded back-off of a year is read by %s', async (line) => {
  const corpus = join(import.meta.dirname, '../../diagnosis/corpus/traces/disk-full.ndjson');
  const text = readFileSync(corpus, 'utf8')
    .replaceAll(/"delay":\d+/g, '"delay":31535999')
    .replaceAll(/"until":[\d.]+/g, '"until":31535999');
  expect(text).toContain('"delay":31535999');
  writeFileSync(file('year.ndjson'), text);
  const [command = '', ...options] = line.split(' ');
  const { code, stderr } = await inProcess([command, 'year.ndjson', ...options], { cwd: folder });
  expect([0, 1, 3, 130]).toContain(code);
  expect(stderr).not.toMatch(/bug|RangeError/i);
});
