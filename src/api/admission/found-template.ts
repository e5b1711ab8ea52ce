import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import { decode } from '../decode/decode.js';
import { setDefaults } from '../defaults/defaults.js';
import type { Decoded } from '../schema/decoded.js';
import { validatePodTemplateSpec } from '../validation/pod/pod.js';
import { type Admission, type AdmitOptions, conclude, fillMeta } from './admission.js';
import type { PodKind } from './kinds.js';

type PodTemplate = Decoded<'PodTemplateSpec'>;
type Container = Decoded<'Container'>;
type Probe = Decoded<'Probe'>;

interface FoundTemplate {
  readonly path: string;
  readonly node: JsonNode;
}

/** Deeper than this no kind has its template. */
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
  return found.map((template, index) => ({
    apiVersion,
    kind,
    templatePath: template.path,
    admit: (node, options) =>
      admitTemplate(node, apiVersion, template, found.length > 1 ? `-${index}` : '', options),
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

/** Without images it is a patch of pods that some operator makes. */
function isPodTemplate(node: JsonNode): boolean {
  const containers = memberOf(memberOf(node, 'spec'), 'containers');
  if (containers?.kind !== 'array') return false;
  return containers.items.some((each) => stringOf(memberOf(each, 'image')) !== undefined);
}

function admitTemplate(
  node: JsonNode,
  apiVersion: string,
  { node: template, path }: FoundTemplate,
  suffix: string,
  { uid, integers }: AdmitOptions,
): Admission {
  const meta = decode(memberOf(node, 'metadata') ?? node, 'ObjectMeta', integers).value;
  const { metadata } = fillMeta({ metadata: meta }, uid);
  const { value, issues } = decode(template, 'PodTemplateSpec', integers);
  const completed = apiVersion.startsWith('serving.knative.dev/') ? completeKnative(value) : value;
  const defaulted = setDefaults('PodTemplateSpec', completed);
  const admission = conclude({
    stored: defaulted,
    metadata: { ...metadata, name: `${metadata.name ?? ''}${suffix}` },
    template: defaulted,
    written: value,
    issues: issues
      .map((issue) => ({ ...issue, path: `${path}.${issue.path}` }))
      .filter((issue) => isOfProbe(issue.path)),
    validate: (at) => validatePodTemplateSpec(defaulted, at.child(path)),
    warn: () => [],
  });
  return { ...admission, errors: admission.errors.filter(({ field }) => isOfProbe(field)) };
}

function isOfProbe(path: string): boolean {
  return /ontainers\[\d+\]\.\w*Probe(?:$|\.)/i.test(path);
}

/** Sets what Knative sets: a container's name, its port, and the port of its probes. */
function completeKnative(template: PodTemplate): PodTemplate {
  const containers = (template.spec?.containers ?? []).map((container): Container => {
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
