import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ended, type KprobeEnd, ROOT } from '../helpers/kprobe.js';

const BIN = join(ROOT, 'bin/kprobe.js');

/** Heap limit in MiB that must suffice for any input. */
const HEAP = 384;
/** Seconds of CPU time, which are the same on a busy machine, and milliseconds for what hangs without any. */
const LIMIT = 60;
const HANG = 500_000;

const POD = (rest: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: app\n    image: web:1\n${rest}`;
const MIB = 1024 * 1024;

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const laughs = LETTERS.map((letter, n) => {
  const item = n === 0 ? 'x' : `*${LETTERS[n - 1] ?? ''}`;
  return `${letter}: &${letter} [${Array(9).fill(item).join()}]`;
});

/** Files by name, each with a pattern for the error. */
const FILES: Readonly<Record<string, readonly [content: string | Buffer, said: RegExp]>> = {
  'alias-bomb.yaml': [laughs.join('\n'), /excessive aliasing/],
  'merge-bomb.yaml': [
    `m0: &m0 {a: 1}\n${Array.from({ length: 5000 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: *m${i}, a${i}: 1}`).join('\n')}\n`,
    /excessive aliasing/,
  ],
  'alias-loop.yaml': [POD('    env: &e [*e]\n'), /contains itself/],
  'deep-flow.yaml': [`a: ${'['.repeat(200_000)}`, /nested more than 200 deep/],
  'deep-block.yaml': ['- '.repeat(100_000), /nested more than 200 deep/],
  'deep-json.json': ['{"a":'.repeat(200_000), /nested more than 200 deep/],
  'flow-keys.yaml': [`${'{'.repeat(2000)}x${'}: y'.repeat(2000)}`, /nested more than 200 deep/],
  'quotes.yaml': ['"'.repeat(200_001), /is an object with apiVersion and kind; this is a string/],
  'proto.yaml': [POD('    __proto__: {polluted: true}\n'), /__proto__: unknown field/],
  'constructor.yaml': [
    POD('    constructor: {prototype: {polluted: true}}\n'),
    /constructor: unknown field/,
  ],
  'proto.json': [
    '{"apiVersion":"v1","kind":"Pod","__proto__":{"kind":"Node"},"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"b"}]}}',
    /__proto__: unknown field/,
  ],
  'big-scalar.yaml': [
    POD(`    workingDir: "${'x'.repeat(2 * MIB)}"\n    periodSeconds: 1\n`),
    /periodSeconds: unknown field/,
  ],
  'huge-scalar.yaml': [`a: "${'x'.repeat(56_000_000)}"\n`, /a document of more than 8 MiB/],
  'large-scalar.yaml': [`a: |\n ${'x'.repeat(4 * MIB)}\n`, /a value of more than 3 MiB/],
  'big-words.yaml': [`a: ${'x y '.repeat(MIB / 2)}\n`, /kind: is missing/],
  'big-quotes.yaml': [`a: "${'x y '.repeat(MIB / 2)}"\n`, /kind: is missing/],
  'big-escapes.yaml': [`password: "${'\\n'.repeat(MIB)}"\n`, /kind: is missing/],
  'big-colons.yaml': [`a: ${'x:'.repeat(100_000)}\n`, /a ":" where no key can be/],
  'many-colons.yaml': [`a: ${'x:'.repeat(2 * MIB)}\n`, /too many values for a document/],
  'many-values.yaml': [`a: [${'1,'.repeat(249_000)}1]`, /many-values\.yaml:1:1: error/],
  'many-aliases.yaml': [`a: &a x\nb: [${'*a ,'.repeat(50_000)}*a ]`, /kind: is missing/],
  'big-name.yaml': [POD('').replace('name: web', `name: ${'x'.repeat(2 * MIB)}`), /metadata\.name/],
  'one-line.yaml': [`a: [${'1,'.repeat(2 * MIB)}1]`, /too many values for a manifest/],
  'huge.yaml': [Buffer.alloc(65 * MIB, '#\n'), /is larger than 64 MiB/],
  'invalid-utf8.yaml': [
    Buffer.concat([
      Buffer.from(POD('').replace('web}', '')),
      Buffer.from([0xff, 0xc0, 0x80, 0x7d]),
    ]),
    /not YAML: a "/,
  ],
  'binary.yaml': [
    Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256)),
    /control characters are not allowed/,
  ],
  'nul.yaml': [Buffer.alloc(4096), /control characters are not allowed/],
  'utf16-cut.yaml': [Buffer.from([0xff, 0xfe, 0x61]), /this is a string/],
  'empty.yaml': ['', /empty|no objects/],
};

/** Paths that cannot be read as files. */
const PATHS: Readonly<Record<string, RegExp>> = {
  'empty-folder': /no \.yaml, \.yml or \.json file in this folder/,
  'link-loop.yaml': /ELOOP|loop|symbolic/,
  'dangling.yaml': /no such file or folder/,
  'none.yaml': /no such file or folder/,
  'none/pod.yaml': /no such file or folder/,
  'proto.yaml/pod.yaml': /no such file or folder/,
};

const COMMANDS = ['lint', 'validate', 'run', 'once'] as const;
/** They read as lint and run do, which have little memory. */
const IN_PROCESS: readonly (string | undefined)[] = ['validate', 'once'];

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-faults-'));
  for (const [name, [content]] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'empty-folder'));
  symlinkSync('link-loop.yaml', join(folder, 'link-loop.yaml'));
  symlinkSync('nowhere.yaml', join(folder, 'dangling.yaml'));
});

function start(args: readonly string[], stdin: 'pipe' | number): ChildProcess {
  const node = [process.execPath, `--max-old-space-size=${HEAP}`, BIN, ...args];
  return spawn('sh', ['-c', `ulimit -t ${LIMIT}; exec "$0" "$@"`, ...node], {
    cwd: folder,
    stdio: [stdin, 'pipe', 'pipe'],
    timeout: HANG,
  });
}

async function kprobe(args: readonly string[]): Promise<Omit<KprobeEnd, 'signal'>> {
  if (IN_PROCESS.includes(args[0])) return inProcess(args, { cwd: folder });
  const child = start(args, 'pipe');
  child.stdin?.end();
  return ended(child);
}

/** Expects a short error message and no crash. */
function expectRefusal({ code, stdout, stderr }: Omit<KprobeEnd, 'signal'>, said: RegExp): void {
  const text = stdout + stderr;
  expect(text).toMatch(said);
  expect(text).not.toMatch(/bug in kprobe|\n {4}at /);
  expect(text.length).toBeLessThan(100_000);
  // A process that a signal ended has none.
  expect(code).toEqual(expect.any(Number));
}

/** Files that are read but rejected by validation, which is not a read error. */
const REFUSED = [
  'proto.yaml',
  'proto.json',
  'constructor.yaml',
  'big-scalar.yaml',
  'big-name.yaml',
];

describe.each(COMMANDS)('%s', (command) => {
  const answers = command === 'lint' || command === 'validate';

  it.each(Object.entries(FILES).map(([name, [, said]]) => [name, said] as const))(
    'rejects %s in bounded time and memory',
    async (name, said) => {
      const end = await kprobe([command, name]);
      expectRefusal(end, said);
      expect(end.code).toBe(answers && REFUSED.includes(name) ? 1 : 2);
    },
  );

  it.each(Object.entries(PATHS))('rejects %s', async (path, said) => {
    const end = await inProcess([command, path], { cwd: folder });
    expectRefusal(end, said);
    expect(end.code).toBe(2);
  });

  // Root can read every file.
  it.each(process.getuid?.() === 0 ? [] : ['secret.yaml'])(
    'rejects a file without read permission: %s',
    async (file) => {
      writeFileSync(join(folder, file), POD(''));
      chmodSync(join(folder, file), 0);
      expectRefusal(await kprobe([command, file]), /secret\.yaml: permission denied/);
    },
  );

  it('rejects an empty standard input', async () => {
    const end = await inProcess([command, '-'], { cwd: folder });
    expectRefusal(end, /empty|no objects/);
    expect(end.code).toBe(2);
  });

  it('rejects a folder as standard input', async () => {
    const input = openSync(folder, 'r');
    const end = await ended(start([command, '-'], input));
    closeSync(input);
    expectRefusal(end, /standard input|empty|no objects|<stdin>|-: /);
    expect(end.code).toBe(2);
  });

  it('rejects a closed standard input', async () => {
    const child = spawn('sh', ['-c', `exec "$0" "$@" <&-`, process.execPath, BIN, command, '-'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HANG,
    });
    const end = await ended(child);
    expectRefusal(end, /standard input|empty|no objects|<stdin>|-: /);
    expect(end.code).toBe(2);
  });
});

describe('a machine without descriptors', () => {
  it.each([20, 22, 24, 26, 28, 30])('%i of them: exit code 3 with its message', async (limit) => {
    const commands = ['lint -', 'simulate - --no-validate', 'replay -', 'once --tcp :9', 'run -'];
    for (const command of commands) {
      const args = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, BIN];
      const child = spawn('sh', [...args, ...command.split(' ')], { stdio: 'pipe' });
      child.stdin.on('error', () => undefined).end(POD(''));
      const { code, stderr } = await ended(child);
      if (code === 3) expect(stderr).toMatch(/^kprobe: this machine: too many files are open/);
      else expect([command, [0, 1, 2].includes(code ?? -1)]).toEqual([command, true]);
    }
  });
});

describe('a file that is a pipe without a writer, a device or a loop', () => {
  const CLUSTER = ['lint', '--kube', 'deploy/web', '--server', 'https://127.0.0.1:9'];
  const ci = ['ci', 'plain.yaml', '--baseline', 'FILE', '--', 'true'];
  const SMALL: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [[...CLUSTER, '--kubeconfig', 'FILE'], /not a regular file/],
    [[...CLUSTER, '--certificate-authority', 'FILE'], /not a regular file/],
    [[...CLUSTER, '--client-certificate', 'FILE', '--client-key', 'FILE'], /not a regular file/],
    [ci, /is not a regular file/],
  ];

  beforeAll(() => {
    writeFileSync(join(folder, 'plain.yaml'), POD(''));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
  });

  it.each(
    SMALL.flatMap(([args, said]) =>
      ['pipe', '/dev/zero'].map((file) => [args, file, said] as const),
    ),
  )('ends %j with FILE = %s', async (args, file, said) => {
    const end = await kprobe(args.map((arg) => arg.replace('FILE', file)));
    expectRefusal(end, said);
    expect(end.code).toBe(2);
  });

  it.each([
    [[...CLUSTER, '--kubeconfig', 'huge']],
    [[...CLUSTER, '--client-certificate', 'huge', '--client-key', 'huge']],
    [['lint', '--config', 'huge', 'plain.yaml']],
  ])('ends %j for a file of 3 GB before it reads it', async (args) => {
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), 3e9);
    const end = await kprobe(args);
    expectRefusal(end, /larger than 64 MiB/);
    expect(end.code).toBe(2);
  });

  it.each([['replay'], ['suggest'], ['lint', 'plain.yaml', '--record']])(
    'ends %s %s %s /dev/urandom',
    async (...args) => {
      const end = await kprobe([...args, '/dev/urandom']);
      expectRefusal(end, /trace/);
      expect(end.code).toBe(2);
    },
  );

  it.each(['/dev/zero', '/dev/ptmx'])('ends lint --config %s', async (file) => {
    const end = await kprobe(['lint', '--config', file, 'plain.yaml']);
    expectRefusal(end, /larger than 64 MiB|cannot be read|input\/output|EIO/);
    expect(end.code).toBe(2);
  });

  it('goes on without a report to a pipe without a reader, and ends with 3', async () => {
    const args = ['run', 'plain.yaml', '--until', 'ready', '-q', '--report', 'html=pipe'];
    const { code, stderr } = await kprobe(args);
    expect([code, stderr]).toEqual([3, expect.stringContaining('the report is incomplete')]);
  });

  it('refuses a recording to a pipe without a reader', async () => {
    const end = await kprobe(['run', 'plain.yaml', '--until', 'ready', '--record', 'pipe']);
    expectRefusal(end, /pipe without a reader/);
    expect(end.code).toBe(2);
  });

  it('goes on without a recording to a pipe whose reader has stopped to read', async () => {
    execFileSync('mkfifo', [join(folder, 'full')]);
    const reader = openSync(join(folder, 'full'), constants.O_RDONLY | constants.O_NONBLOCK);
    writeFileSync(join(folder, 'job.yaml'), `${POD('')}  restartPolicy: Never\n`);
    const args = ['run', 'job.yaml', '--until', 'succeeded', '-q', '--record', 'full'];
    const end = await kprobe([...args, '--', 'sh', '-c', 'yes | head -c 200000']);
    closeSync(reader);
    expectRefusal(end, /the recording is incomplete/);
    expect(end.code).toBe(3);
  });

  it.each(['.gitignore', '.kprobe.yaml', '.env'])('skips %s where it is none', async (name) => {
    for (const [kind, make] of [
      ['folder', (path: string) => mkdirSync(path)],
      ['loop', (path: string) => symlinkSync(path, path)],
      ['device', (path: string) => symlinkSync('/dev/zero', path)],
    ] as const) {
      const around = mkdtempSync(join(folder, 'around-'));
      writeFileSync(join(around, 'pod.yaml'), POD(''));
      writeFileSync(
        join(around, 'compose.yml'),
        'services:\n  a: {image: a, healthcheck: {test: [CMD, "true"]}}\n',
      );
      make(join(around, name));
      for (const args of [
        ['lint', '.'],
        ['import', 'compose.yml'],
      ]) {
        const child = spawn(process.execPath, [BIN, ...args], { cwd: around, timeout: HANG });
        const { code, stderr } = await ended(child);
        expect([name, kind, args[0], code, stderr]).toEqual([name, kind, args[0], 0, stderr]);
        expect(stderr).not.toMatch(/bug in kprobe/);
      }
    }
  });
});
