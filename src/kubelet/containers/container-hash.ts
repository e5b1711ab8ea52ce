import type { Container } from '../../api/index.js';
import type { RuntimeContainerStatus } from '../ports.js';

/**
 * Returns the container hash in hexadecimal: FNV-1a over Go's print of the bytes of its name and image as JSON, the only two
 * fields whose change restarts a container. Ports HashContainer (pkg/kubelet/container/helpers.go).
 */
export function hashContainer(container: Container): string {
  let hash = hashes.get(container);
  if (hash === undefined) hashes.set(container, (hash = computeHash(container)));
  return hash;
}

/** Hashes by container: specs are immutable, and each sync needs them. */
const hashes = new WeakMap<Container, string>();

function computeHash(container: Container): string {
  const json = `{"image":${marshalString(container.image)},"name":${marshalString(container.name)}}`;
  const bytes = new TextEncoder().encode(json);
  return fnv1a32(`([]uint8)[${bytes.join(' ')}]`).toString(16);
}

/** Returns whether the name or image has changed. Ports containerChanged (kuberuntime_manager.go). */
export function containerChanged(container: Container, status: RuntimeContainerStatus): boolean {
  return hashContainer(container) !== status.hash;
}

/** Formats a string as Go's encoding/json does. */
function marshalString(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function fnv1a32(ascii: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < ascii.length; i++) {
    hash = Math.imul(hash ^ ascii.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
