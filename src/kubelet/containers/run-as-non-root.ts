import type { Container, Pod } from '../../api/index.js';
import { formatPod } from '../pod-name.js';

/**
 * Returns why a container must not run as its image's user, or undefined. Ports verifyRunAsNonRoot
 * (pkg/kubelet/kuberuntime/security_context.go).
 */
export function verifyRunAsNonRoot(
  pod: Pod,
  container: Container,
  imageUser: string,
): string | undefined {
  const ofPod = pod.spec.securityContext ?? {};
  const own = container.securityContext ?? {};
  const runAsNonRoot = own.runAsNonRoot ?? ofPod.runAsNonRoot ?? false;
  if (!runAsNonRoot) return undefined;
  const about = `(pod: "${formatPod(pod)}", container: ${container.name})`;
  const runAsUser = own.runAsUser ?? ofPod.runAsUser;
  if (runAsUser !== undefined) {
    return runAsUser === 0 ? `container's runAsUser breaks non-root policy ${about}` : undefined;
  }
  const [user = ''] = imageUser.split(':');
  const uid = parseUID(user);
  if (user === '' || uid === 0n) {
    return `container has runAsNonRoot and image will run as root ${about}`;
  }
  if (uid === undefined) {
    return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root ${about}`;
  }
  if (uid > 0n && uid <= MAX_USER_ID) return undefined;
  return `container has runAsNonRoot and image has an invalid user id (${uid}). (Must be 1-(${MAX_USER_ID})): must be between 0 and ${MAX_USER_ID}, inclusive ${about}`;
}

const MAX_USER_ID = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;

/** Parses a user id; undefined for a user name. */
function parseUID(user: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(user)) return undefined;
  const uid = BigInt(user);
  return uid >= -MAX_INT64 - 1n && uid <= MAX_INT64 ? uid : undefined;
}
