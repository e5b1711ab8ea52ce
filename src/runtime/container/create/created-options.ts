import type { Pod } from '../../../api/index.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import type { ConfigSource } from '../../environment/config.js';
import type { EnvironmentNode } from '../../environment/environment-variables.js';
import type { Engine } from '../engine.js';
import type { EngineCli } from '../engine-cli.js';
import type { EngineExecs } from '../engine-execs.js';
import type { CreatedPods } from './created-pods.js';
import type { CreatedRoutes } from './created-routes.js';
import type { EngineImages } from './engine.js';

export interface CreatedOptions {
  readonly engine: Engine;
  readonly listener: EngineListener;
  readonly execs: EngineExecs;
  readonly routes: CreatedRoutes;
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** The id of this run of kprobe in the engine. */
  readonly session: string;
  /** The process that manages it. */
  readonly owner: string;
  /** The engine's network for pods that are not on the host's. */
  readonly network: string;
  /** Returns the TCP ports of a pod that are probed from here. */
  readonly portsOf: (pod: Pod) => readonly number[];
  /** Leave everything when kprobe ends. */
  readonly keep: boolean;
  /** Take over the session of another process. */
  readonly adopts: boolean;
  readonly onClose: () => void;
}

/** Options that all parts of the runtime use. */
export interface Created extends CreatedOptions {
  readonly cli: EngineCli;
  readonly images: EngineImages;
  readonly pods: CreatedPods;
}
