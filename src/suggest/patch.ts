import type { Container, Pod, Probe } from '../api/index.js';
import type { Suggestion } from './suggest.js';

type Change = Pick<Suggestion, 'container' | 'role' | 'probe' | 'before' | 'after'>;

export interface Patched {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Path of the pod template: `spec.template`; empty for a Pod. */
  readonly templatePath: string;
}

/** Returns a strategic merge patch with the changed fields; undefined when nothing changes. */
export function patchOf(
  changes: readonly Change[],
  { apiVersion, kind, name, templatePath }: Patched,
): object | undefined {
  const lists = (['sidecar', 'container'] as const).flatMap((role) => {
    const containers = containersOf(changes.filter((change) => change.role === role));
    return containers.length === 0 ? [] : [[LISTS[role], containers] as const];
  });
  if (lists.length === 0) return undefined;
  const steps = templatePath === '' ? [] : templatePath.split('.');
  const inner = steps.reduceRight<object>((value, step) => ({ [step]: value }), {
    spec: Object.fromEntries(lists),
  });
  return { apiVersion, kind, metadata: { name }, ...inner };
}

/** The lists of a pod's spec that hold them; a patch merges their items by name. */
const LISTS = { sidecar: 'initContainers', container: 'containers' } as const;

/** Returns the changed items of such a list. */
function containersOf(changes: readonly Change[]): object[] {
  const names = [...new Set(changes.map(({ container }) => container))];
  return names.flatMap((container) => {
    const probes = changes
      .filter((change) => change.container === container)
      .map(({ probe, before, after }) => [`${probe}Probe`, changed(before, after)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0);
    return probes.length === 0 ? [] : [{ name: container, ...Object.fromEntries(probes) }];
  });
}

export function changed(before: Probe | undefined, after: Probe): object {
  if (before === undefined) return after;
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => old[key] !== value));
}

/** Returns the pod with the proposed probes. */
export function applyChanges(pod: Pod, changes: readonly Change[]): Pod {
  const change = (container: Container): Container => {
    const own = changes.filter((one) => one.container === container.name);
    return own.reduce<Container>(
      (changedOne, { probe, after }) => ({ ...changedOne, [`${probe}Probe`]: after }),
      container,
    );
  };
  const { initContainers, containers } = pod.spec;
  const inits = initContainers && { initContainers: initContainers.map(change) };
  return { ...pod, spec: { ...pod.spec, ...inits, containers: containers.map(change) } };
}
