import { omitUndefined } from '../../api/index.js';
import { EXIT, exitCodeOfEnd } from '../../cli/shared/exit-code.js';
import {
  type CommandInput,
  type Io,
  noteSecrets,
  withinLimits,
  write,
} from '../../cli/shared/io.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { checkReports } from '../../cli/shared/reports/reports.js';
import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { nearestKubelet } from '../../kubelet/release.js';
import { createTransports } from '../../probe/transports.js';
import type { Tally } from '../../trace/summary/tally.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import { TraceMask } from '../../trace/trace-mask.js';
import { once, type OnceAttempt, onceLoop, type OnceOptions } from './once.js';
import type { createCommandRunner } from './once-exec.js';
import type { OnceFlags } from './once-options.js';
import { createOnceOutput } from './once-output.js';
import { choosePlans, type ChosenPlans, onceGoalOf } from './once-plan.js';

export { options, relations } from './once-options.js';

export async function command(input: CommandInput<OnceFlags>, io: Io): Promise<number> {
  await checkReports(input.flags);
  if (input.flags.kube !== undefined) {
    const { onceInCluster } = await import('./once-kube.js');
    return onceInCluster(input, io, (chosen) => attempts(chosen, input.flags, io));
  }
  const { timeout } = input.flags;
  const chosen = await withinLimits({ timeout }, io, 'the manifest could not be read', (limited) =>
    choosePlans(input, limited),
  );
  const failed = chosen.plans.length === 0;
  if (chosen.errors !== '') await write(failed ? io.stderr : io.notes, chosen.errors);
  return failed ? EXIT.usage : attempts(chosen, input.flags, io);
}

async function attempts(chosen: ChosenPlans, flags: OnceFlags, io: Io): Promise<number> {
  const { plans, named, secrets } = chosen;
  const clock = new RealClock();
  const ending = new AbortController();
  const signal = AbortSignal.any([io.signal, ending.signal]);
  const timer =
    flags.timeout === undefined || chosen.until !== undefined
      ? undefined
      : clock.setTimeout(() => ending.abort(EXIT.timeout), flags.timeout);
  const untilEnd = chosen.until?.();
  void untilEnd?.then((end) => ending.abort(exitCodeOfEnd(end, io.signal)));
  const commands = commandsOf(clock, { host: io.host, signal });
  const kubelet = chosen.kubelet ?? (await kubeletBy(withProtocols(flags), io));
  const options = attemptOptions(chosen, flags, { clock, signal, commands, kubelet });
  await noteSecrets(flags, io);
  const mask = flags.withSecrets === true ? undefined : new TraceMask(secrets);
  const shown = { flags, plans, named, mask, io };
  const output = await createOnceOutput(shown);
  const reports =
    flags.report === undefined
      ? undefined
      : new (await import('./once-reports.js')).OnceReports(shown);
  const tallies = await onceLoop(plans, {
    clock,
    signal,
    goal: onceGoalOf(flags),
    attempt: (probe) => once(probe, options),
    resultOf: ({ result, outcome }) =>
      outcome.result === 'warning' && flags.failOn === 'warning' ? 'failure' : result,
    onStart: (line) => reports?.add(line),
    onAttempt: (plan, made) => {
      const attempt = mask === undefined ? made : masked(made, mask);
      output.attempt(plan, attempt);
      reports?.add(attempt.line);
    },
  });
  timer?.cancel();
  // Results have been printed: they do not wait for processes that commands leave.
  await commands.close();
  const verdicts = tallies.map((tally) => verdictOf(tally, flags));
  output.end(tallies, verdicts);
  const ended = await untilEnd;
  if (ended !== undefined) await write(io.notes, `kprobe: ${ended.verdict.sentence}\n`);
  const isOver = signal.aborted && signal.reason !== EXIT.success;
  const code = isOver ? Number(signal.reason) : exitCodeOf(verdicts);
  if (code === EXIT.timeout) await write(io.notes, 'kprobe: --timeout ran out\n');
  await reports?.end(verdicts, code);
  return code;
}

/** Adds the gates of the protocols that the flags ask for, and the release that has them where the flags name no release. */
function withProtocols(flags: OnceFlags): OnceFlags {
  const { http2PriorKnowledge, tls } = flags;
  if (http2PriorKnowledge === undefined && tls === undefined) return flags;
  const { kubernetesVersion = nearestKubelet('1.37') } = flags;
  const gates = {
    ...(http2PriorKnowledge && { H2CContainerProbe: true }),
    ...(tls && { GRPCContainerProbeTLS: true }),
  };
  return { ...flags, kubernetesVersion, featureGates: { ...flags.featureGates, ...gates } };
}

function masked(attempt: OnceAttempt, mask: TraceMask): OnceAttempt {
  const { line, outputBytes, event, cause } = attempt;
  return {
    ...attempt,
    line: mask.line(line) as OnceAttempt['line'],
    ...omitUndefined({
      outputBytes: outputBytes && mask.bytes(outputBytes),
      cause: mask.texts(cause),
      event: event && {
        ...event,
        message: mask.text(event.message),
        ...omitUndefined({ messageBytes: event.messageBytes && mask.bytes(event.messageBytes) }),
      },
    }),
  };
}

function commandsOf(clock: Clock, io: Pick<Io, 'host' | 'signal'>) {
  let loading: Promise<ReturnType<typeof createCommandRunner>> | undefined;
  const load = async () => (await import('./once-exec.js')).createCommandRunner(clock, io);
  const run: OnceOptions['exec'] = async (...call) => (await (loading ??= load())).run(...call);
  return { run, close: async () => (await loading)?.close() };
}

function attemptOptions(
  { plans, within }: ChosenPlans,
  { port: ports }: OnceFlags,
  { clock, signal, commands, kubelet }: AttemptContext,
): OnceOptions {
  const addresses = new Set(plans.map(({ probe }) => probe.address));
  if (within !== undefined) {
    const { transports, exec: execIn } = within(clock, signal);
    const exec: OnceOptions['exec'] = ({ name }, ...call) => execIn(name, ...call);
    return { clock, kubelet, transports, exec, speaksTls: () => Promise.resolve(false) };
  }
  const dial = (_: unknown, host: string, port: number) => {
    return { host, port: addresses.has(host) ? (ports?.get(port) ?? port) : port };
  };
  return {
    clock,
    kubelet,
    // TLS loads all of Node's cryptography.
    speaksTls: async (host, port) => (await import('../../probe/net/tls.js')).speaksTls(host, port),
    transports: createTransports({ clock, kubeletVersion: kubelet.version, dial }),
    exec: commands.run,
  };
}

interface AttemptContext extends Pick<OnceOptions, 'clock' | 'kubelet'> {
  readonly signal: AbortSignal;
  readonly commands: ReturnType<typeof commandsOf>;
}

/** A failure stays, unless only the last result counts. */
function verdictOf(tally: Tally, { untilSuccess, untilFailure }: OnceFlags): Verdict['kind'] {
  const { set, failed, failures } = tally;
  if (untilFailure === true) {
    if (set === 'failure') return 'holds';
    return failures + tally.successes > 0 ? 'doesNotHold' : 'unknown';
  }
  if (set === 'success' && (untilSuccess === true || !failed)) return 'holds';
  return failures > 0 || set === 'success' ? 'doesNotHold' : 'unknown';
}

/** A failure is worse than an error. */
function exitCodeOf(verdicts: readonly Verdict['kind'][]): number {
  if (verdicts.includes('doesNotHold')) return EXIT.failure;
  return verdicts.includes('unknown') ? EXIT.undetermined : EXIT.success;
}
