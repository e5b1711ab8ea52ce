import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, it, vi } from 'vitest';

import { allContainers } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { Session } from '../../../src/session/session.js';
import { localTarget } from '../../../src/session/targets/local-target.js';
import { certificate } from '../../helpers/servers/certificate.js';
import { type Case, CASES, podOf } from './cases.js';
import { CASE_LIMIT, playCase } from './play.js';

vi.setConfig({ testTimeout: CASE_LIMIT });

const AGNHOST = join(import.meta.dirname, 'agnhost.mjs');
const VERSION = '1.36';
const held = { probes: 0, containers: 0 };

afterAll(() => {
  for (const [suite, count] of Object.entries(held)) {
    const all = CASES.filter((each) => each.suite === suite).length;
    stdout.write(
      `Kubernetes' end-to-end tests of ${suite}, as processes: ${count} of ${all} hold\n`,
    );
  }
});

describe('as processes, a test of Kubernetes', () => {
  it.concurrent.each(CASES.map((each, n) => [each.title, each, n] as const))(
    '%s',
    async (_, each, n) => {
      // Each pod has an address of its own, at which its servers listen.
      const address = `127.1.0.${n + 1}`;
      await play(each, address);
      held[each.suite]++;
    },
  );
});

/** Runs a case as `kprobe run` does with a command for each container. */
async function play(each: Case, address: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-e2e-'));
  const { cert, key } = certificate('selfSigned');
  writeFileSync(join(folder, 'localhost.crt'), cert);
  writeFileSync(join(folder, 'localhost.key'), key);
  const clock = new RealClock();
  const { pods } = loadManifest([
    { file: 'pod.yaml', text: podOf(each, 'agnhost', (command) => onThisMachine(command, folder)) },
  ]);
  const { pod } = pods[0]!;
  const target = await localTarget(
    {
      clock,
      host: {
        env: { ...process.env, POD_IP: address },
        cwd: folder,
        kill: (pid, signal) => process.kill(pid, signal),
      },
      address,
      // Users may not listen on port 80.
      ports: new Map([[80, 8080]]),
      execAllowed: true,
      configMaps: [],
      secrets: [],
      kubeletVersion: VERSION,
      processes: allContainers(pod.spec).map(({ name, command = [] }) => {
        const [file = '', ...args] = command;
        return { pod, container: name, argv: [file, ...args] as const };
      }),
    },
    [pod],
    pathToFileURL('/nowhere/attempt-worker.js'),
  );
  const session = new Session({
    ...target,
    clock,
    hostIP: address,
    kubeletAge: HOUR,
    kubelet: { version: VERSION },
  });
  await playCase(each, session, pod);
}

/** An hour: no worker waits at random. */
const HOUR = 3600 * 1000;

/** Returns a command with the folders of its container in one of this machine, and this folder's agnhost. */
function onThisMachine(command: readonly string[], folder: string): readonly string[] {
  return command
    .flatMap((word) => (word === '/agnhost' ? [execPath, AGNHOST] : word))
    .map((word) => (word === '80' ? '8080' : word))
    .map((word) => word.replaceAll(/\/(?:tmp|mnt|restart-count|(?=localhost))\/?/g, `${folder}/`));
}
