import { probeOf } from '../kubelet/prober/probe-of.js';
import { DIFFERENCES } from '../kubelet/release.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';
import { shortened } from './answer.js';
import { httpStatus, redirected, wrongProtocol } from './answer-rules.js';
import {
  type AttemptContext,
  type EndedAttempt,
  found,
  type Rule,
  trialOf,
} from './attempt-context.js';
import {
  closedEarly,
  refused,
  timedOut,
  unknownHost,
  unknownPortName,
} from './connection-rules.js';
import { advise, type Evidence, type Finding } from './fault.js';
import { programError } from './program-output.js';
import { trialsFor } from './trials.js';

/** Finds the fault behind an attempt's failure, error or warning. */
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
  const context: AttemptContext = {
    container,
    probe,
    spec,
    attempt,
    body,
    response,
    field: `${probe.type}Probe`,
  };
  for (const { find } of ATTEMPT_RULES) {
    const finding = find(context);
    if (finding === undefined) continue;
    const late = lateness(attempt);
    const certainty = late.length === 0 ? finding.certainty : 'possible';
    return { ...finding, certainty, evidence: [...withTrials(context, finding), ...late] };
  }
  return undefined;
}

/** A timeout proves nothing about the server when kprobe itself was late. */
function lateness({ reason, late }: EndedAttempt): readonly Evidence[] {
  return reason !== 'timeout' || late === undefined ? [] : [{ kind: 'late', by: late }];
}

/** Adds the attempts that were made to find what helps against the fault. */
function withTrials(context: AttemptContext, { fault, evidence }: Finding): readonly Evidence[] {
  const { container, probe, spec, attempt, field } = context;
  const inRun = probe.trials.filter(({ run }) => run === attempt.run);
  if (inRun.length === 0) return evidence;
  const made = trialsFor(fault, spec, container.spec).flatMap((planned): readonly Evidence[] => {
    const name = `${field}.${planned.field}`;
    const { to, result, word } = trialOf(context, name, planned.to) ?? {};
    if (to === undefined || result === undefined || word === undefined) return [];
    return [{ kind: 'trial', field: name, to, isSuccess: result === 'success', result: word }];
  });
  return [...evidence, ...made];
}

const commandCannotRun: Rule = ({ spec, field, attempt: { exitCode, reason, output, error } }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  const path = `${field}.exec.command`;
  const missing = isUnsplit(spec.exec.command)
    ? advise({ do: 'splitCommand', field: path })
    : advise({ do: 'command', field: path, command, is: 'missing' });
  const notRunnable = advise({ do: 'command', field: path, command, is: 'notRunnable' });
  // A script may end with these codes for reasons of its own: its shell says which.
  const text = error ?? output;
  if (
    exitCode === 126 &&
    (text.trim() === '' || /denied|not executable|cannot execute|exec format/i.test(text))
  ) {
    return found({ kind: 'commandNotRunnable', command, exitCode }, notRunnable);
  }
  if (exitCode === 127 && (text.trim() === '' || /not found|no such file/i.test(text))) {
    return found({ kind: 'commandMissing', command, exitCode }, missing);
  }
  if (exitCode === 137) return found({ kind: 'commandKilled' }, []);
  if (reason === 'canceled') {
    const to = DIFFERENCES.cancelsProbesOfEndingPod.until;
    return found({ kind: 'commandCanceled' }, advise({ do: 'upgradeKubelet', to }));
  }
  if (reason === 'notFound') return found({ kind: 'commandMissing', command }, missing);
  if (reason === 'notPermitted') return found({ kind: 'commandNotRunnable', command }, notRunnable);
  if (reason !== 'timeout') return undefined;
  const timeout = spec.timeoutSeconds;
  return found(
    { kind: 'commandSlow', timeout },
    advise({ do: 'raise', field: `${field}.timeoutSeconds` }),
  );
};

/** Reports whether a command is written for a shell, and none runs it. */
function isUnsplit([program = '', ...args]: readonly string[] = []): boolean {
  return (
    /\s/.test(program) || args.some((each) => /^(?:&&|\|\|?|;|\d?[<>]{1,2}(?:&\d)?)$/.test(each))
  );
}

/** A command that failed says why in its output. */
const commandFailed: Rule = ({ spec, field, attempt }) => {
  if (spec.exec === undefined || attempt.error !== undefined || attempt.result !== 'failure')
    return undefined;
  const { text = '' } = programError(attempt.output.trim().split('\n')) ?? {};
  const path = `${field}.exec.command`;
  const changes = isUnsplit(spec.exec.command)
    ? advise({ do: 'splitCommand', field: path })
    : advise({ do: 'fixCheck', field: path });
  return found({ kind: 'commandFailed', text: shortened(text) }, changes);
};

const grpcFailed: Rule = ({ spec, field, attempt: { reason, detail } }) => {
  const { service = '' } = spec.grpc ?? {};
  switch (reason) {
    case 'unimplemented':
      return found({ kind: 'noHealthService' }, advise({ do: 'serveHealth', field }));
    case 'unknownService':
      return found(
        { kind: 'unknownService', service },
        advise({ do: 'grpcService', field, isSet: service !== '' }),
      );
    case 'notServing':
      return found({ kind: 'notServing', service }, advise({ do: 'reportServing', service }));
    case 'notConnected':
      if (detail?.timings.connect === undefined) return undefined;
      return found({ kind: 'notPlainGrpc' }, advise({ do: 'grpcPort', field }));
    default:
      return undefined;
  }
};

interface NamedRule {
  readonly name: string;
  /** The outcome that the rule explains. */
  readonly needs: string;
  readonly find: Rule;
}

/** The first rule whose evidence is there decides. */
export const ATTEMPT_RULES: readonly NamedRule[] = [
  { name: 'commandCannotRun', needs: 'the end of an exec probe', find: commandCannotRun },
  { name: 'grpcFailed', needs: 'the status of a gRPC probe', find: grpcFailed },
  { name: 'wrongProtocol', needs: 'an answer in another protocol', find: wrongProtocol },
  { name: 'redirected', needs: 'a Location header, or too many redirects', find: redirected },
  { name: 'httpStatus', needs: 'a status code', find: httpStatus },
  {
    name: 'unknownPortName',
    needs: 'an error, and the ports of the container',
    find: unknownPortName,
  },
  { name: 'refused', needs: 'a refused connection', find: refused },
  { name: 'timedOut', needs: 'a timeout', find: timedOut },
  { name: 'closedEarly', needs: 'a connection that the server closed', find: closedEarly },
  { name: 'unknownHost', needs: 'a name that does not resolve', find: unknownHost },
  { name: 'commandFailed', needs: 'the output of an exec probe', find: commandFailed },
];
