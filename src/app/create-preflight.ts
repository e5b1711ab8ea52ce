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

/** What a manifest needs that an engine on this machine does not have, or must not do unasked. */
export function createPreflight(
  pods: readonly LoadedPod[],
  options: CreatePreflightOptions,
): Diagnostic[] {
  return pods.flatMap((loaded) =>
    podProblems(loaded.pod, options).map(
      ({ field, message, hint, severity = 'error' }): Diagnostic => ({
        severity,
        file: loaded.source.file,
        ...loaded.positions(field),
        field,
        message,
        ...(hint === undefined ? {} : { hint }),
      }),
    ),
  );
}

function podProblems(pod: Pod, options: CreatePreflightOptions): Problem[] {
  const { spec } = pod;
  const volumes = (spec.volumes ?? []).flatMap((volume, index) =>
    volumeProblems(pod, volume, `spec.volumes[${index}]`, options),
  );
  const containers = containersWithPath(spec, 'spec').flatMap(({ container, at }) =>
    containerProblems(pod, container, at, options),
  );
  const namespaces = (['hostPID', 'hostIPC'] as const)
    .filter((field) => spec[field] === true && !options.privilegedAllowed)
    .map((field) =>
      needsFlag(`spec.${field}`, "shares this machine's namespace", '--allow-privileged'),
    );
  return [...namespaces, ...volumes, ...containers];
}

const SOURCES = ['emptyDir', 'hostPath', 'configMap', 'secret', 'downwardAPI', 'projected'];

function volumeProblems(
  pod: Pod,
  volume: Volume,
  path: string,
  options: CreatePreflightOptions,
): Problem[] {
  const source = Object.keys(volume).find((key) => key !== 'name' && volume[key] !== undefined);
  if (isNewClaim(pod, volume)) {
    return [
      {
        severity: 'warning',
        field: `${path}.persistentVolumeClaim`,
        message: `volume ${volume.name}: the claim is an empty folder, and is removed with the pod`,
      },
    ];
  }
  if (source !== undefined && !SOURCES.includes(source)) {
    return [
      {
        field: `${path}.${source}`,
        message: `a ${source} volume needs a cluster`,
        hint: 'use an emptyDir to try the pod without it',
      },
    ];
  }
  const { emptyDir, hostPath, configMap, secret, projected } = volume;
  if (hostPath !== undefined && !options.hostPathAllowed) {
    return [
      needsFlag(
        `${path}.hostPath`,
        `would mount ${hostPath.path} of this machine`,
        '--allow-host-path',
      ),
    ];
  }
  if (emptyDir?.medium === 'Memory') {
    return [
      {
        severity: 'warning',
        field: `${path}.emptyDir.medium`,
        message: 'the volume is made on disk, its size is not limited',
      },
    ];
  }
  if (configMap !== undefined)
    return missing(pod, 'ConfigMap', configMap, `${path}.configMap.name`, options);
  if (secret !== undefined) {
    return missing(
      pod,
      'Secret',
      { ...secret, name: secret.secretName },
      `${path}.secret.secretName`,
      options,
    );
  }
  return (projected?.sources ?? []).flatMap((from, index) => {
    const field = `${path}.projected.sources[${index}]`;
    if (from.configMap !== undefined)
      return missing(pod, 'ConfigMap', from.configMap, `${field}.configMap.name`, options);
    if (from.secret !== undefined)
      return missing(pod, 'Secret', from.secret, `${field}.secret.name`, options);
    if (from.downwardAPI !== undefined) return [];
    const [kind = 'source'] = Object.keys(from);
    return [{ field: `${field}.${kind}`, message: `a projected ${kind} needs a cluster` }];
  });
}

/** A StatefulSet's first pod gets its claims anew: they begin empty. */
function isNewClaim({ metadata }: Pod, { name, persistentVolumeClaim: claim }: Volume): boolean {
  const { claimName } = (claim ?? {}) as { readonly claimName?: string };
  const isOfSet = metadata.labels?.['statefulset.kubernetes.io/pod-name'] === metadata.name;
  return isOfSet && claimName === `${name}-${metadata.name}`;
}

function containerProblems(
  pod: Pod,
  { env = [], envFrom = [], securityContext, ports = [], resources }: Container,
  path: string,
  options: CreatePreflightOptions,
): Problem[] {
  const privileged = securityContext?.privileged === true && !options.privilegedAllowed;
  const keys = env.flatMap(({ valueFrom }, index) => {
    const field = `${path}.env[${index}].valueFrom`;
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    if (configMapKeyRef !== undefined)
      return missing(pod, 'ConfigMap', configMapKeyRef, `${field}.configMapKeyRef.name`, options);
    if (secretKeyRef !== undefined)
      return missing(pod, 'Secret', secretKeyRef, `${field}.secretKeyRef.name`, options);
    return [];
  });
  const wholes = envFrom.flatMap(({ configMapRef, secretRef }, index) => {
    const field = `${path}.envFrom[${index}]`;
    if (configMapRef !== undefined)
      return missing(pod, 'ConfigMap', configMapRef, `${field}.configMapRef.name`, options);
    return secretRef === undefined
      ? []
      : missing(pod, 'Secret', secretRef, `${field}.secretRef.name`, options);
  });
  const hostPorts = ports.flatMap(({ hostPort = 0 }, index): Problem[] =>
    hostPort === 0 || !options.isIsolated || pod.spec.hostNetwork === true
      ? []
      : [
          {
            severity: 'warning',
            field: `${path}.ports[${index}].hostPort`,
            message: 'the pod has no network that a host port could lead to',
          },
        ],
  );
  const limits = Object.keys(resources?.limits ?? {}).filter(
    (name) => !['cpu', 'memory'].includes(name),
  );
  const unset = limits.map((name): Problem => ({
    severity: 'warning',
    field: `${path}.resources.limits`,
    message: `the limit of ${name} is not set`,
  }));
  return [
    ...(privileged
      ? [
          needsFlag(
            `${path}.securityContext.privileged`,
            'would have all rights on this machine',
            '--allow-privileged',
          ),
        ]
      : []),
    ...keys,
    ...wholes,
    ...hostPorts,
    ...unset,
  ];
}

interface Reference {
  readonly name: string;
  readonly key?: string;
  readonly optional?: boolean;
}

/** Without it the kubelet would not start the container, and wait for somebody to make it. */
function missing(
  { metadata: { namespace } }: Pod,
  kind: 'ConfigMap' | 'Secret',
  { name, key, optional = false }: Reference,
  field: string,
  { config }: CreatePreflightOptions,
): Problem[] {
  if (optional) return [];
  const found =
    kind === 'ConfigMap' ? config.getConfigMap(namespace, name) : config.getSecret(namespace, name);
  if (found === undefined) {
    return [
      {
        field,
        message: `there is no ${kind} ${namespace}/${name} among the manifests`,
        hint: 'give its manifest, too',
      },
    ];
  }
  if (key === undefined || Object.hasOwn(found.data, key)) return [];
  return [
    {
      field: field.replace(/name$/, 'key'),
      message: `${kind} ${namespace}/${name} has no key ${key}`,
    },
  ];
}

function needsFlag(field: string, message: string, flag: string): Problem {
  return { field, message, hint: `to allow that, add ${flag}` };
}
