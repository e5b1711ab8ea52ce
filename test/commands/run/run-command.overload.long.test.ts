import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterEach, expect, it } from 'vitest';

import type { TraceLine } from '../../../src/trace/trace-line.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';

const close: (() => void)[] = [];
afterEach(() => {
  for (const each of close.splice(0)) each();
});

async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<number> {
  const server = createServer((request, response) => void listener(request, response));
  close.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function manifest(pods: number, port: number): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'kprobe-overload-')), 'pods.yaml');
  const pod = (name: string): string =>
    `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: app, image: web:1,
    readinessProbe: {httpGet: {port: ${port}}, periodSeconds: 1, failureThreshold: 1}}]}}`;
  writeFileSync(path, Array.from({ length: pods }, (_, i) => pod(`p${i}`)).join('\n---\n'));
  return path;
}

/** Stops a process for so many milliseconds. */
async function stop(child: ChildProcess, milliseconds: number): Promise<void> {
  child.kill('SIGSTOP');
  await setTimeout(milliseconds);
  child.kill('SIGCONT');
}

it('a run of 500 pods is ready, and its verdict names ten of them', async () => {
  const path = await manifest(500, await serve((_, response) => response.end('ok')));
  const end = await ended(
    startKprobe(['run', path, '--until', 'ready', '--timeout', '10m', '-o', 'json']),
  );
  expect([end.code, end.stderr]).toEqual([0, '']);
  expect(end.stdout.split('\n').at(-2)).toMatch(
    /"default\/p0 ready after .*; and 490 more \(500 in all\)"/,
  );
});

it('a run that is stopped during an attempt goes on with it, and counts no failure', async () => {
  let requests = 0;
  const port = await serve(async (_, response) => {
    requests++;
    if (requests === 3) {
      await stop(child, 2500);
      await setTimeout(50);
    }
    response.end('ok');
    if (requests === 5) child.kill('SIGINT');
  });
  const child = startKprobe(['run', await manifest(1, port), '--for', '150s', '-o', 'json']);
  const { code, stdout } = await ended(child);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine);
  const results = lines.flatMap((line) => (line.kind === 'attemptDone' ? [line.result] : []));
  expect(results.length).toBeGreaterThan(3);
  expect(new Set(results)).toEqual(new Set(['success']));
  expect(code).toBe(130);
  // The trace says what the stop has cost.
  const late = lines.flatMap((line) => (line.kind === 'attempt' ? [line.late ?? 0] : []));
  expect(Math.max(...late)).toBeGreaterThan(1000);
  const lateness = lines.flatMap((line) => (line.kind === 'attemptDone' ? [line.late ?? 0] : []));
  expect(Math.max(...lateness)).toBeGreaterThan(1000);
  const skipped = lines.flatMap((line) => (line.kind === 'attempt' ? [line.skipped ?? 0] : []));
  expect(Math.max(...skipped)).toBeGreaterThanOrEqual(1);
});

it('a run that was stopped says at its end that kprobe was behind', async () => {
  let requests = 0;
  const port = await serve(async (_, response) => {
    response.end('ok');
    requests++;
    if (requests === 2) await stop(child, 2100);
    if (requests === 4) child.kill('SIGINT');
  });
  const child = startKprobe(['run', await manifest(1, port), '--for', '150s', '--plain']);
  const { code, stdout } = await ended(child);
  expect(stdout).toMatch(
    /Note +warning +kprobe was [\d.]+ (s|ms) behind, \d+ % of ticks skipped: the machine was busy, or kprobe stopped\n/,
  );
  expect(code).toBe(130);
});
