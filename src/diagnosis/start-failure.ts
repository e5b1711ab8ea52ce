import type { ContainerView } from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { Cause } from './cause.js';

/** Reasons of a waiting container that cannot start. */
const CANNOT_START = /^(?:\w*(?:Error|ImageName)|ErrImage\w*|ImagePullBackOff)$/;

/** Messages of events that say no more than the reason of the status. */
const REPEATS = /^Error: (?:ErrImage\w*|ImagePullBackOff|InvalidImageName)$|^Back-off /;

const OF_PROBES: ReadonlySet<string> = new Set(['Unhealthy', 'ProbeWarning']);

/** Returns why a container cannot start; undefined where it has started, or waits for its turn. */
export function startFailure(
  pod: PodSummary,
  { state, runs, name }: ContainerView,
): Cause | undefined {
  const { startError } = runs.at(-1) ?? {};
  const reason =
    state.kind === 'waiting' && CANNOT_START.test(state.reason) ? state.reason : undefined;
  if (startError === undefined && reason === undefined) return undefined;
  const event = pod.events.findLast(
    (one) =>
      one.container === name &&
      one.type === 'Warning' &&
      !OF_PROBES.has(one.reason) &&
      !REPEATS.test(one.message),
  );
  const why = (startError ?? event?.message ?? reason ?? '').replace(/^Error: /, '').trim();
  return { why, change: changeFor(why, reason) };
}

/** Returns the change that helps, from the error and the reason of the container's state. */
export function changeFor(why: string, reason = ''): string {
  for (const [pattern, problem] of PROBLEMS) {
    const match = pattern.exec(why);
    if (match !== null) return ADVICE[problem](match[1] ?? '');
  }
  if (/Image|Pull/.test(reason)) return 'Correct image, or add imagePullSecrets for its registry';
  if (reason === 'CreateContainerConfigError') return "Correct the container's env or volumeMounts";
  return 'Correct command and args';
}

type StartProblem =
  | 'notStartedInCluster'
  | 'noSecret'
  | 'noConfigMap'
  | 'noKey'
  | 'noProgram'
  | 'notExecutable'
  | 'runsAsRoot';

/** The texts of the kubelet, the container engines and the system; one group has the name of what is missing. */
const PROBLEMS: readonly (readonly [RegExp, StartProblem])[] = [
  // Stands for the text of the cluster's own kubelet (app/cluster/cluster-target.ts).
  [/^the cluster's kubelet has not started/, 'notStartedInCluster'],
  [/\bsecret "(.+?)" not found/i, 'noSecret'],
  [/\bconfigmap "(.+?)" not found/i, 'noConfigMap'],
  [/couldn't find key (\S+) in/i, 'noKey'],
  [/executable file not found|no such file or directory|\bENOENT\b/i, 'noProgram'],
  [/permission denied|\bEACCES\b/i, 'notExecutable'],
  [/runAsNonRoot/, 'runsAsRoot'],
];

const ADVICE: Readonly<Record<StartProblem, (name: string) => string>> = {
  notStartedInCluster: () => 'The lines of the pod with @cluster say why',
  noSecret: (name) => missing('Secret', name),
  noConfigMap: (name) => missing('ConfigMap', name),
  noKey: (key) => `Add the key ${key}, or correct the key in env[].valueFrom`,
  noProgram: () => 'Correct command[0], or add the program to the image',
  notExecutable: () => 'Make the program executable (chmod +x)',
  runsAsRoot: () => 'Set securityContext.runAsUser to a user other than 0',
};

function missing(kind: string, name: string): string {
  return `Add the ${kind} ${name} to the manifests, or set optional: true where it is used`;
}

/** Says when the kubelet tries again to create a container that waits for this reason. */
export function retrySentence(reason: string): string {
  return reason.includes('Image')
    ? 'the kubelet pulls again after a back-off of 10 s, which grows to 300 s'
    : 'the kubelet tries again every 10 – 16 s';
}
