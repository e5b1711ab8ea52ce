export { diff } from './app/diff.js';
export { explain } from './app/explain.js';
export { lintSources as lint, type LintedFile } from './app/lint.js';
export { Replay, type ReplayOptions } from './app/replay.js';
export { type Goal, type RunEnd, type RunOptions, waitForGoal } from './app/run.js';
export {
  type LineListener,
  Session,
  type SessionOptions,
  type TargetRuntime,
} from './app/session.js';
export { parseSetting, type Setting } from './app/settings.js';
export { type ChangedPod, withSettings } from './app/settings.js';
export { type SimulatedRun, simulateScenarios } from './app/simulate.js';
export { type PodSuggestions, suggestFor as suggest, type Suggestions } from './app/suggest.js';
export { validateSources as validate, type ValidateOptions } from './app/validate.js';
export { type WhatIf, whatIf } from './app/what-if.js';
export { RealClock } from './clock/real-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export type { Diagnostic } from './manifest/diagnostic.js';
export { type LoadedManifest, loadManifest } from './manifest/pods/load-manifest.js';
export type { LoadedPod } from './manifest/pods/load-pod.js';
export type { ValidatedFile } from './manifest/verdict/verdict.js';
export { type LoadedScenarios, loadScenarios } from './sim/load-scenarios.js';
export {
  NOTHING_SAID,
  podScenario,
  type PodScenarioOptions,
  type SaidOfPod,
} from './sim/pod-scenario.js';
export type { Scenario } from './sim/scenario.js';
export { simulate } from './sim/simulate.js';
export { type ReadTrace, readTrace, type Trace, type TraceProblem } from './trace/read-trace.js';
export type { Summary } from './trace/summary/summary.js';
export { type Verdict, verdictOf } from './trace/summary/verdict.js';
export type { TraceLine } from './trace/trace-line.js';
export type { TraceEnd, TraceHeader, TraceRecord } from './trace/trace-record.js';
export { encodeLine } from './trace/trace-record.js';
