import { expect, it } from 'vitest';

import type { Container, Pod } from '../../../../src/api/index.js';
import { reasonOfConstantSuccess } from '../../../../src/commands/lint/subject/commands.js';

const CONTAINER = {
  name: 'app',
  image: 'a:1',
  volumeMounts: [
    { name: 'config', mountPath: '/config' },
    { name: 'data', mountPath: '/data' },
  ],
} as Container;
const POD = {
  metadata: {},
  spec: {
    containers: [CONTAINER],
    volumes: [
      { name: 'config', configMap: { name: 'config' } },
      { name: 'data', emptyDir: {} },
    ],
  },
} as unknown as Pod;

function why(...command: string[]): string | undefined {
  const timing = { periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };
  const probe = { exec: { command }, ...timing, initialDelaySeconds: 0, successThreshold: 1 };
  return reasonOfConstantSuccess(probe, CONTAINER, POD);
}

it.each([
  [['cat', '/proc/1/status']],
  [['sh', '-c', 'test -d /proc/1']],
  [['sh', '-c', 'kill -0 1']],
  [['ls', '/']],
  [['cat', '/config/app.conf']],
  [['sh', '-c', 'exit 0']],
  [['true']],
  [['sh', '-c', 'check || true']],
  [['sh', '-c', 'check || echo "it is down"  # but not that bad']],
  [['sh', '-c', 'check\ntrue;\n']],
  [['sh', '-c', 'check | tee /tmp/log']],
])('%j always succeeds', (command) => {
  expect(why(...command)).toBeDefined();
});

it.each([
  [['cat', '/tmp/healthy']],
  [['cat', '/data/ok']],
  [['cat', '/proc/1/status', '/tmp/healthy']],
  [['sh', '-c', '! test -d /proc/1']],
  [['sh', '-c', 'grep -q x /proc/1/cmdline']],
  [['sh', '-c', 'cat /proc/1/status && check']],
  [['sh', '-c', 'check "a || true"']],
  [['sh', '-c', 'check && other | tee /tmp/log']],
  [['sh', '-c', 'check || exit 1; check "; exit 0"']],
  [['sh', '-c', 'set -e\ncheck\ntrue']],
  [['sh', '-c', 'cat /proc/1/status | grep -q sleeping']],
])('%j can fail', (command) => {
  expect(why(...command)).toBeUndefined();
});
