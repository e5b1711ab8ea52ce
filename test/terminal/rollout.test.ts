import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deploymentYaml } from '../helpers/deployment-yaml.js';
import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

const MANIFEST = deploymentYaml(
  3,
  'ports: [{containerPort: 8080}]',
  'readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}',
);

describe('the terminal UI over a rollout', () => {
  let terminal: TestTerminal;

  beforeAll(async () => {
    terminal = await openTerminal({ columns: 130, rows: 36 });
    writeFileSync(join(terminal.folder, 'web.yaml'), MANIFEST);
    const command = `'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}' rollout --tui`;
    terminal.tmux.enter(`${command} web.yaml --ready-after 20s; echo "code=$?"`);
    await terminal.tmux.shows(
      /\d pods +replay, \d+s of 67s/,
      /Deployment web: 3 old ready, 0 new ready/,
    );
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  it('pauses, changes the speed, and goes back and forth in time', async () => {
    const { tmux } = terminal;
    tmux.press('Space');
    await tmux.shows(/2 ×, paused/);
    tmux.press('>');
    await tmux.shows(/4 ×, paused/);
    tmux.press(...Array.from({ length: 10 }, () => ','));
    await tmux.shows(/replay, 0s of 67s/, /3 old ready, 0 new ready/);
    tmux.press(...Array.from({ length: 10 }, () => '.'));
    await tmux.shows(/replay, over/, /^3 pods/m, /rolled out: 0 old ready, 3 new ready/);
    tmux.press(...Array.from({ length: 10 }, () => ','), '.');
    await tmux.shows(/replay, 10s of 67s/, /^4 pods/m, /3 old ready, 0 new ready, 1 starting/);
  });

  it("shows a replica's probes on Enter, those in trouble first", async () => {
    const { tmux } = terminal;
    tmux.press('g', 'Enter');
    await tmux.shows(/readiness +http :8080\/ready +✗ refused/);
    tmux.press('t');
    await tmux.shows(/this is a simulated rollout: nothing to probe/);
    tmux.press('Escape');
    await tmux.shows(/^4 pods/m);
  });

  it('restores the terminal and prints the answer', async () => {
    terminal.tmux.press('q');
    const screen = await terminal.tmux.shows(/^code=0$/m);
    expect(screen).toMatch(/^Deployment web: rolled out in 66\.0 s$/m);
    expect(screen).toContain('old, ready');
    await terminal.isAsBefore();
  });
});
