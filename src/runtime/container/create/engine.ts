import { type ImageService, type PulledImage, RuntimeError } from '../../../kubelet/ports.js';
import type { Engine } from '../engine.js';
import type { EngineCli } from '../engine-cli.js';
import { LABELS } from './labels.js';

/** Returns the label of what a session made, or without one, of what any session made. */
export function sessionLabel(session?: string): string {
  return session === undefined ? LABELS.session : `${LABELS.session}=${session}`;
}

/** Returns the names of the volumes that a session made, or that any session made. */
export async function volumesOf(cli: EngineCli, session?: string): Promise<readonly string[]> {
  const filter = ['--filter', `label=${sessionLabel(session)}`];
  const printed = await cli.run(['volume', 'ls', '--quiet', ...filter]);
  return printed.split('\n').filter((name) => name !== '');
}

/** Seconds between TERM and KILL. */
const STOP_GRACE_PERIOD = '2';

export async function removeContainersAndVolumes(engine: Engine, session: string): Promise<void> {
  const { cli } = engine;
  const label = sessionLabel(session);
  const states = await engine.states([label]);
  const sandboxes = await engine.states([label, `${LABELS.kind}=sandbox`]);
  const containers = [...states.keys()].filter((id) => !sandboxes.has(id));
  // A pause process ignores TERM.
  const running = containers.filter((id) => states.get(id) === 'running');
  if (running.length > 0) await cli.runIfPresent(['stop', '-t', STOP_GRACE_PERIOD, ...running]);
  // podman keeps a sandbox while containers share its namespaces.
  for (const ids of [containers, [...sandboxes.keys()]]) {
    if (ids.length > 0) await cli.runIfPresent(['rm', '--force', '--volumes', ...ids]);
  }
  const volumes = await volumesOf(cli, session);
  if (volumes.length > 0) await cli.runIfPresent(['volume', 'rm', '--force', ...volumes]);
}

export class EngineImages implements ImageService {
  readonly #cli: EngineCli;
  constructor(cli: EngineCli) {
    this.#cli = cli;
  }

  getImageRef(image: string): Promise<string | undefined> {
    return this.#inspect(image, '{{.Id}}');
  }

  /** Returns the image's user; empty for root. */
  async userOf(image: string): Promise<string> {
    return (await this.#inspect(image, '{{.Config.User}}')) ?? '';
  }

  async pullImage(image: string): Promise<PulledImage> {
    await this.#cli.run(['pull', '--quiet', '--', image], { limit: 0 });
    const ref = (await this.getImageRef(image)) ?? image;
    const size = Number(await this.#inspect(image, '{{.Size}}'));
    return { ref, size: Number.isFinite(size) ? size : 0 };
  }

  /** Makes an image from an archive. */
  async import(archive: Uint8Array, name: string): Promise<void> {
    await this.#cli.run(['import', '-', name], { input: archive });
  }

  async #inspect(image: string, format: string): Promise<string | undefined> {
    try {
      return await this.#cli.run(['image', 'inspect', '--format', format, '--', image]);
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'notFound') return undefined;
      throw error;
    }
  }
}
