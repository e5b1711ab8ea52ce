import type { Probe } from '../api/index.js';
import type { AttemptOutcome, FailureReason } from '../kubelet/ports.js';
import type { ProbeType } from '../trace/event.js';
import { COMBINED } from '../trace/summary/fold-event.js';

/** The message of an Unhealthy or ProbeWarning event. */
export interface ProbeMessage {
  readonly probe: ProbeType;
  readonly how: 'failed' | 'warning' | 'errored';
  readonly output: string;
}

/** The message of an event of a kubelet or a scheduler, taken apart. A cluster gives no more than this text. */
export type KubeletMessage =
  | {
      readonly kind: 'killed';
      readonly container: string;
      readonly probe: ProbeType;
      readonly restarts: boolean;
    }
  | { readonly kind: 'definitionChanged'; readonly container: string }
  | { readonly kind: 'stopping'; readonly container: string }
  | {
      readonly kind: 'backOff';
      readonly container?: string | undefined;
      readonly delay?: string | undefined;
    }
  | { readonly kind: 'imageNeverPull'; readonly image?: string | undefined }
  | {
      readonly kind: 'imageName';
      readonly image?: string | undefined;
      readonly text?: string | undefined;
    }
  | { readonly kind: 'imagePull'; readonly image?: string | undefined; readonly text: string }
  | { readonly kind: 'hookFailed'; readonly hook: 'postStart' | 'preStop'; readonly text: string }
  | { readonly kind: 'hookFallback'; readonly host: string }
  | { readonly kind: 'mount'; readonly volume?: string | undefined; readonly text: string }
  | { readonly kind: 'sandbox'; readonly text: string }
  | { readonly kind: 'sandboxChanged' }
  | { readonly kind: 'deadline' }
  /** `exceeds` where a limit of the pod's own is at fault, and not a node that runs low. */
  | {
      readonly kind: 'evicted';
      readonly resource: string;
      readonly exceeds?: 'limit' | 'volume' | undefined;
    }
  | {
      readonly kind: 'unschedulable';
      readonly text: string;
      readonly ways: readonly ScheduleWay[];
    }
  | { readonly kind: 'killFailed'; readonly text: string }
  | { readonly kind: 'startFailed'; readonly text: string; readonly isConfig: boolean }
  | { readonly kind: 'syncFailed' }
  | { readonly kind: 'step'; readonly step: string };

/** A step after which a node may take a pod. */
export type ScheduleWay =
  | 'request'
  | 'device'
  | 'port'
  | 'label'
  | 'taint'
  | 'cordon'
  | 'affinity'
  | 'antiAffinity'
  | 'topology'
  | 'spread'
  | 'volume'
  | 'claim'
  | 'priority';

/** The scheduler's reasons for leaving nodes out, each with the step against it. */
const SCHEDULE_WAYS: readonly (readonly [RegExp, ScheduleWay])[] = [
  [/Insufficient (?!\S+\/|hugepages-)|Too many pods/, 'request'],
  [/Insufficient (?:\S+\/|hugepages-)/, 'device'],
  [/didn't have free ports/, 'port'],
  [/node affinity\/selector|requested node name/, 'label'],
  [/untolerated taint/, 'taint'],
  [/were unschedulable/, 'cordon'],
  [/match pod affinity/, 'affinity'],
  [/anti-affinity/, 'antiAffinity'],
  [/missing required label/, 'topology'],
  [/topology spread constraints(?! \()/, 'spread'],
  [/volume node affinity|PersistentVolume's node affinity|volume zone|max volume count/, 'volume'],
  [/persistentvolumeclaim|persistent volumes to bind|non-existent pv/i, 'claim'],
];

const PROBE_MESSAGE =
  /^(Startup|Readiness|Liveness) probe (failed|warning|errored)(?: and resulted in \w+ state)?: ([^]*)$/;

/** Reports whether an event is about an attempt. */
export function isOfProbe({ reason }: { readonly reason: string }): boolean {
  return reason === 'Unhealthy' || reason === 'ProbeWarning';
}

/** Parses the message of an attempt: the inverse of probeEvent (kubelet/prober/prober.ts). */
export function parseProbeMessage(message: string): ProbeMessage | undefined {
  const single = message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message;
  const [, name = '', how, output = ''] = PROBE_MESSAGE.exec(single) ?? [];
  if (how === undefined) return undefined;
  return { probe: name.toLowerCase() as ProbeType, how: how as ProbeMessage['how'], output };
}

/** Finds the message of an attempt in a text around it, such as a line of `kubectl describe pod`. */
export function findProbeMessage(text: string): ProbeMessage | undefined {
  const at = text.search(/(?:Startup|Readiness|Liveness) probe (?:failed|warning|errored)\b/);
  return at === -1 ? undefined : parseProbeMessage(text.slice(at));
}

/** Returns the attempt of a message, with the reason as far as the kubelet's words show it. */
export function reportedOutcome({ how, output }: ProbeMessage, { exec }: Probe): AttemptOutcome {
  if (how === 'warning') return { result: 'warning', output };
  const isCommand = exec !== undefined && how === 'failed';
  // A command's output is not a message of the kubelet.
  const text = isCommand && !output.startsWith('command timed out: ') ? '' : output;
  const reason = reasonIn(text);
  const because = reason === undefined ? {} : { reason };
  if (how === 'errored') return { result: 'unknown', output: '', error: output, ...because };
  const status = /^HTTP probe failed with statuscode: (\d+)/.exec(text)?.[1];
  const address = /\bdial tcp (\S+:\d+): connect: /.exec(text)?.[1];
  return {
    result: 'failure',
    output,
    ...(status === undefined ? because : { statusCode: Number(status) }),
    ...(address !== undefined && { detail: { address, timings: { total: 0 } } }),
  };
}

/** Returns the reason that an error of Go's libraries or of a container runtime names. */
export function reasonIn(text: string): FailureReason | undefined {
  return REASONS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Reports whether the text of an HTTP timeout says that there was a connection. */
export function wasAccepted(output: string): boolean {
  return output.includes('awaiting headers');
}

/** Returns the seconds of a timeout that a text names. */
export function timeoutIn(output: string): number | undefined {
  const seconds = /(?:timed out after|within) "?([\d.]+)s/.exec(output)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The texts of Go's libraries and the container runtimes; the first that matches decides. */
const REASONS: readonly (readonly [RegExp, FailureReason])[] = [
  [/code = Canceled desc = context canceled/, 'canceled'],
  [/service unhealthy \(responded with/, 'notServing'],
  [/does not implement the grpc health protocol/, 'unimplemented'],
  [/health rpc probe failed: .*code = NotFound/, 'unknownService'],
  [/failed to connect service/, 'notConnected'],
  [/connection refused/, 'refused'],
  [/connection reset by peer/, 'reset'],
  [/no such host/, 'noHost'],
  [/no route to host|network is unreachable/, 'noRoute'],
  [/stopped after 10 redirects/, 'redirects'],
  [/server gave HTTP response to HTTPS client/, 'plainHTTP'],
  [/malformed HTTP response "\\x15\\x03/, 'speaksTLS'],
  [/malformed HTTP response "\\x00\\x00/, 'speaksHTTP2'],
  [/malformed HTTP/, 'notHTTP'],
  [/transport connection broken: (?!unexpected EOF)|malformed chunked|chunk length/, 'badHTTP'],
  [/deadline exceeded|Client\.Timeout|i\/o timeout|timed out after|did not complete/, 'timeout'],
  [/\b(?:tls|x509): /, 'tls'],
  [/executable file not found|no such file or directory/, 'notFound'],
  [/permission denied/, 'notPermitted'],
  [/\bEOF$|desc = the connection is draining|received prior goaway/, 'closed'],
];

/** Parses the message of an event that is not about an attempt. */
export function parseKubeletMessage(
  text: string,
): (KubeletMessage & { readonly reason: string }) | undefined {
  for (const [reason, pattern, parse] of MESSAGES) {
    const match = pattern.exec(text);
    if (match !== null) return { reason, ...parse(match) };
  }
  return undefined;
}

type KnownMessage = readonly [
  reason: string,
  pattern: RegExp,
  parse: (match: RegExpExecArray) => KubeletMessage,
];

/** The texts of the kubelet of v1.36, and those of earlier versions that differ; the first that matches decides. */
const MESSAGES: readonly KnownMessage[] = [
  [
    'Killing',
    /(Init container|Container) (\S+) failed (liveness|startup) probe(, will be restarted)?/,
    ([, kind, container = '', probe, restarted]) => ({
      kind: 'killed',
      container,
      probe: probe as ProbeType,
      // A sidecar always is, and its text leaves that out.
      restarts: kind === 'Init container' || restarted !== undefined,
    }),
  ],
  [
    'Killing',
    /Container (\S+) definition changed/,
    ([, container = '']) => ({ kind: 'definitionChanged', container }),
  ],
  [
    'Killing',
    /Stopping container (\S+)/,
    ([, container = '']) => ({ kind: 'stopping', container }),
  ],
  [
    'BackOff',
    /[Bb]ack-off (?:(\S+) )?restarting failed container(?:[ =](\S+))?/,
    ([, delay, container]) => ({ kind: 'backOff', delay, container }),
  ],
  [
    'ErrImageNeverPull',
    /Container image "(.+?)" is not present with pull policy of Never|ErrImageNeverPull/,
    ([, image]) => ({ kind: 'imageNeverPull', image }),
  ],
  [
    'InspectFailed',
    /Failed to apply default image tag "(.+?)": (.*)|InvalidImageName/s,
    ([, image, text]) => ({ kind: 'imageName', image, text }),
  ],
  [
    'Failed',
    /Failed to pull image "(.+?)": (.*)/s,
    ([, image, text = '']) => ({ kind: 'imagePull', image, text }),
  ],
  [
    'BackOff',
    /Back-off pulling image "(.+?)"(?:: (.*))?/s,
    ([, image, text = '']) => ({ kind: 'imagePull', image, text }),
  ],
  [
    'Failed',
    /\b(?:ErrImagePull|ImagePullBackOff)\b(?:: (.*))?/s,
    ([, text = '']) => ({ kind: 'imagePull', text }),
  ],
  [
    'FailedPostStartHook',
    /PostStartHook failed(?:: (.*))?|FailedPostStartHook\b.*?(?: (\w*\s*lifecycle hook .*))?$/s,
    ([, text, older]) => ({ kind: 'hookFailed', hook: 'postStart', text: text ?? older ?? '' }),
  ],
  [
    'FailedPreStopHook',
    /PreStopHook failed(?:: (.*))?|FailedPreStopHook\b.*?(?: (\w*\s*lifecycle hook .*))?$/s,
    ([, text, older]) => ({ kind: 'hookFailed', hook: 'preStop', text: text ?? older ?? '' }),
  ],
  [
    'LifecycleHTTPFallback',
    /request to HTTPS lifecycle hook (\S+) got HTTP response/,
    ([, host = '']) => ({ kind: 'hookFallback', host }),
  ],
  [
    'FailedMount',
    /\b(?:Attach|Map|Mount)Volume\.\w+ (?:(?:check|initialization) )?failed for volume "(.+?)" ?: (.*)|Unable to attach or mount volumes: (.*)/s,
    ([, volume, text, unmounted]) => ({ kind: 'mount', volume, text: text ?? unmounted ?? '' }),
  ],
  [
    'FailedCreatePodSandBox',
    /Failed to create (?:pod )?sandbox[^:]*: (.*)/s,
    ([, text = '']) => ({ kind: 'sandbox', text }),
  ],
  [
    'SandboxChanged',
    /Pod sandbox changed, it will be killed and re-created/,
    () => ({ kind: 'sandboxChanged' }),
  ],
  [
    'DeadlineExceeded',
    /Pod was active on the node longer than the specified deadline/,
    () => ({ kind: 'deadline' }),
  ],
  [
    'Evicted',
    /The node was low on resource: (\S+?)\.|(?:Pod|Container \S+) (?:ephemeral local storage usage exceeds|exceeded its local ephemeral storage)|(Usage of EmptyDir volume) .* exceeds/,
    ([, resource, volume]) =>
      resource === undefined
        ? { kind: 'evicted', resource: 'ephemeral-storage', exceeds: volume ? 'volume' : 'limit' }
        : { kind: 'evicted', resource },
  ],
  [
    'FailedScheduling',
    /\d+\/\d+ nodes are available: (.*)/s,
    ([, whole = '']) => {
      // The parts about preemption and dynamic resources give no other reason.
      const text = whole.replace(
        /\.? (?:no new claims to deallocate|preemption: |not found$).*$|\.$/s,
        '',
      );
      const ways = SCHEDULE_WAYS.flatMap(([pattern, way]) => (pattern.test(text) ? way : []));
      return { kind: 'unschedulable', text, ways };
    },
  ],
  ['FailedKillPod', /error killing pod: (.*)/s, ([, text = '']) => ({ kind: 'killFailed', text })],
  [
    'Failed',
    /Error: (.+)|\b(?:CreateContainerConfigError|CreateContainerError|RunContainerError)\b(?:: (.*))?/s,
    ([whole, error, status = '']) => ({
      kind: 'startFailed',
      text: startErrorText(error ?? status),
      isConfig: /not found|couldn't find key|runAsNonRoot|ConfigError/i.test(whole),
    }),
  ],
  [
    'FailedSync',
    /error determining status|FailedSync|Error syncing pod/,
    () => ({ kind: 'syncFailed' }),
  ],
  [
    'Normal',
    /^(?:.*\s)?(Pulling image|Successfully pulled image|Container image .* already present|Created container|Container created|Started container|Container started|Successfully assigned)/,
    ([, step = '']) => ({ kind: 'step', step }),
  ],
];

/** Returns why the kubelet has killed a run, without the container's name. */
export function killText({ killed = '' }: { readonly killed?: string | undefined }): string {
  return killed.replace(/^(?:Init container|Container) \S+ /, '') || 'killed';
}

/** Returns the error of a start without its pod and container, which some of the kubelet's texts repeat. */
export function startErrorText(text: string): string {
  return text.replace(/^Error: | \(pod: "[^"]*", container: [^)]*\)$/g, '').trim();
}

/** Returns the error of a hook without what the kubelet says around it. */
export function hookErrorText(text: string): string {
  const [, error, message = ''] = /failed - error: (.*?):? ?, message: "(.*)"$/s.exec(text) ?? [];
  // Newer kubelets leave the error out of the event.
  if (error === undefined) return text.replace(/^P(?:ostStart|reStop)Hook failed(?:: )?/, '');
  const output = message.replaceAll(/\\([nt"\\])/g, (_, c: string) => ESCAPES[c] ?? c).trim();
  // The message has all output, and the error a part of it.
  const head = error.replace(/(?<= exited with \d+): [^]*$/, '').trim();
  return output === '' ? error.trim() : `${head}: ${output}`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** Returns what the command of a hook wrote before it failed; the whole error where the kubelet does not quote it. */
export function hookOutput(error: string): string {
  return /(?<= exited with \d+: )[^]*/.exec(error)?.[0] ?? error;
}

/** The beginning of a FailedCreate message, before the reason. */
export const FAILED_CREATE =
  /^(?:\(combined from similar events\): )?(?:Error creating: |create Pod \S+ in StatefulSet \S+ failed error: )/i;
