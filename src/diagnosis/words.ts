/* eslint max-lines: off -- The only file with sentences about diagnoses. */
import type { FailureReason } from '../kubelet/ports.js';
import { counted } from '../text/count.js';
import {
  age,
  countdown,
  formatLatency,
  formatSeconds,
  inRange,
  inSeconds,
} from '../text/duration.js';
import type { ProbeType, RestartedBy, Result } from '../trace/event.js';
import type { ContainerView, RunView } from '../trace/summary/container-view.js';
import type { AttemptView } from '../trace/summary/probe-view.js';
import { oneLine } from './answer.js';
import type { Advice, Change, FieldValue, ObjectKind, Proof, Provision } from './change.js';
import type { EventFacts } from './event-meaning.js';
import type { Diagnosis, Evidence, EvidenceOf, Fault, FaultOf, Finding, Socket } from './fault.js';
import type { ScheduleWay } from './kubelet-message.js';
import type { NextStart, NextStep, Outlook, Span } from './next-step.js';
import { pullsAgain } from './outlook.js';
import { endReason } from './run-fault.js';
import { missingObject, startFinding } from './start-fault.js';

/** `app restarted 2 ×: liveness 3 × timeout at 1 s; …` */
export function headline(diagnosis: Diagnosis): string {
  const { symptom } = diagnosis;
  const [effect, reason] = [symptomText(diagnosis), reasonText(diagnosis)];
  // The failures of this run are not those that had earlier ones killed.
  const isAnother = 'kills' in symptom && symptom.kills > 0 && reason !== '';
  return isAnother ? joined([effect, reason]) : withReason(effect, reason);
}

/** The headline in a list of pods, which has little room: that a pod waits is seen there. */
export function troubleText(diagnosis: Diagnosis): string {
  const { symptom, subject } = diagnosis;
  if (symptom.kind !== 'waiting') return headline(diagnosis);
  const reason = reasonText(diagnosis);
  return subject.container === '' ? reason : withReason(subject.container, reason);
}

function withReason(text: string, reason: string): string {
  return reason === '' ? text : `${text}: ${reason}`;
}

/** The whole diagnosis in one line: what fails and why, what comes next, and the change that helps. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { next } = diagnosis;
  const then = next === undefined ? '' : ` → ${outlookText(next)}`;
  return withChange(`${headline(diagnosis)}${then}`, diagnosis);
}

const SAID_BY_OUTPUT: ReadonlySet<Fault['kind']> = new Set(['commandFailed', 'flapping']);

/** `The reason. The change`; undefined where the attempt's own output says as much. */
export function findingText(finding: Finding | undefined): string | undefined {
  if (finding === undefined || SAID_BY_OUTPUT.has(finding.fault.kind)) return undefined;
  const text = withChange(faultText(finding), finding);
  return text === '' ? undefined : text;
}

/** Returns the cause of a diagnosis in words, without the container that it is about. */
export function causeText(diagnosis: Diagnosis): string {
  return withChange(reasonText(diagnosis), diagnosis);
}

function withChange(text: string, finding: Finding): string {
  const change = firstChange(finding);
  if (change === undefined) return text;
  return text === '' ? change : `${text.replace(/\.$/, '')}. ${change}`;
}

/** Returns the best change as a sentence. */
export function firstChange({ changes: [first] }: Finding): string | undefined {
  return first && changeText(first);
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('; ');
}

/** The effect of a diagnosis: `app killed 2 ×`; the name alone while it has not been restarted. */
export function symptomText({ subject: { container }, symptom, fault }: Diagnosis): string {
  switch (symptom.kind) {
    case 'cannotStart':
      return `${container} cannot start`;
    case 'ended': {
      const { exitCode, times } = symptom;
      if (fault.kind === 'hookFailed') return `${container} killed ${times} ×`;
      const exit = exitCode === undefined ? '' : ` (exit ${exitCode})`;
      const verb = exitCode === 0 ? 'exited' : fault.kind === 'reportedKill' ? 'ended' : 'crashed';
      return `${container} ${verb} ${times} ×${exit}`;
    }
    case 'killed':
      return `${container} killed ${symptom.times} ×${symptom.by === 'startup' ? ' while starting' : ''}`;
    case 'failing':
    case 'erroring':
      return `${container}${symptom.kills === 0 ? '' : ` killed ${symptom.kills} ×`}`;
    case 'waiting':
      return container === '' ? 'the pod waits' : `the pod waits for ${container}`;
    case 'podFailed':
      return 'the pod failed';
    case 'working':
      return container;
  }
}

/** The failures of a container or probe, and their cause. */
export function reasonText(diagnosis: Diagnosis): string {
  const { symptom, evidence, urgency } = diagnosis;
  const failures = evidence.find((each) => each.kind === 'failures');
  const text = faultText(diagnosis);
  if (urgency === 'past') return pastText(diagnosis);
  switch (symptom.kind) {
    case 'killed':
      return joined([failures && failuresText(failures), text]) || `the ${symptom.by} probe failed`;
    case 'failing':
      return joined([failures && failuresText(failures), text]);
    case 'erroring': {
      const error = evidence.find((each) => each.kind === 'error');
      return joined([`${symptom.probe} errors`, text || error?.text]);
    }
    default:
      return text;
  }
}

function pastText(diagnosis: Diagnosis): string {
  const { evidence, symptom, fault } = diagnosis;
  const failures = evidence.find((each) => each.kind === 'failures');
  if (failures !== undefined) return `the run before: ${failuresText(failures)}`;
  const end = evidence.find((each) => each.kind === 'end');
  const run = end === undefined ? '' : `run ${end.run}: `;
  if (symptom.kind === 'ended' && symptom.exitCode === 0) return `${run}exited by itself`;
  return `${run}${fault.kind === 'crashed' ? 'crashed: ' : ''}${faultText(diagnosis)}`;
}

type Failures = EvidenceOf<'failures'>;

/** `liveness 3 × timeout at 1 s` */
export function failuresText(failures: Failures): string {
  return `${failures.probe} ${failures.count} × ${failureText(failures)}`;
}

/** `timeout at 1 s`, `HTTP 503`, `exit 1` */
function failureText(failures: Failures): string {
  const word = failureWord(failures);
  if (failures.statusCode !== undefined) return `HTTP ${word}`;
  return word === 'timeout' ? `timeout at ${failures.timeout} s` : word;
}

/** The condition that a rollout waits for: `waiting for readiness of web-7d4-x app: HTTP 503`. */
export function waitingText(pod: string, diagnosis: Diagnosis): string {
  const { subject, symptom, evidence, fault } = diagnosis;
  if (fault.kind === 'unschedulable') return `${pod} cannot be scheduled: ${fault.text}`;
  const { probe } = subject;
  if (probe === undefined) return `${pod}: ${headline(diagnosis)}`;
  const goal = probe === 'liveness' ? `${pod}: ` : `waiting for ${probe} of ${pod} `;
  const failures = evidence.find((each) => each.kind === 'failures');
  const reason =
    symptom.kind === 'failing'
      ? joined([failures && failureText(failures), faultText(diagnosis)])
      : reasonText(diagnosis);
  return withReason(`${goal}${symptomText(diagnosis)}`, reason);
}

/** A trace may hold reasons of a later version. */
const WORDS: ReadonlyMap<string, string> = new Map<FailureReason, string>([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['notConnected', 'timeout'],
  ['reset', 'reset'],
  ['closed', 'closed'],
  ['noHost', 'no host'],
  ['noRoute', 'no route'],
  ['notHTTP', 'not HTTP'],
  ['speaksHTTP2', 'not HTTP'],
  ['speaksTLS', 'not HTTP'],
  ['plainHTTP', 'no TLS'],
  ['tls', 'TLS error'],
  ['notServing', 'unhealthy'],
  ['redirects', 'redirects'],
  ['canceled', 'canceled'],
]);

function failureWord({
  statusCode,
  exitCode,
  reason,
}: Pick<AttemptView, 'statusCode' | 'exitCode' | 'reason'>): string {
  if (statusCode !== undefined) return String(statusCode);
  if (exitCode !== undefined) return `exit ${exitCode}`;
  return WORDS.get(reason ?? '') ?? 'failed';
}

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(
  attempt: Pick<AttemptView, 'error' | 'result' | 'statusCode' | 'exitCode' | 'reason'>,
): string {
  if (attempt.error !== undefined) return 'errored';
  if (attempt.result === 'warning') return 'warning';
  return attempt.result === 'success' ? '' : failureWord(attempt);
}

/** The reason why a run ended: `liveness 3 × timeout at 1 s`, `crashed: SyntaxError: …`. */
export function runSentence(container: ContainerView, run: RunView): string {
  const end = endReason(container, run);
  switch (end.kind) {
    case 'asked':
      return 'by you';
    case 'notStarted':
      return `not started: ${end.text}`;
    case 'killed':
      return end.failures === undefined ? end.by : failuresText(end.failures);
    case 'hook':
      return `the ${end.hook} hook failed: ${end.text}`;
    case 'stopped':
      return end.text;
    case 'exited':
      return 'exited by itself';
    case 'crashed':
      return `crashed${end.text === undefined ? '' : `: ${end.text}${at(end.at)}`}`;
  }
}

function at(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`;
}

/** The cause behind a failure; empty where the failure says all that is known. */
export function faultText({ fault, evidence, changes }: Omit<Finding, 'certainty'>): string {
  return joined([
    fault.kind === 'slowStart' ? '' : plainText(fault, evidence),
    ...evidenceOf('written', evidence).map(writtenText),
    ...evidenceOf('oomKills', evidence).map(killsText),
    ...evidenceOf('throttled', evidence).map(throttledText),
    budgetText(evidence),
    ...evidenceOf('stop', evidence).map(stopText),
    ...evidenceOf('late', evidence).map(({ by }) => `kprobe itself was ${formatLatency(by)} late`),
    changes.length === 0 ? failedTrialText(evidence) : '',
  ]);
}

function evidenceOf<K extends Evidence['kind']>(kind: K, evidence: readonly Evidence[]) {
  return evidence.filter((each): each is EvidenceOf<K> => each.kind === kind);
}

function stopText({ preStop, ignored, gracePeriod }: EvidenceOf<'stop'>): string {
  const hook = `its preStop hook had not ended after ${formatSeconds(preStop ?? 0)}`;
  const term = `it ignored TERM: KILL after ${gracePeriod} s`;
  return joined([preStop === undefined ? '' : hook, ignored ? term : '']);
}

function killsText({ count }: EvidenceOf<'oomKills'>): string {
  return `the system has killed ${counted(count, 'process', 'processes')} there for lack of memory`;
}

function throttledText({ share }: EvidenceOf<'throttled'>): string {
  return `its CPU limit throttled it in ${Math.round(100 * share)} % of the periods in which it ran`;
}

function writtenText({ text: whole, at: place, times, ago }: EvidenceOf<'written'>) {
  const text = shortened(whole);
  if (ago !== undefined)
    return `the program wrote its last line ${formatSeconds(ago)} ago: ${text}`;
  return times === undefined
    ? `the program reports: ${text}${at(place)}`
    : `the program has written ${times} times: ${text}`;
}

/** The first change that was tried without success, where no change is proposed. */
function failedTrialText(evidence: readonly Evidence[]): string | undefined {
  const trial = evidence.find((each) => each.kind === 'trial');
  const field = trial?.field.split('.').at(-1);
  if (trial === undefined || trial.isSuccess || field === 'timeoutSeconds') return undefined;
  return `${field === 'httpHeaders' ? 'the header' : field} ${valueText(trial.to)} was tried: ${trial.result}`;
}

function budgetText(evidence: readonly Evidence[]): string | undefined {
  const budget = evidence.find((each) => each.kind === 'budget');
  if (budget === undefined) return undefined;
  const { seconds, needs } = budget;
  const text = `the startup budget is ${seconds} s`;
  return needs === undefined ? text : `it needs about ${Math.ceil(needs)} s, ${text}`;
}

type FaultTexts = {
  readonly [Kind in Fault['kind']]: (fault: FaultOf<Kind>, evidence: readonly Evidence[]) => string;
};

const textOf = ({ text }: { readonly text: string }): string => text;

/** Characters of a program's or an answer's text in a cause. */
const MAX_TEXT = 80;

function shortened(text: string): string {
  return oneLine(text, MAX_TEXT);
}

const FAULT_TEXTS: FaultTexts = {
  unknown: () => '',
  slowStart: () => '',
  unknownPortName: (fault) => `no port of the container is named ${fault.name}`,
  notListening: ({ address, program, declared, mayListen }, evidence) => {
    const text = `nothing listens on ${address}`;
    switch (program) {
      case 'stopped':
        return `${text} any more: the server has ended, or closed its port`;
      case 'starting':
        return `nothing listened on ${address} yet; by now the program does`;
      case 'notStarted':
        return `${text}: kprobe has not started this container's server`;
      case 'nowhere': {
        const { after = 0, processes = [] } =
          evidence.find((each) => each.kind === 'listening') ?? {};
        const running =
          processes.length === 0 ? '' : ` (it runs ${listed(processes.map(shortened))})`;
        return `${text}: the program listens on no port ${formatSeconds(after)} after its start${running}`;
      }
      case 'unknown':
        if (mayListen === true) {
          return `no gRPC server without TLS answers on ${address}: not up yet, another port, another address, or another protocol`;
        }
        return declared === undefined
          ? `${text}: not up yet, another port, or another address`
          : `${text}; the container declares port ${declared.join(', ')}`;
    }
  },
  wrongPort: (fault, evidence) => {
    const ports = listed(fault.listens.map(({ port }) => `port ${port}`));
    const trial = evidence.find((each) => each.kind === 'trial' && !each.isSuccess);
    if (fault.isRandom)
      return `nothing listens on port ${fault.port}; the program listens on another port at each start, now on ${ports}`;
    const other = trial?.kind === 'trial' ? `, which answers the probe with ${trial.result}` : '';
    return `nothing listens on port ${fault.port}; the program listens on ${ports}${fault.listens.length === 1 ? other : ''}`;
  },
  udpPort: (fault) =>
    `${fault.receives ? 'the program receives on' : 'the container declares'} port ${fault.port} as UDP, and nothing takes TCP connections there`,
  unixSocket: (fault) =>
    `nothing listens on ${fault.address}: the program listens on UNIX sockets only, which no probe uses (${listed(fault.sockets)})`,
  wrongAddress: (fault) =>
    `nothing listens on ${fault.address}; the program listens on ${socketsText(fault.listens)} only${fault.listens.some(({ address }) => address === '::') ? ', without IPv4' : ''}, and a kubelet dials the pod's address`,
  loopbackOnly: (fault) =>
    `it listens on ${socketsText(fault.listens)} only; in a pod the kubelet dials the pod's address`,
  portTaken: (fault) => fault.text,
  slowAnswer: ({ timeout, rising }, evidence) => {
    if (rising !== undefined) {
      return `answers get slower (${formatLatency(rising.from)}, later ${formatLatency(rising.to)}), and this one takes more than the timeout of ${timeout} s`;
    }
    const slowest = evidence.find((each) => each.kind === 'successes')?.slowest;
    const began = evidence.find((each) => each.kind === 'answer')?.began;
    const limit = `the timeout of ${timeout} s`;
    if (slowest !== undefined && slowest > 1000 * timeout) {
      return `the server needs ${formatLatency(slowest)} for its answer, and ${limit} is shorter`;
    }
    if (began !== undefined) {
      return `the answer began after ${formatLatency(began)}, but did not end within ${limit}`;
    }
    return `answers took up to ${formatLatency(slowest ?? 0)} before, and this one more than ${limit}`;
  },
  stalled: ({ timeout, process }, evidence) => {
    const before = evidence.find((each) => each.kind === 'successes');
    const quick =
      before === undefined || before.count === 0
        ? `no answer within the timeout of ${timeout} s`
        : `answers took at most ${formatLatency(before.slowest)} before, and then none came within ${timeout} s`;
    switch (process) {
      case 'stopped':
        return `${quick}: the process is stopped (SIGSTOP, or a debugger)`;
      case 'paused':
        return `${quick}: the container is paused`;
      case 'busy':
        return `${quick}: the process is busy, and does not come to answer`;
      default:
        return `${quick}: the server hangs`;
    }
  },
  noAnswer: ({ timeout, accepted }, evidence) => {
    const trial = evidence.find((each) => each.kind === 'trial');
    const limit =
      timeout === undefined ? 'timeoutSeconds (1 by default)' : `the timeout of ${timeout} s`;
    const longer = trial === undefined ? '' : `, nor within ${valueText(trial.to)} s`;
    switch (accepted) {
      case true:
        return `the server accepts the connection, but does not answer within ${limit}${longer}`;
      case false:
        return `the connection was not accepted within ${limit}${longer}`;
      case undefined:
        return `no answer within ${limit}${longer}`;
    }
  },
  unfinishedAnswer: (fault, evidence) => {
    const began = evidence.find((each) => each.kind === 'answer')?.began ?? 0;
    const what = fault.isStream ? 'the answer is a stream: it' : 'the answer';
    return `${what} began after ${formatLatency(began)}, and did not end within the timeout of ${fault.timeout} s`;
  },
  closedEarly: (fault, evidence) => {
    const how = fault.reset ? 'resets' : 'closes';
    const text =
      fault.after === 'nothing'
        ? `the server accepts the connection, and ${how} it without an answer`
        : `the server begins its answer, and ${how} the connection before the end`;
    return joined([text, successesText(evidence)]);
  },
  unknownHost: ({ host }) =>
    isOfCluster(host)
      ? 'the kubelet resolves host on its node, which does not know the Services of the cluster'
      : 'the host name does not resolve here; in a cluster it may',
  schemeMismatch: (fault) =>
    fault.speaks === 'HTTP'
      ? 'the port answers plain HTTP, the scheme is HTTPS'
      : 'the port answers TLS, the scheme is HTTP',
  clientCertificate: () => 'the server requires a client certificate, and probes have none',
  tlsRefused: (fault) => `the TLS handshake failed: ${shortened(fault.text)}`,
  notHTTP: ({ text = '' }) => `the port answers, but not in HTTP${text === '' ? '' : `: ${text}`}`,
  onlyHTTP2: () => 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1',
  redirect: ({ to, end, defaultPort }) => {
    const target = to === '' ? '' : ` to ${to}`;
    switch (end) {
      case 'circle':
        return `the path redirects in a circle${target}`;
      case 'otherHost':
        return `redirected${target}: the kubelet does not follow to another host, and counts it as a success`;
      case 'refused':
        return defaultPort === undefined
          ? `redirected${target}, where nothing listens`
          : `redirected${target}, which means port ${defaultPort}: nothing listens there`;
      case 'plainHTTP':
        return `redirected${target}, where the server answers plain HTTP`;
      case 'failed':
        return `redirected${target}, which does not answer as HTTP`;
    }
  },
  hostRejected: (fault) =>
    `the server rejects the Host header ${fault.host} (${fault.status}), which has the pod's address in a cluster`,
  noCredentials: (fault) =>
    `the server wants credentials (${fault.status}): a probe sends only those in httpHeaders`,
  forbidden: (fault) =>
    fault.text === ''
      ? 'the server denies access (403): a probe sends no credentials, and comes from the node'
      : `the server denies access (403): ${shortened(fault.text)}`,
  notFound: (fault) =>
    `the server answers, but has nothing at ${fault.path}${fault.text === '' ? '' : ` (${shortened(fault.text)})`}`,
  methodNotAllowed: () => 'the server does not accept a plain GET there',
  rateLimited: () => 'the server limits the rate of requests (429), those of probes too',
  headersRefused: (fault) =>
    fault.status === 431
      ? 'the server finds the headers of the request too large (431)'
      : 'the server has no answer that the Accept header allows (406)',
  successDown: (fault) =>
    `its answer says ${fault.state}, and counts as a success: a kubelet reads the status (${fault.status}) alone`,
  dependencyDown: (fault, evidence) => {
    const text = fault.text === '' ? '' : ` (${shortened(fault.text)})`;
    const parts = `${listed(fault.parts)} ${fault.parts.length === 1 ? 'is' : 'are'}`;
    return joined([`the answer says that ${parts} down${text}`, successesText(evidence)]);
  },
  errorAnswer: (fault, evidence) =>
    fault.isLogged === true
      ? `the program reports: ${shortened(fault.text)}${at(fault.at)}`
      : joined([`the answer says: ${shortened(fault.text)}`, successesText(evidence)]),
  statusOnly: (fault) =>
    fault.status === 502 || fault.status === 504
      ? 'a proxy answers, and the server behind it does not'
      : '',
  flapping: (_, evidence) => `${successesText(evidence)}, so its settings are right`,
  commandMissing: (fault) =>
    fault.exitCode === undefined
      ? `${fault.command} is not there: a probe's command has to be in the container's image`
      : `exit ${fault.exitCode}: ${fault.command}, or what it calls, is not in the image`,
  commandNotRunnable: ({ command, exitCode, lacks }) => {
    if (lacks !== undefined) return `${command} is there, but ${LACKS_TEXTS[lacks]}`;
    return exitCode === undefined
      ? `${command} may not be run`
      : `exit ${exitCode}: ${command}, or what it calls, was found, but could not be run`;
  },
  commandCanceled: () =>
    'the pod is being deleted, and its kubelet cancels the commands of probes then: Ready stays as it is (kubernetes/kubernetes#140881)',
  commandKilled: (_, evidence) =>
    evidence.some(({ kind }) => kind === 'oomKills')
      ? ''
      : 'exit 137: the command, or a program that it ran, was killed, by the system or with its container',
  commandSlow: (fault) =>
    fault.neverEnded === undefined
      ? `the command takes longer than the timeout of ${fault.timeout} s`
      : `the command has not ended within the timeout of ${fault.timeout} s in any attempt`,
  wordsAfterScript: (fault) =>
    `sh -c runs ${fault.script} alone: the words after it are arguments, and no part of it`,
  leftToShell: ({ name }) =>
    `env has no value of its own for $(${name}), so the kubelet leaves it to the shell, which runs ${name} as a command`,
  notExpanded: (fault) => `no shell reads the command, so ${listed(fault.words)} stays as it is`,
  quotedScript: () => 'sh -c takes the whole quoted line for the name of one program',
  bashOnly: (fault) => `sh does not know ${fault.word}, which is a word of bash`,
  commandFailed: (fault) => shortened(fault.text),
  notServing: () => 'the server answers that it is not serving',
  noHealthService: () => 'the server speaks gRPC, but has no grpc.health.v1.Health service',
  unknownService: (fault) =>
    fault.service === ''
      ? 'the health service knows no service without a name'
      : `the health service does not know the service ${fault.service}`,
  notPlainGrpc: (fault) =>
    fault.speaks === 'TLS'
      ? 'the server speaks TLS, and a gRPC probe without grpc.mode does not'
      : 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1',
  crashed: (fault) => `${fault.text}${at(fault.at)}`,
  silentCrash: (fault) =>
    fault.isReported ? 'its status has no message' : 'kprobe saw no output of it',
  completed: (fault) =>
    fault.mustRun
      ? 'its command ended with success, and a container with restartPolicy Always has to keep running'
      : fault.stays
        ? 'its command ended with success, and nothing restarts it: a pod is not ready while one of its containers has ended'
        : 'its command ended with success, and the policy restarts it',
  daemonized: ({ left, daemons }) => {
    const stay =
      daemons.length === 0 ? '' : ` (kprobe does not end ${listed(daemons.map(String))})`;
    return `its command ended, and left ${listed(left.map(shortened))} running in the background${stay}: a container ends with its first process`;
  },
  outOfMemory: ({ by, text = '' }) =>
    by === 'program' ? `it ran out of memory: ${shortened(text)}` : MEMORY_TEXTS[by],
  signalled: (fault) =>
    fault.signal === 'SEGV'
      ? 'a segmentation fault (SEGV) ended it'
      : fault.signal === 'KILL' || fault.signal === 'TERM'
        ? `something other than the kubelet sent ${fault.signal}${fault.exitCode === undefined ? '' : `, to it or to a program that it ran (exit code ${fault.exitCode})`}`
        : `the signal ${fault.signal} ended it${SIGNAL_MEANINGS[fault.signal] ?? ''}`,
  hookFailed: ({ hook, text }) =>
    withReason(`its ${hook} hook failed, so the kubelet killed it`, text),
  stoppedByKubelet: (fault) => fault.text,
  removedByOther: () => 'something other than the kubelet removed the container',
  reportedKill: (fault, evidence) => {
    const ago = evidence.find((each) => each.kind === 'kill')?.ago ?? 0;
    const failed = `the ${fault.by} probe failed when the kubelet last said why, ${age(ago)} ago`;
    return joined([failed, fault.fault && plainText(fault.fault, evidence)]);
  },
  unschedulable: (fault) => `no node takes it: ${fault.text}`,
  ignored: (fault) =>
    `no ${fault.field === 'nodeName' ? 'node' : 'scheduler'} ${fault.name} has taken it up: it does not run, or has another name`,
  hookRunning: () =>
    'its postStart hook has not ended: until then no probe runs, and the container is not ready',
  initRunning: () => 'an init container has to end before the next one starts',
  gate: (fault) =>
    `all containers are ready, and the condition ${fault.gate} of its readiness gate is not True`,
  schedulingGates: (fault) => `its scheduling gates are not removed: ${listed(fault.gates)}`,
  finalizers: (fault) =>
    `it is deleted and its containers have ended, but it still has the finalizer ${listed(fault.finalizers)}`,
  podFailed: (fault) => (fault.text === '' ? fault.reason : fault.text),
  mountFailed: (fault) => `the volume ${fault.volume} cannot be mounted: ${fault.text}`,
  configMissing: textOf,
  keyMissing: textOf,
  programMissing: textOf,
  programNotExecutable: textOf,
  runsAsRoot: textOf,
  imageName: textOf,
  imageMissing: textOf,
  imagePull: textOf,
  badConfig: textOf,
  startError: textOf,
};

const LACKS_TEXTS = {
  interpreter: 'not the interpreter that its first line (#!) names',
  lineEnds: 'its lines end in CRLF, which a shell reads as a part of their words',
} as const;

const MEMORY_TEXTS = {
  limit: 'it used more memory than its limit',
  system: 'the system killed it for lack of memory',
} as const;

const SIGNAL_MEANINGS: Readonly<Record<string, string>> = {
  ILL: ', at an instruction that the CPU does not have',
  BUS: ', at mapped memory with no space behind it',
};

function isOfCluster(host: string): boolean {
  return /\.svc\b|^[^.]+$/.test(host);
}

function plainText(fault: Fault, evidence: readonly Evidence[]): string {
  const write = FAULT_TEXTS[fault.kind] as (...facts: Parameters<typeof plainText>) => string;
  return write(fault, evidence);
}

function listed(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** `127.0.0.1:5000`, `[::1]:5000` */
function socketsText(sockets: readonly Socket[]): string {
  return listed(
    sockets.map(
      ({ address, port }) => `${address.includes(':') ? `[${address}]` : address}:${port}`,
    ),
  );
}

function successesText(evidence: readonly Evidence[]): string {
  const before = evidence.find((each) => each.kind === 'successes');
  if (before === undefined) return '';
  const times = before.count === 0 ? '' : ` ${counted(before.count, 'time')}`;
  return `it succeeded${times} in this run before`;
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

function valueText(value: FieldValue): string {
  if (typeof value !== 'object') return String(value);
  return value.map((header) => `${header.name}: ${header.value}`).join(', ');
}

type AdviceTexts = {
  readonly [Do in Advice['do']]: (advice: Extract<Advice, { readonly do: Do }>) => string;
};

const ADVICE_TEXTS: AdviceTexts = {
  bindAll: (advice) =>
    advice.family === 4
      ? 'Let the program listen on 0.0.0.0, all addresses'
      : 'Let the program listen on ::, all addresses of both families, or on 0.0.0.0',
  listenOnPort: (advice) =>
    `Let the program listen on port ${advice.port} of 0.0.0.0, all addresses`,
  startServer: (advice) =>
    `Start it, or map the port at which it listens with -p LOCAL:${advice.port}`,
  freePort: (advice) => {
    const what = advice.port === undefined ? 'the port' : `port ${advice.port}`;
    const holder = advice.by === undefined ? '' : `, which ${advice.by} of the same pod has`;
    return `Free ${what}${holder}, or let the program listen on another one`;
  },
  fixProgram: (advice) =>
    advice.at === undefined
      ? 'Fix the program, or its command, args and env'
      : `Fix what the error names, or the program at ${advice.at}`,
  fixCheck: ({ field, worked }) =>
    `Fix what the command checks${worked ? ': it has succeeded in this run' : `, or correct ${field}`}`,
  fixAnswer: ({ probe, passes, isSilent }) => {
    const fix = isSilent ? 'Find out why the program answers so' : 'Fix what the answer names';
    if (passes === true) return `${fix}, or raise ${probe}Probe.failureThreshold if it passes`;
    return FIX_ANSWER[probe] ?? `${fix}; no field of the probe is wrong`;
  },
  sendInput: ({ field, isHeader, name }) =>
    isHeader
      ? `Set the header ${name} in ${field}.httpGet.httpHeaders, or probe a path that needs none`
      : `Add ?${name}=… to ${field}.httpGet.path, or probe a path that needs none`,
  splitCommand: (advice) =>
    `Make each word an element of ${advice.field}, or run the line with sh -c: no shell reads it`,
  joinScript: (advice) => `Make all words after -c one element of ${advice.field}`,
  unquote: (advice) => `Remove the quotes around the line in ${advice.field}`,
  expand: ({ field, word }) => {
    const variable = word.includes('$') ? ', or write $(NAME) for a variable of env' : '';
    const path = word.startsWith('~') ? ', or write the whole path' : '';
    return `Run the line of ${field} with sh -c${variable}${path}`;
  },
  readInShell: ({ name }) =>
    `Set ${name} in env to a value, or write $${name}, which the shell reads`,
  setVariable: (advice) =>
    advice.name === undefined
      ? 'Set the variable that it reads in env, or correct its name'
      : `Correct the variable ${advice.name} in env, or provide what it names`,
  provide: (advice) => PROVISION_TEXTS[advice.what],
  addToVolume: (advice) =>
    `Add the file to the volume at ${advice.path}, which hides what the image has there, or mount that elsewhere`,
  runWithBash: (advice) => `Run the line of ${advice.field} with bash, or write it for sh`,
  runByHand: (advice) => `Run ${advice.command} in the container to see what it writes`,
  correctHost: () => 'Correct the host name, or create what it names, such as a Service',
  addStartupProbe: () => 'Add a startupProbe if it needs longer to start',
  execOrTcpPort: (advice) =>
    `Use ${advice.field}.exec, or a TCP port that shows the server's health`,
  keepRunning: ({ isBeside }) =>
    isBeside
      ? 'Make it an init container, or run a command that does not end'
      : 'Run a command that does not end, or make it a Job',
  foreground: (advice) =>
    advice.program === 'nginx'
      ? "Run nginx in the foreground: nginx -g 'daemon off;'"
      : 'Run the server in the foreground (often an option such as --no-daemon)',
  lessMemory: (advice) =>
    advice.field
      ? 'Raise resources.limits.memory, or use less memory'
      : 'Give the program more memory by its options, or let it use less',
  resume: (advice) =>
    advice.is === 'paused'
      ? 'Unpause the container: docker unpause, podman unpause'
      : 'Let the process go on: kill -CONT, or end the debugger',
  tolerate: (advice) =>
    advice.process === 'busy'
      ? `Move the work out of the way of requests, or raise ${advice.field}.failureThreshold; a longer timeout does not help`
      : `Raise ${advice.field}.failureThreshold if that passes; a longer timeout does not help`,
  findWait: () =>
    'Find what its threads wait for, such as a lock or a call without a timeout of its own; a longer timeout does not help',
  answerBadStatus: (advice) => `Let the path of ${advice.field} answer 503 then`,
  shortAnswer: (advice) =>
    `Let ${advice.field}.httpGet.path name one that answers at once and ends`,
  allowHost: (advice) =>
    `Let the server accept any Host header there, or set one that it accepts in ${advice.field}.httpGet.httpHeaders`,
  moreCPU: () => 'Raise resources.limits.cpu, or let it need less',
  noLimit: (advice) =>
    `Take the path of ${advice.field} out of the limit, or raise ${advice.field}.periodSeconds`,
  credentials: (advice) =>
    `Set ${advice.field}.httpGet.httpHeaders, or serve the path without credentials`,
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
  executable: () => 'Make the program executable (chmod +x)',
  loadImage: () => 'Load the image onto the node, or set imagePullPolicy to IfNotPresent',
  pullSecrets: (advice) =>
    advice.or === 'image'
      ? 'Correct image, or add imagePullSecrets for its registry'
      : 'Add imagePullSecrets for its registry, which limits how often images are pulled, or wait',
  hook: (advice) =>
    advice.hook === 'postStart'
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
  setCondition: (advice) =>
    `Let the controller that ${advice.gate} belongs to set it, or remove the gate`,
  removeEntry: (advice) =>
    `Let the controller that ${advice.entry} belongs to remove it, or take it out of ${advice.field}`,
};

const SCHEDULE_WAYS: Readonly<Record<ScheduleWay, string>> = {
  request: 'lower resources.requests',
  device: 'add a node that has it, or take it out of resources.limits',
  port: 'set a hostPort that a node has free, or none',
  label: 'correct nodeSelector and affinity, or label a node',
  taint: 'add a toleration of the taint',
  cordon: 'uncordon a node',
  spread: 'correct podAffinity, podAntiAffinity and topologySpreadConstraints',
  volume: 'use a volume that such a node can reach',
  claim: 'see why its PersistentVolumeClaim is not bound (kubectl describe pvc)',
};

function adviceText(advice: Advice): string {
  const write = ADVICE_TEXTS[advice.do] as (advice: Advice) => string;
  return write(advice);
}

const OBJECT_ELSE: Partial<Readonly<Record<ObjectKind, string>>> = {
  PersistentVolumeClaim: 'correct claimName',
  ServiceAccount: 'correct serviceAccountName',
};

const PROVISION_TEXTS: Readonly<Record<Provision, string>> = {
  kernel: "Raise that limit of the node's kernel (sysctl)",
  space: 'Give the volume to which it writes more space, such as emptyDir.sizeLimit',
  writableFolder: 'Mount a volume, such as an emptyDir, where it writes',
  files: 'Let it close files and connections, or raise its limit of open files (ulimit -n)',
  lineEnds: 'Save the script with line ends of Unix (LF)',
  lowPort: 'Let it listen on a port from 1024 on, or add the capability NET_BIND_SERVICE',
  access: 'Give its user access: securityContext.runAsUser and fsGroup, or the mode of the file',
  user: 'Set securityContext.runAsUser to a user other than 0',
  module: 'Add the module or library to the image, or correct its name',
  credentials: 'Correct the credentials that it reads, such as those of a Secret',
  trust: "Give it the CA of its peer's certificate, or renew that certificate",
  pem: 'Give it the certificate and the key in PEM form, such as those of a Secret of type kubernetes.io/tls',
  dataVersion: 'Use an image of the version that has written its data, or migrate them',
  connections:
    'Let it give connections back after use, or raise the limit of the pool or of its peer',
  peer: 'Start what it connects to, or correct the address that it reads',
  leftover: 'Let its command remove what an earlier run has left on the volume',
  license: 'Give it a license that is valid, such as in a Secret',
  lock: 'End what holds the lock, or remove the lock if an earlier run has left it',
  shellTest: 'Write = in place of == in its tests, and quote their variables',
  value: 'Correct the value that it reads there, such as one of env or args: its form is wrong',
  plainPort: 'Probe a port on which the server does not expect the PROXY protocol',
  noProxy:
    'Name the host in no_proxy, or remove the variable of the proxy (http_proxy, https_proxy)',
  capability:
    'Add the capability that it needs to securityContext.capabilities.add (CHOWN for chown), or let it do without',
  runtime: 'Use an image with the version of the runtime or library that the error asks for',
  schema: 'Create it there, such as by a migration, or correct its name',
  subPath:
    'Correct subPath, or the keys of its volume: a name that the volume lacks is mounted as a folder',
  noServiceLink: 'Set enableServiceLinks to false: a Service has set the variable that it reads',
  serviceVariable:
    'Set the variable in env: in a cluster it comes from a Service that is older than the pod, and here from nothing',
  interpreter:
    'Save the script with line ends of Unix (LF), or add its interpreter (#!) to the image; for a binary, its C library',
  mode: 'Give the file or folder the mode that the error asks for: defaultMode of its volume, or chmod before the start',
  file: 'Add the file to the image or mount it, or correct its path',
  cpu: 'Use an image that is built for the CPU of the node',
  format: 'Use an image that is built for the CPU of the node, or begin the script with #!',
};

const CORRECT_OR = {
  serve: '',
  image: ', or add the program to the image',
  plainPort: ', or map it to a port',
  remove: ", or remove it: the default is the pod's address",
  args: ': it replaces the entrypoint of the image, to which args gives arguments',
  answer: ', or what the server answers',
  tcp: ', or use tcpSocket if that is for another protocol',
  entrypoint: ', or set command: the image has no entrypoint, so that args[0] is the program',
} as const;

const FIX_ANSWER: Readonly<Partial<Record<ProbeType, string>>> = {
  startup: 'If it needs longer to start, raise startupProbe.failureThreshold',
  liveness: 'If a restart cannot fix that, check it in readinessProbe instead',
};

/** `app`, or `app/readiness` */
export function outlookSubject({ container, probe }: Pick<Outlook, 'container' | 'probe'>): string {
  return probe === undefined ? container : `${container}/${probe}`;
}

export function outlookText({ step, probe }: Outlook): string {
  switch (step.kind) {
    case 'retryStart':
      return retryText(step.pulls);
    case 'waitsFor':
      return `waits for ${step.container}`;
    case 'hook':
      return `${step.hook} hook is running`;
    case 'ifEnded':
      return `if it ends now, restarted after a back-off of ${countdown(step.delay)}, ${spanText(step.in)}`;
    case 'preStop':
      return 'preStop hook is running, then TERM';
    case 'stopping':
      return `TERM sent; KILL ${inSeconds(step.killIn)} if it still runs, ${nextStartText(step.start)}`;
    case 'ended':
      return startText(
        step.start,
        'the kubelet starts it again',
        'stays ended: it is not restarted',
      );
    case 'backOff':
      return `CrashLoopBackOff of ${countdown(step.delay)}; starts again ${spanText(step.in)}`;
    case 'errors':
      return `errors don't count: ${unchangedText(probe, step.stands)} until an attempt gives a result`;
    case 'turn':
      return turnText(step, probe);
  }
}

export function retryText(pulls: boolean): string {
  return pulls
    ? 'the kubelet pulls again after a back-off of 10 s, which grows to 300 s'
    : 'the kubelet tries again every 10 – 16 s';
}

function turnText(step: Extract<NextStep, { kind: 'turn' }>, probe: ProbeType | undefined): string {
  const when = step.in.to === undefined ? `earliest ${inSeconds(step.in.from)}` : spanText(step.in);
  return `${inRow(step.to, step.needed, step.begun)}, ${when} → ${effectText(step, probe)}`;
}

function effectText(
  { to, kill }: Extract<NextStep, { kind: 'turn' }>,
  probe: ProbeType | undefined,
): string {
  if (probe === 'readiness') {
    return to === 'success'
      ? 'ready, Services send traffic'
      : 'not ready, Services send no traffic';
  }
  if (kill === undefined) return 'started, the other probes begin';
  const killed = kill.simulated ? 'killed (simulated)' : `killed with TERM, ${kill.grace} s grace`;
  return `${killed}, ${nextStartText(kill.start)}`;
}

const STARTED_BY: Readonly<Record<RestartedBy, string>> = {
  engine: 'its engine starts it again, by its restart policy',
  cluster: "the cluster's kubelet starts it again",
  user: 'kprobe goes on once it is started',
};

/** Says how a container starts after a future end. */
function nextStartText(start: NextStart): string {
  return startText(start, 'then restarted', 'then not restarted');
}

function startText(start: NextStart, restarted: string, notRestarted: string): string {
  switch (start.kind) {
    case 'none':
      return notRestarted;
    case 'atOnce':
      return `${restarted} at once`;
    case 'byOther':
      return STARTED_BY[start.by];
    case 'after':
      return `${restarted} after a back-off of ${countdown(start.delay)}, ${spanText(start.in)}`;
  }
}

/** The earliest and the latest time of something. */
export function spanText({ from, to = from }: Span): string {
  return inRange(from, to);
}

function unchangedText(type: ProbeType | undefined, stands: Result): string {
  switch (type) {
    case 'startup':
      return stands === 'success' ? 'stays started' : 'neither started nor restarted';
    case 'readiness':
      return stands === 'success' ? 'stays ready' : 'stays unready';
    default:
      return 'not restarted';
  }
}

/** `1 success`, `3 failures in a row`; with `more`, `2 more failures`. */
export function inRow(result: 'success' | 'failure', count: number, more = false): string {
  const many = result === 'success' ? 'successes' : 'failures';
  if (more) return counted(count, `more ${result}`, `more ${many}`);
  return counted(count, result, `${many} in a row`);
}

/** An event of a kubelet in words. */
export interface EventMeaning {
  /** The event's reason, such as `Unhealthy`. */
  readonly reason: string;
  /** Describes the event. */
  readonly meaning: string;
  /** The reason, as far as the text shows it. */
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

/** The meaning of the text itself, where no rule knows more. */
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
  const row =
    isKnown && failureThreshold === 1 ? 'After one failure' : `After ${failures} failures in a row`;
  return `${row}, ${RESULTS[probe]}.`;
}

const TRIES_AGAIN = 'The kubelet tries again.';

type KubeletFacts = Exclude<EventFacts, { kind: 'attempt' }>;
type Meaning = Omit<EventMeaning, 'reason'>;
type EventTexts = {
  readonly [Kind in KubeletFacts['kind']]: (
    message: Extract<KubeletFacts, { readonly kind: Kind }>,
  ) => Meaning;
};

const EVENT_TEXTS: EventTexts = {
  killed: (message) => {
    const { probe, container, restarts } = message;
    return {
      meaning: `The ${probe} probe of ${container} failed failureThreshold times in a row (3 by default).`,
      cause: 'the Unhealthy events before this one say why: explain them with --event',
      change:
        probe === 'liveness'
          ? 'If a restart cannot fix the cause, check it in readinessProbe instead'
          : 'If it needs longer to start, raise startupProbe.failureThreshold',
      next: `The kubelet stops the container: preStop hook, TERM, and KILL at the end of the grace period; ${restarts ? 'then it starts a new one' : 'restartPolicy keeps it from a restart'}.`,
    };
  },
  definitionChanged: (message) => ({
    meaning: `The container ${message.container} was changed in the pod's spec, such as its image: the kubelet replaces it.`,
  }),
  stopping: (message) => ({
    meaning: `The kubelet stops ${message.container}, because the pod is deleted, evicted or finished. No probe of it has failed.`,
    next: 'The preStop hook runs, then TERM, and KILL at the end of the grace period.',
  }),
  backOff: (message) => {
    const { container, delay } = message;
    return {
      meaning: `${container ?? 'A container'} has ended again and again: the kubelet waits ${delay === undefined ? '' : `${delay} `}before it starts it (CrashLoopBackOff).`,
      cause: 'it exits by itself, or a probe has it killed: a Killing event says that',
      change: `Read the output of the run before: kubectl logs POD ${container === undefined ? '' : `-c ${container} `}--previous`,
      next: 'The delay doubles from 10 s up to 5 minutes, and is forgotten after 10 minutes without a restart.',
    };
  },
  imageNeverPull: (message) => imageText(message),
  imageName: (message) => imageText(message),
  imagePull: (message) => imageText(message),
  hookFailed: (message) => {
    const { hook, text } = message;
    return {
      meaning: `The ${hook} hook of a container failed.`,
      cause: text === '' ? 'the event leaves out why; the log of the kubelet has it' : text,
      change: adviceText({ do: 'hook', hook }),
      next:
        hook === 'postStart'
          ? 'The kubelet kills the container, and restarts it as restartPolicy says.'
          : 'The kubelet goes on: TERM, and KILL at the end of the grace period.',
    };
  },
  hookFallback: (message) => ({
    meaning: `A lifecycle hook asks ${message.host} by HTTPS, which answers plain HTTP: the kubelet has asked again by HTTP, and that succeeded.`,
    change: "Set the hook's httpGet.scheme to HTTP",
  }),
  mount: (message) => {
    const { volume, text } = message;
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
    change:
      'Look at the container runtime and the network plugin of the node; the manifest is rarely wrong',
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
  evicted: ({ resource }) => ({
    meaning: `The node has too little ${resource}: the kubelet ends the pod, which has failed. No probe of it has failed.`,
    change: adviceText({ do: 'request', resource }),
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
  startFailed: (message) => {
    const { text, isConfig } = message;
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

function kubeletEventText(message: KubeletFacts): Meaning {
  const write = EVENT_TEXTS[message.kind] as (message: KubeletFacts) => Meaning;
  return write(message);
}

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

function sentence(text: string): string {
  return `${sentenceStart(text)}.`;
}

function sentenceStart(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
