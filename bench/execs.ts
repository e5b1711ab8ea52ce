/** What the benchmark of exec attempts in containers is made of; bundled by bench/bundle.mjs. */
export { RealClock } from '../src/clock/real-clock.js';
export { connectEngine } from '../src/runtime/container/connect-engine.js';
export { EngineExecs } from '../src/runtime/container/engine-execs.js';
