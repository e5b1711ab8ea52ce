export { RealClock } from './clock/real-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export { diff } from './commands/diff/diff.js';
export { explain } from './commands/explain/explain.js';
export { lintSources as lint, type LintedFile } from './commands/lint/lint-sources.js';
export {
  type PodSuggestions,
  suggestFor as suggest,
  type Suggestions,
} from './commands/suggest/suggest-pods.js';
export type { Diagnostic } from './manifest/diagnostic.js';
export { type LoadedManifest, loadManifest } from './manifest/pods/load-manifest.js';
export type { LoadedPod } from './manifest/pods/load-pod.js';
export { parseSetting, type Setting } from './manifest/pods/settings.js';
export { type ChangedPod, withSettings } from './manifest/pods/settings.js';
export { validateSources as validate, type ValidateOptions } from './manifest/verdict/validate.js';
export type { ValidatedFile } from './manifest/verdict/verdict.js';
export { Replay, type ReplayOptions } from './session/replay.js';
export {
  type LineListener,
  Session,
  type SessionOptions,
  type TargetRuntime,
} from './session/session.js';
export { type Goal, type RunEnd, type RunOptions, waitForGoal } from './session/wait-for-goal.js';
export { type LoadedScenarios, loadScenarios } from './sim/load-scenarios.js';
export {
  EMPTY_BEHAVIOR,
  type PodBehaviorSpec,
  podScenario,
  type PodScenarioOptions,
} from './sim/pod-scenario.js';
export { type WhatIf, whatIf } from './sim/recorded/what-if.js';
export type { Scenario } from './sim/scenario.js';
export { simulate } from './sim/simulate.js';
export { type SimulatedRun, simulateScenarios } from './sim/simulate-scenarios.js';
export { type ReadTrace, readTrace, type Trace, type TraceProblem } from './trace/read-trace.js';
export type { Summary } from './trace/summary/summary.js';
export { type Verdict, verdictOf } from './trace/summary/verdict.js';
export type { TraceLine } from './trace/trace-line.js';
export type { TraceEnd, TraceHeader, TraceRecord } from './trace/trace-record.js';
export { encodeLine } from './trace/trace-record.js';
