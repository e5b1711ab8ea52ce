import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stdout } from 'node:process';

import { afterAll, beforeAll, describe, it, vi } from 'vitest';

import { type Case, CASES, podOf } from '../conformance/e2e/cases.js';
import { CASE_LIMIT, IS_OBSERVED, playCase } from '../conformance/e2e/play.js';
import { certificate } from '../helpers/servers/certificate.js';
import { prepareSession } from './created-session.js';
import { addBusybox, addNode, docker, importImage, requireEngine } from './engine.js';

// More pods at once are started and probed too late on two cores.
vi.setConfig({ maxConcurrency: 12, testTimeout: CASE_LIMIT });

const IMAGE = 'kprobe-e2e:1';
const AGNHOST = join(import.meta.dirname, '../conformance/e2e/agnhost.mjs');
/** Unless an observation is set, those whose result comes soon, and of two that differ in a container or a sidecar the first. */
const PLAYED = CASES.filter(
  ({ title, isNever }) => IS_OBSERVED || !(isNever || title.startsWith('a sidecar')),
);
const held = { probes: 0, containers: 0 };

beforeAll(() => {
  requireEngine();
  importImage(IMAGE, (root) => {
    addBusybox(root);
    addNode(root);
    cpSync(AGNHOST, join(root, 'agnhost.mjs'));
    writeFileSync(join(root, 'agnhost'), '#!/bin/sh\nexec node /agnhost.mjs "$@"\n');
    chmodSync(join(root, 'agnhost'), 0o755);
    const { cert, key } = certificate('selfSigned');
    writeFileSync(join(root, 'localhost.crt'), cert);
    writeFileSync(join(root, 'localhost.key'), key);
  });
});

afterAll(() => {
  docker(['rmi', '--force', IMAGE]);
  for (const [suite, count] of Object.entries(held)) {
    const all = PLAYED.filter((each) => each.suite === suite).length;
    stdout.write(
      `Kubernetes' end-to-end tests of ${suite}, in containers: ${count} of ${all} hold\n`,
    );
  }
});

describe('in containers, a test of Kubernetes', () => {
  it.concurrent.each(PLAYED.map((each) => [each.title, each] as const))('%s', async (_, each) => {
    await play(each);
    held[each.suite]++;
  });
});

async function play(each: Case): Promise<void> {
  const { session, pods } = await prepareSession(podOf(each, IMAGE));
  await playCase(each, session, pods[0]!);
}
