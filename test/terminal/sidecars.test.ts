import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

const BIN = join(ROOT, 'bin/kprobe.js');
const SERVER = `require('http').createServer((q, s) => s.end()).listen(process.argv[2], '0.0.0.0')`;

/** Runs a pod of an init container, a sidecar and a container with `args` behind its manifest. */
async function open(args: (app: string, proxy: string) => string): Promise<TestTerminal> {
  const terminal = await openTerminal({ columns: 120, rows: 40 });
  const [app, proxy] = [await freePort(), await freePort()];
  const { folder, tmux } = terminal;
  writeFileSync(join(folder, 'server.cjs'), SERVER);
  writeFileSync(
    join(folder, 'shop.yaml'),
    `apiVersion: v1
kind: Pod
metadata: { name: shop }
spec:
  terminationGracePeriodSeconds: 2
  initContainers:
    - { name: migrate, image: 'a:1' }
    - name: proxy
      image: 'a:1'
      restartPolicy: Always
      startupProbe:
        { httpGet: { port: ${proxy} }, periodSeconds: 1, timeoutSeconds: 30, failureThreshold: 100 }
  containers:
    - name: app
      image: 'a:1'
      readinessProbe: { httpGet: { port: ${app} }, periodSeconds: 1, timeoutSeconds: 30 }
`,
  );
  const server = (port: number): string => `${process.execPath} server.cjs ${port}`;
  tmux.enter(`'${process.execPath}' '${BIN}' run shop.yaml ${args(server(app), server(proxy))}`);
  return terminal;
}

describe('a pod with a sidecar', () => {
  it('runs from one command with its init container', async () => {
    await using terminal = await open(
      (app, proxy) => `-- app='${app}' -- proxy='${proxy}' -- migrate='echo migrated'`,
    );
    const { tmux } = terminal;
    await tmux.shows(
      /migrate +init container +completed/,
      /proxy +sidecar +running [\dms]+ +started ✓ +ready ✓/,
      /app +running [\dms]+ +started [✓–] +ready ✓/,
      /^│Ready +[▂▄]+█/m,
    );
    // The logs stay those of the container, whatever is in trouble.
    tmux.press('g', 'l');
    await tmux.shows(/logs of migrate/, /migrated/);
    tmux.press('Right');
    await tmux.shows(/logs of proxy/);
  });

  it('says which containers are not started, and how to start them', async () => {
    await using terminal = await open((app) => `-c app -- ${app}`);
    const { tmux } = terminal;
    await tmux.shows(
      /migrate +init container +skipped/,
      /✗ proxy: startup \d+ × refused; .* kprobe has not\s+started this container's server/s,
      /= Start it \(-- proxy=COMMAND\), or map/,
    );
    tmux.press('3');
    await tmux.shows(/not started: proxy \(probes fail until/);
  });
});
