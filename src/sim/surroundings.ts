import type { Container } from '../api/index.js';
import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import type { ProbeType } from '../trace/event.js';
import { parseRate, parseWindow, type Spread } from './behavior.js';
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

/** The syntax of each option, for messages. */
export const OUTAGE_FORM = 'a name and a window: db=60s..150s';
export const DEPENDENCY_FORM =
  'a dependency such as readiness:db, app.liveness:db, /ready:db, requests:db or requests:db=40%';
export const STARVE_FORM = 'a share of the CPU and a window: 0.2@30s..90s';
export const SLOW_FORM = 'a factor and a window: 3x@30s..90s';

/** Parses `db=60s..150s`. */
export function parseOutage(text: string): Outage | undefined {
  const [, name = '', window = ''] = /^([\w.-]+)=(.*)$/.exec(text) ?? [];
  const parsed = parseWindow(window);
  return name === '' || parsed === undefined ? undefined : { name, window: parsed };
}

/** Parses `readiness:db`, `app.readiness:db`, `/ready:db`, `:8080/ready:db`, `requests:db` or `requests:db=40%`. */
export function parseDependency(text: string): Dependency | undefined {
  const [, of = '', on = '', share] = /^(.+):([\w.-]+)(?:=(.+))?$/.exec(text) ?? [];
  if (of === 'requests') {
    const parsed = parseRate(share ?? '100%');
    return parsed === undefined ? undefined : { on, of: { kind: 'requests', share: parsed } };
  }
  if (on === '' || share !== undefined) return undefined;
  if (/^(:\d+)?\//.test(of)) return { on, of: { kind: 'http', endpoint: of } };
  const [, container, written] = /^(?:(.+)\.)?(\w+)$/.exec(of) ?? [];
  const type = PROBE_TYPES.find((known) => known === written);
  if (type === undefined) return undefined;
  return { on, ...(container !== undefined && { container }), of: { kind: 'probe', type } };
}

/** Parses `0.2@30s..90s`, a share above 0. */
export function parseStarve(text: string): Phase | undefined {
  return phase(text, (amount) => {
    const share = parseRate(amount);
    return share === 0 ? undefined : share;
  });
}

/** Parses `3x@30s..90s`, a factor from 1 on. */
export function parseSlow(text: string): Phase | undefined {
  return phase(text, (amount) => {
    const factor = /^\d+(\.\d+)?x$/.test(amount) ? Number(amount.slice(0, -1)) : 0;
    return factor >= 1 ? factor : undefined;
  });
}

function phase(text: string, parse: (amount: string) => number | undefined): Phase | undefined {
  const [, before = '', after = ''] = /^(.+)@(.+)$/.exec(text) ?? [];
  const amount = parse(before);
  const window = parseWindow(after);
  return amount === undefined || window === undefined ? undefined : { amount, window };
}
