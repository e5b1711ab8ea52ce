import type { Container } from '../../api/index.js';
import { fnv1a, goJson } from '../../go/text.js';
import type { RuntimeContainerStatus } from '../ports.js';

/** Cached hashes: each sync needs them, and specs are immutable. */
const hashes = new WeakMap<Container, string>();

/**
 * Returns the container hash in hexadecimal: FNV-1a over Go's print of the bytes of the JSON of its name and image.
 * A change of other fields does not restart a container. Ports HashContainer (pkg/kubelet/container/helpers.go).
 */
export function hashContainer(container: Container): string {
  const cached = hashes.get(container);
  if (cached !== undefined) return cached;
  const { image, name } = container;
  const bytes = new TextEncoder().encode(goJson({ image, name }));
  const hash = fnv1a(`([]uint8)[${bytes.join(' ')}]`).toString(16);
  hashes.set(container, hash);
  return hash;
}

/** Returns whether the name or image has changed. Ports containerChanged (kuberuntime_manager.go). */
export function containerChanged(container: Container, status: RuntimeContainerStatus): boolean {
  return hashContainer(container) !== status.hash;
}
