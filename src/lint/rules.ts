import type { Rule } from './rule.js';
import { curlWithoutFail } from './rules/commands/curl-without-fail.js';
import { execAlwaysSucceeds } from './rules/commands/exec-always-succeeds.js';
import { execInDistroless } from './rules/commands/exec-in-distroless.js';
import { execInsteadOfHandler } from './rules/commands/exec-instead-of-handler.js';
import { execNeedsShell } from './rules/commands/exec-needs-shell.js';
import { execVariableNotExpanded } from './rules/commands/exec-variable-not-expanded.js';
import { heavyExecProbe } from './rules/commands/heavy-exec-probe.js';
import { secretInProbe } from './rules/commands/secret-in-probe.js';
import { grpcPortMismatch } from './rules/network/grpc-port-mismatch.js';
import { httpsSchemeMismatch } from './rules/network/https-scheme-mismatch.js';
import { namedPortMissing } from './rules/network/named-port-missing.js';
import { portNotDeclared } from './rules/network/port-not-declared.js';
import { portOfAnotherContainer } from './rules/network/port-of-another-container.js';
import { probeHostLoopback } from './rules/network/probe-host-loopback.js';
import { probeOnUdpPort } from './rules/network/probe-on-udp-port.js';
import { serverOnLoopback } from './rules/network/server-on-loopback.js';
import { tcpProbeOnHttpServer } from './rules/network/tcp-probe-on-http-server.js';
import { tcpSocketHook } from './rules/network/tcp-socket-hook.js';
import { latestImage } from './rules/purpose/latest-image.js';
import { livenessAggregateHealth } from './rules/purpose/liveness-aggregate-health.js';
import { livenessEqualsReadiness } from './rules/purpose/liveness-equals-readiness.js';
import { livenessFasterThanReadiness } from './rules/purpose/liveness-faster-than-readiness.js';
import { livenessOnDependency } from './rules/purpose/liveness-on-dependency.js';
import { livenessProbeMissing } from './rules/purpose/liveness-probe-missing.js';
import { livenessUsesReadinessPath } from './rules/purpose/liveness-uses-readiness-path.js';
import { livenessWithoutRestart } from './rules/purpose/liveness-without-restart.js';
import { noReadinessProbe } from './rules/purpose/no-readiness-probe.js';
import { probeOnJob } from './rules/purpose/probe-on-job.js';
import { readinessOnDependency } from './rules/purpose/readiness-on-dependency.js';
import { readinessProbeMissing } from './rules/purpose/readiness-probe-missing.js';
import { sidecarWithoutStartupProbe } from './rules/purpose/sidecar-without-startup-probe.js';
import { startupProbeMissing } from './rules/purpose/startup-probe-missing.js';
import { graceShorterThanPrestop } from './rules/timing/grace-shorter-than-prestop.js';
import { initialDelayAfterStartupProbe } from './rules/timing/initial-delay-after-startup-probe.js';
import { initialDelayInsteadOfStartupProbe } from './rules/timing/initial-delay-instead-of-startup-probe.js';
import { lateReady } from './rules/timing/late-ready.js';
import { livenessFailureThresholdOne } from './rules/timing/liveness-failure-threshold-one.js';
import { oneSecondTimeout } from './rules/timing/one-second-timeout.js';
import { probeGraceLongerThanPod } from './rules/timing/probe-grace-longer-than-pod.js';
import { progressDeadlineTooShort } from './rules/timing/progress-deadline-too-short.js';
import { readinessFailureThresholdOne } from './rules/timing/readiness-failure-threshold-one.js';
import { slowRecovery } from './rules/timing/slow-recovery.js';
import { slowStartRestarts } from './rules/timing/slow-start-restarts.js';
import { stallRestarts } from './rules/timing/stall-restarts.js';
import { startupBudgetTooShort } from './rules/timing/startup-budget-too-short.js';
import { timeoutEqualsPeriod } from './rules/timing/timeout-equals-period.js';
import { timeoutExceedsPeriod } from './rules/timing/timeout-exceeds-period.js';
import { zeroGracePeriod } from './rules/timing/zero-grace-period.js';

/** All rules, by their ids' order. */
export const RULES: readonly Rule[] = [
  curlWithoutFail,
  execAlwaysSucceeds,
  execInDistroless,
  execInsteadOfHandler,
  execNeedsShell,
  execVariableNotExpanded,
  graceShorterThanPrestop,
  grpcPortMismatch,
  heavyExecProbe,
  httpsSchemeMismatch,
  initialDelayAfterStartupProbe,
  initialDelayInsteadOfStartupProbe,
  lateReady,
  latestImage,
  livenessAggregateHealth,
  livenessEqualsReadiness,
  livenessFailureThresholdOne,
  livenessFasterThanReadiness,
  livenessOnDependency,
  livenessProbeMissing,
  livenessUsesReadinessPath,
  livenessWithoutRestart,
  namedPortMissing,
  noReadinessProbe,
  oneSecondTimeout,
  portNotDeclared,
  portOfAnotherContainer,
  probeGraceLongerThanPod,
  probeHostLoopback,
  probeOnJob,
  probeOnUdpPort,
  progressDeadlineTooShort,
  readinessFailureThresholdOne,
  readinessOnDependency,
  readinessProbeMissing,
  secretInProbe,
  serverOnLoopback,
  sidecarWithoutStartupProbe,
  slowRecovery,
  slowStartRestarts,
  stallRestarts,
  startupBudgetTooShort,
  startupProbeMissing,
  tcpProbeOnHttpServer,
  tcpSocketHook,
  timeoutEqualsPeriod,
  timeoutExceedsPeriod,
  zeroGracePeriod,
];
