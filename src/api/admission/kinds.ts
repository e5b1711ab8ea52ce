import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import { decode, type DecodedTypes } from '../decode/decode.js';
import { generateSelector, setDefaults } from '../defaults/defaults.js';
import { applyLabelKeys, setDefaultsPod, setDefaultsPodSpec } from '../defaults/pod.js';
import { DEFAULT_SERVER } from '../schema/api-server.js';
import type { Decoded, v1 } from '../schema/schema.js';
import type { FieldPath } from '../validation/common/field-error.js';
import { validatePodCreate, validatePodTemplateSpec } from '../validation/pod/pod.js';
import { validateCronJob } from '../validation/workloads/cron-job.js';
import { validateJob } from '../validation/workloads/job.js';
import { validateStatefulSet } from '../validation/workloads/stateful-set.js';
import {
  validateDaemonSet,
  validateDeployment,
  validatePodTemplate,
  validateReplicaSet,
  validateReplicationController,
} from '../validation/workloads/workloads.js';
import {
  warnAboutJob,
  warnAboutPod,
  warnAboutStatefulSet,
  warnAboutTemplate,
  warnAboutWorkload,
} from '../warnings/pod-warnings.js';
import { type Admission, type AdmitOptions, fillMeta, finishAdmission } from './admission.js';

/** A kind that is a pod or makes pods. */
export interface PodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the pod's metadata and spec; empty for a Pod. */
  readonly templatePath: string;
  readonly admit: (node: JsonNode, options: AdmitOptions) => Admission;
}

type Template = Decoded<v1.PodTemplateSpec>;

/** The fields that are read from a workload; most kinds lack some of them. */
type Workload = Pick<Decoded<v1.StatefulSet>, 'metadata' | 'spec'>;

type Fields = Readonly<Record<string, unknown>>;

interface WorkloadSteps<T> {
  readonly validate: (object: T, at: FieldPath) => void;
  readonly complete?: (object: T) => T;
  readonly warn?: (object: T, at: FieldPath, name: string) => void;
}

function workload<Name extends keyof DecodedTypes>(
  apiVersion: string,
  kind: Name,
  templatePath: string,
  { validate, complete = (object) => object, warn }: WorkloadSteps<Decoded<DecodedTypes[Name]>>,
): PodKind {
  const templateOf = (object: unknown) =>
    templatePath
      .split('.')
      .reduce((value, key) => (value as Fields | undefined)?.[key], object) as Template;
  const admit: PodKind['admit'] = (node, { uid, integers, server = DEFAULT_SERVER }) => {
    const { value, issues } = decode(node, kind, integers, server);
    const filled = setDefaults(kind, fillMeta(value as Workload, uid));
    const object = complete(filled as Decoded<DecodedTypes[Name]>);
    const template = templateOf(object);
    const stored = object as Workload;
    const { metadata = {}, spec = {} } = stored;
    const { name = '' } = metadata;
    return finishAdmission({
      server,
      stored,
      metadata,
      replicas: spec.replicas,
      serviceName: spec.serviceName,
      claims: spec.volumeClaimTemplates?.flatMap((claim) => claim.metadata?.name ?? []),
      template,
      written: templateOf(value),
      issues,
      validate: (at) => validate(object, at),
      warn: (at) => {
        if (warn) warn(object, at, name);
        else warnAboutWorkload(name, template, templatePath, at);
      },
    });
  };
  return { apiVersion, kind, templatePath, admit };
}

const admitPod: PodKind['admit'] = (
  node,
  { uid, integers, server = DEFAULT_SERVER, plugins = (spec) => spec },
) => {
  const { value, issues } = decode(node, 'Pod', integers, server);
  const spec = plugins(setDefaultsPod(setDefaultsPodSpec(value.spec ?? {}), server));
  const pod = { ...fillMeta(value, uid), spec: applyLabelKeys(spec, value.metadata?.labels) };
  return finishAdmission({
    server,
    stored: pod,
    metadata: pod.metadata,
    template: pod,
    written: value,
    issues,
    validate: (at) => validatePodCreate(pod, at),
    warn: (at) => warnAboutPod(pod, at),
  });
};

const POD_KINDS: readonly PodKind[] = [
  { apiVersion: 'v1', kind: 'Pod', templatePath: '', admit: admitPod },
  workload('v1', 'PodTemplate', 'template', {
    validate: validatePodTemplate,
    warn: ({ template }, at) => warnAboutTemplate(template, at.child('template')),
  }),
  workload('v1', 'ReplicationController', 'spec.template', {
    validate: validateReplicationController,
  }),
  workload('apps/v1', 'Deployment', 'spec.template', { validate: validateDeployment }),
  workload('apps/v1', 'ReplicaSet', 'spec.template', { validate: validateReplicaSet }),
  workload('apps/v1', 'DaemonSet', 'spec.template', {
    validate: validateDaemonSet,
    warn: ({ spec }, at) => warnAboutTemplate(spec?.template, at.child('spec.template')),
  }),
  workload('apps/v1', 'StatefulSet', 'spec.template', {
    validate: validateStatefulSet,
    warn: ({ spec }, at) => warnAboutStatefulSet(spec, at.child('spec')),
  }),
  workload('batch/v1', 'Job', 'spec.template', {
    complete: generateSelector,
    validate: validateJob,
    warn: ({ spec }, at, name) => warnAboutJob(name, spec, at.child('spec')),
  }),
  workload('batch/v1', 'CronJob', 'spec.jobTemplate.spec.template', {
    validate: validateCronJob,
    warn: ({ spec }, at, name) =>
      warnAboutJob(name, spec?.jobTemplate?.spec, at.child('spec.jobTemplate.spec')),
  }),
];

export function podKind(kind: string): PodKind | undefined {
  return POD_KINDS.find((each) => each.kind === kind);
}

type Probe = Decoded<v1.Probe>;

interface FoundTemplate {
  readonly path: string;
  readonly node: JsonNode;
}

const MAX_DEPTH = 8;

/**
 * Finds the pod templates in an object of a kind that an API server does not have by itself, such as an Argo Rollout, a
 * Knative Service or an OpenShift DeploymentConfig. Only their probes are validated.
 */
export function foundPodKinds(
  apiVersion: string,
  kind: string,
  root: JsonNode,
): readonly PodKind[] {
  const found = templatesIn(root, '', MAX_DEPTH);
  return found.map(({ node: template, path }, index) => ({
    apiVersion,
    kind,
    templatePath: path,
    admit(node, { uid, integers, server = DEFAULT_SERVER }) {
      const suffix = found.length > 1 ? `-${index}` : '';
      const meta = decode(memberOf(node, 'metadata') ?? node, 'ObjectMeta', integers).value;
      const { metadata } = fillMeta({ metadata: meta }, uid);
      const { value, issues } = decode(template, 'PodTemplateSpec', integers, server);
      const completed = apiVersion.startsWith('serving.knative.dev/')
        ? completeKnative(value)
        : value;
      const defaulted = setDefaults('PodTemplateSpec', completed);
      const admission = finishAdmission({
        server,
        stored: defaulted,
        metadata: { ...metadata, name: `${metadata.name ?? ''}${suffix}` },
        template: defaulted,
        written: value,
        issues: issues
          .map((issue) => ({ ...issue, path: `${path}.${issue.path}` }))
          .filter((issue) => isOfProbe(issue.path)),
        validate: (at) => validatePodTemplateSpec(defaulted, at.child(path)),
        warn: () => undefined,
      });
      return { ...admission, errors: admission.errors.filter(({ field }) => isOfProbe(field)) };
    },
  }));
}

function templatesIn(node: JsonNode, path: string, depth: number): readonly FoundTemplate[] {
  if (depth === 0) return [];
  if (node.kind === 'array') {
    return node.items.flatMap((item, index) => templatesIn(item, `${path}[${index}]`, depth - 1));
  }
  if (node.kind !== 'object') return [];
  return node.members.flatMap(({ key, value }) => {
    const at = path === '' ? key : `${path}.${key}`;
    return /template$/i.test(key) && isPodTemplate(value)
      ? [{ path: at, node: value }]
      : templatesIn(value, at, depth - 1);
  });
}

/** Returns false for a template without images: it is a patch for pods that an operator makes. */
function isPodTemplate(node: JsonNode): boolean {
  const containers = memberOf(memberOf(node, 'spec'), 'containers');
  if (containers?.kind !== 'array') return false;
  return containers.items.some((each) => stringOf(memberOf(each, 'image')) !== undefined);
}

function isOfProbe(path: string): boolean {
  return /ontainers\[\d+\]\.\w*Probe(?:$|\.)/i.test(path);
}

/** Sets what Knative sets: a container's name, its port, and the port of its probes. */
function completeKnative(template: Template): Template {
  const containers = (template.spec?.containers ?? []).map((container): Decoded<v1.Container> => {
    const ports = container.ports ?? [{ containerPort: 8080 }];
    const port = ports[0]?.containerPort ?? 8080;
    const { readinessProbe, livenessProbe, startupProbe } = container;
    return {
      ...container,
      name: container.name ?? 'user-container',
      ports,
      ...(readinessProbe && { readinessProbe: withPort(readinessProbe, port) }),
      ...(livenessProbe && { livenessProbe: withPort(livenessProbe, port) }),
      ...(startupProbe && { startupProbe: withPort(startupProbe, port) }),
    };
  });
  return { ...template, spec: { ...template.spec, containers } };
}

function withPort(probe: Probe, port: number): Probe {
  const { httpGet, tcpSocket, grpc, exec } = probe;
  return {
    ...probe,
    ...(httpGet && { httpGet: { ...httpGet, port: httpGet.port ?? port } }),
    ...(grpc && { grpc: { ...grpc, port: grpc.port ?? port } }),
    ...((tcpSocket ?? !(httpGet ?? grpc ?? exec)) && {
      tcpSocket: { ...tcpSocket, port: tcpSocket?.port ?? port },
    }),
  };
}
