import type { Rule } from './rule.js';
import * as commands from './rules/commands.js';
import * as loadBalancers from './rules/load-balancers.js';
import * as missingProbes from './rules/missing-probes.js';
import * as network from './rules/network.js';
import * as purpose from './rules/purpose.js';
import * as rollouts from './rules/rollouts.js';
import * as services from './rules/services.js';
import * as simulated from './rules/simulated.js';
import * as startup from './rules/startup.js';
import * as thresholds from './rules/thresholds.js';

/** All rules, by their ids' order. A module in `rules/` exports rules and nothing else. */
export const RULES: readonly Rule[] = [
  commands,
  loadBalancers,
  missingProbes,
  network,
  purpose,
  rollouts,
  services,
  simulated,
  startup,
  thresholds,
]
  .flatMap((rules) => Object.values<Rule>(rules))
  .sort((a, b) => (a.id < b.id ? -1 : 1));
