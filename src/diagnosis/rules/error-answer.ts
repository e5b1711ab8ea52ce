import {
  type DownPart,
  inputAskedFor,
  oneLine,
  readAnswer,
  saysItStarts,
  stateHeader,
} from '../answer.js';
import {
  type AttemptContext,
  found,
  isYoung,
  lastLines,
  listeningIn,
  passedTrials,
  programOutput,
  provenChanges,
  REPEATED,
  startupChange,
  successesBefore,
} from '../attempt-context.js';
import { advise } from '../change.js';
import type { Finding } from '../fault.js';
import { GOES_ON } from '../output/lines.js';
import { fatalError, messageOf, reportedError } from '../output/program-output.js';
import type { ProgramError } from '../output/runtime-readers.js';
import { errorAdvice, surroundingAdvice, unusedPoolAdvice, waitAdvice } from '../surroundings.js';

/** Finds what an answer with an error status says: which part is down, its text, or else what the log has. */
export function errorAnswer(
  context: AttemptContext,
  status: number,
  body: string,
  output: readonly string[],
): Finding {
  const { attempt } = context;
  if (attempt.evidence !== undefined) {
    const fault = { kind: 'statusOnly', status, isReported: true } as const;
    return flapping(context) ?? found(fault, advise({ do: 'onceKube' }));
  }
  const { down, text } = readAnswer(body);
  const before = successesBefore(context);
  const first = down[0] && withReason(down[0], output);
  const isSilent = first === undefined && text === '';
  const general = fixChange(context, status, first?.text || (first?.name ?? text), isSilent);
  const answer = `${first?.name ?? ''} ${text}`;
  const logged =
    before === undefined && !isSilent && isVague(general)
      ? loggedReason(context, answer)
      : undefined;
  const changes = logged === undefined ? general : advise(logged.advice);
  const evidence = [before, logged?.evidence];
  if (first !== undefined) {
    const parts = down.map(({ name }) => name);
    return found({ kind: 'dependencyDown', parts, text: first.text }, changes, { evidence });
  }
  if (text !== '') {
    // Without a success, the answers of a start are what the liveness probe counts.
    const start = before === undefined && saysItStarts(text) ? startupChange(context) : [];
    const proven = provenChanges(context, 'httpGet.path').slice(0, 1);
    return found({ kind: 'errorAnswer', text }, [...proven, ...start, ...changes], { evidence });
  }
  return silentAnswer(context, status, output, changes);
}

/** Reports whether changes only repeat what the answer says. */
function isVague([first]: Finding['changes']): boolean {
  return first === undefined || (first.kind === 'advice' && first.advice.do === 'fixAnswer');
}

/** Words of an answer that say nothing of what it is about. */
const OF_ANSWER =
  /^(?:check|connect\w*|error|fail\w*|false|health\w*|null|ready|server|service|state|status|true|unhealthy)$/;

/** Finds the last line of the log that has a word of the answer, or is written again and again, and from which advice follows. */
function loggedReason({ container, attempt, probe }: AttemptContext, answer: string) {
  if (probe.type === 'liveness') return undefined;
  const words = (answer.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter(
    (word) => !OF_ANSWER.test(word),
  );
  const times = new Map<string, number>();
  for (const line of programOutput(container, attempt).map(messageOf)) {
    const before = times.get(line) ?? 0;
    // A map keeps the order in which its keys came: here, that of the last time.
    times.delete(line);
    times.set(line, before + 1);
  }
  for (const [line, count] of [...times].reverse()) {
    const isOther = /\b(?:GET|HEAD) \//.test(line) || GOES_ON.test(line);
    const isNamed = words.some((word) => line.toLowerCase().includes(word));
    if (isOther || !(isNamed || count >= REPEATED)) continue;
    const advice = surroundingAdvice(line, container.spec);
    const evidence = { kind: 'written', text: oneLine(line) } as const;
    if (advice !== undefined) return { advice, evidence };
  }
  return undefined;
}

/** A text of Kubernetes' servers in place of a reason, which they log. */
const WITHHELD = /^reason withheld$/;

/** Returns a part with the reason from the log, where its answer withholds it. */
function withReason(part: DownPart, output: readonly string[]): DownPart {
  const logged = WITHHELD.test(part.text) ? reportedError(output) : undefined;
  return logged === undefined ? part : { ...part, text: oneLine(logged.text) };
}

function fixChange(
  context: AttemptContext,
  status: number,
  text: string,
  isSilent: boolean,
): Finding['changes'] {
  const { probe, field, spec, container } = context;
  const isFirst = successesBefore(context) === undefined;
  const input = [400, 422].includes(status) && isFirst ? inputAskedFor(text) : undefined;
  if (input !== undefined) return advise({ do: 'sendInput', field, ...input });
  const isOfSurroundings = isFirst && probe.type !== 'liveness';
  const surrounding = isOfSurroundings ? surroundingAdvice(text, container.spec) : undefined;
  if (surrounding !== undefined) return advise(unusedPoolAdvice(surrounding, text));
  const isStarting = isYoung(context) && saysItStarts(text);
  if (probe.type !== 'liveness' && isStarting && !isLate(context)) return [];
  // With a successThreshold, a failure is what keeps a container from ready.
  const passes = !isFirst && probe.type === 'readiness' && spec.successThreshold === 1;
  const isOfRequest = status < 500 || spec.httpGet?.path?.includes('?') === true;
  return advise({
    do: 'fixAnswer',
    probe: probe.type,
    ...(isSilent && { isSilent }),
    ...(passes && { passes }),
    ...(isOfRequest && { field }),
  });
}

/** Reports whether more than half of the failures that a startup probe allows are used up. */
function isLate({ probe, spec }: AttemptContext): boolean {
  const { resultRun = 0 } = probe.attempts.at(-1) ?? {};
  return probe.type === 'startup' && 2 * resultRun > spec.failureThreshold;
}

/** Finds what is known of an answer without a word: the log has the error. */
function silentAnswer(
  context: AttemptContext,
  status: number,
  output: readonly string[],
  changes: Finding['changes'],
): Finding {
  const { attempt, field, container } = context;
  const header = stateHeader(context.response);
  const isHost = status === 400 && passedTrials(context, `${field}.httpGet.httpHeaders`).length > 0;
  const logged = reportedError(output) ?? (isHost ? undefined : earlierError(context));
  if (logged === undefined && header !== undefined) {
    return found({ kind: 'errorAnswer', text: header }, changes);
  }
  if (logged !== undefined && /^limiting (?:requests|connections)\b/.test(logged.text)) {
    return found({ kind: 'rateLimited', status }, advise({ do: 'noLimit', field }));
  }
  if (logged !== undefined) {
    const { text: error, at } = logged;
    const fault = { kind: 'errorAnswer', text: oneLine(error), isLogged: true, at } as const;
    const advice = errorAdvice(logged, container.spec);
    // With 400 to 499, a server blames the request.
    const isOfRequest = advice.do === 'fixError' && status < 500;
    return found(fault, isOfRequest ? changes : advise(advice), { certainty: 'likely' });
  }
  // Not to be ready is no error for a program that logs why.
  const waits = (line: string): boolean =>
    !/\b(?:GET|HEAD) \//.test(line) && waitAdvice(line, container.spec) !== undefined;
  const text = status < 500 ? undefined : output.findLast(waits);
  if (text !== undefined) {
    const fault = { kind: 'errorAnswer', text: oneLine(text), isLogged: true } as const;
    return found(fault, fixChange(context, status, text, false), { certainty: 'likely' });
  }
  if (isHost) {
    return found(
      { kind: 'hostRejected', status, host: attempt.detail?.address ?? '' },
      provenChanges(context, 'httpGet.httpHeaders'),
    );
  }
  const isUnlogged = status === 500 && listeningIn(context)?.started === true;
  const advice = isUnlogged ? advise({ do: 'logErrors' }) : [];
  const fault = { kind: 'statusOnly', status, isReported: false } as const;
  return flapping(context, changes) ?? found(fault, advice);
}

/** Returns what has ended a part of the program between the last success and the first failure after it; without a success, the error with which its log ends after several tries. */
function earlierError(context: AttemptContext): ProgramError | undefined {
  const { container, probe, attempt } = context;
  const before = successesBefore(context);
  if (before === undefined) {
    const isRepeated = loggedReason(context, '') !== undefined;
    return isRepeated ? reportedError(lastLines(container, attempt)) : undefined;
  }
  const { lastAt } = before;
  const { endedAt = 0 } = probe.attempts.find((each) => each.startedAt > lastAt) ?? attempt;
  const output = container.output.filter(({ t }) => t >= lastAt && t <= endedAt);
  return fatalError(programOutput({ ...container, output }, attempt));
}

/** A probe that has succeeded in this run has no wrong path, port or scheme. */
export function flapping(
  context: AttemptContext,
  changes: Finding['changes'] = [],
): Finding | undefined {
  const before = successesBefore(context);
  if (before === undefined) return undefined;
  const { statusCode, reason = 'failed' } = context.attempt;
  return found({ kind: 'flapping', word: String(statusCode ?? reason) }, changes, {
    evidence: [before],
  });
}
