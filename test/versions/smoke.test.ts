import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { COMMANDS as PROGRAM } from '../../src/cli/program.js';
import { type HttpServer, startHttpServer } from '../helpers/http-server.js';
import { kprobe, type KprobeEnd } from '../helpers/kprobe.js';

/** A folder with a Node of each version, as `.ci/nodes` fills it. */
const NODES = process.env['KPROBE_NODES'] ?? '';

const VERSIONS = ['20.19', '22', '24', '26'];

/** Title, arguments (PORT is a server that answers with 200), and the exit code. */
const COMMANDS: readonly (readonly [string, readonly string[], number])[] = [
  ['prints its help', ['--help'], 0],
  ['prints its version', ['--version'], 0],
  ['refuses an unknown command', ['prove'], 2],
  ['makes an HTTP attempt', ['once', '--http', ':PORT/'], 0],
  ['makes a TCP attempt', ['once', '--tcp', ':PORT'], 0],
  ['fails a gRPC attempt against an HTTP/1 server', ['once', '--grpc', ':PORT'], 1],
  ['runs an exec probe', ['once', '--exec', '--', 'true'], 0],
  ['validates a manifest', ['validate', 'examples/validate/shop.yaml'], 1],
  ['lints a manifest', ['lint', 'examples/lint/web.yaml'], 0],
  ['explains a manifest', ['explain', 'examples/explain/pod.yaml'], 0],
  ['simulates a scenario', ['simulate', 'examples/simulate-scenario/scenario.yaml'], 1],
  ['simulates a pod', ['simulate', 'examples/explain/pod.yaml', '--ready-after', '3s'], 0],
  [
    'simulates in worker threads',
    ['simulate', 'examples/simulate-runs/pod.yaml', '--runs', '20', '--for', '1m', '--seed', '1'],
    0,
  ],
  ['compares manifests', ['diff', 'examples/diff/before.yaml', 'examples/diff/after.yaml'], 1],
  ['replays a recording', ['replay', 'examples/record-replay/run.ndjson'], 1],
  [
    'replays a recording with another setting',
    ['replay', 'examples/record-replay/run.ndjson', '--set', 'app.readinessProbe.periodSeconds=2'],
    1,
  ],
  ['suggests settings', ['suggest', 'examples/record-replay/run.ndjson'], 0],
  ['imports a compose file', ['import', 'test/fixtures/versions/compose.yaml'], 0],
  ['explains an event', ['explain', '--event', 'Stopping container app'], 0],
  ['explains a rule', ['lint', '--explain', 'late-ready'], 0],
  ['prints a completion script', ['completion', 'bash'], 0],
  ['completes a command line', ['__complete', '--', 'run', '--until', ''], 0],
  ['serves assistants until they go', ['mcp'], 0],
  ['refuses a manifest that is not there', ['run', 'none.yaml'], 2],
  ['prints a completion script', ['completion', 'bash'], 0],
  [
    'explains an event',
    ['explain', '--event', 'Liveness probe failed: HTTP probe failed with statuscode: 503'],
    0,
  ],
  ['refuses a kubeconfig that is not there', ['watch', 'web', '--kubeconfig', 'none'], 2],
];

/** Loads every command of the program, also one that has no line above. */
const HELP = PROGRAM.map(
  ({ name }) => [`prints the help of ${name}`, [name, '--help'], 0] as const,
);

let server: HttpServer;
let home = '';

beforeAll(async () => {
  server = await startHttpServer(200, 'ok');
  home = mkdtempSync(join(tmpdir(), 'kprobe-versions-'));
});

afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** Durations, ports and times of day differ from run to run. */
function withoutChance({ stdout, ...rest }: KprobeEnd): KprobeEnd {
  const steady = stdout
    .replaceAll(String(server.port), 'PORT')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
    .replace(/ *[\d.]+ ?(?:µs|ms|s)\b/g, ' TIME');
  return { ...rest, stdout: steady };
}

async function runOn(node: string, args: readonly string[]): Promise<KprobeEnd> {
  const ported = args.map((arg) => arg.replace('PORT', String(server.port)));
  return withoutChance(await kprobe(ported, { node, env: { NO_COLOR: '1', HOME: home } }));
}

/** What each command prints on the Node that runs the tests, run once. */
const expected = new Map<string, Promise<KprobeEnd>>();

function runHere(args: readonly string[]): Promise<KprobeEnd> {
  const key = args.join(' ');
  const end = expected.get(key) ?? runOn(process.execPath, args);
  expected.set(key, end);
  return end;
}

const LIVE_RUN =
  'run examples/late-start/pod.yaml --plain --until ready -- node examples/late-start/server.js';

function nodeOf(version: string): string {
  return join(NODES, version, 'node_modules/.bin/node');
}

describe.concurrent.each(VERSIONS)('on Node %s', (version) => {
  const node = nodeOf(version);

  it('is that version', ({ expect }) => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(`v${version}.`);
  });

  it.for([...COMMANDS, ...HELP])(
    '%s as the Node that runs the tests does',
    async ([, args, code], { expect }) => {
      const end = await runOn(node, args);
      expect(end).toEqual(await runHere(args));
      expect(end.code).toBe(code);
      if (code === 0) expect(end.stderr).toBe('');
    },
  );
});

// One after the other: the example has one port.
it.each(VERSIONS)('Node %s runs a manifest with a command until it is ready', async (version) => {
  const { code, stdout, stderr } = await runOn(nodeOf(version), LIVE_RUN.split(' '));
  expect(stdout).toContain('default/web ready after TIME');
  expect(stderr).toBe('');
  expect(code).toBe(0);
});
