import type { Probe } from '../../api/index.js';
import type { ClusterAttempts } from '../../app/cluster/cluster-attempts.js';
import { type OnceGoal, type OncePlan, type OnceProbe, podAround } from '../../app/once.js';
import { probedPorts, refuseIdlePorts } from '../../app/probed-ports.js';
import { optionOf, UsageError } from '../../app/usage-error.js';
import type { Clock } from '../../clock/clock.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { KnownSecrets } from '../../secrets/known-secrets.js';
import type { CommandInput, Io } from '../shared/io.js';
import { type FlagProbe, flagProbes, isProbeURL } from './flag-probe.js';
import type { OnceFlags } from './once-options.js';

export interface ChosenPlans {
  readonly plans: readonly OncePlan[];
  /** True where the names of probes come from a manifest. */
  readonly named: boolean;
  /** The errors in the manifests. */
  readonly errors: string;
  /** The values of the manifests' Secrets. */
  readonly secrets: KnownSecrets;
  /** Makes the attempts at a pod of a cluster; absent where they are made from here. */
  readonly within?: (clock: Clock, signal: AbortSignal) => ClusterAttempts;
}

export function goalOf({ untilSuccess, untilFailure, repeat = 1 }: OnceFlags): OnceGoal {
  if (untilFailure === true) return { kind: 'untilFailure' };
  return untilSuccess === true ? { kind: 'untilSuccess' } : { kind: 'times', times: repeat };
}

/** The probes that a command line asks for, and how their attempts follow each other. */
export async function choosePlans(input: CommandInput<OnceFlags>, io: Io): Promise<ChosenPlans> {
  const { flags, commandLine } = input;
  refuseIdleFlags(flags);
  const urls = input.paths.filter(isProbeURL);
  const files = input.paths.filter((path) => !isProbeURL(path));
  const described = flagProbes(flags, urls, commandLine);
  if (described.length > 0) {
    if (files.length > 0) {
      throw new UsageError(
        `options and a manifest (${files.join(', ')}) both give probes: choose one`,
      );
    }
    if (flags.container !== undefined || flags.probe !== undefined) {
      const option = flags.container === undefined ? '--probe' : '--container';
      throw new UsageError(`${option} selects probes of a manifest: leave it out`);
    }
    const probes = described.map((one) => bareProbe(one, flags));
    refuseIdlePorts(dialledPorts(probes), flags.port);
    const plans = probes.map((probe) => plan(probe, flags));
    return { plans, named: false, errors: '', secrets: new KnownSecrets() };
  }
  if (files.length === 0) {
    throw new UsageError(
      'nothing to probe: give --http, --https, --tcp, --grpc, --exec or a manifest',
    );
  }
  const { manifestProbes } = await import('./manifest-probes.js');
  const { probes, ...rest } = await manifestProbes(files, flags, io);
  if (probes.length > 0) refuseIdlePorts(dialledPorts(probes), flags.port);
  return { plans: probes.map((probe) => plan(probe, flags)), named: true, ...rest };
}

function dialledPorts(probes: readonly OnceProbe[]): readonly number[] {
  return probes.flatMap(({ container, probeType, address }) =>
    probedPorts(container, address)
      .filter(({ path }) => path.startsWith(`${probeType}Probe.`))
      .map(({ port }) => port),
  );
}

/** Settings of several attempts, where there is only one. */
export function refuseIdleFlags(flags: OnceFlags): void {
  const { repeat, successThreshold = 1 } = flags;
  if (repeat !== undefined && repeat < successThreshold) {
    throw new UsageError(
      `--repeat ${repeat} cannot reach --success-threshold ${successThreshold}: repeat more often`,
    );
  }
  if (isSeveral(flags)) return;
  const idle = (['interval', 'successThreshold', 'failureThreshold'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (idle === undefined) return;
  throw new UsageError(
    `${optionOf(idle)} is for several attempts: add --repeat, --until-success or --until-failure`,
  );
}

/** Reports whether the flags ask for several attempts. */
export function isSeveral({ repeat, untilSuccess, untilFailure }: OnceFlags): boolean {
  return repeat !== undefined || untilSuccess === true || untilFailure === true;
}

/** One attempt decides by itself; several count as the probe's own settings say. */
export function plan(probe: OnceProbe, flags: OnceFlags): OncePlan {
  const spec = isSeveral(flags) ? probeOf(probe.container, probe.probeType) : undefined;
  return {
    probe,
    interval: flags.interval ?? (spec?.periodSeconds ?? 1) * 1000,
    thresholds: {
      success: flags.successThreshold ?? spec?.successThreshold ?? 1,
      failure: flags.failureThreshold ?? spec?.failureThreshold ?? 1,
    },
  };
}

function bareProbe({ probe, host }: FlagProbe, flags: OnceFlags): OnceProbe {
  const container = { name: 'probe', image: '', livenessProbe: probe };
  const address = host === '' ? flags.host : host;
  const pod = podAround(container);
  return { pod, container, probeType: 'liveness', address, handler: handlerName(probe) };
}

function handlerName({ httpGet, tcpSocket, grpc }: Probe): string {
  if (httpGet !== undefined) return 'HTTP';
  if (tcpSocket !== undefined) return 'TCP';
  return grpc === undefined ? 'Exec' : 'GRPC';
}
