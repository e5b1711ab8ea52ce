import type { Container } from '../api/index.js';
import { latin1, toText } from '../go/byte-string.js';

/** Bytes of a message that are kept, its last (MaxContainerTerminationMessageLength, pkg/kubelet/container/runtime.go). */
const MAX_LENGTH = 4096;

export interface TerminationMessageInput {
  readonly container: Pick<Container, 'terminationMessagePolicy'>;
  readonly exitCode: number;
  /** What the runtime said of the end. */
  readonly message: string;
  /** What the container wrote to its terminationMessagePath. */
  readonly file: Uint8Array;
  /** The end of its output. */
  readonly tail: string;
}

/** How a container says that it ended. Ports getTerminationMessage and its caller (kuberuntime_container.go). */
export function terminationMessage(input: TerminationMessageInput): string {
  const { container, exitCode, message, file, tail } = input;
  const fallsBack =
    container.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
  const said = toText(latin1(file.subarray(-MAX_LENGTH)));
  const told = said === '' && fallsBack ? tail : said;
  return [message, told].filter((part) => part !== '').join(': ');
}
