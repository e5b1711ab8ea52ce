import { type ImageService, type PulledImage, RuntimeError } from '../../../kubelet/ports.js';
import type { CallEnd, CallOptions, EngineCli } from '../engine-cli.js';
import { engineError } from '../engine-error.js';
import { SESSION_LABEL } from './labels.js';

/** Bytes of a listing. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Runs commands of the engine, which succeed or throw a RuntimeError. */
export class Engine {
  readonly #cli: EngineCli;
  constructor(cli: EngineCli) {
    this.#cli = cli;
  }

  /** Resolves with what the command printed. */
  async run(args: readonly string[], options: CallOptions = {}): Promise<string> {
    const end = await this.#cli.call(args, { maxOutput: MAX_OUTPUT, ...options });
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.#cli.kind, end);
    return new TextDecoder().decode(end.stdout).trim();
  }

  /** Runs a command on containers that may be gone or stopped already. */
  async runIfPresent(args: readonly string[]): Promise<void> {
    try {
      await this.run(args);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      if (error.code !== 'notFound' && !/is not running|already in progress/.test(error.message)) {
        throw error;
      }
    }
  }

  /** The state of each container of a session, by id. */
  async states(session: string): Promise<ReadonlyMap<string, string>> {
    const filter = ['--filter', `label=${SESSION_LABEL}=${session}`];
    const printed = await this.run([
      'ps',
      '--all',
      '--no-trunc',
      ...filter,
      '--format',
      '{{.ID}} {{.State}}',
    ]);
    const lines = printed.split('\n').filter((line) => line !== '');
    return new Map(
      lines.map((line) => [
        line.split(' ')[0] ?? '',
        line.slice(line.indexOf(' ') + 1).toLowerCase(),
      ]),
    );
  }

  /** Ends and removes the containers and volumes of a session. */
  async removeSession(session: string, gracePeriodSeconds: number): Promise<void> {
    const states = await this.states(session);
    const running = [...states].filter(([, state]) => state === 'running').map(([id]) => id);
    // A pause process ignores TERM.
    if (running.length > 0 && gracePeriodSeconds > 0) {
      const sandboxes = new Set(await this.#sandboxes(session));
      const containers = running.filter((id) => !sandboxes.has(id));
      if (containers.length > 0) {
        await this.runIfPresent(['stop', '-t', String(gracePeriodSeconds), ...containers]);
      }
    }
    if (states.size > 0) await this.runIfPresent(['rm', '--force', '--volumes', ...states.keys()]);
    const volumes = await this.run([
      'volume',
      'ls',
      '--quiet',
      '--filter',
      `label=${SESSION_LABEL}=${session}`,
    ]);
    if (volumes !== '')
      await this.runIfPresent(['volume', 'rm', '--force', ...volumes.split('\n')]);
  }

  async #sandboxes(session: string): Promise<readonly string[]> {
    const filters = [`label=${SESSION_LABEL}=${session}`, 'label=dev.kprobe.kind=sandbox'];
    const args = filters.flatMap((filter) => ['--filter', filter]);
    return (await this.run(['ps', '--quiet', '--no-trunc', ...args])).split('\n');
  }
}

/** Bytes of an image's description. */
const MAX_DESCRIPTION = 1024 * 1024;

/** The engine's images. */
export class EngineImages implements ImageService {
  readonly #cli: EngineCli;
  constructor(cli: EngineCli) {
    this.#cli = cli;
  }

  async getImageRef(image: string): Promise<string | undefined> {
    return (await this.#inspect(image, '{{.Id}}')) ?? undefined;
  }

  /** Returns the image's user; empty for root. */
  async userOf(image: string): Promise<string> {
    return (await this.#inspect(image, '{{.Config.User}}')) ?? '';
  }

  async pullImage(image: string): Promise<PulledImage> {
    const end = await this.#cli.call(['pull', '--quiet', '--', image], { limit: 0 });
    this.#assertDone(end);
    const ref = (await this.getImageRef(image)) ?? image;
    const size = Number(await this.#inspect(image, '{{.Size}}'));
    return { ref, size: Number.isFinite(size) ? size : 0 };
  }

  /** Makes an image from an archive. */
  async import(archive: Uint8Array, name: string): Promise<void> {
    this.#assertDone(await this.#cli.call(['import', '-', name], { input: archive }));
  }

  async #inspect(image: string, format: string): Promise<string | undefined> {
    const args = ['image', 'inspect', '--format', format, '--', image];
    const end = await this.#cli.call(args, { maxOutput: MAX_DESCRIPTION });
    if (end.kind === 'exited' && end.exitCode === 0)
      return new TextDecoder().decode(end.stdout).trim();
    const error = engineError(this.#cli.kind, end);
    if (error.code === 'notFound') return undefined;
    throw error;
  }

  #assertDone(end: CallEnd): void {
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.#cli.kind, end);
  }
}
