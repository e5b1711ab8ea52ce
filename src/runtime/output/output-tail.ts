/** MaxContainerTerminationMessageLogLength and -Lines (pkg/kubelet/container/runtime.go). */
const MAX_BYTES = 2048;
const MAX_LINES = 80;

/** The end of an output. Ports readLastStringFromContainerLogs (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
export class OutputTail {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const last = chunk.subarray(-MAX_BYTES);
    const before = this.#bytes.subarray(Math.max(0, this.#bytes.length + last.length - MAX_BYTES));
    this.#bytes = Buffer.concat([before, last]);
  }

  text(): string {
    const lines = this.#bytes.toString('utf8').split(/(?<=\n)/);
    return lines.slice(-MAX_LINES).join('');
  }
}
