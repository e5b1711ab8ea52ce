import type { Socket } from '../../kubelet/ports.js';
import { resolveContainerPort } from '../../kubelet/prober/http-request.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { isShell } from '../../text/shell.js';
import { type ProbeView } from '../../trace/summary/probe-view.js';
import {
  accepts,
  asksOtherHost,
  type AttemptContext,
  correctHost,
  distinctPorts,
  fieldChange,
  found,
  hostOf,
  isIPv6,
  lastLocation,
  lastOutput,
  listeningIn,
  listeningPorts,
  passedTrials,
  portOf,
  probedPort,
  programOutput,
  provenChanges,
  type Rule,
  runOf,
  startupChange,
  successesBefore,
} from '../attempt-context.js';
import { type Advice, advise, unproven } from '../change.js';
import type { Evidence, Finding } from '../fault.js';
import { baseName } from '../output/runtime-readers.js';
import { takenPort } from '../output/server-readers.js';
import { handlerOf } from '../trials.js';

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
  const taken = takenPort(programOutput(container, attempt));
  // A program that goes on may do without the port that its debugger or metrics wanted.
  if (taken?.port === port) {
    const changes = advise({ do: 'freePort', port: taken.port });
    return found({ kind: 'portTaken', ...taken }, changes, { evidence });
  }
  const stopped = { kind: 'notListening', address, program: 'stopped' } as const;
  // Its sockets may have been seen before they were closed.
  if (wasReached(context)) return found(stopped, [], { evidence });
  const listens = sockets.filter((socket) => socket.port === port);
  if (listens.length > 0) return socketRefuses(context, address, listens);
  const before = successesBefore(context);
  if (before !== undefined) return found(stopped, [], { evidence: [...evidence, before] });
  return sockets.length > 0 ? wrongPort(context, port) : nothingListens(context, address, port);
};

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
export function nothingListens(context: AttemptContext, address: string, port: number): Finding {
  const { attempt, container } = context;
  const listening = listeningIn(context);
  const evidence = listeningEvidence(context);
  if (listening?.started === false) {
    const fault = { kind: 'notListening', address, program: 'notStarted' } as const;
    const advice = { do: 'startServer', container: container.name, port: String(port) } as const;
    return found(fault, advise(advice), { evidence });
  }
  const ports = container.spec.ports ?? [];
  const receives = listening?.udp?.includes(port) ?? false;
  if (receives || ports.some((each) => each.containerPort === port && each.protocol === 'UDP')) {
    const changes = advise({ do: 'execOrTcpPort', field: context.field });
    return found({ kind: 'udpPort', port, receives }, changes, { evidence });
  }
  if (listening?.unix !== undefined) {
    // Node takes a port that is no number for the name of a socket.
    const { env = [] } = container.spec;
    const named = env.find(({ value }) => value && listening.unix?.includes(value))?.name;
    const fault = { kind: 'unixSocket', address, sockets: listening.unix } as const;
    if (named) return found(fault, advise({ do: 'setVariable', name: named }), { evidence });
    // Databases begin so, and open their port when they are ready.
    const changes = isQuiet(context)
      ? advise({ do: 'listenOnPort', port })
      : startupChange(context);
    return found(fault, changes, { evidence });
  }
  if (listening !== undefined) {
    const fault = { kind: 'notListening', address, program: 'nowhere' } as const;
    const isLoop = isQuiet(context) && isWaitingLoop(listening.processes, runTime(context));
    const changes = isLoop ? advise({ do: 'findLoop' }) : startupChange(context);
    const programs = listening.processes.filter((line) => !isShell(programOf(line)));
    const [inPlaceOf = ''] = programs.every((line) => IDLE.test(line)) ? programs : [];
    if (inPlaceOf === '') return found(fault, changes, { evidence });
    const isLock = /\bflock /.test(inPlaceOf);
    const idle: Advice = isLock ? { do: 'provide', what: 'lock' } : { do: 'runServer', inPlaceOf };
    return found(fault, advise(idle), { evidence });
  }
  const declared = ports.map(({ containerPort }) => containerPort);
  const undeclared =
    attempt.evidence !== undefined && declared.length > 0 && !declared.includes(port);
  // A cluster's kubelet does not say whether there was a connection.
  const mayListen = attempt.reason === 'notConnected' && attempt.evidence !== undefined;
  const fault = {
    kind: 'notListening',
    address,
    program: 'unknown',
    ...(undeclared && { declared }),
    ...(mayListen && { mayListen }),
  } as const;
  if (asksOtherHost(context)) return found(fault, correctHost(context));
  const start = undeclared ? [] : startupChange(context);
  const asks = mayListen && start.length === 0 && context.probe.type !== 'startup';
  return answeringPort(context, port) ?? found(fault, asks ? advise({ do: 'onceKube' }) : start);
}

/** Reports whether a script sleeps again and again, and runs nothing else: one long sleep may be all of it. */
function isWaitingLoop(processes: readonly string[], time: number): boolean {
  const programs = processes.map(programOf);
  const sleeps = processes.flatMap((line) => /\bsleep ([\d.]+)s?$/.exec(line)?.[1] ?? []);
  const isLoop = sleeps.some((seconds) => time >= TURNS * Number(seconds));
  return isLoop && programs.every((each) => each === 'sleep' || isShell(each));
}

function programOf(line: string): string {
  return baseName(line.split(' ')[0] ?? '');
}

/** A command that never ends and does nothing, as that of a container to develop in, or waits for a lock. */
const IDLE = /^(?:\S*\/)?(?:sleep inf(?:inity)?$|tail -f \/dev\/null$|flock )/;

/** Turns that a loop with a sleep has had time for, once it counts as one that waits. */
const TURNS = 3;

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
  const hasSettled = isQuiet(context);
  if (waitsForDebugger(context, fault.listens))
    return found(fault, advise({ do: 'noDebugger' }), { evidence });
  // A runtime may open ports of its own before the program opens the server's.
  const fixed = hasSettled ? advise({ do: 'listenOnPort', port }) : startupChange(context);
  const earlier = portsBefore(context);
  if (earlier.length > 0) return found({ ...fault, earlier }, fixed, { evidence });
  if (fault.listens.every((socket) => isUndeclared(context, socket.port))) {
    return found(fault, fixed, { evidence, certainty: 'likely' });
  }
  const passed = passedTrials(context, `${context.field}.${name}`);
  const isOther = passed.some(({ to }) => isAuxiliary(context, Number(to)));
  // A connection alone says little of a port while others may come.
  const isAnswered = context.spec.httpGet !== undefined || context.spec.grpc !== undefined;
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
  const { ports = [] } = context.container.spec;
  const isDeclared = [port, ...listeningPorts(listeningIn(context))].every((each) =>
    ports.some(({ containerPort }) => containerPort === each),
  );
  const start = isDeclared ? startupChange(context) : [];
  return found(fault, [...start, ...changes.map(unproven)], { evidence, certainty: 'likely' });
}

/** Returns the ports of an earlier run that listened on others: the program chooses them, or somebody has changed it. */
function portsBefore(context: AttemptContext): readonly number[] {
  const now = listeningPorts(listeningIn(context));
  const before = context.container.runs
    .filter(({ run }) => run < context.attempt.run)
    .map(({ listening }) => listeningPorts(listening));
  return (
    before.findLast((ports) => ports.length > 0 && !ports.some((port) => now.includes(port))) ?? []
  );
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
      /debug|inspect|dt_socket|jdwp|metrics|prometheus|pprof|profil/i.test(text),
  );
}

/** Reports whether a program listens for its debugger alone, and has been told to wait for that. */
function waitsForDebugger(context: AttemptContext, listens: readonly Socket[]): boolean {
  const { container, attempt } = context;
  const { env } = container.spec;
  const texts = [listeningIn(context)?.processes, programOutput(container, attempt), env];
  const isTold =
    /\bsuspend=y\b|--inspect-brk\b|--wait-for-client\b|waiting for (?:the )?(?:client|debugger) to attach/i.test(
      JSON.stringify(texts),
    );
  return isTold && listens.every(({ port }) => isAuxiliary(context, port));
}

function listeningEvidence(context: AttemptContext): readonly Evidence[] {
  const listening = listeningIn(context);
  if (listening === undefined) return [];
  const { sockets, processes } = listening;
  return [{ kind: 'listening', sockets, processes, after: runTime(context) }];
}

/** Seconds from the start of the program to what was last seen of it. */
function runTime(context: AttemptContext): number {
  const { t = 0 } = listeningIn(context) ?? {};
  const { startedAt = t } = runOf(context) ?? {};
  // Facts that stay the same are recorded once.
  return Math.max(t, context.attempt.endedAt ?? t) - startedAt;
}

/** Seconds without a sign of work after which a program does not go on with its start. */
const QUIET = 5;

/** Reports whether a program has begun to wait: it is not busy, writes nothing, and opens no other socket. */
export function isQuiet(context: AttemptContext): boolean {
  const { t = 0, state, sockets = [] } = listeningIn(context) ?? {};
  const { startedAt = 0 } = runOf(context) ?? {};
  const written = lastOutput(context.container, context.attempt)?.t ?? startedAt;
  // Facts without a socket are recorded each time.
  const last = Math.max(written, sockets.length > 0 ? t : startedAt);
  return state === undefined && (context.attempt.endedAt ?? 0) - last >= QUIET;
}

export const unknownHost: Rule = (context) => {
  if (context.attempt.reason !== 'noHost') return undefined;
  return found({ kind: 'unknownHost', host: hostOf(context) }, correctHost(context));
};
