import { rename, writeFile } from 'node:fs/promises';

import type { Pod } from '../api/types/pod.js';
import type { PodStatus } from '../api/types/status.js';
import type { StatusSink } from '../kubelet/ports.js';
import { podStatusYaml } from '../render/yaml.js';

/** Keeps the statuses of the pods in a file, whole at any time: it is written beside and renamed. */
export class StatusFile implements StatusSink {
  readonly #pods = new Map<string, { readonly object: Pod; readonly status: PodStatus }>();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  async patchPodStatus(pod: Pod, status: PodStatus): Promise<void> {
    this.#pods.set(pod.metadata.uid, { object: pod, status });
    await this.#write();
  }

  /** The pod's last status stays in the file: nothing newer will come. */
  deletePod(): Promise<void> {
    return Promise.resolve();
  }

  #write(): Promise<void> {
    const write = async (): Promise<void> => {
      const beside = `${this.path}.kprobe-tmp`;
      await writeFile(beside, podStatusYaml([...this.#pods.values()]));
      await rename(beside, this.path);
    };
    // One after the other, a failed one not in the way of the next.
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }
}
