import { type Container, containersWithPath, type Pod, type Volume } from '../../api/index.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { setUpHostPath } from '../../runtime/container/create/host-path.js';
import type { ConfigSource } from '../../runtime/environment/config.js';
import { needsFlag, type Problem, problemOf } from '../preflight.js';

export interface CreatePreflightOptions {
  readonly config: ConfigSource;
  readonly hostPathAllowed: boolean;
  readonly privilegedAllowed: boolean;
  /** The pods have no network but their own. */
  readonly isIsolated: boolean;
}

/** Reports what a manifest needs that an engine on this machine does not have, or that needs the user's permission. */
export function createPreflight(
  pods: readonly LoadedPod[],
  options: CreatePreflightOptions,
): Diagnostic[] {
  return pods.flatMap((loaded) =>
    podProblems(loaded.pod, options).map((problem) => problemOf(loaded, problem)),
  );
}

function podProblems(pod: Pod, options: CreatePreflightOptions): Problem[] {
  const { spec } = pod;
  const namespaces = (['hostPID', 'hostIPC'] as const)
    .filter((field) => spec[field] === true && !options.privilegedAllowed)
    .map((field) =>
      needsFlag(`spec.${field}`, "shares this machine's namespace", '--allow-privileged'),
    );
  const volumes = (spec.volumes ?? []).flatMap((volume, index) =>
    volumeProblems(pod, volume, `spec.volumes[${index}]`, options),
  );
  const containers = containersWithPath(spec, 'spec').flatMap(({ container, at }) => [
    ...privilegeProblems(container, at, options),
    ...missingReferences(pod, environmentReferences(container, at), options),
    ...hostPortProblems(pod, container, at, options),
    ...limitProblems(container, at),
  ]);
  return [...namespaces, ...volumes, ...containers];
}

const SOURCES = ['emptyDir', 'hostPath', 'configMap', 'secret', 'downwardAPI', 'projected'];

function volumeProblems(
  pod: Pod,
  volume: Volume,
  path: string,
  options: CreatePreflightOptions,
): Problem[] {
  if (isNewClaim(pod, volume)) {
    const message = `volume ${volume.name}: the claim is an empty folder, and is removed with the pod`;
    return [warning(`${path}.persistentVolumeClaim`, message)];
  }
  const source = Object.entries(volume).find(
    ([key, value]: [string, unknown]) => key !== 'name' && value !== undefined,
  )?.[0];
  if (source !== undefined && !SOURCES.includes(source)) {
    const hint = 'use an emptyDir to try the pod without it';
    return [{ field: `${path}.${source}`, message: `a ${source} volume needs a cluster`, hint }];
  }
  const { emptyDir, hostPath } = volume;
  if (hostPath !== undefined && !options.hostPathAllowed) {
    const message = `would mount ${hostPath.path} of this machine`;
    return [needsFlag(`${path}.hostPath`, message, '--allow-host-path')];
  }
  const problem = hostPath && setUpHostPath(hostPath, false);
  if (problem !== undefined) return [{ field: `${path}.hostPath.type`, message: problem }];
  if (emptyDir?.medium === 'Memory') {
    const message = 'the volume is created on disk, and its size is not limited';
    return [warning(`${path}.emptyDir.medium`, message)];
  }
  return [
    ...missingReferences(pod, volumeReferences(volume, path), options),
    ...unsupportedProjections(volume, path),
  ];
}

/** A StatefulSet's first pod gets new claims, which begin empty. */
function isNewClaim({ metadata }: Pod, { name, persistentVolumeClaim: claim }: Volume): boolean {
  const { claimName } = (claim ?? {}) as { readonly claimName?: string };
  const isOfSet = metadata.labels?.['statefulset.kubernetes.io/pod-name'] === metadata.name;
  return isOfSet && claimName === `${name}-${metadata.name}`;
}

function unsupportedProjections({ projected }: Volume, path: string): Problem[] {
  return (projected?.sources ?? []).flatMap((from, index) => {
    const { configMap, secret, downwardAPI } = from;
    if ((configMap ?? secret ?? downwardAPI) !== undefined) return [];
    const [kind = 'source'] = Object.keys(from);
    const field = `${path}.projected.sources[${index}].${kind}`;
    return [{ field, message: `a projected ${kind} needs a cluster` }];
  });
}

function privilegeProblems(
  { securityContext }: Container,
  path: string,
  { privilegedAllowed }: CreatePreflightOptions,
): Problem[] {
  if (securityContext?.privileged !== true || privilegedAllowed) return [];
  const field = `${path}.securityContext.privileged`;
  return [needsFlag(field, 'would have all rights on this machine', '--allow-privileged')];
}

function hostPortProblems(
  { spec }: Pod,
  { ports = [] }: Container,
  path: string,
  { isIsolated }: CreatePreflightOptions,
): Problem[] {
  if (!isIsolated || spec.hostNetwork === true) return [];
  return ports.flatMap(({ hostPort = 0 }, index) =>
    hostPort === 0
      ? []
      : warning(`${path}.ports[${index}].hostPort`, 'the pod has no network for a host port'),
  );
}

function limitProblems({ resources }: Container, path: string): Problem[] {
  return Object.keys(resources?.limits ?? {})
    .filter((name) => !['cpu', 'memory'].includes(name))
    .map((name) => warning(`${path}.resources.limits`, `the limit of ${name} is not set`));
}

interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  /** Path of the name. */
  readonly field: string;
  readonly to: SourceReference & { readonly name: string };
}

interface SourceReference {
  readonly name?: string;
  /** Of a volume. */
  readonly secretName?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

const KINDS: Readonly<Record<string, Reference['kind']>> = {
  configMap: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMapRef: 'ConfigMap',
  secret: 'Secret',
  secretKeyRef: 'Secret',
  secretRef: 'Secret',
};

/** Returns the objects that a volume's or a variable's source refers to. */
function references(source: object = {}, path: string): Reference[] {
  return Object.entries(source).flatMap(([key, to]: [string, SourceReference | undefined]) => {
    const kind = KINDS[key];
    if (kind === undefined || to === undefined) return [];
    const name = to.secretName === undefined ? 'name' : 'secretName';
    return { kind, field: `${path}.${key}.${name}`, to: { ...to, name: to[name] ?? '' } };
  });
}

function volumeReferences(volume: Volume, path: string): Reference[] {
  const projected = (volume.projected?.sources ?? []).flatMap((source, index) =>
    references(source, `${path}.projected.sources[${index}]`),
  );
  return [...references(volume, path), ...projected];
}

function environmentReferences({ env = [], envFrom = [] }: Container, path: string): Reference[] {
  return [
    ...env.flatMap(({ valueFrom }, index) =>
      references(valueFrom, `${path}.env[${index}].valueFrom`),
    ),
    ...envFrom.flatMap((source, index) => references(source, `${path}.envFrom[${index}]`)),
  ];
}

/** Reports references without which the kubelet would not start the container, and wait for the object. */
function missingReferences(
  { metadata: { namespace } }: Pod,
  found: readonly Reference[],
  { config }: CreatePreflightOptions,
): Problem[] {
  return found.flatMap(({ kind, field, to: { name, key, optional = false } }) => {
    if (optional) return [];
    const object =
      kind === 'ConfigMap'
        ? config.getConfigMap(namespace, name)
        : config.getSecret(namespace, name);
    if (object === undefined) {
      const message = `no ${kind} ${namespace}/${name} in the manifests`;
      return [{ field, message, hint: 'add its manifest' }];
    }
    if (key === undefined || Object.hasOwn(object.data, key)) return [];
    const message = `${kind} ${namespace}/${name} has no key ${key}`;
    return [{ field: field.replace(/name$/, 'key'), message }];
  });
}

function warning(field: string, message: string): Problem {
  return { severity: 'warning', field, message };
}
