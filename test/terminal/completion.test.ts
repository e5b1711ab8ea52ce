import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Tmux } from '../../scripts/screens/tmux.mjs';
import { ROOT } from '../helpers/kprobe.js';
import {
  clusterPod,
  startWatchedCluster,
  type WatchedCluster,
} from '../helpers/watched-cluster.js';

const BIN = join(ROOT, 'bin/kprobe.js');

/** How a shell starts without the user's files, and loads the script. */
const SHELLS = {
  bash: { start: 'bash --norc --noprofile', load: 'source <(kprobe completion bash)' },
  zsh: {
    start: 'zsh -f',
    load: 'autoload -U compinit && compinit -u -D && source <(kprobe completion zsh)',
  },
  fish: { start: 'fish --no-config', load: 'kprobe completion fish | source' },
} as const;

let folder = '';
let cluster: WatchedCluster;

beforeAll(async () => {
  const deployments = [{ metadata: { name: 'storefront', namespace: 'shop' } }];
  cluster = await startWatchedCluster({ pods: [clusterPod('checkout-1')], deployments });
  folder = mkdtempSync(join(tmpdir(), 'kprobe-completion-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/kprobe'),
    `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`,
  );
  chmodSync(join(folder, 'bin/kprobe'), 0o755);
  writeFileSync(
    join(folder, 'kubeconfig'),
    JSON.stringify({
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'shop' } }],
      clusters: [{ name: 'test', cluster: { server: cluster.url } }],
      users: [{ name: 'test', user: {} }],
    }),
  );
  writeFileSync(
    join(folder, 'shop.yaml'),
    `{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {containers: [
  {name: storefront, image: 'a:1', ports: [{containerPort: 8080}], livenessProbe: {tcpSocket: {port: 8080}}}]}}`,
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  cluster.close();
});

describe.each(Object.entries(SHELLS))('the completion in %s', (name, { start, load }) => {
  it('completes commands, options, values, files, and names in a manifest and in a cluster', async () => {
    const tmux = new Tmux(`kprobe-completion-${name}-${process.pid}`);
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder };
    try {
      const KUBECONFIG = join(folder, 'kubeconfig');
      const all = { ...env, KUBECONFIG, LC_ALL: 'C.UTF-8' };
      await tmux.start({ columns: 150, rows: 40, folder, env: all });
      tmux.enter(start);
      tmux.enter(`${load}; echo loaded-$((40 + 2))`.replace('$((40 + 2))', name));
      await tmux.shows(new RegExp(`^loaded-${name}`, 'm'));
      const becomes = async (typed: string, whole: string): Promise<void> => {
        tmux.type(typed);
        tmux.press('Tab');
        // tmux leaves out spaces at the end of a row.
        tmux.type('END');
        await tmux.until(
          () => tmux.screen(),
          (screen) => screen.includes(`${whole}END`),
          whole,
        );
        tmux.press('C-u');
      };
      await becomes('kprobe val', 'kprobe validate ');
      await becomes('kprobe completion pow', 'kprobe completion powershell ');
      await becomes('kprobe run --allow-local', 'kprobe run --allow-local-exec ');
      await becomes('kprobe run --until rest', 'kprobe run --until restarted ');
      await becomes('kprobe run --until=succ', 'kprobe run --until=succeeded ');
      await becomes('kprobe run sho', 'kprobe run shop.yaml ');
      await becomes('kprobe run shop.yaml -c st', 'kprobe run shop.yaml -c storefront ');
      await becomes('kprobe once shop.yaml --probe li', 'kprobe once shop.yaml --probe liveness ');
      await becomes('kprobe run shop.yaml -p 80', 'kprobe run shop.yaml -p 8080:8080 ');
      await becomes(
        'kprobe simulate shop.yaml --latency storefront.li',
        'kprobe simulate shop.yaml --latency storefront.liveness=',
      );
      await becomes('kprobe lint --rule latest', 'kprobe lint --rule latest-image ');
      await becomes('kprobe watch dep', 'kprobe watch deployment/');
      await becomes('kprobe watch pod/chec', 'kprobe watch pod/checkout-1 ');
      await becomes('kprobe watch deploy/sto', 'kprobe watch deploy/storefront ');
      await becomes('kprobe run --kube pod/chec', 'kprobe run --kube pod/checkout-1 ');
      // What was typed is never evaluated.
      tmux.type('kprobe run "$(touch evaluated)" --until rest');
      tmux.press('Tab');
      await tmux.shows(/--until restarted/);
      expect(execFileSync('ls', { cwd: folder, encoding: 'utf8' })).not.toContain('evaluated');
    } finally {
      tmux.end();
    }
  });
});
