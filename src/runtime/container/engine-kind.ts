/** A family of container engines, as far as their command lines differ. */
export interface EngineKind {
  /** The scheme of container ids, what `--runtime` calls it, and its program. */
  readonly name: EngineName;
  /** The variable that names its address. */
  readonly variable: 'DOCKER_HOST' | 'CONTAINER_HOST';
  /** The exit codes with which `exec` says that the command could not be started. */
  readonly execStartCodes: readonly number[];
  /** Matches the output of such an `exec`; the first group is the reason. */
  readonly execStartError: RegExp;
  /** The command that succeeds when the engine answers. */
  readonly version: readonly string[];
  /** The command that prints its machine's architecture, as Go names it. */
  readonly architecture: readonly string[];
  /** Prefix of the engine's errors, which is removed. */
  readonly errorPrefix: RegExp;
}

export const ENGINE_NAMES = ['docker', 'podman'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export const ENGINE_KINDS: Readonly<Record<EngineName, EngineKind>> = {
  docker: {
    name: 'docker',
    variable: 'DOCKER_HOST',
    version: ['version', '--format', '{{.Server.Version}}'],
    architecture: ['version', '--format', '{{.Server.Arch}}'],
    execStartCodes: [126, 127],
    execStartError: /^(OCI runtime exec failed: [\s\S]*?)\s*$/,
    errorPrefix: /^(?:docker: )?(?:Error response from daemon: )?/,
  },
  podman: {
    name: 'podman',
    variable: 'CONTAINER_HOST',
    version: ['version'],
    architecture: ['info', '--format', '{{.Host.Arch}}'],
    execStartCodes: [125, 126, 127],
    execStartError:
      /^Error: ([\s\S]*(?:OCI|crun|runc)[\s\S]*?)(?:\nError: read unixpacket .*)?\s*$/,
    errorPrefix: /^Error: /,
  },
};

/** Returns the engine with the address that the environment gives it. */
export function engineWords(
  engine: EngineName,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const address = env[ENGINE_KINDS[engine].variable];
  return address === undefined ? engine : `${engine} at ${address}`;
}
