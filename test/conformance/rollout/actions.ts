import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import type { Applied, ControlPlane } from '../../../src/rollout/control-plane.js';
import type { PodTemplate, Workload } from '../../../src/rollout/controllers/objects.js';
import { appliedWorkload } from '../../../src/rollout/workload.js';
import { rollBack } from '../../helpers/rollout-rig.js';

/** An action of a scenario, as bench/rollout-oracle/run.go describes it. */
export interface Action {
  readonly at: number;
  readonly patch?: { readonly spec: Patch };
  readonly rollback?: number;
  readonly delete?: string;
  readonly drain?: string;
}

interface Patch {
  readonly template?: { readonly spec: { readonly containers: readonly { image: string }[] } };
  readonly updateStrategy?: { readonly type: string; readonly rollingUpdate: object | null };
}

type Manifest = Record<string, unknown>;

export function withDefaults(object: Manifest): Applied {
  const metadata = { name: 'app', namespace: 'default' };
  return { ...object, metadata } as unknown as Applied;
}

function appliedOf(object: Manifest): Applied {
  const { pods } = loadManifest([{ file: 'app.json', text: JSON.stringify(object) }]);
  return withDefaults({ ...appliedWorkload(pods[0]!) });
}

/** Applies a workload, and does to it what users do with kubectl. */
export class User {
  readonly #plane: ControlPlane;
  #object: Manifest;
  /** Templates by revision; of a StatefulSet or a DaemonSet, one that is used again has the next number. */
  readonly #history = new Map<number, PodTemplate>();

  constructor(plane: ControlPlane, object: Manifest) {
    this.#plane = plane;
    this.#object = object;
    const applied = appliedOf(object) as Workload;
    plane.apply(applied);
    this.#remember(applied.spec.template);
  }

  act({ patch, rollback, drain, delete: target }: Action): void {
    if (drain !== undefined) this.#plane.drain(drain);
    else if (target !== undefined) this.#delete(target);
    else if (rollback !== undefined) this.#rollBack(rollback);
    else if (patch !== undefined) this.#patch(patch.spec);
  }

  get #workload(): Workload {
    return this.#plane.snapshot().workloads[0]!;
  }

  #delete(target: string): void {
    for (const pod of this.#plane.snapshot().pods) {
      if (pod.metadata.name === target || pod.spec.nodeName === target) {
        this.#plane.api.deletePod(pod);
      }
    }
  }

  #patch({ template, updateStrategy, ...rest }: Patch): void {
    const { type, rollingUpdate } = updateStrategy ?? {};
    const strategy = { type, ...(rollingUpdate && { rollingUpdate }) };
    const changed = { ...rest, ...(updateStrategy && { updateStrategy: strategy }) };
    const spec = { ...(this.#object['spec'] as Manifest), ...changed };
    this.#object = { ...this.#object, spec };
    const before = this.#workload.spec.template;
    const containers = before.spec.containers.map((container) => ({
      ...container,
      ...template?.spec.containers[0],
    }));
    this.#apply({ ...before, spec: { ...before.spec, containers } });
  }

  #rollBack(revision: number): void {
    const workload = this.#workload;
    if (workload.kind === 'Deployment') {
      // kubectl does not roll a paused Deployment back.
      const { paused } = workload.spec;
      if (!paused) rollBack(this.#plane, workload, revision);
      return;
    }
    const template = this.#history.get(revision === 0 ? this.#revisions.at(-2)! : revision);
    if (template !== undefined) this.#apply(template);
  }

  #apply(template: PodTemplate): void {
    const { kind, spec } = appliedOf(this.#object) as Workload;
    this.#plane.apply(withDefaults({ kind, spec: { ...spec, template } }));
    this.#remember(template);
  }

  get #revisions(): readonly number[] {
    return [...this.#history.keys()].sort((a, b) => a - b);
  }

  #remember(template: PodTemplate): void {
    const last = this.#revisions.at(-1) ?? 0;
    for (const [revision, known] of this.#history) {
      if (JSON.stringify(known) !== JSON.stringify(template)) continue;
      if (revision === last) return;
      this.#history.delete(revision);
    }
    this.#history.set(last + 1, template);
  }
}
