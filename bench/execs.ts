/** What the benchmark of exec attempts in containers is made of; bundled by bench/bundle.mjs. */
export { RealClock } from '../src/clock/real-clock.js';
export { EngineCli } from '../src/runtime/container/engine-cli.js';
export { EngineExecs } from '../src/runtime/container/engine-execs.js';
export { engineKind } from '../src/runtime/container/engine-kind.js';
