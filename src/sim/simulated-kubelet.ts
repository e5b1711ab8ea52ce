import { allContainers, type Pod } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import { applyDefaultImageTag } from '../kubelet/containers/image-manager.js';
import type { EmitEvent } from '../kubelet/event.js';
import { Kubelet } from '../kubelet/kubelet.js';
import type { StatusSink } from '../kubelet/ports.js';
import { KUBELET_VERSION } from '../kubelet/prober/http-request.js';
import { TracedRuntime } from '../kubelet/traced-runtime.js';
import type { Scenario } from './scenario.js';
import { ScriptedRuntime, type ScriptedWorld } from './scripted-runtime.js';
import { scriptedTransports } from './scripted-transports.js';

/** The node that simulated pods run on. */
const HOST_IP = '127.0.0.1';

interface SimulatedKubelet {
  readonly clock: Clock;
  readonly containers: Scenario['containers'];
  readonly world: ScriptedWorld;
  readonly emit: EmitEvent;
  /** Milliseconds that it counts as already up. */
  readonly age: number;
  readonly relistLatency?: number;
  /** The API server, if there is one. */
  readonly sink?: StatusSink;
}

/** Returns a kubelet whose containers follow scripts. */
export function simulatedKubelet({ clock, containers, world, ...options }: SimulatedKubelet) {
  const runtime = new TracedRuntime(
    options.emit,
    (listener) => new ScriptedRuntime(clock, containers, listener, world),
  );
  return new Kubelet({
    ...options,
    clock,
    runtime,
    transports: scriptedTransports(clock, (id) => runtime.inner.container(id)),
    // What a scenario shows does not depend on when its kubelet was started.
    collectsGarbage: false,
    hostIP: HOST_IP,
    version: KUBELET_VERSION,
  });
}

/** Returns the images with imagePullPolicy Never: a simulated node has them. */
export function neverPulled(pods: readonly Pod[]): string[] {
  return pods
    .flatMap(({ spec }) => allContainers(spec))
    .filter(({ imagePullPolicy }) => imagePullPolicy === 'Never')
    .flatMap(({ image }) => {
      const defaulted = applyDefaultImageTag(image);
      return defaulted.ok ? defaulted.value : [];
    });
}
