/** What bench/hostile.mjs attempts, and the targets that its child plays; bundled by bench/bundle.mjs. */
export { HOSTILE_COMMANDS, NAP } from '../test/helpers/hostile-commands.js';
export { HOSTILE, HostileServer } from '../test/helpers/servers/hostile-targets.js';
export { createTransports, LocalExec, newRequestForHTTPGetAction, RealClock } from './prober.js';
