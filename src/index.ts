export { type Goal, type RunEnd, type RunOptions, waitForGoal } from './app/run.js';
export {
  type LineListener,
  Session,
  type SessionOptions,
  type TargetRuntime,
} from './app/session.js';
export { RealClock } from './clock/real-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export { type LoadedManifest, loadManifest } from './manifest/load-manifest.js';
export { type LoadedScenarios, loadScenarios } from './sim/load-scenarios.js';
export type { Scenario } from './sim/scenario.js';
export { simulate } from './sim/simulate.js';
export { encodeLine } from './trace/codec.js';
export type { Summary } from './trace/summary/summary.js';
export { type Verdict, verdictOf } from './trace/summary/verdict.js';
export type { TraceLine } from './trace/trace-line.js';
