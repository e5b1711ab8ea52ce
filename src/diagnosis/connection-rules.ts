import type { Container, Probe } from '../api/index.js';
import { resolveContainerPort } from '../kubelet/prober/http-request.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import {
  asksOtherHost,
  type AttemptContext,
  correctHost,
  distinctPorts,
  fieldChange,
  found,
  handlerChange,
  hostOf,
  lastLocation,
  lastOutput,
  listeningIn,
  outputOf,
  passedBefore,
  passedTrials,
  portOf,
  provenChanges,
  type Rule,
  runOf,
  startupChange,
  successesBefore,
} from './attempt-context.js';
import { advise, unproven } from './change.js';
import type { Evidence, Finding, Socket } from './fault.js';
import { wasAccepted } from './kubelet-message.js';
import { takenPort } from './program-output.js';
import { handlerOf } from './trials.js';

export const unknownPortName: Rule = (context) => {
  const { container, spec, field, attempt } = context;
  const handler = spec.httpGet === undefined ? 'tcpSocket' : 'httpGet';
  const name = spec[handler]?.port;
  if (typeof name !== 'string' || attempt.error === undefined) return undefined;
  if (resolveContainerPort(name, container.spec).ok) return undefined;
  const declared = (container.spec.ports ?? []).map(
    (port) => port.name ?? String(port.containerPort),
  );
  const fault = { kind: 'unknownPortName', name, declared } as const;
  const portField = `${field}.${handler}.port`;
  const proven = provenChanges(context, `${handler}.port`);
  if (proven.length === 1) return found(fault, proven);
  const [only] = declared;
  if (only === undefined) return found(fault, advise({ do: 'addPort', name, field: portField }));
  if (declared.length > 1)
    return found(fault, advise({ do: 'oneOf', field: portField, values: declared }));
  return found(fault, [fieldChange(context, `${handler}.port`, portValue(only))]);
};

/** Reports whether a socket on that address takes a connection to the dialed one. */
function accepts(listens: string, dialed: string): boolean {
  const host = dialed.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
  return listens === '0.0.0.0' ? !isIPv6(dialed) : listens === '::' || listens === host;
}

function portValue(port: string): number | string {
  return /^\d+$/.test(port) ? Number(port) : port;
}

export const refused: Rule = (context) => {
  const { attempt, spec, container } = context;
  // The gRPC client tries until the timeout, and says only that.
  if (attempt.reason !== 'refused' && attempt.reason !== 'notConnected') return undefined;
  // A redirect leads to another port than the probe's.
  if (attempt.reason === 'refused' && lastLocation(context) !== undefined) return undefined;
  const { sockets = [] } = listeningIn(context) ?? {};
  const port = portOf(attempt.detail?.address) ?? probedPort(spec, container.spec);
  const address = attempt.detail?.address ?? `port ${port}`;
  const evidence = listeningEvidence(context);
  const taken = takenPort(outputOf(container, attempt));
  if (taken !== undefined) {
    const changes = advise({ do: 'freePort', port: taken.port });
    return found({ kind: 'portTaken', ...taken }, changes, { evidence });
  }
  const stopped = { kind: 'notListening', address, program: 'stopped' } as const;
  // What was seen of its sockets may be older than their end.
  if (wasReached(context)) return found(stopped, [], { evidence });
  const listens = sockets.filter((socket) => socket.port === port);
  if (listens.length > 0) return socketRefuses(context, address, listens);
  const before = successesBefore(context);
  if (before !== undefined) return found(stopped, [], { evidence: [...evidence, before] });
  return sockets.length > 0 ? wrongPort(context, port) : nothingListens(context, address, port);
};

/** Returns the port that a probe names; 0 where it is not known. */
function probedPort({ httpGet, tcpSocket, grpc }: Probe, container: Container): number {
  const named = httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? 0;
  const resolved = resolveContainerPort(named, container);
  return resolved.ok ? resolved.value : 0;
}

/** Reports whether an earlier attempt of this run has come to the server, and had no success. */
function wasReached({ probe, attempt }: AttemptContext): boolean {
  return probe.attempts.some(
    ({ run, detail }) => run === attempt.run && detail?.timings.connect !== undefined,
  );
}

/** Sockets listen on the port, and did not take the connection. */
function socketRefuses(
  context: AttemptContext,
  address: string,
  listens: readonly Socket[],
): Finding {
  const evidence = listeningEvidence(context);
  // A socket that was there before the attempt, and takes no IPv4, is one of IPv6 only.
  const isOld = (listeningIn(context)?.t ?? Infinity) < (context.attempt.startedAt ?? 0);
  const isStarting = listens.some(
    (socket) =>
      accepts(socket.address, address) && (!isOld || isIPv6(socket.address) === isIPv6(address)),
  );
  if (isStarting) {
    const fault = { kind: 'notListening', address, program: 'starting' } as const;
    return found(fault, startupChange(context), { evidence });
  }
  const family = listens.some((socket) => isIPv6(socket.address)) && !isIPv6(address) ? 6 : 4;
  const fault = { kind: 'wrongAddress', address, listens } as const;
  return found(fault, advise({ do: 'bindAll', family }), { evidence });
}

/** No TCP socket of the program is known to listen. */
function nothingListens(context: AttemptContext, address: string, port: number): Finding {
  const { attempt, container } = context;
  const listening = listeningIn(context);
  const evidence = listeningEvidence(context);
  if (listening?.started === false) {
    const fault = { kind: 'notListening', address, program: 'notStarted' } as const;
    return found(fault, advise({ do: 'startServer', port: String(port) }), { evidence });
  }
  const ports = container.spec.ports ?? [];
  const receives = listening?.udp?.includes(port) ?? false;
  if (receives || ports.some((each) => each.containerPort === port && each.protocol === 'UDP')) {
    const changes = advise({ do: 'execOrTcpPort', field: context.field });
    return found({ kind: 'udpPort', port, receives }, changes, { evidence });
  }
  if (listening?.unix !== undefined) {
    // Databases begin so, and open their port when they are ready.
    const changes = isQuiet(context)
      ? advise({ do: 'listenOnPort', port })
      : startupChange(context);
    return found({ kind: 'unixSocket', address, sockets: listening.unix }, changes, { evidence });
  }
  if (listening !== undefined) {
    const fault = { kind: 'notListening', address, program: 'nowhere' } as const;
    return found(fault, startupChange(context), { evidence });
  }
  const declared = ports.map(({ containerPort }) => containerPort);
  const undeclared =
    attempt.evidence !== undefined && declared.length > 0 && !declared.includes(port);
  const fault = {
    kind: 'notListening',
    address,
    program: 'unknown',
    ...(undeclared && { declared }),
    // A cluster's kubelet does not say whether there was a connection.
    ...(attempt.reason === 'notConnected' && attempt.evidence && { mayListen: true }),
  } as const;
  if (asksOtherHost(context)) return found(fault, correctHost(context));
  return answeringPort(context, port) ?? found(fault, undeclared ? [] : startupChange(context));
}

/** Another probe of the container, whose port answers in this run. */
function answeringPort(context: AttemptContext, port: number): Finding | undefined {
  const { container, probe, attempt } = context;
  const lastOf = ({ attempts }: ProbeView) => attempts.findLast(({ run }) => run === attempt.run);
  const other = container.probes.find(
    (each) => each !== probe && lastOf(each)?.result === 'success',
  );
  const spec = other && probeOf(container.spec, other.type);
  if (other === undefined || spec === undefined || asksOtherHost({ spec })) return undefined;
  // A cluster's kubelet does not report where it has connected.
  const { address = `:${probedPort(spec, container.spec)}` } = lastOf(other)?.detail ?? {};
  const answering = portOf(address) ?? 0;
  if (answering === 0 || answering === port) return undefined;
  const listens = [{ address: address.slice(0, address.lastIndexOf(':')), port: answering }];
  return found(
    { kind: 'wrongPort', port, listens },
    provenChanges(context, `${handlerOf(context.spec)}.port`),
    { certainty: 'likely' },
  );
}

/** The program listens, and not on that port. A debugger and metrics listen too: a trial distinguishes them from the server. */
function wrongPort(context: AttemptContext, port: number): Finding {
  const { sockets = [] } = listeningIn(context) ?? {};
  const evidence = listeningEvidence(context);
  const name = `${handlerOf(context.spec)}.port`;
  const fault = { kind: 'wrongPort', port, listens: distinctPorts(sockets) } as const;
  const fixed = advise({ do: 'listenOnPort', port });
  if (isRandom(context)) return found({ ...fault, isRandom: true }, fixed, { evidence });
  if (fault.listens.every((socket) => isUndeclared(context, socket.port))) {
    return found(fault, fixed, { evidence, certainty: 'likely' });
  }
  const passed = passedTrials(context, `${context.field}.${name}`);
  const isOther = passed.some(({ to }) => isAuxiliary(context, Number(to)));
  // A connection alone says little of a port while others may come.
  const isAnswered = context.spec.httpGet !== undefined || context.spec.grpc !== undefined;
  const hasSettled = isQuiet(context);
  if (passed.length !== 1 || isOther || !(isAnswered || (hasSettled && sockets.length === 1))) {
    return found(fault, startupChange(context), { evidence, certainty: 'likely' });
  }
  const changes = provenChanges(context, name);
  if (hasSettled) {
    const { env = [] } = context.container.spec;
    const set = env.find((each) => /(?:^|_)PORT$/.test(each.name) && each.value === String(port));
    if (!isAnswered || set === undefined) return found(fault, changes, { evidence });
    const read = advise({ do: 'setVariable' });
    return found({ ...fault, variable: set.name }, [...read, ...changes], { evidence });
  }
  // A program that still starts may open its other ports first.
  return found(fault, changes.map(unproven), { evidence, certainty: 'likely' });
}

/** Reports whether an earlier run listened on other ports. */
function isRandom(context: AttemptContext): boolean {
  const { sockets: now = [] } = listeningIn(context) ?? {};
  return context.container.runs.some(({ run, listening }) => {
    const { sockets = [] } = run < context.attempt.run ? (listening ?? {}) : {};
    return (
      sockets.length > 0 && !sockets.some(({ port }) => now.some((other) => other.port === port))
    );
  });
}

/** The first port that Linux gives to a program that asks for any. */
const FIRST_RANDOM = 32_768;

/** Reports whether a port may be another one at the next start: nothing in the spec or the command line names it. */
function isUndeclared(context: AttemptContext, port: number): boolean {
  const { ports, env, args, command } = context.container.spec;
  const named = JSON.stringify([ports, env, args, command, listeningIn(context)?.processes]);
  return port >= FIRST_RANDOM && !named.includes(String(port));
}

/** Reports whether the program says of a port that it serves something else, such as a debugger. */
function isAuxiliary({ container, attempt }: AttemptContext, port: number): boolean {
  return container.output.some(
    ({ run, text }) =>
      run === attempt.run &&
      text.includes(String(port)) &&
      /debug|inspect|jdwp|metrics|prometheus|pprof|profil/i.test(text),
  );
}

function isIPv6(address: string): boolean {
  return address.replace(/:\d+$/, '').includes(':') || address.startsWith('[');
}

function listeningEvidence(context: AttemptContext): readonly Evidence[] {
  const listening = listeningIn(context);
  if (listening === undefined) return [];
  const { sockets, processes, t } = listening;
  const { startedAt = t } = runOf(context) ?? {};
  // Facts that stay the same are recorded once.
  const seen = Math.max(t, context.attempt.endedAt ?? t);
  return [{ kind: 'listening', sockets, processes, after: seen - startedAt }];
}

/** Seconds without a sign of work after which a program does not go on with its start. */
const QUIET = 5;

/** Reports whether a program has begun to wait: it is not busy, writes nothing, and opens no other socket. */
function isQuiet(context: AttemptContext): boolean {
  const { t = 0, state, sockets = [] } = listeningIn(context) ?? {};
  const { startedAt = 0 } = runOf(context) ?? {};
  const written = lastOutput(context.container, context.attempt)?.t ?? startedAt;
  // Facts without a socket are recorded each time.
  const last = Math.max(written, sockets.length > 0 ? t : startedAt);
  return state === undefined && (context.attempt.endedAt ?? 0) - last >= QUIET;
}

/** Share of the timeout up to which answers count as quick. */
const QUICK = 0.2;
/** Answers that say how quick the server is now. */
const LATEST = 3;
/** Share of the timeout from which on an answer is near it. */
const NEAR = 0.5;

export const timedOut: Rule = (context) => {
  const { spec, attempt, field } = context;
  if (attempt.reason !== 'timeout' || spec.exec !== undefined) return undefined;
  const { timeoutSeconds: timeout } = spec;
  const began = attempt.detail?.timings.firstByte;
  const isStream =
    /^content-type: *(?:text\/event-stream|multipart\/x-mixed-replace|application\/x-ndjson)/im.test(
      context.response,
    );
  if (began !== undefined && (isStream || began < NEAR * 1000 * timeout)) {
    const changes = advise({ do: 'shortAnswer', field });
    return found({ kind: 'unfinishedAnswer', timeout, isStream }, changes, {
      evidence: [{ kind: 'answer', began }],
    });
  }
  return stalled(context) ?? slowAnswer(context) ?? noAnswer(context);
};

function stalled(context: AttemptContext): Finding | undefined {
  const { spec, attempt, field } = context;
  const { timeoutSeconds: timeout } = spec;
  const before = successesBefore(context);
  const state = listeningIn(context)?.state;
  // The first answers of a runtime that compiles as it goes are slow.
  const latest = passedBefore(context)
    .slice(-LATEST)
    .map(({ latency }) => latency);
  const slow = latest.length > 0 ? Math.max(...latest) : slowestAnswer(context, attempt.run);
  const isQuick = slow > 0 && slow < QUICK * 1000 * timeout;
  const is = state === 'busy' ? undefined : state;
  if (!isQuick && is === undefined) return undefined;
  const fault = { kind: 'stalled', timeout, ...(state && { process: state }) } as const;
  const { lastAt = Infinity } = before ?? {};
  const lasts = !state && (attempt.endedAt ?? 0) - lastAt >= LASTING + 3 * spec.periodSeconds;
  const changes = advise(
    is
      ? { do: 'resume', is }
      : lasts
        ? { do: 'findWait' }
        : { do: 'tolerate', field, process: state },
  );
  return found(fault, changes, { evidence: before === undefined ? [] : [before] });
}

/** Seconds beside three attempts, after which a server is not expected to answer again by itself. */
const LASTING = 10;

function slowAnswer(context: AttemptContext): Finding | undefined {
  const { timeoutSeconds: timeout } = context.spec;
  const began = context.attempt.detail?.timings.firstByte;
  const slowest = slowestAnswer(context);
  const field = `${context.field}.timeoutSeconds`;
  // A quick answer does not show that the timeout is too short.
  const passed = passedTrials(context, field).find((each) => each.latency > NEAR * 1000 * timeout);
  if (passed === undefined && began === undefined && slowest <= NEAR * 1000 * timeout) {
    return undefined;
  }
  const longest = passed?.latency ?? Math.max(slowest, began ?? 0);
  const to = Math.max(timeout + 1, Math.ceil((1.5 * longest) / 1000));
  // No single attempt proves a value for a latency that rises.
  const rising = risingLatency(context);
  const proof =
    passed !== undefined && rising === undefined
      ? ({ kind: 'tried', result: passed.word } as const)
      : ({ kind: 'none' } as const);
  return found({ kind: 'slowAnswer', timeout, rising }, [{ kind: 'field', field, to, proof }], {
    evidence: slowEvidence(slowest, began, passed?.latency),
    certainty: passed === undefined ? 'likely' : 'proven',
  });
}

function noAnswer(context: AttemptContext): Finding {
  const { spec, attempt } = context;
  // A cluster's kubelet reports only which step an HTTP attempt had reached.
  const isAccepted = attempt.detail?.timings.connect !== undefined || wasAccepted(attempt.output);
  const accepted = isAccepted ? true : attempt.evidence === undefined ? false : undefined;
  const isFirst = successesBefore(context) === undefined;
  const changes = isFirst ? [...handlerChange(context), ...startupChange(context)] : [];
  return found({ kind: 'noAnswer', timeout: spec.timeoutSeconds, accepted }, changes);
}

/** Answers in a row whose latencies are compared. */
const RECENT = 6;

/** Returns the first and the last latency, in milliseconds, of a run's recent answers where each took longer than the one before. */
function risingLatency(context: AttemptContext): { from: number; to: number } | undefined {
  const recent = context.probe.attempts
    .filter(({ run }) => run === context.attempt.run)
    .filter((each) => verdictOfAttempt(each) === 'success')
    .slice(-RECENT)
    .map(({ latency }) => latency);
  const [from = 0, to = 0] = [recent[0], recent.at(-1)];
  const rises = recent.slice(1).every((latency, at) => latency > (recent[at] ?? 0));
  // A few latencies rise by chance too, but less.
  const isClear = recent.length >= RECENT ? to > 1.2 * from : recent.length >= 4 && to > 2 * from;
  return rises && isClear ? { from, to } : undefined;
}

function slowEvidence(slowest: number, began?: number, took = 0): readonly Evidence[] {
  const longest = Math.max(slowest, took);
  return [
    ...(began === undefined ? [] : [{ kind: 'answer', began } as const]),
    ...(longest === 0
      ? []
      : [{ kind: 'successes', count: 1, lastAt: 0, slowest: longest } as const]),
  ];
}

/** Milliseconds of the slowest answer to this probe, or to another with the same handler, in all runs or in one. */
function slowestAnswer({ container, probe, spec }: AttemptContext, run?: number): number {
  const handler = JSON.stringify([spec.httpGet, spec.tcpSocket, spec.grpc]);
  const latencies = container.probes.flatMap((other) => {
    const { httpGet, tcpSocket, grpc } = probeOf(container.spec, other.type) ?? {};
    const isSame = JSON.stringify([httpGet, tcpSocket, grpc]) === handler;
    if (other !== probe && !isSame) return [];
    const answered = other.attempts.filter(
      (each) => verdictOfAttempt(each) === 'success' && (run ?? each.run) === each.run,
    );
    return answered.map(({ latency }) => latency);
  });
  return Math.max(0, ...latencies);
}

export const unknownHost: Rule = (context) => {
  if (context.attempt.reason !== 'noHost') return undefined;
  return found({ kind: 'unknownHost', host: hostOf(context) }, correctHost(context));
};
