/** What the benchmarks of single attempts are made of; bundled by bench/bundle.mjs. */
export { RealClock } from '../src/clock/real-clock.js';
export { newRequestForHTTPGetAction } from '../src/kubelet/prober/http-request.js';
export { LocalExec } from '../src/probe/local-exec.js';
export { createTransports } from '../src/probe/transports.js';
