import type { FailureReason, Peer, Socket } from '../kubelet/ports.js';
import type { ProbeType } from '../trace/event.js';
import type {
  Change,
  FieldValue,
  ObjectKind,
  ProcessState,
  StartField,
  StillProcess,
} from './change.js';
import type { Outlook } from './next-step.js';
import type { ProgramError } from './output/runtime-readers.js';

/** The part of a pod that a diagnosis is about; the probe where one of the current run fails. */
export interface Subject {
  /** `namespace/name` */
  readonly pod: string;
  readonly container: string;
  readonly probe?: ProbeType | undefined;
}

/** The effect of a fault that a user sees. */
export type Symptom =
  | { readonly kind: 'cannotStart' }
  /** It ended by itself; `times` counts all ends that are known. */
  | { readonly kind: 'ended'; readonly times: number; readonly exitCode?: number | undefined }
  | { readonly kind: 'killed'; readonly times: number; readonly by: ProbeType }
  /** `kills` counts the runs that this probe has ended. */
  | { readonly kind: 'failing'; readonly probe: ProbeType; readonly kills: number }
  | { readonly kind: 'erroring'; readonly probe: ProbeType; readonly kills: number }
  /** The pod waits for something outside its containers. */
  | { readonly kind: 'waiting' }
  /** The kubelet has ended the pod as a whole, or something takes it away. */
  | { readonly kind: 'podFailed' | 'disrupted' }
  /** The container works here, and will not work in a pod. */
  | { readonly kind: 'working' };

/** Fields of a fault that rest on facts which stay: counts and times are evidence. */
export type Fault =
  | ConnectionFault
  | AnswerFault
  | CommandFault
  | GrpcFault
  | EndFault
  | StartFault
  | PodFault
  /** Nothing but the failures themselves is known. */
  | { readonly kind: 'unknown' };
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

type ConnectionFault =
  | {
      readonly kind: 'unknownPortName';
      readonly name: string;
      readonly declared: readonly string[];
    }
  /** Nothing listens there; `program` is what the run's processes listen on, where that is known. */
  | {
      readonly kind: 'notListening';
      readonly address: string;
      readonly program: 'unknown' | 'nowhere' | 'notStarted' | 'starting' | 'stopped';
      /** Ports that the container declares, where the probed one is not among them. */
      readonly declared?: readonly number[];
      /** Something may listen there that speaks no plain gRPC. */
      readonly mayListen?: boolean;
    }
  | {
      readonly kind: 'wrongPort';
      readonly port: number;
      readonly listens: readonly Socket[];
      /** Ports of an earlier run, which are others. */
      readonly earlier?: readonly number[];
      /** A variable of env whose value is the probed port. */
      readonly variable?: string;
    }
  /** The program receives datagrams on the port, or the container declares it as one of UDP. */
  | { readonly kind: 'udpPort'; readonly port: number; readonly receives: boolean }
  | { readonly kind: 'unixSocket'; readonly address: string; readonly sockets: readonly string[] }
  | { readonly kind: 'wrongAddress'; readonly address: string; readonly listens: readonly Socket[] }
  | { readonly kind: 'loopbackOnly'; readonly listens: readonly Socket[] }
  /** A command dials the address of the machine that the program does not listen on: ::1 or 127.0.0.1. */
  | { readonly kind: 'otherFamily'; readonly listens: readonly Socket[] }
  | { readonly kind: 'portTaken'; readonly port?: number | undefined; readonly text: string }
  /** A start takes longer than the startup probe allows. */
  | { readonly kind: 'slowStart' }
  /** Answers come, and take longer than the timeout. */
  | {
      readonly kind: 'slowAnswer';
      readonly timeout: number;
      /** Milliseconds of answers before, where each took longer than the one before. */
      readonly rising?: { readonly from: number; readonly to: number } | undefined;
    }
  /** Answers came at once, and then none; `isLone`: to too few attempts to say that none will come. */
  | {
      readonly kind: 'stalled';
      readonly timeout: number;
      readonly process?: ProcessState;
      readonly isLone?: true;
    }
  | {
      readonly kind: 'noAnswer';
      /** Undefined where an event leaves it out. */
      readonly timeout: number | undefined;
      /** Undefined where it is not known how far the attempt came. */
      readonly accepted: boolean | undefined;
      /** The failure that the server answers after the timeout, in a word. */
      readonly later?: string;
    }
  | {
      readonly kind: 'unfinishedAnswer';
      readonly timeout: number;
      readonly isStream: boolean;
      /** Nothing but the end of the connection ends the answer. */
      readonly isOpen?: true;
    }
  | { readonly kind: 'closedEarly'; readonly after: 'nothing' | 'part'; readonly reset: boolean }
  | { readonly kind: 'unknownHost'; readonly host: string }
  | { readonly kind: 'schemeMismatch'; readonly speaks: 'HTTP' | 'HTTPS' }
  | { readonly kind: 'clientCertificate' }
  | { readonly kind: 'tlsRefused'; readonly text: string }
  /** `text` is what the HTTP client finds wrong. */
  | { readonly kind: 'notHTTP'; readonly text?: string | undefined }
  /** `text` is what Go's client finds wrong in the response. */
  | { readonly kind: 'badHTTP'; readonly text: string }
  | { readonly kind: 'onlyHTTP2' };

type AnswerFault =
  /** `end` is what stopped the attempt at the last of the redirects. */
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly end: 'circle' | 'otherHost' | 'refused' | 'plainHTTP' | 'notFound' | 'failed';
      /** The Location names no port, so that it means the scheme's. */
      readonly defaultPort?: number | undefined;
    }
  | { readonly kind: 'hostRejected'; readonly status: number; readonly host: string }
  | { readonly kind: 'noCredentials'; readonly status: number }
  /** `text` is what the answer says, where it says more than its status. */
  | { readonly kind: 'forbidden'; readonly text: string }
  | {
      readonly kind: 'notFound';
      readonly path: string;
      readonly text: string;
      /** The path below which the program serves all others, by its output. */
      readonly under?: string;
      /** Paths for probes that the answer names. */
      readonly listed?: readonly string[];
    }
  | { readonly kind: 'methodNotAllowed' }
  | { readonly kind: 'rateLimited'; readonly status: number }
  | { readonly kind: 'headersRefused'; readonly status: number }
  /** The status is one of success, and the answer says otherwise. */
  | { readonly kind: 'successDown'; readonly status: number; readonly state: string }
  /** A part of the program that its answer says is down. */
  | { readonly kind: 'dependencyDown'; readonly parts: readonly string[]; readonly text: string }
  | {
      readonly kind: 'errorAnswer';
      readonly text: string;
      /** The program has written it, and not answered so. */
      readonly isLogged?: true;
      readonly at?: string | undefined;
    }
  | { readonly kind: 'statusOnly'; readonly status: number; readonly isReported: boolean }
  /** The failing probe has succeeded in the same run. */
  | { readonly kind: 'flapping'; readonly word: string };

type CommandFault =
  | { readonly kind: 'commandMissing'; readonly command: string; readonly exitCode?: number }
  | {
      readonly kind: 'commandNotRunnable';
      readonly command: string;
      readonly exitCode?: number;
      /** The file is there, but not what its first line names, or its lines do not end as those of Unix. */
      readonly lacks?: 'interpreter' | 'lineEnds';
    }
  /** The kubelet cancels the commands of a pod that is being deleted. */
  | { readonly kind: 'commandCanceled' }
  | { readonly kind: 'commandSlow'; readonly timeout: number; readonly neverEnded?: true }
  /** Words after the script of `sh -c` are its arguments, and no part of it. */
  | { readonly kind: 'wordsAfterScript'; readonly script: string }
  /** The kubelet replaces `$(NAME)` by the value of a variable of env, and leaves it where there is none. */
  | { readonly kind: 'leftToShell'; readonly name: string }
  /** Words that only a shell would expand; `isField`: they stand in another field than a command. */
  | { readonly kind: 'notExpanded'; readonly words: readonly string[]; readonly isField?: true }
  | { readonly kind: 'commandKilled' | 'quotedScript' | 'splitRedirection' }
  | { readonly kind: 'bashOnly'; readonly word: string }
  | { readonly kind: 'commandFailed'; readonly text: string };

type GrpcFault =
  | { readonly kind: 'notServing'; readonly service: string }
  | { readonly kind: 'noHealthService' }
  /** `listed` has names that it may know: those in the program's output, and the probe's type. */
  | {
      readonly kind: 'unknownService';
      readonly service: string;
      readonly listed: readonly string[];
    }
  | { readonly kind: 'notPlainGrpc'; readonly speaks?: 'TLS' | 'HTTP/2' };

type EndFault =
  | ({ readonly kind: 'crashed' } & Pick<ProgramError, 'text' | 'at' | 'isLast'>)
  | { readonly kind: 'silentCrash'; readonly isReported: boolean }
  | { readonly kind: 'completed'; readonly mustRun: boolean; readonly stays?: true }
  | {
      readonly kind: 'daemonized';
      readonly left: readonly string[];
      /** Ids of those that kprobe does not end. */
      readonly daemons: readonly number[];
    }
  | {
      readonly kind: 'outOfMemory';
      readonly by: 'limit' | 'program' | 'system';
      readonly text?: string;
    }
  /** `exitCode` where nothing but that shows the signal. */
  | { readonly kind: 'signalled'; readonly signal: string; readonly exitCode?: number }
  /** A signal from before the watch, whose event may have gone. */
  | { readonly kind: 'signalledBefore'; readonly signal: string }
  | { readonly kind: 'cpuUsedUp'; readonly seconds: number }
  | { readonly kind: 'engineSignal'; readonly signal: string; readonly engine: string }
  | { readonly kind: 'hookFailed'; readonly hook: string; readonly text: string }
  /** Something else that the kubelet stops a container for, in its words. */
  | { readonly kind: 'stoppedByKubelet'; readonly text: string }
  /** A cluster's kubelet no longer reports each kill. */
  | { readonly kind: 'reportedKill'; readonly by: ProbeType; readonly fault?: Fault | undefined }
  | { readonly kind: 'removedByOther' };

type StartFault = { readonly text: string } & (
  | { readonly kind: 'configMissing'; readonly object: ObjectKind; readonly name: string }
  | { readonly kind: 'keyMissing'; readonly key: string }
  | { readonly kind: 'programMissing' }
  | { readonly kind: 'programNotExecutable' }
  | { readonly kind: 'runsAsRoot' }
  | { readonly kind: 'imageName' }
  | { readonly kind: 'imageMissing' }
  | {
      readonly kind: 'imagePull';
      readonly problem: 'limited' | 'platform' | 'denied' | 'notFound' | 'unreachable' | 'other';
    }
  | { readonly kind: 'badConfig' }
  | { readonly kind: 'startError'; readonly of?: StartField }
);

type PodFault =
  /** The containers after an init container wait for its end. */
  | { readonly kind: 'initRunning'; readonly process?: StillProcess }
  /** A postStart hook goes on, before the end of which the container counts as not started. */
  | { readonly kind: 'hookRunning'; readonly process?: StillProcess }
  | { readonly kind: 'unschedulable'; readonly text: string }
  /** Neither a scheduler nor the node of `nodeName` has written anything into its status. */
  | {
      readonly kind: 'ignored';
      readonly field: 'schedulerName' | 'nodeName' | 'resourceClaims' | 'volumes';
      readonly name: string;
    }
  | { readonly kind: 'gate'; readonly gate: string; readonly text?: string }
  | { readonly kind: 'schedulingGates'; readonly gates: readonly string[] }
  /** The pod is deleted: its containers have ended, or the stop of one, which is evidence, takes long. */
  | { readonly kind: 'finalizers'; readonly finalizers: readonly string[] }
  /** `among`: containers that have not ended, any of which may take long. */
  | { readonly kind: 'slowStop'; readonly among?: readonly string[] }
  | { readonly kind: 'podFailed'; readonly reason: string; readonly text: string }
  | { readonly kind: 'disrupted'; readonly reason: string; readonly text: string }
  | { readonly kind: 'sandboxFailed'; readonly text: string }
  | {
      readonly kind: 'mountFailed';
      readonly volume: string;
      readonly text: string;
      readonly missing?: { readonly object: ObjectKind; readonly name: string } | undefined;
    };

/** `proven`: nothing else fits what was seen; `likely`: something else would be a surprise; `possible`: others fit as well. */
export type Certainty = 'proven' | 'likely' | 'possible';

/** The evidence of a fault. Times are seconds since the trace began, latencies milliseconds. */
export type Evidence =
  | {
      readonly kind: 'failures';
      readonly probe: ProbeType;
      /** Failures in a row in this run that were as the last one. */
      readonly count: number;
      readonly reason?: FailureReason | undefined;
      readonly statusCode?: number | undefined;
      readonly exitCode?: number | undefined;
      readonly timeout: number;
    }
  | { readonly kind: 'error'; readonly text: string }
  | {
      readonly kind: 'successes';
      readonly count: number;
      readonly lastAt: number;
      readonly slowest: number;
    }
  | { readonly kind: 'answer'; readonly began: number }
  /** Servers for which the program may wait. */
  | { readonly kind: 'peers'; readonly peers: readonly Peer[] }
  /** kprobe itself was late during the attempt. */
  | { readonly kind: 'late'; readonly by: number }
  | {
      readonly kind: 'listening';
      readonly sockets: readonly Socket[];
      readonly processes: readonly string[];
      /** Since the run's start. */
      readonly after: number;
    }
  /** Output of the program: an error that it reported, or a line that it repeats. */
  | {
      readonly kind: 'written';
      readonly text: string;
      readonly at?: string | undefined;
      readonly times?: number;
      /** Seconds since the program wrote it, and then nothing more. */
      readonly ago?: number;
    }
  /** Processes that the system has killed for lack of memory. */
  | { readonly kind: 'oomKills'; readonly count: number }
  /** Share of the CPU periods in which a limit stopped the container. */
  | { readonly kind: 'throttled'; readonly share: number }
  | { readonly kind: 'budget'; readonly seconds: number; readonly needs?: number | undefined }
  | {
      readonly kind: 'end';
      readonly run: number;
      readonly exitCode?: number | undefined;
      readonly signal?: string | undefined;
    }
  | {
      readonly kind: 'stop';
      readonly gracePeriod: number;
      readonly ignored: boolean;
      /** Seconds after which the preStop hook had not ended. */
      readonly preStop?: number | undefined;
    }
  | { readonly kind: 'kill'; readonly ago: number }
  | {
      readonly kind: 'trial';
      readonly field: string;
      readonly to: FieldValue;
      readonly isSuccess: boolean;
      /** In a word: `200`, `refused`. */
      readonly result: string;
    };
export type EvidenceOf<Kind extends Evidence['kind']> = Extract<Evidence, { kind: Kind }>;

/** A fault, its certainty, what it rests on, and the changes that help, the best first. */
export interface Finding {
  readonly fault: Fault;
  readonly certainty: Certainty;
  readonly evidence: readonly Evidence[];
  readonly changes: readonly Change[];
}

/** Ordered from the worst: in the first nothing runs, the last is over. */
export const URGENCIES = [
  'blocked',
  'down',
  'killing',
  'restarting',
  'erroring',
  'notReady',
  'warning',
  'past',
] as const;
export type Urgency = (typeof URGENCIES)[number];

/** A finding with how it shows, before its next step is known. */
export interface DiagnosisDraft extends Finding {
  readonly symptom: Symptom;
  readonly urgency: Urgency;
  readonly probe?: ProbeType;
  /** Failures until a kill. */
  readonly needed: number;
}

/** A diagnosis of a container or a pod, for all that show it. */
export interface Diagnosis extends Finding {
  readonly subject: Subject;
  readonly symptom: Symptom;
  readonly urgency: Urgency;
  readonly next?: Outlook | undefined;
}

/** Reports whether something fails now: what works, or works again, is no failure. */
export function isFailing({ urgency }: Diagnosis): boolean {
  return urgency !== 'past' && urgency !== 'warning';
}

/** Reports whether the container has recovered. */
export function isPast({ urgency }: Diagnosis): boolean {
  return urgency === 'past';
}

/** Returns the change to a value that is known to help; the user may apply it as it is. */
export function provenChange({ changes }: Finding) {
  return changes.find((change) => change.kind === 'field' && change.proof.kind !== 'none') as
    Extract<Change, { kind: 'field' }> | undefined;
}
