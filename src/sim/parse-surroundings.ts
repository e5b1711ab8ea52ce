import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import { parseRate, parseWindow } from './parse-behaviour.js';
import type { Dependency, Outage, Phase } from './surroundings.js';

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
