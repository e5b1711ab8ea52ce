import type { Command } from '@commander-js/extra-typings';

import { omitUndefined } from '../../api/index.js';
import { withClusterOptions } from '../../cli/shared/cluster-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonOutput, write } from '../../cli/shared/io.js';
import {
  awaitCluster,
  clusterFailure,
  inCluster,
  withConnection,
} from '../../cli/shared/kube-source.js';
import { withShared } from '../../cli/shared/options.js';
import { traceHeader } from '../../cli/shared/output/trace-file.js';
import { type RunActions, textStyle } from '../../cli/shared/output-style.js';
import type { Relations } from '../../cli/shared/relations.js';
import { orReported } from '../../cli/shared/reports/reports.js';
import { openFiles, orDiscarded, runWithOutputs } from '../../cli/shared/run/run-outputs.js';
import { RealClock } from '../../clock/real-clock.js';
import { type Cluster, ClusterError, parseResource } from '../../cluster/client/cluster.js';
import { RESOURCES } from '../../cluster/resources.js';
import { DEFAULT_RELEASE, type KubeletConfig } from '../../kubelet/release.js';
import { clusterUpgrade } from '../../session/cluster/cluster-upgrade.js';
import { WatchSession } from '../../session/cluster/watch-session.js';
import {
  type NamedResource,
  type WatchQuery,
  watchTarget,
} from '../../session/cluster/watch-target.js';
import { goalOf, waitForGoal } from '../../session/wait-for-goal.js';
import { UsageError } from '../../usage-error.js';
import { clusterUpgradeText } from './cluster-upgrade-text.js';

/** Times are in milliseconds. */
type WatchFlags = ReturnType<ReturnType<typeof options>['opts']>;

export function options(program: Command) {
  const command = program
    .command('watch')
    .description(
      `Watch pods of a cluster: what their kubelets do to them and why, what comes next and when, and what blocks a rollout. kprobe only reads: pods, their events, and the workload.

A word alone names a pod; without one, kprobe watches all pods of the namespace. Other resources: deployment, statefulset, daemonset, replicaset, job, cronjob (the job that it has made last). With --until ready, a workload is ready when it is rolled out.`,
    )
    .usage('[options] [NAME | pod/NAME | deploy/NAME ...]')
    .argument('[resource...]', 'pod/web, deploy/web sts/db, or the name of a pod')
    .option('-l, --selector <labels>', 'watch the pods with these labels, such as app=web')
    .option('--field-selector <fields>', 'watch the pods with these fields')
    .option('-A, --all-namespaces', 'watch pods of all namespaces');
  const ended = withShared(command, 'nodesUpgradeTo', 'until', 'for', 'timeout');
  const output = withShared(ended, 'record', 'report', 'metrics', 'output', 'withSecrets');
  return withClusterOptions(withShared(output, 'quiet', 'plain', 'color', 'noHints', 'verbose'));
}

export const relations: Relations<WatchFlags> = { outputs: { upgradeTo: ['json'] } };

const READS_ONLY = 'kprobe watch only reads; kprobe run --kube makes attempts of its own';

const WATCH_ACTIONS: RunActions = {
  trigger: () => READS_ONLY,
  restart: () => Promise.resolve(READS_ONLY),
};

export function command(input: CommandInput<WatchFlags>, io: Io): Promise<number> {
  const { flags } = input;
  return orReported({ command: 'kprobe watch', flags, io }, () => watch(input, io));
}

async function watch({ paths, flags }: CommandInput<WatchFlags>, io: Io): Promise<number> {
  const { upgradeTo } = flags;
  const query = queryOf(paths, flags);
  if (upgradeTo !== undefined) {
    return inCluster(flags, io, (cluster) =>
      awaitCluster(cluster, flags, io, () => showUpgrade(cluster, query, flags, upgradeTo, io)),
    );
  }
  const files = await openFiles(flags);
  const session = await orDiscarded(files, start(query, flags, io));
  const clock = new RealClock();
  const startedAt = new Date(session.origin).toISOString();
  const header = traceHeader({ kubelet: DEFAULT_RELEASE, target: 'cluster', startedAt }, []);
  return runWithOutputs({
    command: 'kprobe watch',
    paths: [],
    flags,
    io,
    files,
    clock,
    session,
    header,
    actions: {
      ...WATCH_ACTIONS,
      followLog: (pod, container) => void session.followLog(pod, container),
    },
    run: (quit) => {
      session.begin();
      const goal = goalOf(flags, 'open');
      const limits = omitUndefined({ timeout: flags.timeout, quit });
      return waitForGoal({ clock, session, goal, signal: io.signal, ...limits });
    },
  });
}

/** Shows what an upgrade of the nodes changes for the pods; the exit codes are those of kprobe diff. */
async function showUpgrade(
  cluster: Cluster,
  query: Query,
  flags: WatchFlags,
  to: KubeletConfig,
  io: Io,
): Promise<number> {
  const { parts } = await watchTarget(cluster, query(cluster));
  const selections = parts.map(({ pods }) => pods);
  const upgrade = await clusterUpgrade(cluster, selections, to);
  const differs = upgrade.groups.length > 0;
  const text =
    flags.output === 'json'
      ? jsonOutput({ differs, to: to.version, ...upgrade })
      : clusterUpgradeText(upgrade, to.version, await textStyle(flags, io));
  await write(io.stdout, text);
  return differs ? EXIT.failure : EXIT.success;
}

/** Finds and lists the pods; an error in this step ends the command. */
function start(query: Query, flags: WatchFlags, io: Io): Promise<WatchSession> {
  return withConnection(flags, io, (cluster) =>
    awaitCluster(cluster, flags, io, async () => {
      const target = await watchTarget(cluster, query(cluster));
      const { withSecrets } = flags;
      const session = new WatchSession({ clock: new RealClock(), cluster, target, withSecrets });
      await session.list();
      return session;
    }),
  );
}

type Query = (cluster: Cluster) => WatchQuery;

/** Reads the words of the command line; the function that it returns adds the namespace, which the context of the cluster has. */
function queryOf(paths: readonly string[], flags: WatchFlags): Query {
  const { selector: labelSelector, fieldSelector, allNamespaces = false } = flags;
  const resources = resourcesOf(paths);
  if (resources.length > 0) {
    const selectors = { '--selector': labelSelector, '--field-selector': fieldSelector };
    const all = allNamespaces ? { '--all-namespaces': true } : {};
    const [idle] = Object.keys(omitUndefined({ ...selectors, ...all }));
    if (idle !== undefined)
      throw new UsageError(`${idle} cannot be combined with ${paths.join(' ')}`);
  }
  return (cluster) => {
    const namespace = allNamespaces ? undefined : cluster.namespace;
    return { resources, ...omitUndefined({ namespace, labelSelector, fieldSelector }) };
  };
}

const WATCHED = [
  ...['pods', 'deployments', 'statefulsets', 'daemonsets', 'replicasets', 'jobs'],
  'cronjobs',
];

/** Reads `deploy/web sts/db`, `deploy web api` or the name of a pod; without names, all pods are watched. */
function resourcesOf(paths: readonly string[]): readonly NamedResource[] {
  const [word, ...names] = paths;
  if (word === undefined) return [];
  try {
    if (word.includes('/')) return paths.map((path) => namedResource([path]));
    if (names.length > 0) return names.map((name) => namedResource([word, name]));
    if (['pods', ...RESOURCES.pods.words].includes(word)) return [];
    return [namedResource([word])];
  } catch (error) {
    const isPod = error instanceof ClusterError && paths.length === 1 && !word.includes('/');
    if (isPod) return [{ kind: 'pods', name: word }];
    throw clusterFailure(error);
  }
}

function namedResource(words: readonly string[]): NamedResource {
  const { kind, name } = parseResource(words);
  const text = words.join(' ');
  if (!WATCHED.includes(kind)) {
    throw new UsageError(`${text}: kprobe watches ${WATCHED.join(', ')}`);
  }
  if (name === undefined) throw new UsageError(`${text}: name one, such as ${text}/web`);
  return { kind, name };
}
