import { changeFor, retrySentence } from './start-failure.js';

/** An event of a kubelet in words. */
export interface EventMeaning {
  /** The event's reason, such as `Unhealthy`. */
  readonly reason: string;
  /** Describes the event. */
  readonly meaning: string;
  /** Why, as far as the text tells it. */
  readonly cause?: string | undefined;
  /** The remedy. */
  readonly change?: string | undefined;
  /** The kubelet's next step. */
  readonly next?: string | undefined;
}

interface KnownEvent {
  readonly reason: string;
  readonly pattern: RegExp;
  readonly tell: (match: RegExpExecArray) => Omit<EventMeaning, 'reason'>;
}

/** Returns what an event means that is not about an attempt of a probe. */
export function podEvent(text: string): EventMeaning | undefined {
  for (const { reason, pattern, tell } of EVENTS) {
    const match = pattern.exec(text);
    if (match !== null) return { reason, ...tell(match) };
  }
  return undefined;
}

const LOGS = (container = ''): string =>
  `Read the output of the run before: kubectl logs POD ${container === '' ? '' : `-c ${container} `}--previous`;

/** An event of an image: the state of the container that goes with it decides what comes next. */
function image(name: string | undefined, why: string, reason = 'ErrImagePull') {
  return {
    meaning: `The image ${name ?? 'of the container'} cannot be used: the container does not start.`,
    ...(why !== '' && { cause: why }),
    change: changeFor(why, reason),
    next: `${sentence(retrySentence(reason))}.`,
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hook(kind: 'postStart' | 'preStop', why: string) {
  const isStart = kind === 'postStart';
  return {
    meaning: `The ${kind} hook of a container failed.`,
    cause: why === '' ? 'the event leaves out why; the log of the kubelet has it' : why,
    change: isStart
      ? 'Correct lifecycle.postStart: it may run before the program listens, so let it wait or retry'
      : 'Correct lifecycle.preStop, and keep it shorter than terminationGracePeriodSeconds',
    next: isStart
      ? 'The kubelet kills the container, and restarts it as restartPolicy says.'
      : 'The kubelet goes on: TERM, and KILL at the end of the grace period.',
  };
}

/** The texts of the kubelet of v1.36, and those of earlier versions that differ; the first that matches is the most telling. */
const EVENTS: readonly KnownEvent[] = [
  {
    reason: 'Killing',
    pattern: /Container (\S+) failed (liveness|startup) probe(, will be restarted)?/,
    tell: ([, container, probe = '', restarted]) => ({
      meaning: `The ${probe} probe of ${container} failed failureThreshold times in a row (3 by default).`,
      cause: 'the Unhealthy events before this one say why: explain them with --event',
      change:
        probe === 'liveness'
          ? 'If a restart cannot fix the cause, check it in readinessProbe instead'
          : 'If it needs longer to start, raise startupProbe.failureThreshold',
      next: `The kubelet stops the container: preStop hook, TERM, and KILL at the end of the grace period; ${restarted === undefined ? 'restartPolicy keeps it from a restart' : 'then it starts a new one'}.`,
    }),
  },
  {
    reason: 'Killing',
    pattern: /Container (\S+) definition changed/,
    tell: ([, container]) => ({
      meaning: `The container ${container} was changed in the pod's spec, such as its image: the kubelet replaces it.`,
    }),
  },
  {
    reason: 'Killing',
    pattern: /Stopping container (\S+)/,
    tell: ([, container]) => ({
      meaning: `The kubelet stops ${container}, because the pod is deleted, evicted or finished. No probe of it has failed.`,
      next: 'The preStop hook runs, then TERM, and KILL at the end of the grace period.',
    }),
  },
  {
    reason: 'BackOff',
    pattern: /[Bb]ack-off (?:(\S+) )?restarting failed container(?:[ =](\S+))?/,
    tell: ([, delay, container]) => ({
      meaning: `${container ?? 'A container'} has ended again and again: the kubelet waits ${delay ?? ''}${delay === undefined ? '' : ' '}before it starts it (CrashLoopBackOff).`,
      cause: 'it exits by itself, or a probe has it killed: a Killing event says that',
      change: LOGS(container),
      next: 'The delay doubles from 10 s up to 5 minutes, and is forgotten after 10 minutes without a restart.',
    }),
  },
  {
    reason: 'ErrImageNeverPull',
    pattern: /Container image "(.+?)" is not present with pull policy of Never|ErrImageNeverPull/,
    tell: ([, name]) => ({
      ...image(name, 'it is not on the node, and imagePullPolicy is Never'),
      change: 'Load the image onto the node, or set imagePullPolicy to IfNotPresent',
    }),
  },
  {
    reason: 'InspectFailed',
    pattern: /Failed to apply default image tag "(.+?)": (.*)|InvalidImageName/s,
    tell: ([, name, why = 'it is not the name of an image']) =>
      image(name, why, 'InvalidImageName'),
  },
  {
    reason: 'Failed',
    pattern: /Failed to pull image "(.+?)": (.*)/s,
    tell: ([, name, why = '']) => image(name, why),
  },
  {
    reason: 'BackOff',
    pattern: /Back-off pulling image "(.+?)"(?:: (.*))?/s,
    tell: ([, name, why = '']) => image(name, why, 'ImagePullBackOff'),
  },
  {
    reason: 'Failed',
    pattern: /\b(?:ErrImagePull|ImagePullBackOff)\b(?:: (.*))?/s,
    tell: ([, why = '']) => image(undefined, why),
  },
  {
    reason: 'FailedPostStartHook',
    pattern:
      /PostStartHook failed(?:: (.*))?|FailedPostStartHook\b.*?(?: (\w*\s*lifecycle hook .*))?$/s,
    tell: ([, why, older]) => hook('postStart', why ?? older ?? ''),
  },
  {
    reason: 'FailedPreStopHook',
    pattern:
      /PreStopHook failed(?:: (.*))?|FailedPreStopHook\b.*?(?: (\w*\s*lifecycle hook .*))?$/s,
    tell: ([, why, older]) => hook('preStop', why ?? older ?? ''),
  },
  {
    reason: 'LifecycleHTTPFallback',
    pattern: /request to HTTPS lifecycle hook (\S+) got HTTP response/,
    tell: ([, host]) => ({
      meaning: `A lifecycle hook asks ${host} by HTTPS, which answers plain HTTP: the kubelet has asked again by HTTP, and that succeeded.`,
      change: "Set the hook's httpGet.scheme to HTTP",
    }),
  },
  {
    reason: 'FailedMount',
    pattern:
      /MountVolume\.SetUp failed for volume "(.+?)" ?: (.*)|Unable to attach or mount volumes: (.*)/s,
    tell: ([, volume, why, unmounted]) => ({
      meaning:
        `The volume ${volume ?? 's of the pod'} cannot be mounted: no container of the pod starts.`.replace(
          'volume s',
          'volumes',
        ),
      cause: why ?? unmounted,
      change: /not found/.test(why ?? '')
        ? changeFor(why ?? '', 'CreateContainerConfigError')
        : 'Correct volumes, or what they name',
      next: 'The kubelet tries again.',
    }),
  },
  {
    reason: 'FailedCreatePodSandBox',
    pattern: /Failed to create (?:pod )?sandbox[^:]*: (.*)/s,
    tell: ([, why]) => ({
      meaning: "The pod's network and namespaces could not be made: no container of it starts.",
      cause: why,
      change:
        'Look at the container runtime and the network plugin of the node; the manifest is rarely wrong',
      next: 'The kubelet tries again.',
    }),
  },
  {
    reason: 'SandboxChanged',
    pattern: /Pod sandbox changed, it will be killed and re-created/,
    tell: () => ({
      meaning:
        "The pod's sandbox has ended, as after a reboot of the node: the kubelet makes a new one, and starts all containers again.",
    }),
  },
  {
    reason: 'DeadlineExceeded',
    pattern: /Pod was active on the node longer than the specified deadline/,
    tell: () => ({
      meaning:
        'The pod has run longer than activeDeadlineSeconds: the kubelet stops it, and it has failed.',
      change: 'Raise spec.activeDeadlineSeconds',
    }),
  },
  {
    reason: 'Evicted',
    pattern:
      /The node was low on resource: (\S+?)\.|Pod ephemeral local storage usage exceeds|Usage of EmptyDir volume .* exceeds/,
    tell: ([, resource = 'ephemeral-storage']) => ({
      meaning: `The node has too little ${resource}: the kubelet ends the pod, which has failed. No probe of it has failed.`,
      change: `Set resources.requests for ${resource} to what the pod uses`,
    }),
  },
  {
    reason: 'FailedScheduling',
    pattern: /\d+\/\d+ nodes are available: (.*)/s,
    tell: ([, why]) => ({
      meaning: 'The scheduler finds no node for the pod: no kubelet has it yet, and no probe runs.',
      cause: why,
      change: 'Lower resources.requests, or correct nodeSelector, affinity and tolerations',
    }),
  },
  {
    reason: 'FailedKillPod',
    pattern: /error killing pod: (.*)/s,
    tell: ([, why]) => ({
      meaning: 'The kubelet could not stop the pod.',
      cause: why,
      next: 'The kubelet tries again.',
    }),
  },
  {
    reason: 'Failed',
    pattern:
      /Error: (.+)|\b(?:CreateContainerConfigError|CreateContainerError|RunContainerError)\b(?:: (.*))?/s,
    tell: ([whole, error, status = '']) => {
      const why = (error ?? status).trim();
      const isConfig = /not found|couldn't find key|runAsNonRoot|ConfigError/i.test(whole);
      return {
        meaning: 'The container cannot be started.',
        ...(why !== '' && { cause: why }),
        change: changeFor(why, isConfig ? 'CreateContainerConfigError' : undefined),
        next: `${sentence(retrySentence(''))}.`,
      };
    },
  },
  {
    reason: 'FailedSync',
    pattern: /error determining status|FailedSync|Error syncing pod/,
    tell: () => ({
      meaning: 'A sync of the pod failed. The events before this one say why.',
      next: 'The kubelet tries again.',
    }),
  },
  {
    reason: 'Normal',
    pattern:
      /^(?:.*\s)?(Pulling image|Successfully pulled image|Container image .* already present|Created container|Container created|Started container|Container started|Successfully assigned)/,
    tell: ([, step = '']) => ({
      meaning: `${step}: a normal step of a pod's start. Nothing is wrong.`,
    }),
  },
];
