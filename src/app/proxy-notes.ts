import type { Container, Pod } from '../api/index.js';
import { probedPorts } from './probed-ports.js';

const NOTE =
  "the engine's proxy takes connections to a published port before the container does: a TCP probe of one may succeed too early, --via exec asks the container itself";

/** What a TCP probe of a published port cannot see; nothing when there is none. */
export function proxyNotes(
  pods: readonly Pod[],
  isPublished: (pod: Pod, container: Container, port: number) => boolean,
): readonly string[] {
  const isFooled = pods.some((pod) =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) =>
      probedPorts(container).some(
        ({ path, port }) => path.includes('.tcpSocket.') && isPublished(pod, container, port),
      ),
    ),
  );
  return isFooled ? [NOTE] : [];
}
