import type { Container } from '../api/index.js';
import type { ProbeType } from '../kubelet/event.js';
import type { Spread } from './behaviour.js';
import { probeEndpoints } from './endpoint.js';

/** Things that all containers depend on, and their CPU. Times are in milliseconds. */
export interface Surroundings {
  readonly outages: readonly Outage[];
  readonly dependencies: readonly Dependency[];
  /** Windows in which answers take longer: 3 for three times as long. */
  readonly slow: readonly Phase[];
  /** Windows in which containers get this share of the CPU that they need, above 0. */
  readonly starved: readonly Phase[];
}

export interface Outage {
  readonly name: string;
  readonly window: Spread;
}

export interface Phase {
  readonly amount: number;
  readonly window: Spread;
}

/** Answers that fail while `on` is down. */
export interface Dependency {
  readonly on: string;
  /** Name of a container; any when absent. */
  readonly container?: string;
  readonly of:
    | { readonly kind: 'probe'; readonly type: ProbeType }
    /** An HTTP endpoint, such as `/ready` or `:8080/ready`. */
    | { readonly kind: 'http'; readonly endpoint: string }
    /** Requests of clients, from 0 to 1 of them. */
    | { readonly kind: 'requests'; readonly share: number };
}

export const NO_SURROUNDINGS: Surroundings = {
  outages: [],
  dependencies: [],
  slow: [],
  starved: [],
};

/** Returns the surroundings with all times later by that much. */
export function laterBy(surroundings: Surroundings, milliseconds: number): Surroundings {
  const later = <T extends { readonly window: Spread }>(all: readonly T[]): T[] =>
    all.map((each) => {
      const { from, to } = each.window;
      return { ...each, window: { from: from + milliseconds, to: to + milliseconds } };
    });
  const { outages, slow, starved } = surroundings;
  return { ...surroundings, outages: later(outages), slow: later(slow), starved: later(starved) };
}

/** Returns true while a container's endpoint needs something that is down. */
export function isDown(
  { outages, dependencies }: Surroundings,
  container: Container,
  endpoint: string,
  at: number,
): boolean {
  return outages.some(
    ({ name, window }) =>
      isIn(window, at) &&
      dependencies.some(({ on, ...needs }) => on === name && concerns(needs, container, endpoint)),
  );
}

/** Returns the share of requests that fail because something is down. */
export function failingShare({ outages, dependencies }: Surroundings, at: number): number {
  const answered = dependencies.map(({ on, of }) =>
    of.kind === 'requests' && outages.some(({ name, window }) => name === on && isIn(window, at))
      ? 1 - of.share
      : 1,
  );
  return 1 - answered.reduce((product, share) => product * share, 1);
}

function concerns(
  { container: name, of }: Omit<Dependency, 'on'>,
  container: Container,
  endpoint: string,
): boolean {
  if (name !== undefined && name !== container.name) return false;
  // Probes of one endpoint get the same answers.
  if (of.kind === 'probe') return probeEndpoints(container).get(of.type) === endpoint;
  return (
    of.kind === 'http' &&
    endpoint.replace(of.endpoint.startsWith('/') ? /^http :\d+/ : /^http /, '') === of.endpoint
  );
}

/** Returns the factor by which an answer takes longer. */
export function slowness({ slow, starved }: Surroundings, at: number): number {
  const factors = [
    ...slow.filter(({ window }) => isIn(window, at)).map(({ amount }) => amount),
    ...starved.filter(({ window }) => isIn(window, at)).map(({ amount }) => 1 / amount),
  ];
  return factors.reduce((product, factor) => product * factor, 1);
}

/** Returns the milliseconds in which a container with all its CPU does the work of that time. */
export function workBetween({ starved }: Surroundings, from: number, to: number): number {
  return starved.reduce((work, { amount, window }) => {
    const lost = Math.max(0, Math.min(to, window.to) - Math.max(from, window.from));
    return work - lost * (1 - amount);
  }, to - from);
}

function isIn({ from, to }: Spread, at: number): boolean {
  return from <= at && at < to;
}
