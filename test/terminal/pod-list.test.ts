import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';
import {
  clusterEvent,
  clusterPod,
  startWatchedCluster,
  type WatchedCluster,
} from '../helpers/watched-cluster.js';

const LABELS = { 'pod-template-hash': '7d4' };
const OWNERS = [{ kind: 'ReplicaSet', name: 'web-7d4', uid: '1', controller: true }];

describe('the list of the pods of a cluster', () => {
  let cluster: WatchedCluster;
  let terminal: TestTerminal;

  beforeAll(async () => {
    const metadata = { labels: LABELS, ownerReferences: OWNERS };
    cluster = await startWatchedCluster({
      pods: [
        clusterPod('web-7d4-a', { metadata }),
        clusterPod('web-7d4-b', { metadata, ready: false }),
        clusterPod('dns', { metadata: { namespace: 'infra' } }),
      ],
      events: [
        clusterEvent('web-7d4-b', 'Unhealthy', 'Readiness probe failed: connection refused'),
      ],
    });
    terminal = await openTerminal({ columns: 130, rows: 40 });
    const bin = join(ROOT, 'bin/kprobe.js');
    terminal.tmux.enter(`'${process.execPath}' '${bin}' watch -A --server ${cluster.url}`);
    await terminal.tmux.shows(/3 pods/);
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
    cluster.close();
  });

  // All pods, the one in trouble chosen.
  beforeEach(async () => {
    terminal.tmux.press('Escape', 'N', 'D', 'g');
    await terminal.tmux.shows(/^3 pods {2}/m, /logs of app/);
  });

  it('has the chosen pod beside it, which moves with j', async () => {
    const { tmux } = terminal;
    await tmux.shows(/✗ app: readiness 1 ×/, /┌─ containers and probes/);
    tmux.press('j');
    await tmux.until(
      () => tmux.screen(),
      (screen) => !/✗ app: readiness/.test(screen),
      'another pod',
    );
  });

  it.each([
    { key: 'N', shows: /by pod/, first: 'dns' },
    { key: 'P', shows: /by namespace/, first: 'dns' },
    { key: 'R', shows: /by ready/, first: 'web-7d4-b' },
    { key: 'S', shows: /by status/, first: 'web-7d4-a' },
    { key: 'T', shows: /by restarts/, first: 'web-7d4-a' },
    { key: 'O', shows: /by node/, first: 'web-7d4-a' },
    { key: 'A', shows: /by age/, first: '' },
    { key: 'X', shows: /by next/, first: 'web-7d4-b' },
    { key: 'L', shows: /by latency/, first: 'web-7d4-a' },
    { key: 'C', shows: /by throttled/, first: 'web-7d4-a' },
  ])('is sorted by a column on $key', async ({ key, shows, first }) => {
    const { tmux } = terminal;
    tmux.press(key);
    const screen = await tmux.shows(shows);
    expect(screen.split('\n')[2]).toContain(first);
  });

  it.each([
    { command: 'ns infra', shows: /^1 pod in infra/m },
    { command: 'deploy web', shows: /^2 pods of deployment\/web/m },
    { command: 'ns lost', shows: /is in the namespace lost; here: infra, shop; kprobe watch -A/ },
    { command: 'lost', shows: /no command lost; there are ns, deploy, sts/ },
  ])('answers :$command', async ({ command, shows }) => {
    const { tmux } = terminal;
    tmux.press(':');
    await tmux.shows(/enter jumps/);
    tmux.type(command);
    tmux.press('Enter');
    await tmux.shows(shows);
    tmux.press('0');
    await tmux.shows(/^3 pods {2}/m);
  });
});
