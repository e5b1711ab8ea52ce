import type { EventFacts } from '../event-meaning.js';
import type { Finding } from '../fault.js';
import { pullsAgain } from '../outlook.js';
import { evictionAdvice } from '../pod-fault.js';
import { missingObject, startFinding } from '../start-fault.js';
import { adviceText, firstChange } from './change-text.js';
import { faultText } from './fault-text.js';
import { retryText } from './outlook-text.js';
import { sentence } from './parts.js';

/** An event of a kubelet in words. */
export interface EventMeaning {
  /** The event's reason, such as `Unhealthy`. */
  readonly reason: string;
  /** Describes the event. */
  readonly meaning: string;
  /** The cause, as far as the event's text shows it. */
  readonly cause?: string | undefined;
  /** The remedy. */
  readonly change?: string | undefined;
  readonly next?: string | undefined;
}

export function eventMeaning(facts: EventFacts): EventMeaning {
  if (facts.kind === 'attempt') return attemptEventText(facts);
  return { reason: facts.reason, ...kubeletEventText(facts) };
}

type AttemptFacts = Extract<EventFacts, { kind: 'attempt' }>;

function attemptEventText(facts: AttemptFacts): EventMeaning {
  const { message, finding } = facts;
  const { probe, how } = message;
  const isOutput = finding?.fault.kind === 'commandFailed';
  const shown = isOutput ? undefined : finding;
  const known = shown && faultText(facts.isKnown ? shown : withoutTimeout(shown, facts));
  return {
    reason: how === 'warning' ? 'ProbeWarning' : 'Unhealthy',
    meaning: MEANINGS[how](probe),
    cause: known === undefined || known === '' ? outputText(facts) : known,
    change: shown && firstChange(shown),
    next: how === 'failed' ? failureNext(facts) : undefined,
  };
}

const MEANINGS: Readonly<Record<AttemptFacts['message']['how'], (probe: string) => string>> = {
  failed: (probe) => `An attempt of the ${probe} probe failed.`,
  warning: (probe) =>
    `An attempt of the ${probe} probe succeeded, with a warning: it counts as a success.`,
  errored: (probe) => `An attempt of the ${probe} probe could not be made: errors don't count.`,
};

/** The kubelet's text of a slow HTTP or TCP attempt leaves out the timeout. */
function withoutTimeout(finding: Finding, { timeout }: AttemptFacts): Finding {
  const { fault } = finding;
  if (fault.kind !== 'noAnswer' || timeout !== undefined) return finding;
  return { ...finding, fault: { ...fault, timeout: undefined } };
}

/** Describes the output of the attempt, where no rule has found a cause. */
function outputText({ message: { output }, spec: { exec } }: AttemptFacts): string {
  const status = /^HTTP probe failed with statuscode: (\d+)/.exec(output)?.[1];
  if (status !== undefined) {
    return `the server answered with status ${status}; 200 to 399 are successes`;
  }
  const text = output.trim();
  if (exec === undefined) return text;
  return text === ''
    ? 'the command ended with an exit code other than 0, and printed nothing'
    : `the command ended with an exit code other than 0, and printed: ${text}`;
}

const RESULTS = {
  startup:
    'the kubelet kills the container and restarts it; readiness and liveness probes wait until the startup probe has succeeded',
  readiness:
    'the container is not ready, and Services send the pod no traffic; it is not restarted',
  liveness: 'the kubelet kills the container and restarts it',
} as const;

function failureNext({
  message: { probe },
  spec: { failureThreshold },
  isKnown,
}: AttemptFacts): string {
  const failures = isKnown ? String(failureThreshold) : 'failureThreshold (3 by default)';
  const times =
    isKnown && failureThreshold === 1 ? 'After one failure' : `After ${failures} failures in a row`;
  return `${times}, ${RESULTS[probe]}.`;
}

type KubeletFacts = Exclude<EventFacts, { kind: 'attempt' }>;

type Meaning = Omit<EventMeaning, 'reason'>;

type EventTexts = {
  readonly [Kind in KubeletFacts['kind']]: (
    message: Extract<KubeletFacts, { readonly kind: Kind }>,
  ) => Meaning;
};

function kubeletEventText(message: KubeletFacts): Meaning {
  const write = EVENT_TEXTS[message.kind] as (message: KubeletFacts) => Meaning;
  return write(message);
}

const TRIES_AGAIN = 'The kubelet tries again.';

const EVENT_TEXTS: EventTexts = {
  killed: ({ probe, container, restarts }) => ({
    meaning: `The ${probe} probe of ${container} failed failureThreshold times in a row (3 by default).`,
    cause: 'the Unhealthy events before this one say why: explain them with --event',
    change:
      probe === 'liveness'
        ? 'If a restart cannot fix the cause, check it in readinessProbe instead'
        : 'If it needs longer to start, raise startupProbe.failureThreshold',
    next: `The kubelet stops the container: preStop hook, TERM, and KILL at the end of the grace period; ${restarts ? 'then it starts a new one' : 'restartPolicy keeps it from a restart'}.`,
  }),
  definitionChanged: (message) => ({
    meaning: `The container ${message.container} was changed in the pod's spec, such as its image: the kubelet replaces it.`,
  }),
  stopping: (message) => ({
    meaning: `The kubelet stops ${message.container}, because the pod is deleted, evicted or finished. No probe of it has failed.`,
    next: 'The preStop hook runs, then TERM, and KILL at the end of the grace period.',
  }),
  backOff: ({ container, delay }) => ({
    meaning: `${container ?? 'A container'} has ended again and again: the kubelet waits ${delay === undefined ? '' : `${delay} `}before it starts it (CrashLoopBackOff).`,
    cause: 'it exits by itself, or a probe has it killed: a Killing event says that',
    change: `Read the output of the run before: kubectl logs POD ${container === undefined ? '' : `-c ${container} `}--previous`,
    next: 'The delay doubles from 10 s up to 5 minutes, and is forgotten after 10 minutes without a restart.',
  }),
  imageNeverPull: imageText,
  imageName: imageText,
  imagePull: imageText,
  hookFailed: ({ hook, text }) => ({
    meaning: `The ${hook} hook of a container failed.`,
    cause: text === '' ? 'the event leaves out why; the log of the kubelet has it' : text,
    change: adviceText({ do: 'hook', hook }),
    next:
      hook === 'postStart'
        ? 'The kubelet kills the container, and restarts it as restartPolicy says.'
        : 'The kubelet goes on: TERM, and KILL at the end of the grace period.',
  }),
  hookFallback: (message) => ({
    meaning: `A lifecycle hook asks ${message.host} by HTTPS, which answers plain HTTP: the kubelet has asked again by HTTP, and that succeeded.`,
    change: "Set the hook's httpGet.scheme to HTTP",
  }),
  mount: ({ volume, text }) => {
    const missing = missingObject(text);
    return {
      meaning: `${volume === undefined ? 'The volumes of the pod' : `The volume ${volume}`} cannot be mounted: no container of the pod starts.`,
      cause: text,
      change:
        missing === undefined
          ? 'Correct volumes, or what they name'
          : adviceText({ do: 'addObject', ...missing }),
      next: TRIES_AGAIN,
    };
  },
  sandbox: (message) => ({
    meaning: "The pod's network and namespaces could not be made: no container of it starts.",
    cause: message.text,
    change: adviceText({ do: 'provide', what: 'sandbox' }),
    next: TRIES_AGAIN,
  }),
  sandboxChanged: () => ({
    meaning:
      "The pod's sandbox has ended, as after a reboot of the node: the kubelet makes a new one, and starts all containers again.",
  }),
  deadline: () => ({
    meaning:
      'The pod has run longer than activeDeadlineSeconds: the kubelet stops it, and it has failed.',
    change: adviceText({ do: 'raise', field: 'activeDeadlineSeconds' }),
  }),
  evicted: (message) => ({
    meaning: `${message.exceeds === undefined ? `The node has too little ${message.resource}` : 'The pod exceeds its own limit'}: the kubelet ends the pod, which has failed. No probe of it has failed.`,
    change: adviceText(evictionAdvice(message)),
  }),
  unschedulable: (message) => ({
    meaning: 'The scheduler finds no node for the pod: no kubelet has it yet, and no probe runs.',
    cause: message.text,
    change: adviceText({ do: 'schedule', ways: message.ways }),
  }),
  killFailed: (message) => ({
    meaning: 'The kubelet could not stop the pod.',
    cause: message.text,
    next: TRIES_AGAIN,
  }),
  startFailed: ({ text, isConfig }) => {
    const finding = startFinding(text, isConfig ? 'CreateContainerConfigError' : undefined);
    return {
      meaning: 'The container cannot be started.',
      ...(text !== '' && { cause: text }),
      change: firstChange(finding),
      next: sentence(retryText(false)),
    };
  },
  syncFailed: () => ({
    meaning: 'A sync of the pod failed. The events before this one say why.',
    next: TRIES_AGAIN,
  }),
  step: (message) => ({
    meaning: `${message.step}: a normal step of a pod's start. Nothing is wrong.`,
  }),
};

const IMAGE_REASONS = {
  imageNeverPull: 'ErrImageNeverPull',
  imageName: 'InvalidImageName',
  imagePull: 'ErrImagePull',
} as const;

/** An event of an image: the state of the container that goes with it decides what comes next. */
function imageText(
  message: Extract<EventFacts, { kind: 'imageNeverPull' | 'imageName' | 'imagePull' }>,
): Meaning {
  const text =
    message.kind === 'imageNeverPull'
      ? 'it is not on the node, and imagePullPolicy is Never'
      : (message.text ?? 'it is not the name of an image');
  const reason = IMAGE_REASONS[message.kind];
  return {
    meaning: `The image ${message.image ?? 'of the container'} cannot be used: the container does not start.`,
    ...(text !== '' && { cause: text }),
    change: firstChange(startFinding(text, reason)),
    next: sentence(retryText(pullsAgain(reason))),
  };
}
