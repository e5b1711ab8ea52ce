import type { Command } from '@commander-js/extra-typings';

import { withClusterOptions } from '../../cli/shared/cluster-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { isAbort } from '../../cli/shared/file-errors.js';
import {
  type CommandInput,
  type Io,
  jsonOutput,
  orAborted,
  withinLimits,
  write,
} from '../../cli/shared/io.js';
import { withShared } from '../../cli/shared/options.js';
import { textStyle, themeOf } from '../../cli/shared/output-style.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { RealClock } from '../../clock/real-clock.js';
import { type ClusterErrorCode, withRule } from '../../cluster/cluster-error.js';
import type { Cluster } from '../../cluster/types.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { ENGINE_NAMES, type EngineName } from '../../runtime/container/engine-kind.js';
import { maskText } from '../../secrets/credential-text.js';
import { escapeControl } from '../../text/escape.js';
import { table } from '../../text/table.js';
import type { TextStyle } from '../../text/text-style.js';
import { type MaskedField, maskedFields } from './masked-fields.js';

export function options(program: Command) {
  const command = program
    .command('doctor')
    .description(
      'Check what kprobe needs on this machine: Node, a container engine, the cluster of the kubeconfig, the terminal; what each means for kprobe, and what to do. It changes nothing; the cluster is asked for one pod.',
    )
    .option(
      '--secrets <file>',
      'list the fields of a manifest that kprobe masks, and why; no values, and nothing else',
    );
  const exitCodes = '\nExit codes: 0 kprobe works, 1 something is broken';
  return withClusterOptions(withShared(command, 'textOrJson', 'color')).addHelpText(
    'after',
    exitCodes,
  );
}

type DoctorFlags = ReturnType<ReturnType<typeof options>['opts']>;

interface DoctorCheck {
  readonly name: string;
  /** `missing`: only some commands need it. */
  readonly status: 'ok' | 'missing' | 'broken';
  readonly found: string;
  readonly meaning: string;
  readonly help?: string;
}

export async function command({ flags }: CommandInput<DoctorFlags>, io: Io): Promise<number> {
  if (flags.secrets !== undefined) return listSecrets(flags.secrets, flags, io);
  const checks = [
    nodeCheck(process.versions.node),
    ...(await orAborted(io.signal, Promise.all(ENGINE_NAMES.map((name) => engineCheck(name, io))))),
    ...(await kubeconfigChecks(flags, io)),
    terminalCheck(io),
  ];
  const text =
    flags.output === 'json'
      ? jsonOutput({ checks })
      : checksText(checks, await textStyle(flags, io));
  await write(io.stdout, text);
  return checks.some(({ status }) => status === 'broken') ? EXIT.failure : EXIT.success;
}

const REASONS: Readonly<Record<MaskedField['reason'], string>> = {
  name: 'its name says that it is a credential',
  secret: 'its value is in a Secret',
  pattern: 'it looks like a credential, or holds one',
};

async function listSecrets(path: string, { output }: DoctorFlags, io: Io): Promise<number> {
  const manifest = loadManifest(await readSources([path], io), { validate: false });
  const fields = maskedFields(manifest).map((each) => ({ ...each, reason: REASONS[each.reason] }));
  const rows = fields.map(({ object, field, reason }) => [object, field, reason]);
  const text = table([['object', 'field', 'masked because'], ...rows]);
  const shown = rows.length === 0 ? 'nothing is masked\n' : text;
  await write(io.stdout, output === 'json' ? jsonOutput({ fields }) : shown);
  return EXIT.success;
}

export function nodeCheck(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const atLeast = (wantMajor: number, wantMinor: number): boolean =>
    major > wantMajor || (major === wantMajor && minor >= wantMinor);
  const common = { name: 'node', found: `v${version}` };
  if (!atLeast(20, 19)) {
    const meaning = 'kprobe needs Node 20.19 or later';
    return { ...common, status: 'broken', meaning, help: 'Install a newer Node' };
  }
  const meaning = atLeast(22, 1)
    ? 'supported; starts are fast, as this Node keeps compiled code'
    : 'supported; from 22.1 on, Node keeps compiled code, and kprobe starts faster';
  return { ...common, status: 'ok', meaning };
}

/** Milliseconds. */
const ANSWER_LIMIT = 5000;

async function engineCheck(name: EngineName, io: Io): Promise<DoctorCheck> {
  const runtime = name === 'docker' ? '' : ` with --runtime ${name}`;
  const uses = `run --docker and run --create${runtime}`;
  try {
    const { connectEngine } = await import('../../runtime/container/connect-engine.js');
    await withinLimits({ for: ANSWER_LIMIT }, io, 'no answer', () =>
      connectEngine(name, new RealClock(), io.host),
    );
    return { name, status: 'ok', found: 'it answers', meaning: `${uses} work` };
  } catch (error) {
    const found = maskText((error as Error).message);
    const help = `Start ${name}, if you want to use it; all else works without it`;
    return { name, status: 'missing', found, meaning: `${uses} do not work`, help };
  }
}

async function kubeconfigChecks(flags: DoctorFlags, io: Io): Promise<readonly DoctorCheck[]> {
  const name = 'kubeconfig';
  const { readFiles } = await import('../../cluster/connection/kubeconfig.js');
  const { connect } = await import('../../cluster/client/cluster.js');
  try {
    const { contexts, files } = readFiles(flags.kubeconfig, io.env);
    const isChosen =
      (flags.context ?? flags.server ?? io.env['KUBERNETES_SERVICE_HOST'] ?? '') !== '';
    if (contexts.size === 0 && !isChosen) {
      const found = `no context in ${files.join(', ')}`;
      const meaning = 'watch and --kube have no cluster';
      const help = 'Set KUBECONFIG, if you want to use one; all else works without it';
      return [{ name, status: 'missing', found, meaning, help }];
    }
    const cluster = await connect(flags, io.env);
    const { context, server, namespace } = cluster;
    const source = flags.server === undefined ? 'in the cluster' : 'no context';
    const named = context === '' ? source : `context ${context}`;
    const found = `${named}, ${server}, namespace ${namespace}`;
    const meaning = 'watch and --kube use it';
    const check: DoctorCheck = { name, status: 'ok', found: maskText(found), meaning };
    return [check, await clusterCheck(cluster, io)];
  } catch (error) {
    const found = maskText((error as Error).message);
    const meaning = 'watch and --kube do not work';
    const help = 'Correct the kubeconfig, or choose a context';
    return [{ name, status: 'broken', found, meaning, help }];
  }
}

/** Help for the errors that a user can correct; with all others, the cluster does not answer. */
const CLUSTER_HELP: Partial<Record<ClusterErrorCode, string>> = {
  invalid: 'Correct the kubeconfig',
  unauthorized: 'Log in again, or correct the credentials of the kubeconfig',
  notFound: 'Correct the address of the cluster: another server answers there',
  forbidden: 'Ask for this permission, or choose another namespace with -n',
  untrusted: 'Correct certificate-authority-data of the kubeconfig',
};

const START =
  'Start the cluster, correct its address, or choose another with --context; all else works without it';

/** Asks the cluster for one pod, as watch and --kube begin. */
async function clusterCheck(cluster: Cluster, io: Io): Promise<DoctorCheck> {
  const name = 'cluster';
  const { ClusterError, missingNamespace, resourcePath } =
    await import('../../cluster/client/cluster.js');
  const { namespace } = cluster;
  try {
    const limits = { for: ANSWER_LIMIT };
    const missing = await withinLimits(limits, io, 'no answer', async ({ signal }) => {
      await cluster.get(`${resourcePath('pods', { namespace })}?limit=1`, signal);
      return missingNamespace(cluster, namespace, signal);
    });
    if (missing !== undefined) {
      const help = 'Choose another namespace with -n';
      const meaning = 'watch waits for it, and --kube finds nothing';
      return { name, status: 'missing', found: missing.message, meaning, help };
    }
    const found = `it answers; pods in the namespace ${namespace} may be listed`;
    return { name, status: 'ok', found, meaning: 'watch and --kube work' };
  } catch (error) {
    if (isAbort(error)) throw error;
    const isOfCluster = error instanceof ClusterError;
    const found = maskText(isOfCluster ? withRule(error) : (error as Error).message);
    const help = isOfCluster ? CLUSTER_HELP[error.code] : undefined;
    const status = help === undefined ? 'missing' : 'broken';
    return { name, status, found, meaning: 'watch and --kube do not work', help: help ?? START };
  } finally {
    await cluster.close();
  }
}

function terminalCheck({ stdout, env }: Io): DoctorCheck {
  const name = 'terminal';
  if (stdout.isTTY !== true) {
    const meaning = 'run, watch and replay print lines in place of the terminal UI';
    return { name, status: 'ok', found: 'standard output is not a terminal', meaning };
  }
  const { columns = 0, rows = 0 } = stdout as { readonly columns?: number; readonly rows?: number };
  const { color, unicode } = themeOf({}, env);
  const found = `${columns}×${rows}, ${color ? 'color' : 'no color (NO_COLOR)'}, ${unicode ? 'UTF-8' : 'ASCII (LC_ALL, LANG or TERM)'}`;
  if (columns < 40 || rows < 12) {
    const meaning = 'too small for the terminal UI, which needs 40×12';
    return { name, status: 'missing', found, meaning, help: 'Enlarge the window, or use --plain' };
  }
  const meaning =
    columns < 120 || rows < 40
      ? 'the terminal UI works; from 120×40 on it has panels'
      : 'the terminal UI works, with panels';
  return { name, status: 'ok', found, meaning };
}

const MARKS = {
  ok: { mark: 'ok', tone: 'good' },
  missing: { mark: '-', tone: 'warn' },
  broken: { mark: 'BROKEN', tone: 'bad' },
} as const;

const INDENT = 20;

function checksText(checks: readonly DoctorCheck[], { paint, wrap }: TextStyle): string {
  const row = (text: string): string => `${wrap(`${' '.repeat(INDENT)}${text}`, INDENT)}\n`;
  return checks
    .map(({ name, status, found, meaning, help }) => {
      const { mark, tone } = MARKS[status];
      const head = `${name.padEnd(12)}${mark.padEnd(8)}`;
      const first = row(escapeControl(found)).slice(INDENT);
      return `${paint(head, tone)}${first}${row(meaning)}${help === undefined ? '' : row(help)}`;
    })
    .join('');
}
