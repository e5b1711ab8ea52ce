import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import type { ProbeType } from '../../trace/event.js';
import type { Advice, Change, FieldValue, ObjectKind, Proof } from '../change.js';
import type { Finding } from '../fault.js';
import type { ScheduleWay } from '../kubelet-message.js';
import { listed, sentenceStart, socketsText } from './parts.js';
import { PROVISION_TEXTS } from './provision-texts.js';

/** Returns the best change as a sentence. */
export function firstChange({ changes: [first] }: Finding): string | undefined {
  return first && changeText(first);
}

/** A change as a sentence that begins it. */
export function changeText(change: Change): string {
  if (change.kind === 'advice') return adviceText(change.advice);
  const { field, to, proof } = change;
  const isLimit = /\.(?:timeoutSeconds|failureThreshold)$/.test(field);
  const text = `${isLimit ? 'Raise' : 'Set'} ${field} to ${valueText(to)}`;
  switch (proof.kind) {
    case 'tried':
      return `${text} (tried: ${proof.result})`;
    case 'replayed':
      return `${text} (replayed: ${replayText(proof)})`;
    case 'none':
      return `Perhaps ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  }
}

/** Returns the effect of a change: `ready after 25.1 s`, `no restart in 42 s, not 2`. */
function replayText({ length, before, after }: Extract<Proof, { kind: 'replayed' }>): string {
  const whole = formatSeconds(length);
  if (before.readyAfter === undefined && after.readyAfter !== undefined) {
    return `ready after ${formatSeconds(after.readyAfter)}`;
  }
  if (after.restarts < before.restarts) {
    const restarts = after.restarts === 0 ? 'no restart' : counted(after.restarts, 'restart');
    return `${restarts} in ${whole}, not ${before.restarts}`;
  }
  if (after.readyFor > before.readyFor + 1) {
    return `ready for ${formatSeconds(after.readyFor)} of ${whole}, not ${formatSeconds(before.readyFor)}`;
  }
  const failures = after.failures === 0 ? 'no failure' : counted(after.failures, 'failure');
  return `${failures} in ${whole}, not ${before.failures}`;
}

export function valueText(value: FieldValue): string {
  if (typeof value !== 'object') return String(value) || '""';
  return value.map((header) => `${header.name}: ${header.value}`).join(', ');
}

export function adviceText(advice: Advice): string {
  const write = ADVICE_TEXTS[advice.do] as (advice: Advice) => string;
  return write(advice);
}

type AdviceTexts = {
  readonly [Do in Advice['do']]: (advice: Extract<Advice, { readonly do: Do }>) => string;
};

const ADVICE_TEXTS: AdviceTexts = {
  bindAll: (advice) =>
    advice.family === 4
      ? 'Let the program listen on 0.0.0.0, all addresses'
      : 'Let the program listen on ::, all addresses of both families, or on 0.0.0.0',
  nameHost: ({ field, host }) => `Name ${host} in ${field}, where the program listens`,
  listenOnPort: (advice) =>
    `Let the program listen on port ${advice.port} of 0.0.0.0, all addresses`,
  startServer: (advice) =>
    `Start it (-- ${advice.container}=COMMAND), or map the port at which it listens with -p LOCAL:${advice.port}`,
  freePort: (advice) => {
    const what = advice.port === undefined ? 'the port' : `port ${advice.port}`;
    if (advice.isOwn)
      return `Give one of the program's servers another port: it listens on ${what} already`;
    const holder = advice.by === undefined ? '' : `, which ${advice.by} of the same pod has`;
    return `Free ${what}${holder}, or let the program listen on another one`;
  },
  fixProgram: () => 'Fix the program, or its command, args and env',
  handleSignal: ({ signal }) =>
    `Let the program handle ${signal}, or see what sends it, such as a hook or what reloads settings`,
  fixError: ({ at, isLast }) =>
    isLast
      ? 'Fix what that line is about, or let the program log why it ends'
      : at === undefined
        ? 'Fix what the error names: the program, or its command, args, env and files'
        : `Fix what the error names, or the program at ${at}`,
  fixCheck: ({ field, worked, isYoung }) => {
    if (worked) return 'Fix what the command checks: it has succeeded in this run';
    const mayStart = isYoung || field.startsWith('startupProbe');
    const start = mayStart ? ', unless it only needs longer to start' : '';
    return `Fix what the command checks, or correct ${field}${start}`;
  },
  writeFile: ({ field, path, other }) =>
    other === undefined
      ? `Let the program write ${path}, or mount it, or correct its path in ${field}`
      : `Correct the path in ${field}: the log names ${other}`,
  fixAnswer: ({ probe, passes, isSilent, field }) => {
    const fix = isSilent ? 'Find out why the program answers so' : 'Fix what the answer names';
    if (passes === true) return `${fix}, or raise ${probe}Probe.failureThreshold if it passes`;
    if (field !== undefined) return `${fix}, or correct ${field}.httpGet.path`;
    return FIX_ANSWER[probe] ?? `${fix}; no field of the probe is wrong`;
  },
  sendInput: ({ field, isHeader, name }) =>
    isHeader
      ? `Set the header ${name} in ${field}.httpGet.httpHeaders, or probe a path that needs none`
      : `Add ?${name}=… to ${field}.httpGet.path, or probe a path that needs none`,
  splitCommand: ({ field, word }) =>
    word === undefined
      ? `Make each word an element of ${field}, or run the line with sh -c: no shell reads it`
      : `Remove ${word}, a word of Docker, from ${field}${word === 'CMD' ? '' : ', and run the line with sh -c'}`,
  joinScript: (advice) => `Make all words after -c one element of ${advice.field}`,
  redirect: (advice) => `Write 2>&1 in place of 2&1 in ${advice.field}`,
  unquote: (advice) => `Remove the quotes around the line in ${advice.field}`,
  expand: ({ field, word }) => {
    const variable = word.includes('$') ? ', or write $(NAME) for a variable of env' : '';
    const path = word.startsWith('~') ? ', or write the whole path' : '';
    return `Run the line of ${field} with sh -c${variable}${path}`;
  },
  readInShell: ({ name }) =>
    `Set ${name} in env to a value, or write $${name}, which the shell reads`,
  setVariable: ({ name, isUnset }) =>
    name === undefined || isUnset
      ? `Set ${name ?? 'the variable that it reads'} in env, or correct its name`
      : `Correct the variable ${name} in env, or provide what it names`,
  passVariable: ({ name }) =>
    `Pass ${name} on to the program: env sets it, and what starts the program (docker run, su -, env -i) does not give it`,
  setting: ({ names, file, isUnset }) =>
    `${isUnset ? 'Set' : 'Correct'} ${listed(names)} in ${file ?? 'its configuration'}`,
  provide: ({ what, isYoung }) =>
    `${PROVISION_TEXTS[what]}${isYoung ? ', unless that is still starting' : ''}`,
  addToVolume: (advice) =>
    `Add the file to the volume at ${advice.path}, which hides what the image has there, or mount that elsewhere`,
  runWithBash: (advice) => `Run the line of ${advice.field} with bash, or write it for sh`,
  runByHand: (advice) => `Run ${advice.command} in the container to see what it writes`,
  matchProtocol: ({ field, port }) =>
    `Let ${field} speak as the server on port ${port} does, which accepts connections: gRPC or HTTP, with TLS (and trust in its certificate) or without`,
  commandLimit: ({ field }) =>
    `Raise the time that ${field} itself waits for an answer (such as -rpc-timeout, --max-time), or let the server answer sooner`,
  correctHost: ({ isUnanswered }) =>
    isUnanswered
      ? 'Correct the host name, or let its DNS server be reached, which has not answered'
      : 'Correct the host name, or create what it names, such as a Service',
  addStartupProbe: ({ of }) =>
    of === undefined
      ? 'Add a startupProbe if it needs longer to start'
      : `Add a startupProbe to ${of}: what comes after a sidecar starts once that succeeds, and without it does not wait`,
  timeoutOrStartup: ({ field }) =>
    `Raise ${field} if all answers take that long, or add a startupProbe if the first do: --restart simulated shows which`,
  execOrTcpPort: (advice) =>
    `Use ${advice.field}.exec, or a TCP port that shows the server's health`,
  keepRunning: ({ isBeside, isSidecar, hasServed, isProbed, mayBeStopped }) => {
    if (mayBeStopped) return 'Start it again if somebody has stopped it, or find out why it ends';
    if (hasServed) return 'Find out why the program ends by itself: it had answered a probe';
    if (isSidecar)
      return 'Run a command that does not end, or remove its restartPolicy: Always if it has to end before the others';
    if (isProbed) return 'Run a command that does not end: a probe waits for its server';
    return isBeside
      ? 'Make it an init container, or run a command that does not end'
      : 'Run a command that does not end, or make it a Job';
  },
  foreground: (advice) =>
    advice.program === 'nginx'
      ? "Run nginx in the foreground: nginx -g 'daemon off;'"
      : 'Run the server in the foreground (often an option such as --no-daemon)',
  lessMemory: (advice) => MEMORY_TEXTS[advice.of],
  writableMount: ({ path, by }) =>
    by === 'mount'
      ? `Remove readOnly from the volumeMount at ${path}, or let it write to another volume, such as an emptyDir`
      : `Let an init container copy the files at ${path} to an emptyDir that is mounted in their place: their volume is read-only, as that of a ConfigMap or Secret is`,
  resume: (advice) =>
    advice.is === 'paused'
      ? 'Unpause the container: docker unpause, podman unpause'
      : 'Let the process go on: kill -CONT, or end the debugger',
  tolerate: (advice) =>
    advice.process === 'busy'
      ? `Move the work out of the way of requests, or raise ${advice.field}.failureThreshold; a longer timeout does not help`
      : `Raise ${advice.field}.failureThreshold if that passes${advice.isLone ? ', or timeoutSeconds if some answers need longer' : '; a longer timeout does not help'}`,
  findWait: () =>
    'Find what its threads wait for, such as a lock or a call without a timeout of its own; a longer timeout does not help',
  askPeers: ({ peers }) =>
    peers.some(({ isAsked }) => isAsked)
      ? `See why nothing accepts or refuses connections to ${socketsText(peers)}: a wrong address, a server that is down or full, a firewall or a NetworkPolicy`
      : `Find what it waits for, perhaps an answer of ${socketsText(peers)}: see whether that comes, and give such calls a timeout of their own`,
  findLoop: ({ isInit }) =>
    `See in its script what the loop around sleep waits for, and provide that${isInit ? "; the pod's other containers start after it" : ''}`,
  runServer: ({ inPlaceOf }) => `Run the server in place of ${inPlaceOf}, which does nothing`,
  noDebugger: () =>
    'Start the program without waiting for a debugger: suspend=n in place of y, --inspect in place of --inspect-brk',
  startWithout: ({ container }) =>
    `Let it start without ${container}, which starts after it: probe what it serves by itself, or check that in a readinessProbe`,
  answerBadStatus: (advice) => `Let the path of ${advice.field} answer 503 then`,
  shortAnswer: (advice) =>
    `Let ${advice.field}.httpGet.path name one that answers at once and ends`,
  endAnswer: () =>
    'Let the server close the connection after this answer, or send its Content-Length',
  fixResponse: () =>
    'Correct the response that the server, or a proxy in front of it, sends: other clients may overlook that',
  allowHost: (advice) =>
    `Let the server accept any Host header there, or set one that it accepts in ${advice.field}.httpGet.httpHeaders`,
  moreCPU: () => 'Raise resources.limits.cpu, or let it need less',
  noLimit: (advice) =>
    `Take the path of ${advice.field} out of the limit, or raise ${advice.field}.periodSeconds`,
  credentials: (advice) =>
    `Set ${advice.field}.httpGet.httpHeaders, or let the path be one that needs no credentials`,
  allowPath: (advice) =>
    `Let the server answer ${advice.field} without credentials, and from the node`,
  springProbes: () =>
    'Set management.endpoint.health.probes.enabled to true: by itself, Spring Boot serves this path in a cluster only',
  noRedirect: (advice) => `Answer the path of ${advice.field} without a redirect`,
  noClientCertificate: (advice) =>
    `Serve the path of ${advice.field} on a port without client certificates`,
  acceptTls: (advice) =>
    advice.is === 'version'
      ? 'Let the server accept TLS 1.2 or later, as probes use it'
      : `Give the server a certificate for clients without a server name (SNI): probes send none; or use ${advice.field}.tcpSocket`,
  correctLength: ({ length, came }) =>
    `Correct the server's Content-Length: ${came} of ${length} bytes came`,
  correct: (advice) => `Correct ${advice.fields.join(' or ')}${CORRECT_OR[advice.or ?? 'serve']}`,
  addPort: (advice) =>
    `Add a port named ${advice.name} to ports, or set ${advice.field} to a number`,
  oneOf: (advice) => `Set ${advice.field} to ${advice.values.join(' or ')}`,
  command: (advice) =>
    advice.is === 'missing'
      ? `Correct ${advice.field}, or add ${advice.command} to the image`
      : `Make ${advice.command} executable in the image`,
  raise: (advice) =>
    `Raise ${advice.field} if it needs longer${advice.when === 'slowStart' ? ' to start' : ''}`,
  endingCommand: (advice) =>
    `Let ${advice.field}.exec.command end by itself, or raise ${advice.field}.timeoutSeconds if it only needs longer`,
  upgradeKubelet: (advice) =>
    `Probe by HTTP, TCP or gRPC, which are not canceled, or upgrade the node to Kubernetes ${advice.to}`,
  serveHTTP1: (advice) => `Serve HTTP/1.1 too, or use ${advice.field}.grpc`,
  serveHealth: (advice) => `Add that service to the server, or use ${advice.field}.tcpSocket`,
  reportServing: (advice) =>
    `Let the server report SERVING${advice.service === '' ? '' : ` for ${advice.service}`} once it is ready`,
  grpcService: (advice) => `${advice.isSet ? 'Correct' : 'Set'} ${advice.field}.grpc.service`,
  grpcPort: (advice) => `Correct ${advice.field}.grpc.port, or serve health checks without TLS`,
  addObject: ({ object, name }) =>
    `Add the ${object} ${name} to the manifests, or ${OBJECT_ELSE[object] ?? 'set optional: true where it is used'}`,
  addKey: (advice) => `Add the key ${advice.key}, or correct the key in ${advice.field}`,
  executable: ({ at }) =>
    at === undefined
      ? "Make the program executable (chmod +x), or correct its path if that is a folder's"
      : `Make the program executable: chmod +x, or defaultMode: 0755 of the volume at ${at}`,
  declareFirst: ({ container }) =>
    `Declare ${container} before it in initContainers: what comes later starts later`,
  makeSidecar: ({ container }) =>
    container === undefined
      ? 'Set its restartPolicy to Always if it serves the others, as a sidecar does'
      : `If ${container} only helps the others, make it an init container with restartPolicy: Always, which ends after them`,
  loadImage: () => 'Load the image onto the node, or set imagePullPolicy to IfNotPresent',
  startPeers: ({ peer }) =>
    `Set podManagementPolicy: Parallel in its StatefulSet, and publishNotReadyAddresses in its Service: without them, ${peer} is made, and gets its name, after this pod is ready`,
  provision: ({ provisioner }) =>
    `Install ${provisioner} or look at its log: it makes the volume, or name another storageClassName`,
  pullSecrets: ({ or, missing }) =>
    missing !== undefined
      ? `Add the Secret ${missing} to the namespace: imagePullSecrets names it, and it is not there`
      : or === 'image'
        ? 'Correct image, or add imagePullSecrets for its registry'
        : 'Add imagePullSecrets for its registry, which limits how often images are pulled, or wait',
  fixHandler: ({ path }) => `Fix what the program does at ${path}: it answers other paths`,
  logErrors: ({ ofEnd }) =>
    ofEnd === undefined
      ? 'Let the program log its errors: it wrote none with this answer'
      : `Let it write why it ends${ofEnd === 'script' ? ': set -x in its script shows the command that fails' : ''}`,
  endOnSignal: (advice) =>
    `Let the program end on ${advice.signal}, within terminationGracePeriodSeconds`,
  hook: (advice) =>
    advice.goesOn
      ? 'Let the command of lifecycle.postStart end by itself'
      : advice.hook === 'postStart'
        ? 'Correct lifecycle.postStart: it may run before the program listens, so let it wait or retry'
        : 'Correct lifecycle.preStop, and keep it shorter than terminationGracePeriodSeconds',
  logs: (advice) => {
    const { pod, namespace, container, previous } = advice.logs;
    return `kubectl logs ${pod} -n ${namespace} -c ${container}${previous ? ' --previous' : ''} shows its output`;
  },
  onceKube: () => 'kprobe once --kube shows what it answers: events leave that out',
  schedule: ({ ways }) => {
    const known = ways.map((way) => SCHEDULE_WAYS[way]).join(', or ');
    return sentenceStart(known === '' ? SCHEDULE_WAYS.label : known);
  },
  request: (advice) => `Set resources.requests for ${advice.resource} to what the pod uses`,
  setCondition: ({ gate, text }) =>
    text === undefined
      ? `Let the controller that ${gate} belongs to set it, or remove the gate`
      : `Correct what that condition says: its controller (${gate}) then sets it to True`,
  removeEntry: (advice) =>
    `Let the controller that ${advice.entry} belongs to remove it, or take it out of ${advice.field}`,
};

const SCHEDULE_WAYS: Readonly<Record<ScheduleWay, string>> = {
  request: 'lower resources.requests',
  device: 'add a node that has it, or take it out of resources.limits',
  port: 'set a hostPort that a node has free, or none; an update whose old pod has it needs maxSurge: 0 or Recreate',
  label: 'correct nodeSelector and affinity, or label a node',
  taint: 'add a toleration of the taint',
  priority:
    'give it a priorityClassName as high as that of the pod that takes its place, or add a node',
  cordon: 'uncordon a node',
  affinity: 'correct podAffinity, or start the pods that it asks for',
  antiAffinity: 'correct podAntiAffinity, or add a node',
  topology: 'label the nodes with the topologyKey of topologySpreadConstraints, or correct it',
  spread: 'correct topologySpreadConstraints, or add a node',
  volume: 'use a volume that such a node can reach',
  claim: 'see why its PersistentVolumeClaim is not bound (kubectl describe pvc)',
};

const OBJECT_ELSE: Partial<Readonly<Record<ObjectKind, string>>> = {
  PersistentVolumeClaim: 'correct claimName',
  PriorityClass: 'correct priorityClassName',
  RuntimeClass: 'correct runtimeClassName',
  ServiceAccount: 'correct serviceAccountName',
};

const MEMORY_TEXTS = {
  limit: 'Raise resources.limits.memory, or use less memory',
  system:
    'Let it use less memory, or raise what its machine or engine (docker update --memory) allows',
  program: 'Give the program more memory by its options, or let it use less',
} as const;

const CORRECT_OR = {
  serve: '',
  allow: ', or allow it on the node (allowedUnsafeSysctls)',
  registry: ', or let the node reach its registry',
  volume: ', or make that class or a PersistentVolume that fits',
  image: ', or add the program to the image',
  plainPort: ', or map it to a port',
  remove: ", or remove it: the default is the pod's address",
  args: ': it replaces the entrypoint of the image, to which args gives arguments',
  answer: ', or what the server answers',
  start: ', unless the server is still starting',
  tcp: ', or use tcpSocket if that is for another protocol',
  entrypoint: ', or set command: the image has no entrypoint, so that args[0] is the program',
} as const;

const FIX_ANSWER: Readonly<Partial<Record<ProbeType, string>>> = {
  startup: 'If it needs longer to start, raise startupProbe.failureThreshold',
  liveness: 'If a restart cannot fix that, check it in readinessProbe instead',
};
