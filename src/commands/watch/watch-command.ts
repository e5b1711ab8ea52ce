import type { Command } from '@commander-js/extra-typings';

import { omitUndefined } from '../../api/index.js';
import { withClusterOptions } from '../../cli/shared/cluster-options.js';
import type { CommandInput, Io } from '../../cli/shared/io.js';
import { awaitCluster, clusterFailure } from '../../cli/shared/kube-source.js';
import { OPTIONS } from '../../cli/shared/options.js';
import { orReported } from '../../cli/shared/reports/reports.js';
import { openFiles, orDiscarded, runWithOutputs } from '../../cli/shared/run/run-outputs.js';
import type { RunActions } from '../../cli/shared/screen.js';
import { traceHeader } from '../../cli/shared/trace-file.js';
import { RealClock } from '../../clock/real-clock.js';
import { ClusterError, connect, parseResource } from '../../cluster/client/cluster.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import { WatchSession } from '../../session/cluster/watch-session.js';
import { type WatchQuery, watchTarget } from '../../session/cluster/watch-target.js';
import { goalOf, waitForGoal } from '../../session/wait-for-goal.js';
import { UsageError } from '../../usage-error.js';

/** Times are in milliseconds. */
type WatchFlags = ReturnType<ReturnType<typeof watchOptions>['opts']>;

export function watchOptions(program: Command) {
  const command = program
    .command('watch')
    .description(
      `Watch pods of a cluster: what their kubelets do to them and why, what comes next and when, and what blocks a rollout. kprobe only reads: pods, their events, and the workload.

A word alone names a pod; without one, kprobe watches all pods of the namespace. Other resources: deployment, statefulset, daemonset, replicaset, job. With --until ready, a workload is ready when it is rolled out.`,
    )
    .usage('[options] [pod/NAME | deploy/NAME | NAME]')
    .argument('[resource...]', 'pod/web, deploy/web, or the name of a pod')
    .option('-l, --selector <labels>', 'watch the pods with these labels, such as app=web')
    .option('--field-selector <fields>', 'watch the pods with these fields')
    .option('-A, --all-namespaces', 'watch pods of all namespaces')
    .addOption(OPTIONS.until())
    .addOption(OPTIONS.for())
    .addOption(OPTIONS.timeout())
    .addOption(OPTIONS.record())
    .addOption(OPTIONS.report())
    .addOption(OPTIONS.metrics())
    .addOption(OPTIONS.output())
    .addOption(OPTIONS.withSecrets())
    .addOption(OPTIONS.quiet())
    .addOption(OPTIONS.plain())
    .addOption(OPTIONS.color())
    .addOption(OPTIONS.noHints())
    .addOption(OPTIONS.verbose());
  return withClusterOptions(command);
}

const READS_ONLY = 'kprobe watch only reads; kprobe run --kube makes attempts of its own';

const WATCH_ACTIONS: RunActions = {
  trigger: () => READS_ONLY,
  restart: () => Promise.resolve(READS_ONLY),
};

export function watchCommand(input: CommandInput<WatchFlags>, io: Io): Promise<number> {
  const { flags } = input;
  return orReported({ command: 'kprobe watch', flags, io }, () => watch(input, io));
}

async function watch({ paths, flags }: CommandInput<WatchFlags>, io: Io): Promise<number> {
  const files = await openFiles(flags);
  const starting = awaitCluster(flags, io, start(paths, flags, io)).catch((error: unknown) => {
    throw error instanceof ClusterError ? clusterFailure(error) : error;
  });
  const session = await orDiscarded(files, starting);
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
    actions: WATCH_ACTIONS,
    run: (quit) => {
      session.begin();
      const goal = goalOf(flags, 'open');
      const limits = omitUndefined({ timeout: flags.timeout, quit });
      return waitForGoal({ clock, session, goal, signal: io.signal, ...limits });
    },
  });
}

/** Finds and lists the pods; an error so far ends the command. */
async function start(paths: readonly string[], flags: WatchFlags, io: Io): Promise<WatchSession> {
  const cluster = await connect(flags, io.env);
  try {
    const target = await watchTarget(cluster, wordsOf(paths, flags, cluster.namespace));
    const { withSecrets } = flags;
    const session = new WatchSession({ clock: new RealClock(), cluster, target, withSecrets });
    await session.list();
    return session;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

function wordsOf(
  paths: readonly string[],
  flags: WatchFlags,
  defaultNamespace: string,
): WatchQuery {
  const { selector: labelSelector, fieldSelector, allNamespaces = false } = flags;
  const words = paths.join(' ');
  const { kind, name } = resourceOf(paths);
  if (name !== undefined) {
    const selectors = { '--selector': labelSelector, '--field-selector': fieldSelector };
    const all = allNamespaces ? { '--all-namespaces': true } : {};
    const [idle] = Object.keys(omitUndefined({ ...selectors, ...all }));
    if (idle !== undefined) throw new UsageError(`${idle} cannot be combined with ${words}`);
  } else if (kind !== 'pods') {
    throw new UsageError(`${words}: name one, such as ${words}/web`);
  }
  const namespace = allNamespaces ? undefined : defaultNamespace;
  return { kind, ...omitUndefined({ name, namespace, labelSelector, fieldSelector }) };
}

const WATCHED = ['pods', 'deployments', 'statefulsets', 'daemonsets', 'replicasets', 'jobs'];

/** Returns the kind and the name; an unknown kind is the name of a pod. */
function resourceOf(paths: readonly string[]): Pick<WatchQuery, 'kind' | 'name'> {
  const [word] = paths;
  if (word === undefined) return { kind: 'pods' };
  try {
    const found = parseResource(paths);
    if (WATCHED.includes(found.kind)) return found;
    throw new UsageError(`${paths.join(' ')}: kprobe watches ${WATCHED.join(', ')}`);
  } catch (error) {
    if (!(error instanceof ClusterError) || paths.length > 1 || word.includes('/')) throw error;
    return { kind: 'pods', name: word };
  }
}
