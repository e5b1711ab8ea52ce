import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import {
  ifThere,
  incompleteText,
  isFile,
  orUsageError,
  OWNER_ONLY,
  replaceFile,
  shownPath,
  systemErrorText,
} from '../../cli/shared/file-errors.js';
import { podStatusYaml } from '../../report/pod-status-yaml.js';
import type { Summary } from '../../trace/summary/summary.js';
import { UsageError } from '../../usage-error.js';

/** Keeps the statuses of the pods in a file, which is replaced atomically. */
export class StatusFile {
  #pods: Summary['pods'] = [];
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  #writeError: string | undefined;
  #isReported = false;
  /** Called with the first error. */
  #onError: ((text: string) => void) | undefined;

  private constructor(private readonly path: string) {}

  /**
   * Opens a file, and leaves it unchanged until `begin`; throws a UsageError when it cannot be written, or holds
   * anything but statuses.
   */
  static open(path: string): Promise<StatusFile> {
    return orUsageError(path, async () => {
      const target = await targetOf(path);
      // The file is replaced by one beside it.
      await access(dirname(target), constants.W_OK);
      return new StatusFile(target);
    });
  }

  begin(onError: (text: string) => void): Promise<void> {
    this.#onError = onError;
    return this.#writeOrReport();
  }

  update({ pods }: Summary): void {
    this.#pods = pods;
    if (this.#busy) return;
    this.#busy = true;
    this.#writing = this.#writing.then(() => this.#writeOrReport());
  }

  /** Resolves once the last statuses are written; returns an error message when they could not be. */
  async end(): Promise<string | undefined> {
    await this.#writing;
    // Another program may have removed it.
    if (!isFile(this.path)) await this.#writeOrReport();
    if (this.#writeError === undefined) return undefined;
    return incompleteText(this.path, this.#writeError, 'status');
  }

  /** A full disk does not end the run: the next status is tried too. */
  async #writeOrReport(): Promise<void> {
    try {
      await this.#write();
      this.#writeError = undefined;
    } catch (error) {
      const isFirst = !this.#isReported;
      this.#isReported = true;
      this.#writeError = systemErrorText(error);
      if (isFirst) this.#onError?.(`statuses are not written: ${this.path}: ${this.#writeError}`);
    }
    this.#busy = false;
  }

  /** Changes during a write are written after it. */
  async #write(): Promise<void> {
    for (let written: Summary['pods'] | undefined; written !== this.#pods;) {
      written = this.#pods;
      await replaceFile(this.path, podStatusYaml(written), OWNER_ONLY);
    }
  }
}

/** Returns the file to replace, which is the target of a symbolic link. */
async function targetOf(path: string): Promise<string> {
  const stats = await ifThere(stat(path));
  if (stats === undefined) return path;
  if (!stats.isFile()) {
    throw new UsageError(`${shownPath(path)}: is not a regular file; refusing to overwrite it`);
  }
  if (stats.size > 0 && !isStatuses(await readFile(path, 'utf8'))) {
    throw new UsageError(`${shownPath(path)}: is not a pod status; refusing to overwrite it`);
  }
  return realpath(path);
}

/** Reports whether a text is a status, or several, as kprobe writes them: none has a spec. */
function isStatuses(text: string): boolean {
  return /^apiVersion: v1\n(?:kind: Pod|items:)\n/.test(text) && !/^\s*spec:/m.test(text);
}
