import type { Peer } from '../kubelet/ports.js';
import type { ProbeType, ReplayedChange } from '../trace/event.js';
import type { ScheduleWay } from './kubelet-message.js';

export type FieldValue =
  number | string | readonly { readonly name: string; readonly value: string }[];

export type Proof =
  | { readonly kind: 'tried'; readonly result: string }
  | ({ readonly kind: 'replayed' } & Pick<ReplayedChange, 'length' | 'before' | 'after'>)
  | { readonly kind: 'none' };

/** A change that helps: of a field to a value, of fields whose values kprobe does not know, or of the program. */
export type Change =
  | {
      readonly kind: 'field';
      /** Path of the field in the container, such as `livenessProbe.timeoutSeconds`. */
      readonly field: string;
      readonly to: FieldValue;
      readonly proof: Proof;
    }
  | { readonly kind: 'advice'; readonly advice: Advice };

/** A step of the user, where no value of a field helps. */
export type Advice =
  | { readonly do: 'bindAll'; readonly family: 4 | 6 }
  | { readonly do: 'nameHost'; readonly field: string; readonly host: string }
  | { readonly do: 'listenOnPort'; readonly port: number }
  | { readonly do: 'startServer'; readonly container: string; readonly port: string }
  /** `by` is the container of the pod that has the port. */
  | {
      readonly do: 'freePort';
      readonly port?: number | undefined;
      readonly by?: string | undefined;
      /** The program has it already. */
      readonly isOwn?: true;
    }
  | { readonly do: 'fixProgram' }
  | { readonly do: 'handleSignal'; readonly signal: string }
  /** `isLast` where nothing but a last line is known. */
  | { readonly do: 'fixError'; readonly at?: string | undefined; readonly isLast?: true }
  | {
      readonly do: 'fixCheck';
      readonly field: string;
      readonly worked?: true;
      readonly isYoung?: true;
    }
  /** `other` is a file of the same name that the program's log names. */
  | {
      readonly do: 'writeFile';
      readonly field: string;
      readonly path: string;
      readonly other?: string | undefined;
    }
  | {
      readonly do: 'fixAnswer';
      readonly probe: ProbeType;
      readonly passes?: boolean;
      /** The answer has no words. */
      readonly isSilent?: true;
      /** The answer depends on the request, such as its query. */
      readonly field?: string;
    }
  | {
      readonly do: 'sendInput';
      readonly field: string;
      readonly isHeader: boolean;
      readonly name: string;
    }
  /** `word` is one of Docker's health checks, such as CMD-SHELL. */
  | { readonly do: 'splitCommand'; readonly field: string; readonly word?: string }
  | { readonly do: 'joinScript'; readonly field: string }
  | { readonly do: 'unquote'; readonly field: string }
  | { readonly do: 'redirect'; readonly field: string }
  | { readonly do: 'expand'; readonly field: string; readonly word: string }
  | { readonly do: 'readInShell'; readonly name: string }
  /** `name` where the error points to it; `isUnset` where env lacks it. */
  | { readonly do: 'setVariable'; readonly name?: string; readonly isUnset?: true }
  /** Settings of the program; `file` may have a line. */
  | {
      readonly do: 'setting';
      readonly names: readonly string[];
      readonly file?: string;
      readonly isUnset?: true;
    }
  /** env sets it, and the program does not get it. */
  | { readonly do: 'passVariable'; readonly name: string }
  /** `isYoung`: what is missing may only need longer to start, as the program does. */
  | { readonly do: 'provide'; readonly what: Provision; readonly isYoung?: true }
  | { readonly do: 'addToVolume'; readonly path: string }
  | { readonly do: 'runWithBash'; readonly field: string }
  | { readonly do: 'runByHand'; readonly command: string }
  /** The program listens on the port at which a command gets no connection. */
  | { readonly do: 'matchProtocol'; readonly field: string; readonly port: number }
  /** The command gives up before its timeout. */
  | { readonly do: 'commandLimit'; readonly field: string }
  /** `isUnanswered`: no server of names has said that there is none. */
  | { readonly do: 'correctHost'; readonly isUnanswered?: true }
  /** `of` is a sidecar for which the others do not wait. */
  | { readonly do: 'addStartupProbe'; readonly of?: string }
  /** Liveness has ended each run before an attempt with a longer timeout could have its answer. */
  | { readonly do: 'timeoutOrStartup'; readonly field: string }
  | { readonly do: 'execOrTcpPort'; readonly field: string }
  /** `hasServed`: it had answered a probe before it ended. */
  | {
      readonly do: 'keepRunning';
      readonly isBeside?: true;
      readonly isSidecar?: boolean;
      readonly hasServed?: boolean;
      readonly isProbed?: boolean;
      /** kprobe does not see who has ended a container that it has not started. */
      readonly mayBeStopped?: boolean;
    }
  | { readonly do: 'foreground'; readonly program?: 'nginx' }
  /** `limit` is set by resources.limits, `system` by the engine or the machine, and `program` by the program itself. */
  | { readonly do: 'lessMemory'; readonly of: 'limit' | 'system' | 'program' }
  /** `by` is what makes it read-only: the mount's readOnly, or a volume that always is, such as a ConfigMap. */
  | { readonly do: 'writableMount'; readonly path: string; readonly by: 'mount' | 'volume' }
  /** The process or the container has been made to stand still. */
  | { readonly do: 'resume'; readonly is: StillProcess }
  | { readonly do: 'findLoop'; readonly isInit?: true }
  /** `inPlaceOf` runs and does nothing, such as `sleep infinity`. */
  | { readonly do: 'runServer'; readonly inPlaceOf: string }
  | { readonly do: 'noDebugger' }
  /** The container for which a start waits, and that starts after it. */
  | { readonly do: 'startWithout'; readonly container: string }
  | {
      readonly do: 'tolerate';
      readonly field: string;
      readonly process?: ProcessState | undefined;
      readonly isLone?: true;
    }
  | { readonly do: 'findWait' }
  /** Servers to which it is connected, or tries to be, may keep it waiting. */
  | { readonly do: 'askPeers'; readonly peers: readonly Peer[] }
  | { readonly do: 'answerBadStatus'; readonly field: string }
  | { readonly do: 'shortAnswer'; readonly field: string }
  | { readonly do: 'endAnswer' }
  | { readonly do: 'fixResponse' }
  | { readonly do: 'allowHost'; readonly field: string; readonly host: string }
  | { readonly do: 'moreCPU' }
  | { readonly do: 'noLimit'; readonly field: string }
  | { readonly do: 'credentials'; readonly field: string }
  | { readonly do: 'allowPath'; readonly field: string }
  /** Spring Boot serves the paths for probes in a cluster only. */
  | { readonly do: 'springProbes' }
  | { readonly do: 'noRedirect'; readonly field: string }
  | { readonly do: 'noClientCertificate'; readonly field: string }
  | { readonly do: 'acceptTls'; readonly field: string; readonly is: 'version' | 'name' }
  | {
      readonly do: 'correct';
      readonly fields: readonly string[];
      readonly or?:
        | 'serve'
        | 'allow'
        | 'registry'
        | 'volume'
        | 'image'
        | 'plainPort'
        | 'remove'
        | 'entrypoint'
        | 'args'
        | 'tcp'
        | 'answer'
        | 'start'
        | undefined;
    }
  /** In bytes: the Content-Length, and what came of it. */
  | { readonly do: 'correctLength'; readonly length: number; readonly came: number }
  | { readonly do: 'addPort'; readonly name: string; readonly field: string }
  | { readonly do: 'oneOf'; readonly field: string; readonly values: readonly string[] }
  | {
      readonly do: 'command';
      readonly field: string;
      readonly command: string;
      readonly is: 'missing' | 'notRunnable';
    }
  | { readonly do: 'endingCommand'; readonly field: string }
  | { readonly do: 'raise'; readonly field: string; readonly when?: 'slowStart' }
  | { readonly do: 'upgradeKubelet'; readonly to: string }
  | { readonly do: 'serveHTTP1'; readonly field: string }
  | { readonly do: 'serveHealth'; readonly field: string }
  | { readonly do: 'reportServing'; readonly service: string }
  | { readonly do: 'grpcService'; readonly field: string; readonly isSet: boolean }
  | { readonly do: 'grpcPort'; readonly field: string }
  | { readonly do: 'addObject'; readonly object: ObjectKind; readonly name: string }
  | { readonly do: 'addKey'; readonly key: string; readonly field: string }
  /** `at` is where the volume is mounted that has the program. */
  | { readonly do: 'executable'; readonly at?: string | undefined }
  | { readonly do: 'loadImage' }
  /** The container that an init container or sidecar needs, and that starts after it. */
  | { readonly do: 'declareFirst'; readonly container: string }
  /** `container` where it is another one than the diagnosis is about. */
  | { readonly do: 'makeSidecar'; readonly container?: string }
  /** A pod of the same StatefulSet that is made only after this one is ready. */
  | { readonly do: 'startPeers'; readonly peer: string }
  /** The provisioner of a claim's volume does not run, or makes none. */
  | { readonly do: 'provision'; readonly provisioner: string }
  /** `missing` names the Secrets that imagePullSecrets has and the namespace lacks. */
  | { readonly do: 'pullSecrets'; readonly or: 'image' | 'wait'; readonly missing?: string }
  | { readonly do: 'endOnSignal'; readonly signal: string }
  | { readonly do: 'hook'; readonly hook: string; readonly goesOn?: true }
  /** Other paths of the server are answered. */
  | { readonly do: 'fixHandler'; readonly path: string }
  /** The program answers with an error that it does not log. */
  | { readonly do: 'logErrors'; readonly ofEnd?: 'script' | 'program' }
  | { readonly do: 'logs'; readonly logs: LogsOf }
  | { readonly do: 'onceKube' }
  | { readonly do: 'schedule'; readonly ways: readonly ScheduleWay[] }
  | { readonly do: 'request'; readonly resource: string }
  /** A controller has to set a condition, or to remove an entry of a list. */
  | { readonly do: 'setCondition'; readonly gate: string; readonly text?: string }
  | { readonly do: 'removeEntry'; readonly field: string; readonly entry: string };

/** A thing around a program without which it fails, though the program is right. */
export type Provision =
  | 'kernel'
  | 'space'
  | 'writableFolder'
  | 'imageFiles'
  | 'rights'
  | 'files'
  | 'lineEnds'
  | 'lineBreak'
  | 'lowPort'
  | 'access'
  | 'user'
  | 'module'
  | 'credentials'
  | 'trust'
  | 'pem'
  | 'dataVersion'
  | 'data'
  | 'connections'
  | 'peer'
  | 'peerCuts'
  | 'initialization'
  | 'unsealing'
  | 'backend'
  | 'device'
  | 'lease'
  | 'startLimit'
  | 'workers'
  | 'network'
  | 'leftover'
  | 'license'
  | 'lock'
  | 'definition'
  | 'shellTest'
  | 'value'
  | 'plainPort'
  | 'noServiceLink'
  | 'serviceVariable'
  | 'noProxy'
  | 'capability'
  | 'runtime'
  | 'schema'
  | 'subPath'
  | 'folder'
  | 'emptyFolder'
  | 'threads'
  | 'clock'
  | 'file'
  | 'cpu'
  | 'limit'
  | 'driver'
  | 'format'
  | 'compiled'
  | 'sandbox'
  | 'interpreter'
  | 'mode'
  | 'component'
  | 'sharedMemory'
  | 'account'
  | 'firstProcess'
  | 'systemData'
  | 'storage'
  | 'token'
  | 'kubeconfig'
  | 'input'
  | 'stdin'
  | 'killedStart'
  | 'olderLibrary'
  | 'admission'
  | 'grant'
  | 'caches'
  | 'configuration'
  | 'escalation'
  | 'root'
  | 'browserSandbox'
  | 'deviceFile'
  | 'dataFolder'
  | 'loginName'
  | 'project'
  | 'disk'
  | 'scheme'
  | 'longValue'
  | 'migration'
  | 'unmigrated'
  | 'member'
  | 'certificateName'
  | 'acceptTraffic'
  | 'node'
  | 'volume';

export type ObjectKind =
  | 'Secret'
  | 'ConfigMap'
  | 'PersistentVolumeClaim'
  | 'PriorityClass'
  | 'RuntimeClass'
  | 'ServiceAccount';

/** A field of a container with which an engine cannot start it. */
export type StartField =
  | 'volumeMounts'
  | 'terminationMessagePath'
  | 'workingDir'
  | 'resources.limits.memory'
  | `securityContext.${'seccompProfile' | 'appArmorProfile' | 'capabilities' | 'runAsUser'}`;

/** The place where `kubectl logs` finds the output that kprobe has not seen. */
export interface LogsOf {
  readonly pod: string;
  readonly namespace: string;
  readonly container: string;
  readonly previous: boolean;
}

export type StillProcess = 'stopped' | 'paused';
export type ProcessState = StillProcess | 'busy';

export function advise(...advices: readonly Advice[]): readonly Change[] {
  return advices.map((advice) => ({ kind: 'advice', advice }));
}

export function unproven(change: Change): Change {
  return change.kind === 'field' ? { ...change, proof: { kind: 'none' } } : change;
}
