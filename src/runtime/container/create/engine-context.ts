import type { Pod } from '../../../api/index.js';
import type { Clock } from '../../../clock/clock.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import type { ConfigSource, EnvironmentNode } from '../../environment/environment-variables.js';
import type { Engine } from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import type { KnownPods } from './known-pods.js';
import type { PodRoutes } from './pod-routes.js';

export interface EngineRuntimeOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly listener: EngineListener;
  readonly execs: EngineExecs;
  readonly routes: PodRoutes;
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** The id of this run of kprobe in the engine. */
  readonly session: string;
  readonly owner: string;
  /** The engine's network for pods that are not on the host's. */
  readonly network: string;
  /** Returns the TCP ports of a pod that are probed from here. */
  readonly portsOf: (pod: Pod) => readonly number[];
  /** Leaves the containers in the engine when kprobe ends. */
  readonly keep: boolean;
  /** Takes over the session of another process. */
  readonly adopts: boolean;
  readonly onClose: () => void;
}

/** The options and the state that all parts of the runtime share. */
export interface EngineContext extends EngineRuntimeOptions {
  readonly pods: KnownPods;
}
