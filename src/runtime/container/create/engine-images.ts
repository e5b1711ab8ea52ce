import type { ImageService, PulledImage } from '../../../kubelet/ports.js';
import { type CallEnd, type EngineCli } from '../engine-cli.js';
import { engineError } from '../engine-error.js';

/** Bytes of an image's description. */
const MAX_OUTPUT = 1024 * 1024;

/** The engine's images. */
export class EngineImages implements ImageService {
  constructor(private readonly cli: EngineCli) {}

  async getImageRef(image: string): Promise<string | undefined> {
    return (await this.#inspect(image, '{{.Id}}')) ?? undefined;
  }

  /** As whom the image runs; empty for root. */
  async userOf(image: string): Promise<string> {
    return (await this.#inspect(image, '{{.Config.User}}')) ?? '';
  }

  async pullImage(image: string): Promise<PulledImage> {
    const end = await this.cli.call(['pull', '--quiet', '--', image], { limit: 0 });
    this.#assertDone(end);
    const ref = (await this.getImageRef(image)) ?? image;
    const size = Number(await this.#inspect(image, '{{.Size}}'));
    return { ref, size: Number.isFinite(size) ? size : 0 };
  }

  /** Makes an image of an archive. */
  async import(archive: Uint8Array, name: string): Promise<void> {
    this.#assertDone(await this.cli.call(['import', '-', name], { input: archive }));
  }

  async #inspect(image: string, format: string): Promise<string | undefined> {
    const args = ['image', 'inspect', '--format', format, '--', image];
    const end = await this.cli.call(args, { maxOutput: MAX_OUTPUT });
    if (end.kind === 'exited' && end.exitCode === 0)
      return new TextDecoder().decode(end.stdout).trim();
    const error = engineError(this.cli.kind, end);
    if (error.code === 'notFound') return undefined;
    throw error;
  }

  #assertDone(end: CallEnd): void {
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.cli.kind, end);
  }
}
