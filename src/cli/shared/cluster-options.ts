import {
  type Command,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';

import { parseDuration } from '../../go/duration.js';
import { collect } from './options.js';

/** Flags of the commands that may ask a cluster. */
export type ClusterOptions = ReturnType<
  ReturnType<typeof withClusterOptions<[], Record<never, never>, Record<never, never>>>['opts']
>;

/** kubectl's duration, in seconds: it may stand without a unit. */
function requestTimeout(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : (parseDuration(text) ?? -1000) / 1000;
  if (seconds >= 0) return seconds;
  throw new InvalidArgumentError('Durations are written as 30s, 1m30s or 500ms.');
}

/** Adds the object that stands for a manifest, and kubectl's global options. */
export function withKube<
  Args extends unknown[],
  Flags extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Flags, Globals>, description: string) {
  return withClusterOptions(
    command.addOption(new Option('--kube <kind/name>', description).helpGroup(GROUP)),
  );
}

const GROUP = 'Cluster:';

function inGroup<const F extends string>(flags: F, description: string) {
  return new Option(flags, description).helpGroup(GROUP);
}

/** Adds kubectl's global options, with its words. */
export function withClusterOptions<
  Args extends unknown[],
  Flags extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Flags, Globals>) {
  return command
    .addOption(inGroup('-n, --namespace <name>', 'the namespace scope for this CLI request'))
    .addOption(inGroup('--context <name>', 'the name of the kubeconfig context to use'))
    .addOption(
      inGroup('--kubeconfig <file>', 'path to the kubeconfig file to use for CLI requests'),
    )
    .addOption(inGroup('--cluster <name>', 'the name of the kubeconfig cluster to use'))
    .addOption(inGroup('--user <name>', 'the name of the kubeconfig user to use'))
    .addOption(inGroup('-s, --server <url>', 'the address and port of the Kubernetes API server'))
    .addOption(inGroup('--token <token>', 'bearer token for authentication to the API server'))
    .addOption(inGroup('--as <name>', 'username to impersonate for the operation'))
    .addOption(
      inGroup(
        '--as-group <name>',
        'group to impersonate for the operation; can be repeated',
      ).argParser(collect),
    )
    .addOption(inGroup('--as-uid <uid>', 'UID to impersonate for the operation'))
    .addOption(
      inGroup(
        '--certificate-authority <file>',
        'path to a cert file for the certificate authority',
      ),
    )
    .addOption(inGroup('--client-certificate <file>', 'path to a client certificate file for TLS'))
    .addOption(inGroup('--client-key <file>', 'path to a client key file for TLS'))
    .addOption(
      inGroup(
        '--insecure-skip-tls-verify',
        "do not check the server's certificate for validity: this makes your HTTPS connections insecure",
      ),
    )
    .addOption(
      inGroup(
        '--tls-server-name <name>',
        'server name to use for server certificate validation (the hostname used to contact the server)',
      ),
    )
    .addOption(
      inGroup(
        '--request-timeout <duration>',
        'the length of time to wait before giving up on a single server request; 0 is none (0)',
      ).argParser(requestTimeout),
    );
}
