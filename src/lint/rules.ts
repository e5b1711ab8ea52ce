import type { Rule } from './rule.js';
import { curlWithoutFail } from './rules/curl-without-fail.js';
import { execAlwaysSucceeds } from './rules/exec-always-succeeds.js';
import { execInDistroless } from './rules/exec-in-distroless.js';
import { execInsteadOfHandler } from './rules/exec-instead-of-handler.js';
import { execNeedsShell } from './rules/exec-needs-shell.js';
import { execVariableNotExpanded } from './rules/exec-variable-not-expanded.js';
import { graceShorterThanPrestop } from './rules/grace-shorter-than-prestop.js';
import { grpcPortMismatch } from './rules/grpc-port-mismatch.js';
import { heavyExecProbe } from './rules/heavy-exec-probe.js';
import { httpsSchemeMismatch } from './rules/https-scheme-mismatch.js';
import { initialDelayAfterStartupProbe } from './rules/initial-delay-after-startup-probe.js';
import { initialDelayInsteadOfStartupProbe } from './rules/initial-delay-instead-of-startup-probe.js';
import { lateReady } from './rules/late-ready.js';
import { latestImage } from './rules/latest-image.js';
import { livenessAggregateHealth } from './rules/liveness-aggregate-health.js';
import { livenessEqualsReadiness } from './rules/liveness-equals-readiness.js';
import { livenessFailureThresholdOne } from './rules/liveness-failure-threshold-one.js';
import { livenessFasterThanReadiness } from './rules/liveness-faster-than-readiness.js';
import { livenessOnDependency } from './rules/liveness-on-dependency.js';
import { livenessProbeMissing } from './rules/liveness-probe-missing.js';
import { livenessUsesReadinessPath } from './rules/liveness-uses-readiness-path.js';
import { livenessWithoutRestart } from './rules/liveness-without-restart.js';
import { namedPortMissing } from './rules/named-port-missing.js';
import { noReadinessProbe } from './rules/no-readiness-probe.js';
import { oneSecondTimeout } from './rules/one-second-timeout.js';
import { portNotDeclared } from './rules/port-not-declared.js';
import { portOfAnotherContainer } from './rules/port-of-another-container.js';
import { probeGraceLongerThanPod } from './rules/probe-grace-longer-than-pod.js';
import { probeHostLoopback } from './rules/probe-host-loopback.js';
import { probeOnJob } from './rules/probe-on-job.js';
import { probeOnUdpPort } from './rules/probe-on-udp-port.js';
import { progressDeadlineTooShort } from './rules/progress-deadline-too-short.js';
import { readinessFailureThresholdOne } from './rules/readiness-failure-threshold-one.js';
import { readinessOnDependency } from './rules/readiness-on-dependency.js';
import { readinessProbeMissing } from './rules/readiness-probe-missing.js';
import { secretInProbe } from './rules/secret-in-probe.js';
import { serverOnLoopback } from './rules/server-on-loopback.js';
import { sidecarWithoutStartupProbe } from './rules/sidecar-without-startup-probe.js';
import { slowRecovery } from './rules/slow-recovery.js';
import { slowStartRestarts } from './rules/slow-start-restarts.js';
import { stallRestarts } from './rules/stall-restarts.js';
import { startupBudgetTooShort } from './rules/startup-budget-too-short.js';
import { startupProbeMissing } from './rules/startup-probe-missing.js';
import { tcpProbeOnHttpServer } from './rules/tcp-probe-on-http-server.js';
import { tcpSocketHook } from './rules/tcp-socket-hook.js';
import { timeoutEqualsPeriod } from './rules/timeout-equals-period.js';
import { timeoutExceedsPeriod } from './rules/timeout-exceeds-period.js';
import { zeroGracePeriod } from './rules/zero-grace-period.js';

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
