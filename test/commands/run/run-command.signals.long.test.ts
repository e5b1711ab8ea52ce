import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect, it, vi } from 'vitest';

import { ended, startKprobe } from '../../helpers/kprobe.js';
import { processesWith } from '../../helpers/processes-with.js';

const ROUNDS = 5;
const POD = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: web:1,
  readinessProbe: {exec: {command: [sh, -c, "sleep 7.89 & wait"]}, periodSeconds: 1, timeoutSeconds: 2}}]}}`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

it.each(SIGNALS)('%s in the first two seconds ends a run and all that it started', async (name) => {
  const path = join(await mkdtemp(join(tmpdir(), 'kprobe-signals-')), 'pod.yaml');
  writeFileSync(path, POD);
  const code = 128 + constants.signals[name];
  await Promise.all(
    Array.from({ length: ROUNDS }, async (_, round) => {
      const word = `kprobe-test-${name}-${round}-${process.pid}`;
      const child = startKprobe(
        ['run', path, '--allow-local-exec', '--', 'sh', '-c', 'sleep 6.54 & wait'],
        { env: { KPROBE_TEST_WORD: word } },
      );
      const moment = 400 * round + 100 * SIGNALS.indexOf(name);
      const end = ended(child);
      await setTimeout(moment);
      child.kill(name);
      const { code: found, signal, stderr } = await end;
      // Before kprobe's own code runs, the signal itself ends the process.
      const about = `after ${moment.toFixed(0)} ms: ${stderr}`;
      expect([code, name], about).toContain(found ?? signal);
      await vi.waitFor(() => expect(processesWith(word), about).toEqual([]), 120_000);
    }),
  );
});
