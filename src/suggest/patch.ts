import type { Container } from '../api/types/container.js';
import type { Pod } from '../api/types/pod.js';
import type { Probe } from '../api/types/probe.js';
import type { Suggestion } from './suggest.js';

type Change = Pick<Suggestion, 'container' | 'probe' | 'before' | 'after'>;

/** What a strategic merge patch of the pod's spec has to say: what is other than before. */
export function patchOf(changes: readonly Change[]): object {
  const names = [...new Set(changes.map(({ container }) => container))];
  const containers = names.map((name) => {
    const probes = changes
      .filter(({ container }) => container === name)
      .map(({ probe, before, after }) => [`${probe}Probe`, changed(before, after)] as const);
    return { name, ...Object.fromEntries(probes.filter(([, fields]) => hasAny(fields))) };
  });
  return { spec: { containers } };
}

function changed(before: Probe | undefined, after: Probe): object {
  if (before === undefined) return after;
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => old[key] !== value));
}

function hasAny(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

/** The pod with the proposed probes. */
export function applyChanges(pod: Pod, changes: readonly Change[]): Pod {
  const change = (container: Container): Container => {
    const own = changes.filter((one) => one.container === container.name);
    return own.reduce<Container>(
      (changedOne, { probe, after }) => ({ ...changedOne, [`${probe}Probe`]: after }),
      container,
    );
  };
  const { spec } = pod;
  return { ...pod, spec: { ...spec, containers: spec.containers.map(change) } };
}
