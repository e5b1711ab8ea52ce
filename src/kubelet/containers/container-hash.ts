import type { Container } from '../../api/index.js';
import { fnv1a, goJson } from '../../go/text.js';
import type { RuntimeContainerStatus } from '../ports.js';

/**
 * Returns the container hash in hexadecimal: FNV-1a over Go's print of the bytes of its name and image as JSON, the only two
 * fields whose change restarts a container. Ports HashContainer (pkg/kubelet/container/helpers.go).
 */
export function hashContainer(container: Container): string {
  const known = hashes.get(container);
  if (known !== undefined) return known;
  const { image, name } = container;
  const bytes = new TextEncoder().encode(goJson({ image, name }));
  const hash = fnv1a(`([]uint8)[${bytes.join(' ')}]`).toString(16);
  hashes.set(container, hash);
  return hash;
}

/** Hashes by container: specs are immutable, and each sync needs them. */
const hashes = new WeakMap<Container, string>();

/** Returns whether the name or image has changed. Ports containerChanged (kuberuntime_manager.go). */
export function containerChanged(container: Container, status: RuntimeContainerStatus): boolean {
  return hashContainer(container) !== status.hash;
}
