import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';

import type { ClusterFlags } from '../../cluster/types.js';
import { parseDuration } from '../../go/duration.js';
import { optionOf, UsageError } from '../../usage-error.js';
import { collect } from './option-values.js';
import { choice, withOptions } from './options.js';

/** Parses kubectl's duration into seconds; a number without a unit means seconds. */
function requestTimeout(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : (parseDuration(text) ?? -1000) / 1000;
  if (seconds >= 0) return seconds;
  throw new InvalidArgumentError('Durations are written as 30s, 1m30s or 500ms.');
}

/** Flags of a command that can take an object of a cluster in place of a manifest. */
export interface KubeFlags extends ClusterFlags {
  readonly kube?: string | undefined;
}

const GROUP = 'Cluster:';

const TEXTS = [
  ['-n, --namespace <name>', 'the namespace scope for this CLI request'],
  ['--context <name>', 'the name of the kubeconfig context to use'],
  ['--kubeconfig <file>', 'path to the kubeconfig file to use for CLI requests'],
  ['--cluster <name>', 'the name of the kubeconfig cluster to use'],
  ['--user <name>', 'the name of the kubeconfig user to use'],
  ['-s, --server <url>', 'the address and port of the Kubernetes API server'],
  ['--token <token>', 'bearer token for authentication to the API server'],
  ['--as <name>', 'username to impersonate for the operation'],
  ['--as-uid <uid>', 'UID to impersonate for the operation'],
  ['--certificate-authority <file>', 'path to a cert file for the certificate authority'],
  ['--client-certificate <file>', 'path to a client certificate file for TLS'],
  ['--client-key <file>', 'path to a client key file for TLS'],
  [
    '--insecure-skip-tls-verify',
    "do not check the server's certificate for validity: this makes your HTTPS connections insecure",
  ],
  [
    '--tls-server-name <name>',
    'server name to use for server certificate validation (the hostname used to contact the server)',
  ],
] as const;

const CLUSTER_OPTIONS = [
  ...TEXTS.map(([flags, description]) => new Option(flags, description)),
  new Option(
    '--as-group <name>',
    'group to impersonate for the operation; can be repeated',
  ).argParser(collect),
  new Option(
    '--request-timeout <duration>',
    'the length of time to wait before giving up on a single server request; 0 is none (0)',
  ).argParser(requestTimeout),
].map((option) => option.helpGroup(GROUP));

export function viaOption() {
  return choice(
    '--via <way>',
    'with --kube: how attempts reach the pod (port-forward; exec for exec probes); proxy is for HTTP',
    ['port-forward', 'exec', 'proxy'],
  ).helpGroup(GROUP);
}

/** Adds `--kube`, which takes an object in place of a manifest, and kubectl's global options. */
export function withKube<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  description: string,
  conflicts: string[] = [],
) {
  const kube = new Option('--kube <kind/name>', description).helpGroup(GROUP).conflicts(conflicts);
  return withOptions<KubeFlags>([kube, ...CLUSTER_OPTIONS])(command);
}

export const withClusterOptions = withOptions<ClusterFlags>(CLUSTER_OPTIONS);

/** Throws a UsageError for an option of kubectl's that was typed without `--kube`; as a default, it may be for other commands. */
export function checkClusterOptions(command: CommandUnknownOpts): void {
  if (command.getOptionValue('kube') !== undefined) return;
  // `validate --as kubectl` is another option.
  const idle = CLUSTER_OPTIONS.filter((option) => command.options.includes(option))
    .map((option) => option.attributeName())
    .find((name) => command.getOptionValueSource(name) === 'cli');
  if (idle !== undefined) throw new UsageError(`${optionOf(idle)} needs --kube`);
}
