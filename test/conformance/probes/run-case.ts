import { cwd, env as processEnv, kill } from 'node:process';

import type { Container, Pod, PodStatus } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import type { ExecResult, ProbeTransports } from '../../../src/kubelet/ports.js';
import type { ProbeEvent } from '../../../src/kubelet/prober/prober.js';
import { createProber } from '../../../src/kubelet/prober/prober.js';
import { DEFAULT_RELEASE } from '../../../src/kubelet/release.js';
import { LocalExec } from '../../../src/probe/local-exec.js';
import { createTransports } from '../../../src/probe/transports.js';
import type { CaseSpec } from '../../helpers/servers/case-file.js';
import { bytesOfSpec } from '../../helpers/servers/spec.js';

/** A line of the expected file, as far as an implementation can tell it by itself. */
export interface CaseRun {
  readonly result: string;
  readonly output: string;
  readonly outputB64?: string;
  readonly error: string | null;
  readonly tries: number;
  readonly event: {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
    readonly messageB64?: string;
  } | null;
  readonly kubeletResult: string;
  readonly command?: readonly string[];
  readonly elapsedMs: number;
}

const TYPES = {
  liveness: 'livenessProbe',
  readiness: 'readinessProbe',
  startup: 'startupProbe',
} as const;

/** Makes the attempt of a case, as the prober of a kubelet would. */
export async function runCase(
  spec: CaseSpec,
  kubeletVersion: string = DEFAULT_RELEASE,
): Promise<CaseRun> {
  const clock = new RealClock();
  const probeType = spec.probeType ?? 'liveness';
  const probe = { ...spec.probe, timeoutSeconds: spec.probe.timeoutSeconds || 1 };
  const container: Container = {
    ...spec.container,
    name: spec.container?.name ?? 'app',
    image: 'x',
  };
  const probed: Container = { ...container, [TYPES[probeType]]: probe };
  const exec = execOf(spec, probed, clock);
  const prober = createProber({
    transports: transportsOf(spec, clock, kubeletVersion),
    execSync: exec.run,
    recordEvent: () => undefined,
  });
  const status: PodStatus = { phase: 'Running', podIP: spec.podIP ?? '127.0.0.1' };
  const begin = clock.now();
  const answer = await prober.probe(
    probeType,
    podOf(probed),
    status,
    probed,
    'containerd://container',
  );
  const { outcome } = answer;
  return {
    result: outcome.result,
    output: outcome.output,
    ...(outcome.outputBytes ? { outputB64: base64(outcome.outputBytes) } : {}),
    error: answer.error ?? null,
    tries: answer.tries,
    event: answer.event ? eventOf(answer.event) : null,
    kubeletResult: answer.result,
    ...(exec.command() ? { command: exec.command() ?? [] } : {}),
    elapsedMs: clock.now() - begin,
  };
}

function transportsOf(spec: CaseSpec, clock: RealClock, kubeletVersion: string): ProbeTransports {
  return createTransports({
    clock,
    kubeletVersion,
    followNonLocalRedirects: spec.followNonLocalRedirects ?? false,
  });
}

function podOf(container: Container): Pod {
  return {
    metadata: { name: 'pod', namespace: 'default', uid: 'uid' },
    spec: { containers: [container], restartPolicy: 'Always' },
    status: { phase: 'Running' },
  };
}

interface Exec {
  readonly run: (id: string, command: readonly string[], timeout: number) => Promise<ExecResult>;
  readonly command: () => readonly string[] | undefined;
}

/** The scripted runtime of a case, or this machine. */
function execOf(spec: CaseSpec, container: Container, clock: RealClock): Exec {
  const local = new LocalExec(clock, { kill });
  const env: Record<string, string> = { PATH: processEnv['PATH'] ?? '' };
  for (const { name, value } of container.env ?? []) env[name] = value ?? '';
  let seen: readonly string[] | undefined;
  return {
    command: () => seen,
    run: (_id, command, timeoutSeconds) => {
      seen = command;
      const scripted = scriptedExec(spec);
      return scripted
        ? Promise.resolve(scripted)
        : local.run(command, { env, cwd: cwd(), timeoutSeconds });
    },
  };
}

const RPC_CODES: Readonly<Record<string, string>> = {
  UNAVAILABLE: 'Unavailable',
  NOT_FOUND: 'NotFound',
  UNKNOWN: 'Unknown',
  INTERNAL: 'Internal',
  UNIMPLEMENTED: 'Unimplemented',
  INVALID_ARGUMENT: 'InvalidArgument',
  FAILED_PRECONDITION: 'FailedPrecondition',
  PERMISSION_DENIED: 'PermissionDenied',
  RESOURCE_EXHAUSTED: 'ResourceExhausted',
  CANCELLED: 'Canceled',
  ABORTED: 'Aborted',
  ALREADY_EXISTS: 'AlreadyExists',
  OUT_OF_RANGE: 'OutOfRange',
  DATA_LOSS: 'DataLoss',
  UNAUTHENTICATED: 'Unauthenticated',
};

function scriptedExec({ cri, runner }: CaseSpec): ExecResult | undefined {
  const exited = (
    exitCode: number,
    stdout: Uint8Array,
    stderr: Uint8Array = Buffer.alloc(0),
  ): ExecResult => ({
    kind: 'exited',
    exitCode,
    stdout,
    stderr,
  });
  if (runner?.timedOut) return { kind: 'timedOut', message: runner.timedOut };
  if (runner?.error) return { kind: 'error', message: runner.error };
  if (runner) return exited(runner.exitStatus ?? 0, bytesOfSpec(runner.output));
  if (cri?.code === 'DEADLINE_EXCEEDED') return { kind: 'timedOut' };
  if (cri?.code !== undefined) {
    const code = RPC_CODES[cri.code] ?? cri.code;
    return { kind: 'error', message: `rpc error: code = ${code} desc = ${cri.message ?? ''}` };
  }
  if (!cri) return undefined;
  return exited(cri.exitCode ?? 0, bytesOfSpec(cri.stdout), bytesOfSpec(cri.stderr));
}

function eventOf({
  type,
  reason,
  message,
  messageBytes,
}: ProbeEvent): NonNullable<CaseRun['event']> {
  const event = { type, reason, message };
  return messageBytes ? { ...event, messageB64: base64(messageBytes) } : event;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
