import { rename, writeFile } from 'node:fs/promises';

import { podStatusYaml } from '../render/yaml.js';
import type { Summary } from '../trace/summary/summary.js';
import { orUsageError } from './file-error.js';

/** Keeps the statuses of the pods in a file, whole at any time: it is written beside and renamed. */
export class StatusFile {
  #text = '';
  #writing: Promise<void> = Promise.resolve();
  #busy = false;

  private constructor(private readonly path: string) {}

  /** A file that can be written, with nothing in it yet; else throws a UsageError. */
  static async create(path: string): Promise<StatusFile> {
    const file = new StatusFile(path);
    await orUsageError(path, () => file.#write());
    return file;
  }

  /** Takes what the statuses are now. */
  update({ pods }: Summary): void {
    this.#text = podStatusYaml(pods);
    if (this.#busy) return;
    this.#busy = true;
    this.#writing = this.#writing.then(() => this.#write());
    // Whether it succeeded is asked at the end.
    this.#writing.catch(() => undefined);
  }

  /** Settles once the file holds the last statuses; throws a UsageError when it could not be written. */
  async end(): Promise<void> {
    await orUsageError(this.path, () => this.#writing);
  }

  /** What changes while the file is written is written next. */
  async #write(): Promise<void> {
    for (let written: string | undefined; written !== this.#text;) {
      written = this.#text;
      const beside = `${this.path}.kprobe-tmp`;
      await writeFile(beside, written);
      await rename(beside, this.path);
    }
    this.#busy = false;
  }
}
