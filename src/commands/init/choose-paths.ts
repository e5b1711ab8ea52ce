import { contextPath, pathsBelow, pathsIn } from '../../diagnosis/answer.js';

export interface PathAnswer {
  readonly path: string;
  readonly status?: number | undefined;
  /** Milliseconds from the start to the first success. */
  readonly since?: number | undefined;
  /** Milliseconds from the start to the last failure before that. */
  readonly failedAt?: number | undefined;
}

/** Paths at which servers commonly report that they live, the most certain first. */
const LIVENESS = [
  '/livez',
  '/live',
  '/health/live',
  '/healthz/live',
  '/actuator/health/liveness',
  '/healthz',
  '/-/healthy',
  '/health',
  '/api/health',
  '/ping',
];

const READINESS = [
  '/readyz',
  '/ready',
  '/health/ready',
  '/healthz/ready',
  '/actuator/health/readiness',
  '/-/ready',
  '/actuator/health',
];

/** A path that no server has: one that answers it answers them all. */
export const NO_SUCH_PATH = '/kprobe-init-asks-for-what-is-not-there';

const USUAL = [...LIVENESS, ...READINESS];

/** Returns the usual paths, then those of them below a prefix that a program's output names. */
export function pathsToAsk(output: readonly string[]): readonly string[] {
  const prefix = contextPath(output);
  const named = pathsIn(output);
  const below = USUAL.flatMap((path) => [
    ...(prefix === undefined ? [] : [`${prefix}${path}`]),
    ...pathsBelow(named, path),
  ]);
  return [...new Set([NO_SUCH_PATH, '/', ...USUAL, ...below])];
}

/** Returns the usual path that a path is, or that it has below a prefix. */
function usualPath(path: string): string | undefined {
  return USUAL.filter((usual) => path.endsWith(usual)).toSorted((a, b) => b.length - a.length)[0];
}

/** Milliseconds between two paths that get ready apart. */
const MIN_START_DIFFERENCE = 1000;

export interface ChosenPaths {
  readonly liveness?: string | undefined;
  readonly readiness?: string | undefined;
  /** True where the server answers every path, so that a path proves little. */
  readonly answersAll?: boolean;
}

/** Chooses the paths of probes from the answers; undefined where no path succeeded. */
export function choosePaths(answers: readonly PathAnswer[]): ChosenPaths {
  const found = new Map(answers.map((answer) => [answer.path, answer]));
  const any = found.get(NO_SUCH_PATH);
  const isOwn = (path: string): boolean => {
    const answer = found.get(path);
    if (answer?.since === undefined) return false;
    return any?.since === undefined || isLater(answer, any) || isLater(any, answer);
  };
  const first = (usual: readonly string[]): string | undefined =>
    usual
      .flatMap((each) => [...found.keys()].filter((path) => usualPath(path) === each))
      .find(isOwn);
  const root = found.get('/')?.since === undefined ? undefined : '/';
  const liveness = first(LIVENESS) ?? root;
  const readiness = first(READINESS) ?? liveness;
  return { liveness, readiness, ...(any?.since !== undefined && { answersAll: true }) };
}

/** True where a path still failed when another one had succeeded, and long enough for that to be no chance. */
function isLater({ since = 0, failedAt = 0 }: PathAnswer, other: PathAnswer): boolean {
  const otherSince = other.since ?? 0;
  return failedAt > otherSince && since - otherSince > MIN_START_DIFFERENCE;
}
