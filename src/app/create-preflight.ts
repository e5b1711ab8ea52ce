import { type Container, containersWithPath, type Pod, type Volume } from '../api/index.js';
import type { Diagnostic, Severity } from '../manifest/diagnostic.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import type { ConfigSource } from '../runtime/environment/config.js';

export interface CreatePreflightOptions {
  readonly config: ConfigSource;
  readonly hostPathAllowed: boolean;
  readonly privilegedAllowed: boolean;
  /** The pods have no network but their own. */
  readonly isIsolated: boolean;
}

interface Problem {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  readonly severity?: Severity;
}

/** Reports what a manifest needs that an engine on this machine does not have, or that needs the user's permission. */
export function createPreflight(
  pods: readonly LoadedPod[],
  options: CreatePreflightOptions,
): Diagnostic[] {
  return pods.flatMap((loaded) =>
    podProblems(loaded.pod, options).map(({ field, severity = 'error', ...about }) => ({
      severity,
      file: loaded.source.file,
      ...loaded.positions(field),
      field,
      ...about,
    })),
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
  readonly to: { readonly name: string; readonly key?: string; readonly optional?: boolean };
}

/** Returns a reference for each object that is given. */
function references(
  configMap: Reference['to'] | undefined,
  configMapField: string,
  secret: Reference['to'] | undefined,
  secretField: string,
): Reference[] {
  const found: Reference[] = [];
  if (configMap !== undefined) {
    found.push({ kind: 'ConfigMap', field: configMapField, to: configMap });
  }
  if (secret !== undefined) found.push({ kind: 'Secret', field: secretField, to: secret });
  return found;
}

function volumeReferences({ configMap, secret, projected }: Volume, path: string): Reference[] {
  return [
    ...references(
      configMap,
      `${path}.configMap.name`,
      secret && { ...secret, name: secret.secretName },
      `${path}.secret.secretName`,
    ),
    ...(projected?.sources ?? []).flatMap((from, index) => {
      const field = `${path}.projected.sources[${index}]`;
      return references(
        from.configMap,
        `${field}.configMap.name`,
        from.secret,
        `${field}.secret.name`,
      );
    }),
  ];
}

function environmentReferences({ env = [], envFrom = [] }: Container, path: string): Reference[] {
  const keys = env.flatMap(({ valueFrom: from }, index) => {
    const field = `${path}.env[${index}].valueFrom`;
    return references(
      from?.configMapKeyRef,
      `${field}.configMapKeyRef.name`,
      from?.secretKeyRef,
      `${field}.secretKeyRef.name`,
    );
  });
  const wholes = envFrom.flatMap(({ configMapRef, secretRef }, index) => {
    const field = `${path}.envFrom[${index}]`;
    return references(
      configMapRef,
      `${field}.configMapRef.name`,
      secretRef,
      `${field}.secretRef.name`,
    );
  });
  return [...keys, ...wholes];
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

function needsFlag(field: string, message: string, flag: string): Problem {
  return { field, message, hint: `to allow that, add ${flag}` };
}
