import type { ContainerView } from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { Cause } from './cause.js';

/** Messages of events that say no more than the reason of the status. */
const REPEATS = /^Error: (?:ErrImage\w*|ImagePullBackOff|InvalidImageName)$|^Back-off /;

const OF_PROBES: ReadonlySet<string> = new Set(['Unhealthy', 'ProbeWarning']);

/** Returns why a container cannot start; undefined where it has started, or waits for its turn. */
export function startFailure(pod: PodSummary, container: ContainerView): Cause | undefined {
  const { state, runs, name } = container;
  const { startError } = runs.at(-1) ?? {};
  const reason =
    /^waiting (\w*(?:Error|ImageName|ErrImage\w*|ImagePullBackOff|ErrImageNeverPull))$/.exec(
      state.text,
    )?.[1];
  if (startError === undefined && reason === undefined) return undefined;
  const event = pod.events.findLast(
    (one) =>
      one.container === name &&
      one.type === 'Warning' &&
      !OF_PROBES.has(one.reason) &&
      !REPEATS.test(one.message),
  );
  const why = (startError ?? event?.message ?? reason ?? '').replace(/^Error: /, '').trim();
  return { why, change: changeFor(why, reason ?? '') };
}

/** Returns the change that helps, from the error and the reason of the container's state. */
export function changeFor(why: string, reason: string): string {
  if (why.startsWith("the cluster's kubelet has not started")) {
    return 'The lines of the pod with @cluster say why';
  }
  const [, kind, name = ''] = /\b(secret|configmap) "(.+?)" not found/i.exec(why) ?? [];
  if (kind !== undefined) {
    const object = kind.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap';
    return `Add the ${object} ${name} to the manifests, or set optional: true where it is used`;
  }
  const [, key] = /couldn't find key (\S+) in/i.exec(why) ?? [];
  if (key !== undefined) return `Add the key ${key}, or correct the key in env[].valueFrom`;
  if (/executable file not found|no such file or directory|\bENOENT\b/i.test(why)) {
    return 'Correct command[0], or add the program to the image';
  }
  if (/permission denied|\bEACCES\b/i.test(why)) return 'Make the program executable (chmod +x)';
  if (/runAsNonRoot/.test(why)) return 'Set securityContext.runAsUser to a user other than 0';
  if (/Image|Pull/.test(reason)) return 'Correct image, or add imagePullSecrets for its registry';
  if (reason === 'CreateContainerConfigError') return "Correct the container's env or volumeMounts";
  return 'Correct command and args';
}
