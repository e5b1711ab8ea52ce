import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { leftovers, requireEngine } from './engine.js';
import { startKprobe } from './kprobe.js';
import { podFile } from './pod-file.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-ci-'));

interface Checked {
  readonly code: number;
  readonly output: string;
  readonly junit: string;
}

/** Returns what `kprobe ci --create` says of a web server that handles TERM in this way. */
async function check(
  name: string,
  onTerm: string,
  probed?: number,
  options: readonly string[] = [],
  timeoutSeconds = 30,
): Promise<Checked> {
  const port = await freePort();
  const serve = `mkdir -p /tmp/www; echo ok >/tmp/www/index.html; httpd -f -p ${port} -h /tmp/www & P=$!; wait $P`;
  const httpGet = { host: '127.0.0.1', port: probed ?? port, path: '/index.html' };
  const probe = { httpGet, periodSeconds: 1, failureThreshold: 3, timeoutSeconds };
  const file = podFile(
    {
      command: ['sh', '-c', `trap '${onTerm.replaceAll('PORT', String(port))}' TERM; ${serve}`],
      ...{ startupProbe: { ...probe, failureThreshold: 30 }, readinessProbe: probe },
      livenessProbe: probe,
      // Its start cannot succeed: no need to wait for all of the budget.
      ...(probed !== undefined && { startupProbe: { ...probe, failureThreshold: 2 } }),
    },
    { hostNetwork: true, terminationGracePeriodSeconds: onTerm === '' ? 2 : 60 },
    name,
  );
  const report = join(folder, `${name}.xml`);
  const run = startKprobe(['ci', file, '--create', '--report', `junit=${report}`, ...options]);
  const code = await run.exitCode;
  return { code, output: run.output, junit: readFileSync(report, 'utf8') };
}

/** Ends the way a server should: takes no more connections, answers those that it took, and exits. */
const GRACEFUL = 'kill -STOP $P; sleep 2; kill -KILL $P; sleep 1; exit 0';
/** Takes connections in place of the server, and does not answer. */
const LOSES = 'kill -KILL $P; wait $P; while :; do nc -l -p PORT; done & sleep 2; exit 0';
const NOTHING_LISTENS = 1;

describe('kprobe ci --create', () => {
  let good: Checked, bad: Checked, deaf: Checked, loser: Checked;

  beforeAll(async () => {
    requireEngine();
    [good, bad, deaf, loser] = await Promise.all([
      check('good', GRACEFUL),
      check('bad', GRACEFUL, NOTHING_LISTENS),
      check('deaf', ''),
      check('loser', LOSES),
    ]);
  });

  afterAll(() => expect(leftovers()).toEqual([]));

  it('passes a pod that starts, lives and ends well', () => {
    expect(good.output).not.toMatch(/[✗–]/);
    expect(good.output.match(/✓/g)).toHaveLength(7);
    expect(good.junit).toMatch(/<testsuite name="kprobe ci" tests="6" failures="0"/);
    expect(good.code).toBe(0);
  });

  it('starts a pod several times, and writes what it has measured', async () => {
    const path = join(folder, 'baseline.json');
    const options = ['--starts', '2', '--baseline', path, '--write-baseline'];
    const { code, output } = await check('twice', GRACEFUL, undefined, options, 2);
    expect(output).toMatch(/✓ {2}margin of app startup +startup took .* of 30 s in 2 starts/);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      target: 'created',
      measures: [
        { name: 'app startup', seconds: [expect.any(Number), expect.any(Number)] },
        { name: 'app readiness' },
        { name: 'app liveness' },
        { name: 'app shutdown' },
      ],
    });
  });

  it('fails a pod whose probe asks another port, and says so', () => {
    expect(bad.output).toMatch(/✗ {2}startup within its budget .*nothing listens on port 1;/);
    expect(bad.output).toMatch(/– {2}shutdown within the grace period +not reached/);
    expect(bad.code).toBe(1);
  });

  it('fails a pod that ignores TERM', () => {
    expect(deaf.output).toMatch(
      /✗ {2}shutdown within the grace period +app was killed after .*: the grace period is 2 s/,
    );
    expect(deaf.code).toBe(1);
  });

  it('fails a pod that takes a request while it shuts down, and does not answer', () => {
    expect(loser.output).toMatch(/✓ {2}shutdown within the grace period/);
    expect(loser.output).toMatch(
      /✗ {2}no request lost in the shutdown +\d+ answered, [1-9]\d* lost/,
    );
    expect(loser.junit).toContain('<failure message="');
    expect(loser.code).toBe(1);
  });

  it('names the engine that does not answer', async () => {
    const env = { ...process.env, DOCKER_HOST: `unix://${join(folder, 'none.sock')}` };
    const run = startKprobe(['ci', podFile({}), '--create'], env);
    expect(await run.exitCode).toBe(3);
    expect(run.output).toMatch(/^kprobe: Cannot connect to the Docker daemon at unix:.*none\.sock/);
  });
});
