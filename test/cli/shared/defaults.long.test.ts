import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command, type Option } from '@commander-js/extra-typings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../../src/cli/program.js';
import { FILE_OPTIONS, variableOf } from '../../../src/cli/shared/defaults.js';
import type { Io } from '../../../src/cli/shared/io.js';
import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

const POD = join(ROOT, 'examples/explain/pod.yaml');

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-defaults-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => rmSync(join(folder, '.kprobe.yaml'), { force: true }));

function config(text: string): void {
  writeFileSync(join(folder, '.kprobe.yaml'), text);
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return inProcess(args, { cwd: folder, env });
}

const explain = (args: readonly string[], env = {}): Promise<InProcessEnd> =>
  run(['explain', POD, ...args], env);

describe('the environment', () => {
  it('gives an option its value', async () => {
    expect((await explain([], { KPROBE_OUTPUT: 'json' })).stdout).toMatch(/^\{/);
    expect((await explain([], { KPROBE_OUTPUT: 'text' })).stdout).toMatch(/^default\//);
  });

  it('gives way to the command line', async () => {
    const { stdout } = await explain(['-o', 'svg'], { KPROBE_OUTPUT: 'json' });
    expect(stdout).toMatch(/^<svg/);
  });

  it('gives way to an option of the command line that excludes it', async () => {
    const args = ['once', '--tcp', '127.0.0.1:1', '--repeat', '1'];
    expect((await run(args, { KPROBE_UNTIL_SUCCESS: 'true' })).code).toBe(1);
  });

  it('refuses two variables that exclude each other', async () => {
    const env = { KPROBE_REPEAT: '2', KPROBE_UNTIL_SUCCESS: '1' };
    const { code, stderr } = await run(['once', '--tcp', ':1'], env);
    expect(code).toBe(2);
    expect(stderr).toContain('--repeat of KPROBE_REPEAT and --until-success');
  });

  it.each([
    ['KPROBE_OUTPUT', 'jsn', 'Allowed choices are text, json, svg.'],
    ['KPROBE_LONG', 'yes', 'Write true or false.'],
  ])('refuses %s=%s', async (name, value, problem) => {
    const { code, stderr } = await explain([], { [name]: value });
    expect([code, stderr]).toEqual([2, `kprobe: ${name}: ${problem}\n`]);
  });

  it('leaves a switch off that is false, and turns one off by its own name', async () => {
    expect((await explain([], { KPROBE_LONG: 'false' })).stdout).not.toContain('assumed');
    const bad =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {restartPolicy: X, containers: [{name: a, image: a}]}';
    const end = await inProcess(['explain', '-'], { input: bad, env: { KPROBE_NO_VALIDATE: '1' } });
    expect(end.code).toBe(0);
  });

  it('gives an option that can be repeated a value a line', async () => {
    const env = { KPROBE_WITHOUT: 'latest-image\nlate-ready', KPROBE_OUTPUT: 'json' };
    const { stdout } = await run(['lint', join(ROOT, 'examples/lint/web.yaml')], env);
    expect(stdout).not.toMatch(/"rule": "(?:latest-image|late-ready)"/);
  });

  it('is named beside a mistake on the command line', async () => {
    const { stderr } = await run(['once', '--tcp', ':1'], { KPROBE_VIA: 'exec' });
    expect(stderr).toMatch(/--via.*\n +set elsewhere: --via by KPROBE_VIA\n/);
  });
});

describe('.kprobe.yaml', () => {
  it('gives options their values, those of the command over those of all', async () => {
    config('defaults: {output: json}\ncommands: {explain: {output: svg}}');
    expect((await explain([])).stdout).toMatch(/^<svg/);
    config('defaults: {output: json}');
    expect((await explain([])).stdout).toMatch(/^\{/);
  });

  it('gives way to the environment, and both to the command line', async () => {
    config('commands: {explain: {output: svg}}');
    expect((await explain([], { KPROBE_OUTPUT: 'json' })).stdout).toMatch(/^\{/);
    expect((await explain(['-o', 'text'], { KPROBE_OUTPUT: 'json' })).stdout).toMatch(/^default/);
  });

  it('leaves out what a command does not have', async () => {
    config('defaults: {max-restarts: 3}');
    expect((await explain([])).code).toBe(0);
  });

  it('is ignored with KPROBE_NO_CONFIG, and another is read with KPROBE_CONFIG', async () => {
    config('defaults: {output: json}');
    expect((await explain([], { KPROBE_NO_CONFIG: 'true' })).stdout).toMatch(/^default/);
    writeFileSync(join(folder, 'other.yaml'), 'defaults: {output: svg}');
    expect((await explain([], { KPROBE_CONFIG: 'other.yaml' })).stdout).toMatch(/^<svg/);
  });

  it('still has the severities of lint', async () => {
    config('defaults: {color: never}\nrules: {"*": off}');
    const { stdout } = await run(['lint', join(ROOT, 'examples/lint/web.yaml')]);
    expect(stdout).toContain('no findings');
  });

  it.each([
    ['defaults: {output: jsn}', 'defaults.output: Allowed choices are text, json, svg.'],
    ['commands: {explian: {long: true}}', 'commands.explian.long: there is no command explian'],
    [
      'commands: {explain: {until: ready}}',
      'commands.explain.until: explain has no option --until',
    ],
    ['defaults: {outptu: json}', 'defaults.outptu: no option that a configuration may set'],
    ['defaults: [a]', 'defaults: must be an object'],
    ['kubernetes-version: 1.34', 'kubernetes-version: unknown field'],
    ['defaults: {long: {a: b}}', 'defaults.long: must be a string, a number, true or false'],
  ])('refuses %s with its line', async (text, message) => {
    config(`# first\n${text}\n`);
    const { code, stderr } = await explain([]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`.kprobe.yaml:2:`)]);
    expect(stderr).toContain(message);
  });
});

/** All options of all commands. */
async function options(): Promise<readonly Option[]> {
  const program = new Command();
  for (const { add } of COMMANDS) {
    await add(program, { io: {} as Io, commandLine: undefined, done: () => undefined });
  }
  return program.commands.flatMap((command) => command.options);
}

describe("a stranger's .kprobe.yaml", () => {
  it.each([
    ['run', 'allow-local-exec', 'true'],
    ['run', 'allow-host', 'true'],
    ['run', 'host', '10.0.0.1'],
    ['run', 'docker', 'web'],
    ['run', 'create', 'true'],
    ['run', 'restart', 'real'],
    ['run', 'run-hooks', 'true'],
    ['run', 'record', '/tmp/x'],
    ['run', 'kubeconfig', './config'],
    ['once', 'exec', 'true'],
    ['once', 'with-secrets', 'true'],
    ['lint', 'fix', 'true'],
    ['explain', 'kube', 'pod/web'],
  ])('cannot give kprobe %s --%s', async (command, name, value) => {
    config(`commands: {${command}: {${name}: ${value}}}`);
    const { code, stderr, stdout } = await run([command, POD]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`.kprobe.yaml:1:`);
    expect(stderr).toContain("a configuration may not set this, since it may be a stranger's");
  });

  it('can set no option that starts, changes, reaches or writes something', async () => {
    const names = (await options()).map(({ long }) => long?.slice(2) ?? '');
    const free = names.filter((name) => FILE_OPTIONS.includes(name));
    expect([...new Set(free)].toSorted()).toEqual(FILE_OPTIONS.toSorted());
    expect(FILE_OPTIONS.filter((name) => UNSAFE.test(name))).toEqual([]);
  });
});

/** What no file may ever set. */
const UNSAFE =
  /allow|exec$|host|docker|runtime|create|restart$|hooks|network|adopt|replace|keep|image|volume|record|trace|status-file|report|kube$|kubeconfig|context|user|token|server|cert|key|as\b|secrets|fix|config|filename|http|tcp|grpc|header|via/;

it('every option has a variable of its own', async () => {
  const all = new Map((await options()).map((option) => [option.long, variableOf(option)]));
  expect(all.get('--fail-on')).toBe('KPROBE_FAIL_ON');
  expect(all.get('--no-validate')).toBe('KPROBE_NO_VALIDATE');
  expect(new Set(all.values()).size).toBe(all.size);
});

it('the help of every command says which place wins', async () => {
  const { stdout } = await inProcess(['once', '--help']);
  expect(stdout).toContain(
    'The command line wins over KPROBE_*, and\nKPROBE_* wins over the file.',
  );
});

it('docs/settings.md lists the options that a file may set', () => {
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
  const [, list = ''] = /how kprobe judges and prints:\n\n([^]*?)\n\n/.exec(page) ?? [];
  const listed = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(FILE_OPTIONS.toSorted());
});
