import { type ImageService, type PulledImage, RuntimeError } from '../../../kubelet/ports.js';
import type { EngineCli } from '../engine-cli.js';
import { LABELS } from './labels.js';

/** Returns the arguments that select what a session made, of one kind or of all. */
export function sessionFilter(session?: string, kind?: 'sandbox'): readonly string[] {
  const ofSession = session === undefined ? LABELS.session : `${LABELS.session}=${session}`;
  const filters = [ofSession, ...(kind === undefined ? [] : [`${LABELS.kind}=${kind}`])];
  return filters.flatMap((label) => ['--filter', `label=${label}`]);
}

/** Runs a command that prints a list. */
export async function listOf(cli: EngineCli, args: readonly string[]): Promise<readonly string[]> {
  return (await cli.run(args)).split('\n').filter((line) => line !== '');
}

/** The state of each container of a session, by id. */
export async function sessionStates(
  cli: EngineCli,
  session: string,
): Promise<ReadonlyMap<string, string>> {
  const format = ['--format', '{{.ID}} {{.State}}'];
  const ps = ['ps', '--all', '--no-trunc', ...sessionFilter(session), ...format];
  const lines = await listOf(cli, ps);
  return new Map(
    lines.map((line) => {
      const [id = '', ...state] = line.split(' ');
      return [id, state.join(' ').toLowerCase()];
    }),
  );
}

/** Seconds between TERM and KILL. */
const STOP_GRACE_PERIOD = '2';

/** Ends and removes the containers and volumes of a session. */
export async function removeContainersAndVolumes(cli: EngineCli, session: string): Promise<void> {
  const states = await sessionStates(cli, session);
  const running = [...states].filter(([, state]) => state === 'running').map(([id]) => id);
  // A pause process ignores TERM.
  if (running.length > 0) {
    const filter = sessionFilter(session, 'sandbox');
    const sandboxes = await listOf(cli, ['ps', '--quiet', '--no-trunc', ...filter]);
    const containers = running.filter((id) => !sandboxes.includes(id));
    if (containers.length > 0) {
      await cli.runIfPresent(['stop', '-t', STOP_GRACE_PERIOD, ...containers]);
    }
  }
  if (states.size > 0) await cli.runIfPresent(['rm', '--force', '--volumes', ...states.keys()]);
  const volumes = await listOf(cli, ['volume', 'ls', '--quiet', ...sessionFilter(session)]);
  if (volumes.length > 0) await cli.runIfPresent(['volume', 'rm', '--force', ...volumes]);
}

/** The engine's images. */
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
