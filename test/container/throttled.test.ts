import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { KPROBE } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';
import { IMAGE, requireEngine } from './engine.js';

beforeAll(requireEngine);

/** A pod whose container answers, and computes all the time. */
const pod = (name: string, port: number, limits: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 0
  containers:
    - name: ${name}
      image: ${IMAGE}
      imagePullPolicy: Never
      command: [sh, -c, 'touch /tmp/index.html; httpd -p ${port} -h /tmp; while :; do :; done']
      resources: { limits: { ${limits} } }
      readinessProbe: { httpGet: { port: ${port} }, periodSeconds: 1, timeoutSeconds: 60 }
`;

it('the list of pods at 300×80 has the share of CPU periods in which the limit stops a container', async () => {
  await using terminal = await openTerminal({ columns: 300, rows: 80 });
  const { folder, tmux } = terminal;
  writeFileSync(
    join(folder, 'pods.yaml'),
    `${pod('limited', await freePort(), 'cpu: 100m')}---\n${pod('free', await freePort(), 'memory: 64Mi')}`,
  );
  tmux.enter(`'${process.execPath}' '${KPROBE}' run pods.yaml --create; echo "code=$?"`);
  const screen = await tmux.shows(
    /^ +POD .* THROTTLED +NODE|^ +POD .* THROTTLED +AGE/m,
    /^. limited +1\/1 +Running .* [1-9]\d* % +\d+s /m,
    /^. free +1\/1 +Running .* ms +\d+s /m,
  );
  expect(screen).toMatch(/^2 pods/m);
  tmux.press('q');
  await tmux.shows(/^code=0$/m);
});
