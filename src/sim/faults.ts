import type { Container } from '../api/index.js';
import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import type { ProbeType } from '../trace/event.js';
import { parseRate, parseWindow, type Range } from './behavior.js';
import { probeEndpoints } from './endpoint.js';

/** Outages of services that containers depend on, and windows of slow answers and little CPU. Times are in milliseconds. */
export interface Faults {
  readonly outages: readonly Outage[];
  readonly dependencies: readonly Dependency[];
  /** Windows in which answers take longer: 3 for three times as long. */
  readonly slow: readonly Slowdown[];
  /** Windows in which containers get this share of the CPU that they need, above 0. */
  readonly starved: readonly Slowdown[];
}

export interface Outage {
  readonly name: string;
  readonly window: Range;
}

/** A window, with the factor or the share of the CPU that applies in it. */
export interface Slowdown {
  readonly amount: number;
  readonly window: Range;
}

/** Something that fails while the service `on` is down. */
export interface Dependency {
  readonly on: string;
  /** Name of a container; any when absent. */
  readonly container?: string;
  readonly target:
    | { readonly kind: 'probe'; readonly type: ProbeType }
    /** An HTTP endpoint, such as `/ready` or `:8080/ready`. */
    | { readonly kind: 'http'; readonly endpoint: string }
    /** Requests of clients, from 0 to 1 of them. */
    | { readonly kind: 'requests'; readonly share: number };
}

export const NO_FAULTS: Faults = { outages: [], dependencies: [], slow: [], starved: [] };

/** Returns the faults with all times later by a number of milliseconds. */
export function shiftFaults(faults: Faults, milliseconds: number): Faults {
  const shifted = <T extends { readonly window: Range }>(all: readonly T[]): T[] =>
    all.map((each) => {
      const { from, to } = each.window;
      return { ...each, window: { from: from + milliseconds, to: to + milliseconds } };
    });
  const { outages, slow, starved } = faults;
  return { ...faults, outages: shifted(outages), slow: shifted(slow), starved: shifted(starved) };
}

/** Returns true while a container's endpoint needs something that is down. */
export function isDown(
  { outages, dependencies }: Faults,
  container: Container,
  endpoint: string,
  at: number,
): boolean {
  return outages.some(
    ({ name, window }) =>
      isIn(window, at) &&
      dependencies.some(({ on, ...needs }) => on === name && affects(needs, container, endpoint)),
  );
}

/** Returns the share of requests that fail because a service is down. */
export function failingShare({ outages, dependencies }: Faults, at: number): number {
  const answered = dependencies.map(({ on, target }) =>
    target.kind === 'requests' &&
    outages.some(({ name, window }) => name === on && isIn(window, at))
      ? 1 - target.share
      : 1,
  );
  return 1 - answered.reduce((product, share) => product * share, 1);
}

function affects(
  { container: name, target }: Omit<Dependency, 'on'>,
  container: Container,
  endpoint: string,
): boolean {
  if (name !== undefined && name !== container.name) return false;
  // Probes of one endpoint get the same answers.
  if (target.kind === 'probe') return probeEndpoints(container).get(target.type) === endpoint;
  return (
    target.kind === 'http' &&
    endpoint.replace(target.endpoint.startsWith('/') ? /^http :\d+/ : /^http /, '') ===
      target.endpoint
  );
}

/** Returns the factor by which an answer takes longer. */
export function slowness({ slow, starved }: Faults, at: number): number {
  const factors = [
    ...slow.filter(({ window }) => isIn(window, at)).map(({ amount }) => amount),
    ...starved.filter(({ window }) => isIn(window, at)).map(({ amount }) => 1 / amount),
  ];
  return factors.reduce((product, factor) => product * factor, 1);
}

/** Returns the milliseconds that a container with all the CPU that it needs takes for the work of that time. */
export function workBetween({ starved }: Faults, from: number, to: number): number {
  return starved.reduce((work, { amount, window }) => {
    const lost = Math.max(0, Math.min(to, window.to) - Math.max(from, window.from));
    return work - lost * (1 - amount);
  }, to - from);
}

function isIn({ from, to }: Range, at: number): boolean {
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
  const [, target = '', on = '', share] = /^(.+):([\w.-]+)(?:=(.+))?$/.exec(text) ?? [];
  if (target === 'requests') {
    const parsed = parseRate(share ?? '100%');
    return parsed === undefined ? undefined : { on, target: { kind: 'requests', share: parsed } };
  }
  if (on === '' || share !== undefined) return undefined;
  if (/^(:\d+)?\//.test(target)) return { on, target: { kind: 'http', endpoint: target } };
  const [, container, written] = /^(?:(.+)\.)?(\w+)$/.exec(target) ?? [];
  const type = PROBE_TYPES.find((known) => known === written);
  if (type === undefined) return undefined;
  return { on, ...(container !== undefined && { container }), target: { kind: 'probe', type } };
}

/** Parses `0.2@30s..90s`, a share above 0. */
export function parseStarve(text: string): Slowdown | undefined {
  return parseSlowdown(text, (amount) => {
    const share = parseRate(amount);
    return share === 0 ? undefined : share;
  });
}

/** Parses `3x@30s..90s`, a factor from 1 on. */
export function parseSlow(text: string): Slowdown | undefined {
  return parseSlowdown(text, (amount) => {
    const factor = /^\d+(\.\d+)?x$/.test(amount) ? Number(amount.slice(0, -1)) : 0;
    return factor >= 1 ? factor : undefined;
  });
}

function parseSlowdown(
  text: string,
  parse: (amount: string) => number | undefined,
): Slowdown | undefined {
  const [, before = '', after = ''] = /^(.+)@(.+)$/.exec(text) ?? [];
  const amount = parse(before);
  const window = parseWindow(after);
  return amount === undefined || window === undefined ? undefined : { amount, window };
}
