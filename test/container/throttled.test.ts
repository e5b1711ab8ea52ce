import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { KPROBE } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';
import { IMAGE, requireEngine } from './engine.js';

beforeAll(requireEngine);

/** A pod whose container answers, and does something beside. */
const pod = (name: string, port: number, limits: string, work: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 0
  containers:
    - name: ${name}
      image: ${IMAGE}
      imagePullPolicy: Never
      command: [sh, -c, 'touch /tmp/index.html; httpd -p ${port} -h /tmp; ${work}']
      resources: { limits: { ${limits} } }
      readinessProbe: { httpGet: { port: ${port} }, periodSeconds: 1, timeoutSeconds: 60 }
`;

it('the list of pods at 300×80 has the share of CPU periods in which the limit stops a container', async () => {
  await using terminal = await openTerminal({ columns: 300, rows: 80 });
  const { folder, tmux } = terminal;
  const limited = pod('limited', await freePort(), 'cpu: 100m', 'while :; do :; done');
  const free = pod('free', await freePort(), 'memory: 64Mi', 'sleep 600');
  writeFileSync(join(folder, 'pods.yaml'), `${limited}---\n${free}`);
  tmux.enter(`'${process.execPath}' '${KPROBE}' run pods.yaml --create; echo "code=$?"`);
  const screen = await tmux.shows(
    /^ +POD .* THROTTLED +NODE|^ +POD .* THROTTLED +AGE/m,
    /^. limited +1\/1 +Running .* [1-9]\d* % +\d\S* /m,
    /^. free +1\/1 +Running .* ms +\d\S* /m,
  );
  expect(screen).toMatch(/^2 pods/m);
  tmux.press('q');
  await tmux.shows(/^code=0$/m);
});
