import type { Pod } from '../../src/api/index.js';
import { RealClock } from '../../src/clock/real-clock.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import { createTarget, type CreateTargetOptions } from '../../src/session/create/create-target.js';
import { Session } from '../../src/session/session.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

/** Longer than any period: no worker waits at random. */
const LONG = 3600 * 1000;

export interface CreatedSession {
  readonly session: Session;
  readonly lines: readonly TraceLine[];
}

/** Runs a manifest as `kprobe run --create` does, and gathers its trace. */
export async function createSession(
  manifest: string,
  options: Partial<CreateTargetOptions> = {},
): Promise<CreatedSession> {
  const { session, pods } = await prepareSession(manifest, options);
  const lines: TraceLine[] = [];
  session.onLine((line) => lines.push(line));
  session.start(pods);
  return { session, lines };
}

/** Returns a session that is not started, and its pods. */
export async function prepareSession(
  manifest: string,
  options: Partial<CreateTargetOptions> = {},
): Promise<{ readonly session: Session; readonly pods: readonly Pod[] }> {
  const clock = new RealClock();
  const { pods, configMaps, secrets, diagnostics } = loadManifest([
    { file: 'pod.yaml', text: manifest },
  ]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const made = await createTarget({
    clock,
    host: {
      env: process.env,
      cwd: process.cwd(),
      kill: (pid, signal) => process.kill(pid, signal),
    },
    address: '127.0.0.1',
    configMaps,
    secrets,
    kubeletVersion: '1.36',
    engine: 'docker',
    pods,
    network: 'none',
    within: false,
    keep: false,
    hostPathAllowed: false,
    privilegedAllowed: false,
    strict: false,
    replacements: { images: new Map(), volumes: new Map() },
    onLeftover: () => Promise.resolve('replace'),
    nodePath: process.execPath,
    pid: process.pid,
    ...options,
  });
  if (made.kind !== 'target') throw new Error(JSON.stringify(made));
  const session = new Session({
    ...made.target,
    clock,
    hostIP: '127.0.0.1',
    kubeletAge: LONG,
    kubelet: { version: '1.36' },
  });
  return { session, pods: pods.map(({ pod }) => pod) };
}
