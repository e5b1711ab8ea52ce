import { execa } from 'execa';

import { tryParseJson } from '../../api/index.js';
import { type Clock, withTimeout } from '../../clock/clock.js';
import { parseTime } from '../../clock/rfc3339.js';
import { Watchdog } from '../../process/watchdog.js';
import { maskText } from '../../secrets/credential-text.js';
import { ClusterError } from '../cluster-error.js';
import { type ClusterConfig, type ClusterEntry, type ExecEntry, fileOrData } from './kubeconfig.js';

/** ExecCredential.status of client.authentication.k8s.io. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined;
}

const GROUP = 'client.authentication.k8s.io/';
const VERSIONS = [`${GROUP}v1`, `${GROUP}v1beta1`];

/** Characters that a plugin may print. */
const MAX_OUTPUT = 1024 * 1024;

interface PluginOptions {
  readonly clock: Clock;
  readonly secrets: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Runs a user's credential plugin without a terminal, in a session of its own, and kills its process group when it fails or
 * kprobe ends. Throws a ClusterError with its standard error, without secrets.
 */
export async function runCredentialPlugin(
  exec: ExecEntry,
  { cluster, userName }: ClusterConfig,
  env: NodeJS.ProcessEnv,
  { clock, secrets, timeout }: PluginOptions,
): Promise<ExecCredential> {
  const { apiVersion = '', command = '' } = exec;
  const fail = (reason: string): never => {
    const text = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), reason);
    throw new ClusterError('unauthorized', `credential plugin ${command}: ${maskText(text)}`);
  };
  if (!VERSIONS.includes(apiVersion)) {
    fail(`apiVersion "${apiVersion}" of user "${userName}": must be ${VERSIONS.join(' or ')}`);
  }
  if (exec.interactiveMode === 'Always') fail('needs a terminal (interactiveMode: Always)');
  const spec = {
    interactive: false,
    ...(exec.provideClusterInfo === true && { cluster: clusterInfo(cluster) }),
  };
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const added = Object.fromEntries((exec.env ?? []).map(({ name = '', value }) => [name, value]));
  const watchdog = new Watchdog(clock);
  watchdog.start();
  const child = execa(command, exec.args ?? [], {
    env: { ...env, ...added, KUBERNETES_EXEC_INFO: info },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    detached: true,
    maxBuffer: MAX_OUTPUT,
  });
  const { pid } = child;
  if (pid !== undefined) watchdog.add(pid);
  child.once('exit', (code) => {
    // A helper that a plugin leaves for its next run stays, as with kubectl.
    if (code === 0 && pid !== undefined) watchdog.remove(pid);
    void watchdog.close();
  });
  const end = await withTimeout(clock, child, timeout);
  await watchdog.close();
  if (end === 'timeout') fail(`no answer within ${timeout / 1000} s`);
  const result = await child;
  if (result.isMaxBuffer) fail('printed more than 1 MiB');
  if (result.code === 'ENOENT') fail(`not found${exec.installHint ? `: ${exec.installHint}` : ''}`);
  if (result.failed) fail(lastLines(result.stderr) || endOf(result));
  const credential = readCredential(result.stdout, apiVersion);
  return credential ?? fail(`printed no ExecCredential of ${apiVersion}`);
}

/** Describes the end of a plugin that failed and printed nothing. */
function endOf(end: {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly code?: string | undefined;
}): string {
  if (end.exitCode !== undefined) return `exit code ${end.exitCode}`;
  return end.signal === undefined ? `cannot be run: ${end.code ?? ''}` : `ended by ${end.signal}`;
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-5).join('\n');
}

function clusterInfo(cluster: ClusterEntry): Readonly<Record<string, unknown>> {
  const ca = fileOrData(cluster['certificate-authority'], cluster['certificate-authority-data']);
  const config = cluster.extensions?.find(({ name }) => name === `${GROUP}exec`)?.extension;
  return {
    server: cluster.server,
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] === true && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster['proxy-url'] && { 'proxy-url': cluster['proxy-url'] }),
    ...(config !== undefined && { config }),
  };
}

interface Printed {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: ExecCredential & { readonly expirationTimestamp?: string };
}

/** Reads the output of a plugin; undefined without credentials of the requested version. */
function readCredential(stdout: string, version: string): ExecCredential | undefined {
  const { apiVersion, kind, status } = (tryParseJson(stdout) ?? {}) as Printed;
  if (apiVersion !== version || kind !== 'ExecCredential' || !status) return undefined;
  const { expirationTimestamp: expires = '', ...credential } = status;
  const { token, clientCertificateData, clientKeyData } = credential;
  const texts = [token, clientCertificateData, clientKeyData].flatMap((text) => text ?? []);
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) return undefined;
  return { ...credential, expires: parseTime(expires) };
}
