/** A HEALTHCHECK. Times are in milliseconds. */
export interface Healthcheck {
  /** `NONE`, `CMD` and a command, or `CMD-SHELL` and a line for the shell. */
  readonly test: readonly string[];
  readonly interval: number;
  readonly timeout: number;
  readonly startPeriod: number;
  readonly startInterval: number;
  readonly retries: number;
}

/** Docker's defaults (moby, daemon/health.go). */
export const HEALTHCHECK_DEFAULTS = {
  interval: 30_000,
  timeout: 30_000,
  startPeriod: 0,
  startInterval: 5000,
  retries: 3,
} as const;

/** Replaces the zeros of a HEALTHCHECK with Docker's defaults. */
export function withDefaults(healthcheck: Healthcheck): Healthcheck {
  const set = Object.entries(healthcheck).filter(([, value]) => value !== 0);
  return { ...healthcheck, ...HEALTHCHECK_DEFAULTS, ...Object.fromEntries(set) };
}

interface WrittenProbe {
  readonly exec: { readonly command: readonly string[] };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
  readonly initialDelaySeconds?: number;
}

export interface ImportedProbes {
  readonly startupProbe?: WrittenProbe;
  readonly readinessProbe?: WrittenProbe;
  readonly livenessProbe?: WrittenProbe;
  readonly notes: readonly string[];
}

/**
 * Returns the probes that correspond to a HEALTHCHECK. Docker calls nothing unhealthy before the start period and
 * `retries` checks after it; the next check begins up to `interval + timeout` after the last one. Probes that kill
 * allow that time, so a kubelet kills nothing that Docker calls healthy (moby, daemon/health.go).
 */
export function healthcheckProbes(healthcheck: Healthcheck): ImportedProbes {
  const command = commandOf(healthcheck.test);
  if (command === undefined)
    return { notes: ['its HEALTHCHECK is NONE: there is nothing to probe'] };
  const { interval, timeout, startPeriod, startInterval, retries } = healthcheck;
  const exec = { command };
  const timeoutSeconds = seconds(timeout);
  const slowest = interval + timeout;
  const startBudget = startPeriod + Math.max(startInterval, slowest) + (retries - 1) * slowest;
  const probe = (period: number, budget: number): WrittenProbe => ({
    exec,
    periodSeconds: period,
    timeoutSeconds,
    failureThreshold: 1 + Math.ceil(budget / 1000 / period),
  });
  if (SIDE_EFFECT.test(command.join(' '))) {
    const livenessProbe = probe(periodAfter(interval, timeout), retries * slowest);
    const initialDelaySeconds = seconds(startPeriod);
    return {
      livenessProbe: { ...livenessProbe, ...(startPeriod > 0 && { initialDelaySeconds }) },
      notes: [
        'the check changes something, so only one probe makes it: what one attempt removes, the next probe would miss',
        ...notes(healthcheck, command),
      ],
    };
  }
  const startup = { startupProbe: probe(seconds(startInterval), startBudget) };
  return {
    ...(startPeriod > 0 && startup),
    readinessProbe: { exec, ...readinessTiming(interval, timeout), failureThreshold: retries },
    livenessProbe: probe(periodAfter(interval, timeout), retries * slowest),
    notes: notes(healthcheck, command),
  };
}

/** Commands that change files, processes or data, or send more than a question. */
const SIDE_EFFECT =
  /\bos\.(?:remove|unlink|rename)\b|\bunlink(?:Sync)?\b|(?:^|[\s;&|(])(?:rm|mv|touch|tee|truncate|kill(?!\s+-0))\s|>{1,2}\s*(?!&|\s*\/dev\/)[\w/$"']|-X\s*(?:POST|PUT|PATCH|DELETE)|--post-|\b(?:INSERT|UPDATE|DELETE FROM)\s/;

function commandOf([kind, ...rest]: readonly string[]): readonly string[] | undefined {
  if (kind === undefined || kind === 'NONE') return undefined;
  const command = kind === 'CMD-SHELL' ? ['/bin/sh', '-c', ...rest] : rest;
  // The kubelet would expand `$(`, and turn `$$` into `$`.
  return command.map((word) => word.replace(/\$(?=[$(])/g, '$$$$'));
}

function notes(healthcheck: Healthcheck, command: readonly string[]): string[] {
  const { interval, timeout, startPeriod, startInterval } = healthcheck;
  const rounded = [interval, timeout, ...(startPeriod > 0 ? [startInterval] : [])].some(
    (t) => t % 1000 !== 0 || t < 1000,
  );
  const line = command.join(' ');
  const readiness = readinessTiming(interval, timeout);
  const all = [
    'Docker only marks the container; livenessProbe has it restarted, after the longest time that Docker takes to mark it: leave it out to keep that',
    'Docker waits for the interval after each check; the kubelet begins one each period',
    timeout >= interval &&
      'liveness periods are longer than timeouts: a hung check is followed by a pause',
    readiness.timeoutSeconds < seconds(timeout) &&
      `readinessProbe waits ${readiness.timeoutSeconds} s for an answer, Docker by default 30 s: raise period and timeout for slower checks`,
    startPeriod > 0 &&
      'start_period became a startupProbe: its budget is the start period and the retries after it, each with the longest check',
    rounded && 'probes count in whole seconds: times were rounded up',
    /\b(?:curl|wget)\b/.test(line) && 'an httpGet probe would need no program in the image',
    /\blocalhost\b/.test(line) &&
      'localhost is the container itself here; httpGet goes to its address',
  ];
  return all.filter((note) => note !== false);
}

/** Docker waits for the interval after each check; for a pause after one that hangs, the period has to be longer than the timeout. */
function periodAfter(interval: number, timeout: number): number {
  const isShorter = timeout < interval || (seconds(timeout) === 1 && seconds(interval) === 1);
  return isShorter ? seconds(interval) : seconds(timeout) + 1;
}

/** Docker's default timeout is shortened, since the Dockerfile has not set it; no container is killed for its readiness. */
function readinessTiming(
  interval: number,
  timeout: number,
): Pick<WrittenProbe, 'periodSeconds' | 'timeoutSeconds'> {
  const period = seconds(interval);
  if (timeout === HEALTHCHECK_DEFAULTS.timeout && timeout >= interval)
    return { periodSeconds: period, timeoutSeconds: Math.max(1, period - 1) };
  return { periodSeconds: periodAfter(interval, timeout), timeoutSeconds: seconds(timeout) };
}

/** Whole seconds, at least one. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
