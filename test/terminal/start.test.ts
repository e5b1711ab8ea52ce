import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

const KPROBE = `'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}'`;

/** A folder with a manifest of two containers, and with their commands in `.kprobe.yaml`; each writes a file. */
async function open(): Promise<TestTerminal> {
  const terminal = await openTerminal({ columns: 120, rows: 40 });
  const write = (name: string, text: string): void =>
    writeFileSync(join(terminal.folder, name), text);
  write(
    'shop.yaml',
    `apiVersion: v1
kind: Pod
metadata: { name: shop }
spec:
  terminationGracePeriodSeconds: 1
  initContainers: [{ name: proxy, image: 'a:1', restartPolicy: Always }]
  containers: [{ name: app, image: 'a:1' }]
`,
  );
  write(
    '.kprobe.yaml',
    `start:
  app: sh -c 'touch app.started; echo serving; exec sleep 987'
  proxy: sh -c 'touch proxy.started; echo proxying; exec sleep 987'
`,
  );
  return terminal;
}

describe('the commands of .kprobe.yaml', () => {
  it('start every container with --start', async () => {
    await using terminal = await open();
    const { tmux } = terminal;
    tmux.enter(`${KPROBE} run shop.yaml --start; ls *.started; echo "code=$?"`);
    await tmux.shows(/proxy +sidecar +running/, /app +running/, /proxying/);
    tmux.press('q');
    const screen = await tmux.shows(/^code=0$/m);
    expect(screen).toMatch(/^app\.started +proxy\.started$/m);
    await terminal.isAsBefore();
  });

  it('start nothing in a folder that the user has not allowed them in', async () => {
    await using terminal = await open();
    const { tmux } = terminal;
    tmux.enter(`${KPROBE} run shop.yaml; ls *.started; echo "code=$?"`);
    await tmux.shows(/^shop +default +Running +Ready ✓/m, /app +running/);
    tmux.press('q');
    const screen = await tmux.shows(/^code=\d$/m);
    expect(screen).toMatch(/cannot access '\*\.started'/);
    await terminal.isAsBefore();
  });
});

it('kprobe init writes probes that run shows as ready', async () => {
  await using terminal = await openTerminal({ columns: 120, rows: 40 });
  const { tmux } = terminal;
  const port = await freePort();
  const server = `'${process.execPath}' '${join(ROOT, 'test/fixtures/terminal/server.js')}'`;
  tmux.enter(
    `export PORT=${port}; ${KPROBE} init --starts 1 shop.yaml -- ${server}; echo "code=$?"`,
  );
  await tmux.shows(/wrote shop\.yaml/, /kprobe: proved: .* ready after/, /^code=0$/m);
  await terminal.isAsBefore();
  tmux.enter(`clear; ${KPROBE} run shop.yaml -- ${server}`);
  await tmux.shows(/Ready ✓/, /startup +http/, /readiness +http/);
});

it('kprobe init --from prints a patch with probes for a workload that has none', async () => {
  await using terminal = await openTerminal({ columns: 120, rows: 80 });
  const { tmux, folder } = terminal;
  const port = await freePort();
  const container = `{ name: app, image: 'a:1', env: [{ name: PORT, value: '${port}' }], ports: [{ containerPort: ${port} }] }`;
  const selector = '{ app: web }';
  writeFileSync(
    join(folder, 'deploy.yaml'),
    `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: ${selector} }
  template:
    metadata: { labels: ${selector} }
    spec: { containers: [${container}] }
`,
  );
  const server = `'${process.execPath}' '${join(ROOT, 'test/fixtures/terminal/server.js')}'`;
  tmux.enter(`clear; ${KPROBE} init --starts 1 --from deploy.yaml -- ${server}; echo "code=$?"`);
  await tmux.shows(
    /kprobe: proved: default\/web\S* ready after/,
    /^kind: Deployment$/m,
    /^ +readinessProbe:$/m,
    /# .*slowest/,
    /^code=0$/m,
  );
});
