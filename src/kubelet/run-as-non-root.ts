import type { Container } from '../api/types/container.js';
import type { Pod } from '../api/types/pod.js';
import { formatPod } from './pod-name.js';

/**
 * Why a container must not be started as the user that its image names, or undefined. Ports verifyRunAsNonRoot
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
  if (user === '' || user === '0') {
    return `container has runAsNonRoot and image will run as root ${about}`;
  }
  if (/^\d+$/.test(user)) return undefined;
  return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root ${about}`;
}
