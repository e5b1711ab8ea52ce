import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

const RECORDING = join(ROOT, 'examples', 'record-replay', 'run.ndjson');

const replay = (...args: readonly string[]): Promise<InProcessEnd> =>
  inProcess(['replay', RECORDING, ...args]);

describe.concurrent('kprobe replay --set', () => {
  it('compares the recording with the simulation', async () => {
    const { stdout, code } = await replay('--set', 'app.livenessProbe=null');
    expect(stdout).toMatch(/ recorded +with --set\n.* ready after .*\n.* ready for /);
    expect(stdout).toMatch(/restarts of app +2 +0\n/);
    expect(stdout).toMatch(/ 17\.1 s +– +app +killed: Container app failed liveness probe/);
    expect(code).toBe(1);
  });

  it('accepts several settings, for containers and for the pod', async () => {
    const { stdout } = await replay(
      '--set',
      'app.livenessProbe.failureThreshold=50',
      '--set',
      'app.readinessProbe.periodSeconds=3',
      '--set',
      'terminationGracePeriodSeconds=5',
    );
    expect(stdout).toMatch(/restarts of app +2 +0\n/);
  });

  it('accepts a probe that was not recorded', async () => {
    const { stdout } = await replay(
      '--set',
      'app.startupProbe=livenessProbe',
      '--set',
      'app.startupProbe.failureThreshold=20',
    );
    expect(stdout).toMatch(/\n +– +\d+\.\d s +app +started\n/);
  });

  it('reports the assumed answers of a probe whose endpoint was not recorded', async () => {
    const { stdout } = await replay(
      '--set',
      'app.startupProbe.tcpSocket.port=9',
      '--set',
      'app.startupProbe.failureThreshold=20',
    );
    expect(stdout).toContain('app startup: an attempt of run 0');
    expect(stdout).toContain('never recorded, assumed to succeed');
  });

  it('reports attempts that were not observed', async () => {
    const { stdout } = await replay('--set', 'app.livenessProbe.failureThreshold=50');
    expect(stdout).toContain('not observed: the answers to these attempts are estimates\n');
    expect(stdout).toMatch(
      / {2}app liveness: \d+ attempts of run 0, .*: the run was not asked after/,
    );
  });

  it('prints the same with -o json', async () => {
    const { stdout } = await replay('--set', 'app.livenessProbe.failureThreshold=50', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      before: [{ pod: 'default/shop', restarts: { app: 2 } }],
      after: [{ pod: 'default/shop', restarts: { app: 0 } }],
      unobserved: [{ container: 'app' }, {}],
    });
  });

  it.each([
    ['an unknown field', 'app.livenessProbe.periods=1', /livenessProbe\.periods: unknown field \(/],
    ['an unknown probe', 'app.readinessProb.periodSeconds=1', /did you mean "readinessProbe"\?/],
    [
      'an unknown container',
      'web.livenessProbe.periodSeconds=1',
      /no container "web" \(containers: app\)/,
    ],
    ['a value of the wrong type', 'app.livenessProbe.periodSeconds=x', /must be a 32-bit integer/],
    ['an invalid value', 'app.livenessProbe.periodSeconds=-1', /must be greater than/],
    ['a setting without a field', 'app=1', /name a field of app, such as app\.livenessProbe/],
    [
      'a setting without a value',
      'app.livenessProbe',
      /write it as app\.livenessProbe\.timeoutSeconds=2/,
    ],
  ])('exits with 2 for %s', async (_, setting, message) => {
    const { code, stdout, stderr } = await replay('--set', setting);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it.each([
    [['-o', 'yaml'], '--set cannot be combined with -o yaml: use -o json'],
    [['-o', 'lines'], '--set cannot be combined with -o lines: use -o json'],
    [['--until', '5s'], /'--set <.*>' cannot be used with option '--until <time>'/],
    [['--speed', '4'], /'--set <.*>' cannot be used with option '--speed <factor>'/],
  ])('cannot be combined with %s', async (args, message) => {
    const { code, stderr } = await replay('--set', 'app.livenessProbe=null', ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
