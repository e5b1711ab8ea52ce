import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { splitLine } from '../../../src/commands/completion/complete.js';
import { fakeApiServer } from '../../helpers/api-server.js';
import { inProcess } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

async function completed(...words: string[]): Promise<readonly string[]> {
  const { stdout, stderr, code } = await inProcess(['__complete', '--', ...words]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout.trimEnd().split('\n');
}

describe('kprobe __complete', () => {
  it('lists the commands with their summaries', async () => {
    expect(await completed('va')).toEqual([
      'validate\tshow how an API server would answer to manifests',
      ':4',
    ]);
  });

  it("finds the command behind kubectl's options", async () => {
    expect(await completed('-n', 'shop', 'watch', '--until', 'rea')).toEqual(['ready\t', ':4']);
  });

  it('leaves out options that are given or conflict with those', async () => {
    const options = await completed('run', '--for', '1m', '--quiet', '--');
    expect(options.filter((line) => /^--(?:until|quiet)\t/.test(line))).toEqual([]);
    expect(options).toContain('--watch\tapply changes of the manifest');
  });

  it('completes the value behind =', async () => {
    expect(await completed('lint', '--fail-on=w')).toEqual(['--fail-on=warning\t', ':4']);
  });

  it('names the files where files are right', async () => {
    expect(await completed('run', '')).toEqual([':0']);
    expect(await completed('run', '--record', '')).toEqual([':0']);
    expect(await completed('run', 'pod.yaml', '--', 'node', '')).toEqual([':0']);
  });

  it('names the probes of the container that is given', async () => {
    const pod = join(ROOT, 'examples/explain/pod.yaml');
    expect(await completed('once', pod, '-c', 'none', '--probe', '')).toEqual([
      'startup\t',
      'readiness\t',
      'liveness\t',
      ':4',
    ]);
  });

  it.each([
    ['run', ['--']],
    ['ci', ['--', 'app=node', 'a.js', '--']],
  ])('names the containers that %s can start', async (name, words) => {
    const pod = join(ROOT, 'examples/commands/pod.yaml');
    const lines = ['migrate=\t', 'proxy=\t', 'app=\t', ':6'];
    expect(await completed(name, pod, ...words, '')).toEqual(lines);
    expect(await completed(name, pod, ...words, 'node', '')).toEqual([':0']);
  });

  it('names the settings of a recording', async () => {
    const trace = join(ROOT, 'examples/record-replay/run.ndjson');
    expect(await completed('replay', trace, '--set', 'app.livenessProbe.p')).toEqual([
      'app.livenessProbe.periodSeconds=\t',
      ':6',
    ]);
  });

  it('says nothing of a manifest that cannot be read', async () => {
    expect(await completed('run', 'none.yaml', '-c', '')).toEqual([':4']);
  });

  it('completes a whole line', async () => {
    const { stdout } = await inProcess([
      '__complete',
      '--line',
      'kprobe run "my pod.yaml" --until r',
    ]);
    expect(stdout).toBe('ready\t\nrestarted\t\n:4\n');
  });
});

describe('the names in a cluster', () => {
  it.each([
    ['watch', ['watch'], 'deploy/', ['deploy/db', 'deploy/web']],
    ['run --kube', ['run', '--kube'], 'deploy/w', ['deploy/web']],
    ['run --kube=', ['run'], '--kube=deploy/w', ['--kube=deploy/web']],
  ])('are completed for %s', async (_, words, current, names) => {
    const server = await fakeApiServer();
    const items = ['db', 'web', 'a\tb'].map((name) => ({ metadata: { name } }));
    server.objects.set('/apis/apps/v1/namespaces/shop/deployments', { items });
    const [command = '', ...rest] = words;
    const found = await completed(command, ...server.flags, ...rest, current);
    server.close();
    expect(found).toEqual([...names.map((name) => `${name}\t`), ':4']);
  });

  it('are left out where the server denies them', async () => {
    const server = await fakeApiServer();
    server.objects.set('/api/v1/namespaces/shop/pods', 403);
    const found = await completed('watch', ...server.flags, 'pod/');
    server.close();
    expect(found).toEqual(['pod/\t', ':6']);
  });
});

describe('splitLine', () => {
  it.each([
    ['kprobe ', ['kprobe', '']],
    ['kprobe run a\\ b', ['kprobe', 'run', 'a b']],
    [`kprobe "a \\" b" 'c d`, ['kprobe', 'a " b', 'c d']],
    ['kprobe --until=re', ['kprobe', '--until=re']],
  ])('splits %s', (line, words) => expect(splitLine(line)).toEqual(words));
});
