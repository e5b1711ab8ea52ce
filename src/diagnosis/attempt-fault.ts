import type { Peer } from '../kubelet/ports.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';
import { oneLine } from './answer.js';
import {
  type AttemptContext,
  type EndedAttempt,
  found,
  isYoung,
  lastLine,
  listeningIn,
  listeningPorts,
  processTrials,
  programOutput,
  provenChanges,
  provenOr,
  repeatedLine,
  type Rule,
  successesBefore,
  trialOf,
  writtenEvidence,
} from './attempt-context.js';
import { type Advice, advise } from './change.js';
import { type Evidence, type EvidenceOf, type Fault, type Finding, provenChange } from './fault.js';
import { programError, reportedError } from './output/program-output.js';
import {
  closedEarly,
  httpStatus,
  literalVariable,
  redirected,
  wrongProtocol,
} from './rules/answer-rules.js';
import {
  commandAtWrongPort,
  commandCannotRun,
  commandFailed,
  commandRefused,
  commandSlow,
  scriptMisread,
  wordsMisread,
} from './rules/command-rules.js';
import { isQuiet, refused, unknownHost, unknownPortName } from './rules/connection-rules.js';
import { LIMIT_REACHED } from './rules/surrounding-patterns.js';
import { timedOut } from './rules/timeout-rules.js';
import { errorAdvice, isOfCheck, surroundingAdvice, waitAdvice } from './surroundings.js';
import { answerOfCommand, OF_COMMAND, trialsFor } from './trials.js';

export function attemptFault(
  { container, probe }: { readonly container: ContainerView; readonly probe: ProbeView },
  attempt: EndedAttempt,
): Finding | undefined {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined || (attempt.result === 'success' && attempt.error === undefined)) {
    return undefined;
  }
  const body = new TextDecoder().decode(attempt.detail?.body);
  const response = attempt.detail?.response ?? '';
  const field = `${probe.type}Probe`;
  const context: AttemptContext = { container, probe, spec, attempt, body, response, field };
  for (const find of ATTEMPT_RULES) {
    const finding = find(context);
    if (finding === undefined) continue;
    const late = lateness(attempt);
    const certainty = late.length === 0 ? finding.certainty : 'possible';
    const evidence = [...withTrials(context, finding), ...throttling(context, finding), ...late];
    const silent = withWritten(context, { ...finding, certainty, evidence });
    return withYouth(context, withLimit(withPeers(context, silent)));
  }
  return undefined;
}

/** A timeout proves nothing about the server when kprobe itself was late. */
function lateness({ reason, late }: EndedAttempt): readonly Evidence[] {
  return reason !== 'timeout' || late === undefined ? [] : [{ kind: 'late', by: late }];
}

/** Shares of CPU periods from which on a limit may explain a timeout, and explains a slow program. */
const MAY_EXPLAIN = 0.1;
const EXPLAINS = 0.5;

function throttling(context: AttemptContext, { fault }: Finding): readonly Evidence[] {
  const { throttled: share = 0 } = listeningIn(context) ?? {};
  const isTimeout = context.attempt.reason === 'timeout' && share >= MAY_EXPLAIN;
  const isSlowStart = fault.kind === 'notListening' && share >= EXPLAINS;
  return isTimeout || isSlowStart ? [{ kind: 'throttled', share }] : [];
}

function withLimit(finding: Finding): Finding {
  const { evidence, changes } = finding;
  const isLimited = evidence.some((each) => each.kind === 'throttled' && each.share >= EXPLAINS);
  if (!isLimited || isExplained(finding)) return finding;
  return { ...finding, changes: [...advise({ do: 'moreCPU' }), ...changes] };
}

/** Reports whether the program has reported an error, or repeats a line, or a change has been shown to help. */
function isExplained(finding: Finding): boolean {
  const isReported = finding.evidence.some(
    (each) => each.kind === 'written' && each.ago === undefined,
  );
  return isReported || provenChange(finding) !== undefined;
}

/** A peer that refuses a young program may be as young. */
function withYouth(context: AttemptContext, finding: Finding): Finding {
  if (!isYoung(context)) return finding;
  const changes = finding.changes.map((change) =>
    change.kind === 'advice' &&
    change.advice.do === 'provide' &&
    ['peer', 'acceptTraffic'].includes(change.advice.what)
      ? ({ kind: 'advice', advice: { ...change.advice, isYoung: true } } as const)
      : change,
  );
  return { ...finding, changes };
}

/** Adds the attempts that were made to find what helps against the fault. */
function withTrials(context: AttemptContext, { fault, evidence }: Finding): readonly Evidence[] {
  const { container, spec, field } = context;
  const inProcess = processTrials(context);
  // The settings of a probe that has succeeded are right.
  if (inProcess.length === 0 || evidence.some(({ kind }) => kind === 'successes')) return evidence;
  const trials = trialsFor(fault, spec, container.spec, listeningPorts(listeningIn(context)));
  const made = trials.flatMap((planned): readonly Evidence[] => {
    const name = `${field}.${planned.field}`;
    const ofCommand = inProcess.findLast((trial) => trial.field === name);
    const trial = planned.field === OF_COMMAND ? ofCommand : trialOf(context, name, planned.to);
    const { to, result, word } = trial ?? {};
    if (to === undefined || result === undefined || word === undefined) return [];
    return [{ kind: 'trial', field: name, to, isSuccess: result === 'success', result: word }];
  });
  return [...evidence, ...made];
}

/** Adds to a failure of a command what the log says: an error since its success, or what the program waits for. */
function withLog({ container, attempt }: AttemptContext, finding: Finding): Finding {
  const { evidence, changes } = finding;
  const output = programOutput(container, attempt);
  const hasSucceeded = evidence.some(({ kind }) => kind === 'successes');
  const { text, at } = (hasSucceeded && reportedError(output)) || {};
  if (text !== undefined) {
    return { ...finding, evidence: [...evidence, { kind: 'written', text: oneLine(text), at }] };
  }
  const [first] = changes;
  const isGeneral = first?.kind === 'advice' && first.advice.do === 'fixCheck';
  const repeated = isGeneral ? repeatedLine(output) : undefined;
  const cure = repeated && waitAdvice(repeated.text, container.spec);
  if (repeated === undefined || cure === undefined) return finding;
  return { ...finding, evidence: [...evidence, repeated], changes: advise(cure) };
}

/** Adds what the program wrote, where its server gives no answer that could say more. */
function withWritten(context: AttemptContext, finding: Finding): Finding {
  const { fault, changes } = finding;
  const { spec } = context.container;
  if (fault.kind === 'commandFailed') {
    const advice = surroundingAdvice(fault.text, spec);
    if (advice !== undefined && !isOfCheck(advice)) return { ...finding, changes: advise(advice) };
    const cure = commandAnswerAdvice(context, finding);
    return withLog(context, cure === undefined ? finding : { ...finding, changes: advise(cure) });
  }
  const isAbsent =
    (fault.kind === 'notListening' && fault.program !== 'starting') ||
    (fault.kind === 'statusOnly' && fault.isReported);
  if (fault.kind === 'wrongPort' && changes.length === 0) return withLastLine(context, finding);
  if (!isAbsent && !SILENT.has(fault.kind)) return finding;
  const { oomKills } = listeningIn(context) ?? {};
  if (oomKills !== undefined) {
    const of = spec.resources?.limits?.['memory'] === undefined ? 'system' : 'limit';
    const evidence = [...finding.evidence, { kind: 'oomKills', count: oomKills } as const];
    const change = advise({ do: 'lessMemory', of });
    return { ...finding, certainty: 'likely', evidence, changes: change };
  }
  const written = writtenEvidence(context, isAbsent) ?? limitReached(context);
  if (written === undefined) return finding;
  const isError = written.at !== undefined;
  const adviceOf = written.times === undefined ? surroundingAdvice : waitAdvice;
  const advice = isError ? errorAdvice(written, spec) : adviceOf(written.text, spec);
  return withText(finding, written, advice);
}

/** Adds a text, and before the changes the advice for it. */
function withText(
  finding: Finding,
  written: EvidenceOf<'written'>,
  advice: Advice | undefined,
): Finding {
  const { evidence, changes } = finding;
  const first = advice === undefined ? [] : advise(advice);
  return { ...finding, evidence: [...evidence, written], changes: [...first, ...changes] };
}

/** Adds the last line of a program that has opened another port alone, and may wait for something. */
function withLastLine({ container, attempt }: AttemptContext, finding: Finding): Finding {
  const written = lastLine(container, attempt, attempt.endedAt);
  if (written === undefined) return finding;
  const { fault } = finding;
  const listen =
    fault.kind === 'wrongPort' ? ({ do: 'listenOnPort', port: fault.port } as const) : undefined;
  return withText(finding, written, waitAdvice(written.text, container.spec) ?? listen);
}

/** Returns the advice for what the URL of a command answers, which the command hides. */
function commandAnswerAdvice(
  { probe, field, container }: AttemptContext,
  { evidence }: Finding,
): Advice | undefined {
  const { result: answer = '' } = answerOfCommand(evidence) ?? {};
  if (answer.startsWith('404')) {
    return { do: 'correct', fields: [`the path of the URL in ${field}.exec.command`] };
  }
  if (/^2\d\d/.test(answer)) return { do: 'fixCheck', field: `${field}.exec.command` };
  if (!/^5\d\d/.test(answer)) return undefined;
  const advice = probe.type === 'liveness' ? undefined : surroundingAdvice(answer, container.spec);
  return advice ?? { do: 'fixAnswer', probe: probe.type };
}

/** Adds the servers for which a program may wait that gives no answer, or does not listen; what it reported counts more. */
function withPeers(context: AttemptContext, finding: Finding): Finding {
  const { fault, evidence, changes } = finding;
  const { peers = [], state } = listeningIn(context) ?? {};
  const isAsked = peers.some((peer) => peer.isAsked);
  const isSilent = fault.kind === 'noAnswer' || (fault.kind === 'stalled' && !fault.isLone);
  const isAbsent = fault.kind === 'notListening' && fault.program === 'nowhere';
  const isHeldUp = isAsked && (isAbsent || fault.kind === 'wrongPort');
  const mayWait = isSilent || isHeldUp || (isAbsent && isQuiet(context));
  const isIdle = state === undefined;
  if (peers.length === 0 || !mayWait || !isIdle || isExplained(finding)) return finding;
  const silent = silentPeers(peers);
  const others = changes.filter(
    (change) => change.kind !== 'advice' || change.advice.do !== 'findWait',
  );
  return {
    ...finding,
    evidence: [...evidence, ...silent.evidence],
    changes: [...silent.changes, ...others],
  };
}

/** Returns the servers for which a program may wait, by its connections: one that nobody accepts explains more than the others. */
export function silentPeers(all: readonly Peer[] = []): Pick<Finding, 'evidence' | 'changes'> {
  const asked = all.filter(({ isAsked }) => isAsked);
  const peers = asked.length > 0 ? asked : all;
  if (peers.length === 0) return { evidence: [], changes: [] };
  return { evidence: [{ kind: 'peers', peers }], changes: advise({ do: 'askPeers', peers }) };
}

/** Returns the warning of a server that cannot take another request: it writes that once. */
function limitReached({ container, attempt }: AttemptContext): EvidenceOf<'written'> | undefined {
  const text = programOutput(container, attempt).findLast((line) => LIMIT_REACHED.test(line));
  const { text: message } = (text !== undefined && programError([text])) || {};
  return message === undefined ? undefined : { kind: 'written', text: oneLine(message) };
}

/** Faults of a server that takes the connection and does not answer, and of a command that ends likewise. */
const SILENT = new Set<Fault['kind']>([
  'closedEarly',
  'noAnswer',
  'stalled',
  'commandKilled',
  'commandSlow',
]);

const grpcFailed: Rule = (context) => {
  const { spec, field, probe } = context;
  const { reason, detail } = context.attempt;
  const { service = '' } = spec.grpc ?? {};
  if (spec.grpc !== undefined && isNoGrpc(context.attempt.output)) {
    const changes = advise({ do: 'correct', fields: [`${field}.grpc.port`] });
    return found({ kind: 'notPlainGrpc', speaks: 'HTTP/2' }, changes);
  }
  switch (reason) {
    case 'unimplemented':
      return found({ kind: 'noHealthService' }, advise({ do: 'serveHealth', field }));
    case 'unknownService': {
      const proven = provenOr(context, 'grpc.service', {
        do: 'grpcService',
        field,
        isSet: service !== '',
      });
      const listed = [...serviceNames(context), probe.type];
      return found({ kind: 'unknownService', service, listed }, proven.slice(0, 1));
    }
    case 'notServing': {
      const before = successesBefore(context);
      const changes = advise(
        before === undefined
          ? { do: 'reportServing', service }
          : { do: 'fixAnswer', probe: probe.type, isSilent: true },
      );
      return found({ kind: 'notServing', service }, changes, { evidence: [before] });
    }
    case 'notConnected': {
      if (detail?.timings.connect === undefined) return undefined;
      const proven = provenChanges(context, 'grpc.mode');
      return proven.length > 0
        ? found({ kind: 'notPlainGrpc', speaks: 'TLS' }, proven)
        : found({ kind: 'notPlainGrpc' }, advise({ do: 'grpcPort', field }));
    }
    default: {
      const [, code = '', text] = STATUS.exec(context.attempt.output) ?? [];
      if (spec.grpc === undefined || text === undefined) return undefined;
      const isDenied = code === 'Unauthenticated' || code === 'PermissionDenied';
      return found(
        { kind: 'errorAnswer', text: oneLine(`${code}: ${text}`) },
        advise(isDenied ? { do: 'allowPath', field } : { do: 'fixAnswer', probe: probe.type }),
      );
    }
  }
};

/** Reports whether the answer is one of HTTP alone; that of a proxy says little of the server behind it. */
function isNoGrpc(text: string): boolean {
  const isOfProxy = /status code received from server: (?:401|403|429|5\d\d)/.test(text);
  return !isOfProxy && /unexpected content-type|missing HTTP content-type/.test(text);
}

/** Service names of gRPC, which end in a name with a capital letter: `shop.v1.Orders`. */
const SERVICE = /(?<![\w./-])[a-z]\w*(?:\.\w+)*\.[A-Z]\w+(?![\w./-])/g;
const MAX_SERVICES = 3;

function serviceNames({ container, attempt }: AttemptContext): readonly string[] {
  const names = programOutput(container, attempt).flatMap((line) => line.match(SERVICE) ?? []);
  return [...new Set(names)].slice(0, MAX_SERVICES);
}

/** The status with which a gRPC server or its proxy has answered: without an answer it is Unavailable. */
const STATUS =
  /rpc error: code = ((?!Unavailable(?! desc = (?:unexpected HTTP|stream terminated))|Canceled)\w+) desc = (.+)/;

/** The first rule whose evidence is there decides. */
const ATTEMPT_RULES: readonly Rule[] = [
  scriptMisread,
  commandCannotRun,
  grpcFailed,
  wrongProtocol,
  redirected,
  literalVariable,
  httpStatus,
  unknownPortName,
  refused,
  timedOut,
  closedEarly,
  unknownHost,
  wordsMisread,
  commandAtWrongPort,
  commandRefused,
  commandSlow,
  commandFailed,
];
