import type { Pod } from '../../../api/index.js';
import type { Clock } from '../../../clock/clock.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import type { ConfigSource } from '../../environment/config.js';
import type { EnvironmentNode } from '../../environment/environment-variables.js';
import type { Host } from '../../host.js';
import type { EngineCli } from '../engine-cli.js';
import type { EngineExecs } from '../engine-execs.js';

export interface CreatedOptions {
  readonly cli: EngineCli;
  readonly clock: Clock;
  readonly host: Host;
  readonly listener: EngineListener;
  readonly execs: EngineExecs;
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** What this run of kprobe is known by, in the engine. */
  readonly session: string;
  /** The process that looks after it. */
  readonly owner: string;
  /** The engine's network for pods that are not on the host's. */
  readonly network: string;
  /** The TCP ports of a pod that are to be reached from here. */
  readonly portsOf: (pod: Pod) => readonly number[];
  /** What was made is left when all ends. */
  readonly keep: boolean;
  /** The session was another process's: what it made is taken over. */
  readonly adopts: boolean;
  readonly onClose: () => void;
}
