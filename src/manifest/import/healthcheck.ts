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

/** What Docker takes where nothing is said (moby, daemon/health.go). */
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
