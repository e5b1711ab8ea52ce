import type { KubernetesRelease } from '../../../src/kubelet/release.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { CONTAINER_TESTS, type ContainerTest } from './containers.js';
import { expectContainers, expectEvent, expectProbes } from './expectations.js';
import { PROBE_TESTS, type ProbeTest } from './probes.js';

type Argv = readonly string[];

/** One of Kubernetes' tests, for all the ways in which kprobe plays it. */
export interface Case {
  readonly suite: 'probes' | 'containers';
  readonly title: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** What each container does in a simulation. */
  readonly runs: Readonly<Record<string, readonly object[]>>;
  /** Deletes the pod once its container `app`, which pauses, runs. */
  readonly isDeleted: boolean;
  readonly gates: readonly string[];
  readonly since?: KubernetesRelease;
  /** Seconds that Kubernetes' test takes at the longest. */
  readonly length: number;
  /** Set where the test waits for its whole length that something does not happen. */
  readonly isNever: boolean;
  /** What a container writes when it has got the request of the hook. */
  readonly request?: string;
  /** Throws unless what the test expects has come about. Waits for no more restarts than `maxRestarts`. */
  readonly expect: (lines: readonly TraceLine[], maxRestarts?: number) => void;
}

export const CASES: readonly Case[] = [
  ...(['container', 'sidecar'] as const).flatMap((place) =>
    PROBE_TESTS.map((test) => probeCase(test, place)),
  ),
  ...CONTAINER_TESTS.map(containerCase),
];

function probeCase(test: ProbeTest, place: 'container' | 'sidecar'): Case {
  const { title, fields, program, run, terminationGracePeriodSeconds, expected, event } = test;
  const container = { name: 'app', command: program, ...fields };
  const sidecar = { ...container, restartPolicy: 'Always' };
  const main = { name: 'main', command: ['/agnhost', 'pause'] };
  return {
    suite: 'probes',
    title: `a ${place} ${title}`,
    spec: {
      ...(place === 'container'
        ? { containers: [container] }
        : { initContainers: [sidecar], containers: [main] }),
      ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
    },
    runs: { app: [run] },
    isDeleted: false,
    gates: [],
    length: expected.within,
    isNever: expected.kind === 'neverReady' || (expected.kind === 'restarts' && !expected.count),
    expect: (lines, maxRestarts) => {
      expectProbes(expected, lines, maxRestarts);
      if (event !== undefined) expectEvent(event, lines);
    },
  };
}

function containerCase(test: ContainerTest): Case {
  const { title, spec, runs, isDeleted = false, gates = [], since, expected } = test;
  return {
    suite: 'containers',
    title,
    spec,
    runs,
    isDeleted,
    gates,
    ...(since !== undefined && { since }),
    length: 180,
    isNever: false,
    ...(expected.kind === 'hook' && { request: expected.request }),
    expect: (lines, maxRestarts) => expectContainers(expected, lines, maxRestarts),
  };
}

/**
 * Returns the pod of a case as JSON, with one image for all containers, and its commands changed by `argv`. A probe has five seconds
 * where its test does not say otherwise, as Kubernetes' tests give those that failed on slow machines.
 */
export function podOf(each: Case, image: string, argv = (command: Argv): Argv => command) {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `test-${CASES.indexOf(each)}` },
    spec: each.spec,
  };
  return JSON.stringify(pod, (key, value: unknown) => {
    if (key === 'command') return argv(value as Argv);
    if (/^(?:liveness|readiness|startup)Probe$/.test(key)) {
      return { timeoutSeconds: 5, ...(value as object) };
    }
    const isList = key === 'containers' || key === 'initContainers';
    return isList ? (value as object[]).map((each) => ({ image, ...each })) : value;
  });
}
