import { dumpYaml } from '../documents/dump-yaml.js';

/** A HEALTHCHECK, its defaults filled in. Times are in milliseconds. */
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

/** A container that has a HEALTHCHECK, or not. */
export interface ImportedContainer {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly number[];
  readonly healthcheck?: Healthcheck | undefined;
}

export interface WrittenProbe {
  readonly exec: { readonly command: readonly string[] };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

export interface ImportedProbes {
  readonly startupProbe?: WrittenProbe;
  readonly readinessProbe?: WrittenProbe;
  readonly livenessProbe?: WrittenProbe;
  /** Settings that probes cannot express, or that now mean something else. */
  readonly notes: readonly string[];
}

/** The probes that correspond to a HEALTHCHECK. */
export function healthcheckProbes(healthcheck: Healthcheck): ImportedProbes {
  const command = commandOf(healthcheck.test);
  if (command === undefined)
    return { notes: ['its HEALTHCHECK is NONE: there is nothing to probe'] };
  const { interval, timeout, startPeriod, startInterval, retries } = healthcheck;
  const exec = { command };
  const probe = { exec, ...timing(interval, timeout), failureThreshold: retries };
  const start = timing(startInterval, timeout);
  const budget = startPeriod + retries * interval;
  const failureThreshold = Math.ceil(budget / 1000 / start.periodSeconds);
  const startup = startPeriod > 0 ? { startupProbe: { exec, ...start, failureThreshold } } : {};
  return {
    ...startup,
    readinessProbe: probe,
    livenessProbe: { ...probe, failureThreshold: 2 * retries },
    notes: notes(healthcheck, command),
  };
}

function commandOf([kind, ...rest]: readonly string[]): readonly string[] | undefined {
  if (kind === undefined || kind === 'NONE') return undefined;
  const command = kind === 'CMD-SHELL' ? ['/bin/sh', '-c', rest.join(' ')] : rest;
  return command.map(unexpanded);
}

/** The kubelet would put variables where `$(` stands, and make one `$` of two. */
function unexpanded(word: string): string {
  return word.replace(/\$(?=[$(])/g, '$$$$');
}

function notes(healthcheck: Healthcheck, command: readonly string[]): string[] {
  const { interval, timeout, startPeriod, startInterval } = healthcheck;
  const rounded = [interval, timeout, ...(startPeriod > 0 ? [startInterval] : [])].some(
    (t) => t % 1000 !== 0 || t < 1000,
  );
  const line = command.join(' ');
  return [
    'Docker only marks the container; livenessProbe has it restarted, after twice the retries: leave it out to keep that',
    'Docker waits for the interval after each check; the kubelet begins one each period',
    ...(timeout >= Math.min(interval, startPeriod > 0 ? startInterval : interval)
      ? ['periods are longer than timeouts here: a hung check is followed by a pause']
      : []),
    ...(startPeriod > 0
      ? [
          'start_period became a startupProbe: its budget is the start period and the retries after it',
        ]
      : []),
    ...(rounded ? ['probes count in whole seconds: times were rounded up'] : []),
    ...(/\b(?:curl|wget)\b/.test(line)
      ? ['an httpGet probe would need no program in the image']
      : []),
    ...(/\blocalhost\b/.test(line)
      ? ['localhost is the container itself here; httpGet goes to its address']
      : []),
  ];
}

/**
 * Docker waits for the interval after each check; for a pause after one that hangs, the period has to be longer
 * than the timeout. Docker's default timeout is shortened for that, one that somebody wrote lengthens the period.
 */
function timing(
  interval: number,
  timeout: number,
): Pick<WrittenProbe, 'periodSeconds' | 'timeoutSeconds'> {
  const [period, most] = [seconds(interval), seconds(timeout)];
  if (timeout < interval || most === 1) return { periodSeconds: period, timeoutSeconds: most };
  return timeout === HEALTHCHECK_DEFAULTS.timeout
    ? { periodSeconds: period, timeoutSeconds: Math.max(1, period - 1) }
    : { periodSeconds: most + 1, timeoutSeconds: most };
}

/** Whole seconds, at least one. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** A manifest of one pod for each container, notes as comments above it. */
export function importedManifest(containers: readonly ImportedContainer[]): string {
  return containers.map(podText).join('---\n');
}

function podText({ name, image, ports, healthcheck }: ImportedContainer): string {
  const { notes, ...probes } =
    healthcheck === undefined
      ? { notes: [`${name} has no HEALTHCHECK: there is nothing to probe`] }
      : healthcheckProbes(healthcheck);
  const valid = kubernetesName(name);
  const container = {
    name: valid,
    image,
    ...(ports.length === 0 ? {} : { ports: ports.map((containerPort) => ({ containerPort })) }),
    ...probes,
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: valid },
    spec: { containers: [container] },
  };
  const comments = notes.map((note) => `# ${note.replace(/[\r\n]+/g, ' ')}\n`).join('');
  return `${comments}${dumpYaml(pod)}`;
}

/** A name as Kubernetes takes it. */
function kubernetesName(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63);
  return label.replace(/-+$/, '') || 'app';
}
