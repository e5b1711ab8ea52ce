import { z, type ZodType } from 'zod';

import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import { optionOf, UsageError } from '../../usage-error.js';

export interface McpFlags {
  readonly allowHost?: true | undefined;
  readonly allowLocalExec?: true | undefined;
  readonly allowCluster?: true | undefined;
}

export interface Arguments {
  readonly manifest?: string;
  readonly paths?: readonly string[];
  readonly recording?: string;
  readonly [name: string]: unknown;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needsCluster?: true;
  /** True when a recorded run determines the exit code. */
  readonly hasRecordedEnd?: true;
  readonly input: (flags: McpFlags) => Readonly<Record<string, ZodType>>;
  /** Returns the command line of kprobe that answers a call. */
  readonly commandLine: (given: Arguments, flags: McpFlags) => readonly string[];
}

const MANIFESTS = {
  manifest: z.string().optional().describe('the manifest itself, as YAML or JSON'),
  paths: z
    .array(z.string().min(1))
    .optional()
    .describe('files or folders of manifests, in the folder in which the server runs'),
};

const CLUSTER = {
  kube: z
    .string()
    .optional()
    .describe('an object of the cluster in place of a manifest: deploy/web'),
  namespace: z.string().optional(),
  context: z.string().optional().describe('a context of the kubeconfig'),
};

const CONTAINER = { container: z.string().optional().describe('only this container') };

function manifests({ allowCluster }: McpFlags) {
  return allowCluster === true ? { ...MANIFESTS, ...CLUSTER } : MANIFESTS;
}

/** Writes a flag and its value as one word, so that no value becomes another option. */
function flagsOf(given: Arguments, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = given[name];
    const values = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];
    return values.map((each) => `${optionOf(name)}=${String(each)}`);
  });
}

/** The manifests of a call; its text goes to standard input. */
function sources(given: Arguments, isNeeded = true): string[] {
  const { manifest, paths = [], kube } = given;
  if (paths.includes('-')) throw new UsageError('"-" is no file: use manifest');
  const flags = [
    ...(manifest === undefined ? [] : ['--filename=-']),
    ...paths.map((path) => `--filename=${path}`),
    ...flagsOf(given, ['kube', 'namespace', 'context']),
  ];
  if (isNeeded && flags.length === 0 && kube === undefined) {
    throw new UsageError('give manifest or paths');
  }
  return flags;
}

const DURATION = z.string().optional();

const BEHAVIOR = {
  readyAfter: DURATION.describe('nothing answers before this time after a start: 25s, or app=25s'),
  latency: DURATION.describe('how long an answer takes: 200ms±50ms'),
  hangsAt: DURATION.describe('nothing answers during this time: 60s..90s'),
  failRate: DURATION.describe('share of attempts that fail: 2%'),
  diesAfter: DURATION.describe('the container exits by itself after this long'),
  stopTakes: DURATION.describe('how long it takes to stop after TERM'),
  deleteAt: DURATION.describe('delete the pod at this time'),
  for: DURATION.describe('how long to simulate (10m)'),
  runs: z.int().min(2).max(1000).optional().describe('many runs with random values, summarized'),
  seed: z.int().min(1).optional(),
};

const TARGETS = {
  http: z.array(z.string()).optional().describe('HTTP probes: :8080/healthz'),
  https: z.array(z.string()).optional().describe('HTTPS probes: :8443/healthz'),
  tcp: z.array(z.string()).optional().describe('TCP probes: :5432'),
  grpc: z.array(z.string()).optional().describe('gRPC health checks: :9000/service'),
};

/** Rejects a target on any host but this machine's loopback addresses. */
function refuseHosts(given: Arguments): void {
  for (const name of Object.keys(TARGETS)) {
    for (const target of (given[name] as readonly string[] | undefined) ?? []) {
      const address = target.replace(/^\w+:\/\//, '');
      // A bare number is a port, as in wait-on's tcp:4000.
      if (/^(?:127(?:\.\d{1,3}){3}|\[::1\])?:?\d+(?:[/?]|$)/.test(address)) continue;
      throw new UsageError(
        `${target}: only loopback addresses, such as :8080/healthz; kprobe mcp --allow-host allows others`,
      );
    }
  }
}

export const RESULT = {
  exitCode: z
    .number()
    .describe(
      '0 success, 1 failure or findings, 2 cannot be read, 3 undetermined; of a recording that of its run: 124 timed out, 130, 143 interrupted',
    ),
  output: z.unknown().describe('what the command prints: JSON, or text'),
  messages: z.string().describe('errors and notes'),
};

export const TOOLS: readonly Tool[] = [
  {
    name: 'validate',
    title: 'Validate manifests',
    description: 'Shows how a Kubernetes v1.36 API server would answer to manifests, offline.',
    input: () => MANIFESTS,
    commandLine: (given) => ['validate', '--output=json', ...sources(given)],
  },
  {
    name: 'lint',
    title: 'Lint probes',
    description:
      'Reports risky probe and lifecycle settings, each with the reason, the source and, where there is one, the fix as a diff.',
    input: manifests,
    commandLine: (given) => ['lint', '--output=json', ...sources(given)],
  },
  {
    name: 'lint_rule',
    title: 'Explain a rule of lint',
    description: 'Says what a rule finds, why that matters, and its sources.',
    input: () => ({ rule: z.string().describe('such as late-ready') }),
    commandLine: (given) => ['lint', `--explain=${String(given['rule'])}`],
  },
  {
    name: 'explain',
    title: 'Explain probe timing',
    description:
      'Computes the earliest and the latest time at which each container is started, ready, not ready, killed, restarted and gone, and the settings behind each.',
    input: (flags) => ({ ...manifests(flags), ...CONTAINER }),
    commandLine: (given) => [
      ...['explain', '--output=json', ...sources(given)],
      ...flagsOf(given, ['container']),
    ],
  },
  {
    name: 'explain_event',
    title: 'Explain an event',
    description:
      "Says what a kubelet's event means, why it happened, what helps and what comes next, from its text in kubectl describe pod.",
    input: (flags) => ({
      event: z
        .string()
        .describe('such as: Liveness probe failed: HTTP probe failed with statuscode: 500'),
      ...manifests(flags),
      ...CONTAINER,
    }),
    commandLine: (given) => [
      ...['explain', '--output=json', ...sources(given, false)],
      ...flagsOf(given, ['event', 'container']),
    ],
  },
  {
    name: 'simulate',
    title: 'Simulate a pod',
    description:
      'Shows in virtual time what the kubelet does with a pod whose containers behave as described: ready, restarts, back-off. Nothing is started.',
    input: (flags) => ({ ...manifests(flags), ...BEHAVIOR }),
    commandLine: (given) => [
      ...['simulate', ...(given['runs'] === undefined ? [] : ['--output=json'])],
      ...[...sources(given), ...flagsOf(given, Object.keys(BEHAVIOR))],
    ],
  },
  {
    name: 'once',
    title: 'Make one attempt of probes',
    description:
      "Makes one attempt of each probe, given as targets or in a manifest, at this machine, and says how the kubelet would judge it. A request reaches the server: use it on the user's own.",
    input: () => ({
      ...TARGETS,
      ...MANIFESTS,
      ...CONTAINER,
      probe: z.array(z.enum(PROBE_TYPES)).optional(),
      port: z.array(z.string()).optional().describe('LOCAL:CONTAINER ports, such as 18080:8080'),
      probeTimeout: DURATION.describe('timeout of an attempt (1s)'),
    }),
    commandLine: (given, { allowHost, allowLocalExec }) => {
      if (allowHost !== true) refuseHosts(given);
      return [
        ...['once', '--output=json', '--timeout=50s', ...sources(given, false)],
        ...flagsOf(given, [...Object.keys(TARGETS), 'container', 'probe', 'port', 'probeTimeout']),
        ...(allowHost === true ? ['--allow-host'] : []),
        ...(allowLocalExec === true ? ['--allow-local-exec'] : []),
      ];
    },
  },
  {
    name: 'diagnose_recording',
    title: 'Diagnose a recorded run',
    description:
      'Shows a recording of kprobe run or kprobe watch (--record): what failed and why, what came next, and which field to change.',
    hasRecordedEnd: true,
    input: () => ({ recording: z.string().min(1).describe('a file in this folder') }),
    // A path that begins with "-" is not an option.
    commandLine: ({ recording = '' }) => ['replay', '--plain', recording.replace(/^-/, './-')],
  },
  {
    name: 'diagnose_pod',
    title: 'Diagnose pods of a cluster',
    description:
      'Watches pods of the cluster for some seconds: what their kubelets do and why, what comes next, what blocks a rollout. It only reads.',
    needsCluster: true,
    input: () => ({
      resource: z
        .string()
        .regex(/^[a-z]/)
        .describe('pod/web, deploy/web, or the name of a pod'),
      namespace: CLUSTER.namespace,
      context: CLUSTER.context,
      seconds: z.int().min(1).max(50).optional().describe('how long to watch (5)'),
    }),
    commandLine: (given) => [
      ...['watch', '--plain', `--for=${Number(given['seconds'] ?? 5)}s`],
      ...[...flagsOf(given, ['namespace', 'context']), String(given['resource'])],
    ],
  },
];
