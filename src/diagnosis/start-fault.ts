import type { Container } from '../api/index.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { found } from './attempt-context.js';
import { type Advice, advise, type Change, type ObjectKind, type StartField } from './change.js';
import type { Fault, Finding } from './fault.js';
import { isOfProbe, startErrorText } from './kubelet-message.js';
import { isUnsplit, NO_INTERPRETER } from './rules/command-rules.js';
import { LONG_VALUE } from './rules/surrounding-patterns.js';
import { surroundingAdvice } from './surroundings.js';

/** Reasons of a waiting container that cannot start; one whose hook failed has started. */
const CANNOT_START =
  /^(?!PostStartHookError)(?:\w*(?:Error|ImageName)|ErrImage\w*|ImagePullBackOff)$/;

/** Messages of events that say no more than the reason of the status. */
const REPEATS = /^Error: (?:ErrImage\w*|ImagePullBackOff|InvalidImageName)$|^Back-off /;

/** Returns why a container cannot start; undefined where it has started, or waits for its turn. */
export function startFailure(
  pod: PodSummary,
  { state, runs, name, spec }: ContainerView,
): Finding | undefined {
  const { startError, hookError } = runs.at(-1) ?? {};
  const reason =
    state.kind === 'waiting' && CANNOT_START.test(state.reason) ? state.reason : undefined;
  if (startError === undefined && reason === undefined) return undefined;
  // The container had started: its hook is at fault.
  if (startError === undefined && hookError !== undefined) return undefined;
  const event = pod.events.findLast(
    (each) =>
      each.container === name &&
      each.type === 'Warning' &&
      !isOfProbe(each) &&
      !REPEATS.test(each.message),
  );
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(
    (each) => each.name === name,
  );
  const message = startError ?? event?.message ?? status?.state.waiting?.message ?? reason ?? '';
  const finding = failedStart(message, spec, reason);
  const missing = missingPullSecret(pod);
  const { fault } = finding;
  const isDenied = fault.kind === 'imagePull' && fault.problem !== 'platform';
  if (missing === undefined || !isDenied) return finding;
  return { ...finding, changes: advise({ do: 'pullSecrets', or: 'image', missing }) };
}

/** Returns the names of imagePullSecrets that the kubelet has not found. */
function missingPullSecret({ events }: PodSummary): string | undefined {
  const { message = '' } =
    events.findLast(({ reason }) => reason === 'FailedToRetrieveImagePullSecret') ?? {};
  return /\((.+?)\)/.exec(message)?.[1];
}

/** Returns the finding of a start's error in a container. */
export function failedStart(message: string, spec: Container, reason?: string): Finding {
  const text = startErrorText(message);
  const finding = startFinding(text, reason);
  switch (finding.fault.kind) {
    case 'programMissing':
      return { ...finding, changes: programChanges(text, spec) ?? finding.changes };
    case 'programNotExecutable': {
      const mount = spec.volumeMounts?.find((each) => text.includes(`"${each.mountPath}/`));
      return { ...finding, changes: advise({ do: 'executable', at: mount?.mountPath }) };
    }
    case 'startError':
      if (finding.fault.of === 'resources.limits.memory') {
        return { ...finding, changes: wholeMemory([spec]) ?? finding.changes };
      }
      // The kubelet mounts a file of its own there.
      return text.includes(`to rootfs at "${spec.terminationMessagePath}"`)
        ? findingOf({ ...finding.fault, of: 'terminationMessagePath' })
        : finding;
    default:
      return finding;
  }
}

/** Returns what to set where a memory limit is in thousandths of a byte: `128m` for `128Mi`. */
export function wholeMemory(containers: readonly Container[]): readonly Change[] | undefined {
  const limits = containers.map(({ resources }) => resources?.limits?.['memory'] ?? '');
  const limit = limits.find((each) => each.endsWith('m'));
  if (limit === undefined) return undefined;
  const to = limit.replace(/m$/, 'Mi');
  return [{ kind: 'field', field: 'resources.limits.memory', to, proof: { kind: 'none' } }];
}

/** Returns what to do about a program that is missing though the image has it. */
function programChanges(text: string, spec: Container): readonly Change[] | undefined {
  if (NO_INTERPRETER.test(text)) return advise({ do: 'provide', what: 'interpreter' });
  const { command = [], args: [program] = [] } = spec;
  if (command.length === 0 && program !== undefined && text.includes(`"${program}"`)) {
    return advise({ do: 'correct', fields: ['args[0]'], or: 'entrypoint' });
  }
  const isOfSpec = command[0] !== undefined && text.includes(command[0]);
  if (command[0]?.startsWith('-'))
    return advise({ do: 'correct', fields: ['command'], or: 'args' });
  if (isOfSpec && isUnsplit(command)) return advise({ do: 'splitCommand', field: 'command' });
  const advice = surroundingAdvice(text, spec);
  if (advice?.do === 'addToVolume') return advise(advice);
  if (/"\$\(\w+\)/.test(text)) return advise({ do: 'setVariable' });
  const mount = spec.volumeMounts?.find(({ mountPath }) => PROGRAM_FOLDER.test(mountPath));
  if (mount !== undefined && text.includes('in $PATH'))
    return advise({ do: 'addToVolume', path: mount.mountPath });
  // The image names its program, or the command line of a run.
  return isOfSpec ? undefined : advise({ do: 'correct', fields: ['the command'], or: 'image' });
}

/** A folder with the programs of PATH, or one around it. */
const PROGRAM_FOLDER = /^(?:\/usr(?:\/local)?)?(?:\/s?bin)?\/?$/;

/** Returns the finding of a start's error; `reason` is that of the container's state. */
export function startFinding(text: string, reason = ''): Finding {
  return findingOf(startFault(withoutLayers(text), reason));
}

function findingOf(fault: Fault): Finding {
  return found(fault, changesFor(fault));
}

/** runc's error about a volume, without its paths on the node. */
const MOUNT_ERROR = /error mounting ".*?" to rootfs at ("[^"]*"): mount .*?, flags: \w+: (.*)/;

/** Removes what container engines say around the error of their runtime. */
function withoutLayers(text: string): string {
  const [first = ''] = text.split('\n');
  return first
    .replace(/^.*unable to start container process: /, '')
    .replace(
      /^(?:failed to create (?:shim task|containerd task): |OCI runtime create failed: )+/,
      '',
    )
    .replace(/: unknown$/, '');
}

/** Texts of container engines about a start that a field of the container makes fail. */
const START_FIELDS: readonly (readonly [pattern: RegExp, field: StartField])[] = [
  [/\bchdir to cwd\b/, 'workingDir'],
  [/\bseccomp profile\b/, 'securityContext.seccompProfile'],
  [/\bapparmor\b/i, 'securityContext.appArmorProfile'],
  [/\bunknown capability\b/, 'securityContext.capabilities'],
  [/\bmemory limit\b/i, 'resources.limits.memory'],
  [/\bno users found\b|\bno matching entries in passwd\b/, 'securityContext.runAsUser'],
];

/** Takes the texts of the kubelet, the container engines and the system apart. */
function startFault(text: string, reason: string): Fault {
  const missing = missingObject(text);
  if (missing !== undefined) return { kind: 'configMissing', ...missing, text };
  const key = missingKey(text);
  if (key !== undefined) return { kind: 'keyMissing', key, text };
  if (/runAsNonRoot/.test(text)) return { kind: 'runsAsRoot', text };
  if (reason === 'ErrImageNeverPull' || /pull policy of Never/.test(text)) {
    return { kind: 'imageMissing', text };
  }
  if (
    reason === 'InvalidImageName' ||
    /invalid reference format|apply default image tag/i.test(text)
  ) {
    return { kind: 'imageName', text };
  }
  if (/Image|Pull/.test(reason)) return { kind: 'imagePull', problem: pullProblem(text), text };
  if (reason === 'CreateContainerConfigError') return { kind: 'badConfig', text };
  const shown = text.replace(MOUNT_ERROR, 'error mounting at $1: $2');
  if (shown !== text) return { kind: 'startError', text: shown, of: 'volumeMounts' };
  const of = START_FIELDS.find(([pattern]) => pattern.test(text))?.[1];
  if (of !== undefined) return { kind: 'startError', text, of };
  if (/executable file not found|no such file or directory|\bENOENT\b|is a directory/i.test(text)) {
    return { kind: 'programMissing', text };
  }
  if (/permission denied|\bEACCES\b/i.test(text)) return { kind: 'programNotExecutable', text };
  return { kind: 'startError', text };
}

/** Returns the key that a text names as absent from a Secret or ConfigMap. */
export function missingKey(text: string): string | undefined {
  return /(?:couldn't find key|references non-existent \w+ key:) (\S+)/i.exec(text)?.[1];
}

const OBJECTS: Readonly<Record<string, ObjectKind>> = {
  secret: 'Secret',
  configmap: 'ConfigMap',
  persistentvolumeclaim: 'PersistentVolumeClaim',
  priorityclass: 'PriorityClass',
  runtimeclass: 'RuntimeClass',
  serviceaccount: 'ServiceAccount',
};

const MISSING_OBJECT = new RegExp(
  `\\b(${Object.keys(OBJECTS).join('|')})s?(?: "(.+?)" not found| with name (\\S+) was found)`,
  'i',
);

/** Returns the object that a text names as absent. */
export function missingObject(text: string) {
  const [, kind = '', quoted, name = ''] = MISSING_OBJECT.exec(text) ?? [];
  const object = OBJECTS[kind.toLowerCase()];
  return object && { object, name: quoted ?? name };
}

type PullProblem = (Fault & { readonly kind: 'imagePull' })['problem'];

/** Texts of registries and container engines about a pull; the first match counts. A registry also denies access to an image that does not exist. */
const PULL_PROBLEMS: readonly (readonly [pattern: RegExp, problem: PullProblem])[] = [
  [/toomanyrequests|too many requests|\b429\b|rate limit/i, 'limited'],
  [/no match for platform|no matching manifest for /i, 'platform'],
  [/unauthorized|authentication required|\bdenied\b|\b401\b|\b403\b|no basic auth/i, 'denied'],
  [/connection refused|no such host|i\/o timeout|no route to host/, 'unreachable'],
  [/not found|manifest unknown|does not exist|\b404\b|did not resolve to an alias/i, 'notFound'],
];

function pullProblem(text: string): PullProblem {
  return PULL_PROBLEMS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

const PULL_ADVICE: Readonly<Record<Exclude<PullProblem, 'other'>, Advice>> = {
  limited: { do: 'pullSecrets', or: 'wait' },
  platform: { do: 'provide', what: 'cpu' },
  denied: { do: 'pullSecrets', or: 'image' },
  notFound: { do: 'correct', fields: ['image'] },
  unreachable: { do: 'correct', fields: ['image'], or: 'registry' },
};

function changesFor(fault: Fault): readonly Change[] {
  switch (fault.kind) {
    case 'configMissing':
      return advise({ do: 'addObject', object: fault.object, name: fault.name });
    case 'keyMissing':
      return advise({ do: 'addKey', key: fault.key, field: 'env[].valueFrom' });
    case 'runsAsRoot':
      return advise({ do: 'provide', what: 'user' });
    case 'imageMissing':
      return advise({ do: 'loadImage' });
    case 'imagePull':
      return fault.problem === 'other' ? [] : advise(PULL_ADVICE[fault.problem]);
    case 'imageName':
      return advise({ do: 'correct', fields: ['image'] });
    case 'badConfig':
      return advise({ do: 'correct', fields: ["the container's env or volumeMounts"] });
    case 'programMissing':
      return advise({ do: 'correct', fields: ['command[0]'], or: 'image' });
    case 'startError':
      if (fault.of !== undefined) return advise({ do: 'correct', fields: [fault.of] });
      if (LONG_VALUE.test(fault.text)) return advise({ do: 'provide', what: 'longValue' });
      return /exec format error/.test(fault.text) ? advise({ do: 'provide', what: 'format' }) : [];
    case 'programNotExecutable':
      return advise({ do: 'executable' });
    default:
      return [];
  }
}
