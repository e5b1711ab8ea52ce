import type { Pod, PodStatus } from '../api/index.js';
import { type Clock, goLater, midpoint, type Random, seeded } from '../clock/clock.js';
import type { Kubelet } from '../kubelet/kubelet.js';
import type { KubeletConfig } from '../kubelet/release.js';
import { KUBELET_AGE, type Scenario } from '../sim/scenario.js';
import type { ScriptedWorld } from '../sim/scripted-runtime.js';
import { neverPulled, simulatedKubelet } from '../sim/simulate.js';
import type { Event } from '../trace/event.js';
import type { PodHost } from './api-server.js';
import type { ApiPod } from './controllers/objects.js';

const RELIST_PERIOD = 1000;
const POD_NETWORK = '10.244';

interface KubeletsOptions {
  readonly clock: Clock;
  /** Seed of the random values; without one, random waits take their average. */
  readonly seed?: number | undefined;
  readonly config?: KubeletConfig | undefined;
  readonly behaviorOf: (pod: ApiPod, random: Random) => Scenario['containers'];
  /** Faults of all containers, and a callback for their starts. */
  readonly world?: Pick<ScriptedWorld, 'faults' | 'onStart'> | undefined;
  /** Returns the milliseconds until the kubelet of a pod starts; by default 0. */
  readonly startsAfter?: ((pod: ApiPod) => number) | undefined;
  readonly podChanged: (uid: string, status: PodStatus) => void;
  readonly podGone: (uid: string) => void;
  readonly onEvent?: ((pod: ApiPod, event: Event) => void) | undefined;
}

/** Runs a simulated kubelet per pod; each relists at another phase of the second. */
export class Kubelets implements PodHost {
  readonly #running = new Map<string, { readonly kubelet: Kubelet; pod: Pod }>();
  readonly #random: Random;
  readonly #phase: Random;
  #started = 0;

  constructor(private readonly options: KubeletsOptions) {
    const { seed } = options;
    this.#random = seeded(seed ?? 1);
    this.#phase = seed === undefined ? midpoint : this.#random;
  }

  start(pod: ApiPod): void {
    const { clock, startsAfter } = this.options;
    const kubelet = this.#create(pod);
    this.#running.set(pod.metadata.uid, { kubelet, pod });
    const add = (): void => {
      const running = this.#running.get(pod.metadata.uid);
      if (running !== undefined) kubelet.update('ADD', running.pod);
    };
    const start = (): void => {
      kubelet.start();
      goLater(clock, add, this.#phase() * RELIST_PERIOD);
    };
    const wait = startsAfter?.(pod) ?? 0;
    if (wait === 0) start();
    else goLater(clock, start, wait);
  }

  terminate(pod: ApiPod): void {
    const running = this.#running.get(pod.metadata.uid);
    if (running === undefined) return;
    running.pod = pod;
    running.kubelet.update('UPDATE', pod);
  }

  /** Stops all kubelets, without waiting for work in progress. */
  stop(): void {
    for (const { kubelet } of this.#running.values()) kubelet.stop();
    this.#running.clear();
  }

  #create(pod: ApiPod): Kubelet {
    const { clock, config, behaviorOf, podChanged, onEvent, world } = this.options;
    const { uid } = pod.metadata;
    const number = this.#started++;
    return simulatedKubelet({
      clock,
      config,
      containers: behaviorOf(pod, this.#random),
      world: {
        ...world,
        random: this.#random,
        present: neverPulled([pod]),
        podIP: `${POD_NETWORK}.${Math.floor(number / 250) % 256}.${(number % 250) + 2}`,
      },
      age: KUBELET_AGE,
      emit: (event) => onEvent?.(pod, event),
      sink: {
        patchPodStatus(_pod, status) {
          podChanged(uid, status);
          return Promise.resolve();
        },
        deletePod: () => {
          this.#gone(uid);
          return Promise.resolve();
        },
      },
    });
  }

  #gone(uid: string): void {
    const running = this.#running.get(uid);
    if (running === undefined) return;
    this.#running.delete(uid);
    this.options.clock.go(() => running.kubelet.stop());
    this.options.podGone(uid);
  }
}

/** Returns the longest period of a pod's probes in milliseconds; 0 without a probe. */
export function longestPeriod({ spec }: ApiPod): number {
  const periods = spec.containers.flatMap(({ livenessProbe, readinessProbe }) => [
    livenessProbe?.periodSeconds ?? 0,
    readinessProbe?.periodSeconds ?? 0,
  ]);
  return 1000 * Math.max(0, ...periods);
}
