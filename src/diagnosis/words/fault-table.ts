import { counted } from '../../text/count.js';
import { age, formatLatency, formatSeconds } from '../../text/duration.js';
import type { Evidence, Fault, FaultOf } from '../fault.js';
import { valueText } from './change-text.js';
import { atPlace, joined, listed, shortened, socketsText, withReason } from './parts.js';

/** The sentence of a fault alone, without its evidence of other kinds. */
export function plainText(fault: Fault, evidence: readonly Evidence[]): string {
  const write = FAULT_TEXTS[fault.kind] as (...facts: Parameters<typeof plainText>) => string;
  return write(fault, evidence);
}

type FaultTexts = {
  readonly [Kind in Fault['kind']]: (fault: FaultOf<Kind>, evidence: readonly Evidence[]) => string;
};

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
    if (fault.earlier !== undefined)
      return `nothing listens on port ${fault.port}; the program listens on ${ports}, and in an earlier run on port ${listed(fault.earlier.map(String))}`;
    const other = trial?.kind === 'trial' ? `, which answers the probe with ${trial.result}` : '';
    const variable = fault.variable ? `, and does not take its port from ${fault.variable}` : '';
    return `nothing listens on port ${fault.port}; the program listens on ${ports}${fault.listens.length === 1 ? other : ''}${variable}`;
  },
  udpPort: (fault) =>
    `${fault.receives ? 'the program receives on' : 'the container declares'} port ${fault.port} as UDP, and nothing takes TCP connections there`,
  unixSocket: (fault) =>
    `nothing listens on ${fault.address}: the program listens on UNIX sockets only, which no probe uses (${listed(fault.sockets)})`,
  wrongAddress: (fault) =>
    `nothing listens on ${fault.address}; the program listens on ${socketsText(fault.listens)} only${fault.listens.some(({ address }) => address === '::') ? ', without IPv4' : ''}, and a kubelet dials the pod's address`,
  loopbackOnly: (fault) =>
    `it listens on ${socketsText(fault.listens)} only; in a pod the kubelet dials the pod's address`,
  otherFamily: ({ listens }) =>
    `the command is refused at ${listens.every(({ address }) => address === '::1') ? '127.0.0.1' : '::1'}, as localhost may be read; the program listens on ${socketsText(listens)} only`,
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
  stalled: ({ timeout, process, isLone }, evidence) => {
    const before = evidence.find((each) => each.kind === 'successes');
    const quick =
      before === undefined || before.count === 0
        ? `no answer within the timeout of ${timeout} s`
        : `answers took at most ${formatLatency(before.slowest)} before, and then none came within ${timeout} s`;
    switch (process) {
      case 'stopped':
      case 'paused':
        return `${quick}: ${STILL_TEXTS[process]}`;
      case 'busy':
        return `${quick}: the process is busy, and does not come to answer`;
      default:
        return isLone ? quick : `${quick}: the server hangs`;
    }
  },
  noAnswer: ({ timeout, accepted, later }, evidence) => {
    const trials = evidence.filter((each) => each.kind === 'trial');
    const trial = trials.find(({ field }) => field.endsWith('.timeoutSeconds'));
    const limit =
      timeout === undefined ? 'timeoutSeconds (1 by default)' : `the timeout of ${timeout} s`;
    const longer =
      trial === undefined || trial.isSuccess ? '' : `, nor within ${valueText(trial.to)} s`;
    const withSuccesses = (text: string): string =>
      joined([`${text}${longer}`, successesText(evidence)]);
    if (later !== undefined)
      return `the server does not answer within ${limit}; with more time: ${later}`;
    switch (accepted) {
      case true:
        return withSuccesses(
          `the server accepts the connection, but does not answer within ${limit}`,
        );
      case false:
        return withSuccesses(`the connection was not accepted within ${limit}`);
      case undefined:
        return withSuccesses(`no answer within ${limit}`);
    }
  },
  unfinishedAnswer: (fault, evidence) => {
    const began = evidence.find((each) => each.kind === 'answer')?.began ?? 0;
    const what = fault.isStream ? 'the answer is a stream: it' : 'the answer';
    const open = fault.isOpen
      ? ': it has no Content-Length, so that it lasts as long as its connection'
      : '';
    return `${what} began after ${formatLatency(began)}, and did not end within the timeout of ${fault.timeout} s${open}`;
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
  badHTTP: ({ text }) => `the answer breaks the rules of HTTP: ${shortened(text)}`,
  onlyHTTP2: () => 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1',
  redirect: ({ to, end, defaultPort }) => {
    const target = to === '' ? '' : ` to ${to}`;
    switch (end) {
      case 'circle':
        return `the path redirects in a circle${target}`;
      case 'otherHost':
        return to === ''
          ? 'the answer is a redirect that the kubelet does not follow, and counts as a success'
          : `redirected${target}: the kubelet does not follow to another host, and counts it as a success`;
      case 'refused':
        return defaultPort === undefined
          ? `redirected${target}, where nothing listens`
          : `redirected${target}, which means port ${defaultPort}: nothing listens there`;
      case 'plainHTTP':
        return `redirected${target}, where the server answers plain HTTP`;
      case 'notFound':
        return `redirected${target}, where the server has nothing (404)`;
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
  rateLimited: ({ status }) =>
    `the server limits the rate of requests (${status}), those of probes too`,
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
      ? `the program reports: ${shortened(fault.text)}${atPlace(fault.at)}`
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
  notExpanded: ({ words, isField }) =>
    `${isField ? 'the kubelet replaces no variables there' : 'no shell reads the command'}, so ${listed(words)} stays as it is`,
  quotedScript: () => 'sh -c takes the whole quoted line for the name of one program',
  splitRedirection: () => 'its shell reads 2&1 as the end of a command, and a command 1',
  bashOnly: (fault) => `sh does not know ${fault.word}, which is a word of bash`,
  commandFailed: (fault) => shortened(fault.text),
  notServing: (_, evidence) =>
    joined(['the server answers that it is not serving', successesText(evidence)]),
  noHealthService: () => 'the server speaks gRPC, but has no grpc.health.v1.Health service',
  unknownService: (fault) =>
    fault.service === ''
      ? 'the health service knows no service without a name'
      : `the health service does not know the service ${fault.service}`,
  notPlainGrpc: ({ speaks }) => {
    if (speaks === 'HTTP/2') return 'the server answers HTTP/2, but not as a gRPC server does';
    return speaks === 'TLS'
      ? 'the server speaks TLS, and a gRPC probe without grpc.mode does not'
      : 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1';
  },
  crashed: ({ text, at, isLast }) => `${isLast ? 'its last line: ' : ''}${text}${atPlace(at)}`,
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
  signalledBefore: ({ signal }) =>
    `${signal} ended it before this watch, from the kubelet (after a failed probe) or something else`,
  cpuUsedUp: ({ seconds }) =>
    `KILL ended it, perhaps from the system: its limit of CPU time is ${seconds} s (ulimit -t)`,
  engineSignal: ({ signal, engine }) =>
    `somebody had ${engine} send it ${signal} (${engine} kill, ${engine} stop or ${engine} rm -f)`,
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
  ignored: ({ field, name }) =>
    field === 'resourceClaims'
      ? `its scheduler waits, perhaps for the ResourceClaim or the template of ${name}`
      : field === 'volumes'
        ? `its scheduler waits, perhaps for the PersistentVolumeClaim ${name} to be bound`
        : `no ${field === 'nodeName' ? 'node' : 'scheduler'} ${name} has taken it up: it does not run, or has another name`,
  hookRunning: ({ process }) =>
    joined([
      'its postStart hook has not ended: until then no probe runs, and the container is not ready',
      process && STILL_TEXTS[process],
    ]),
  initRunning: ({ process }) =>
    joined([
      'an init container has to end before the next one starts',
      process && STILL_TEXTS[process],
    ]),
  gate: ({ gate, text = '' }) =>
    withReason(
      `all containers are ready, and the condition ${gate} of its readiness gate is not True`,
      text,
    ),
  schedulingGates: (fault) => `its scheduling gates are not removed: ${listed(fault.gates)}`,
  finalizers: (fault) =>
    `it is deleted and its containers have ended, but it still has the finalizer ${listed(fault.finalizers)}`,
  slowStop: ({ among }, evidence) =>
    among
      ? `it is deleted, and its containers have not all ended: ${listed(among)}`
      : evidence.length === 0
        ? 'it has not ended yet'
        : '',
  podFailed: (fault) => (fault.text === '' ? fault.reason : fault.text),
  disrupted: textOf,
  sandboxFailed: (fault) => `its sandbox cannot be made: ${fault.text}`,
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

function textOf({ text }: { readonly text: string }): string {
  return text;
}

const STILL_TEXTS = {
  stopped: 'the process is stopped (SIGSTOP, or a debugger)',
  paused: 'the container is paused',
} as const;

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
  XCPU: ': it has used the CPU time that a limit allows it',
  XFSZ: ': it has written more to a file than a limit allows',
};

function isOfCluster(host: string): boolean {
  return /\.svc\b|^[^.]+$/.test(host);
}

function successesText(evidence: readonly Evidence[]): string {
  const before = evidence.find((each) => each.kind === 'successes');
  if (before === undefined) return '';
  const times = before.count === 0 ? '' : ` ${counted(before.count, 'time')}`;
  return `it succeeded${times} in this run before`;
}
