import { ownField, type Pod } from '../../../api/index.js';
import { type JsonNode, memberOf, stringOf } from '../../../go/json-node.js';
import type { ManifestObject } from '../../../manifest/documents/manifest-object.js';
import type { LoadedPod } from '../../../manifest/pods/load-pod.js';

export interface Service {
  readonly object: ManifestObject;
  readonly name: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
  readonly annotations: Readonly<Record<string, string>>;
}

interface ServicePort {
  /** Path in the Service, such as `spec.ports[0]`. */
  readonly path: string;
  /** Name or number of a container's port. */
  readonly target: string | number;
  readonly protocol: string;
  /** Numbers at which clients reach the target: the Service's port and that of the nodes. */
  readonly clientPorts: readonly (string | number | undefined)[];
  /** False for metrics, which are collected from each pod, ready or not. */
  readonly isForTraffic: boolean;
}

/** The pods of a workload, which a Service may select; uncertain where they may be other than the manifest shows. */
export interface Candidate {
  readonly loaded: LoadedPod;
  readonly isCertain: boolean;
}

/**
 * The Service that an object is; undefined for any other, for one without a selector or whose selector has no effect,
 * and for one that sends traffic whether pods are ready or not.
 */
export function serviceOf(object: ManifestObject): Service | undefined {
  const { apiVersion, kind, node } = object;
  if (apiVersion !== 'v1' || kind !== 'Service') return undefined;
  const metadata = memberOf(node, 'metadata');
  const spec = memberOf(node, 'spec');
  const selector = textsOf(memberOf(spec, 'selector'));
  const always = memberOf(spec, 'publishNotReadyAddresses');
  if (always?.kind === 'bool' && always.value) return undefined;
  if (Object.keys(selector).length === 0) return undefined;
  if (stringOf(memberOf(spec, 'type')) === 'ExternalName') return undefined;
  const list = memberOf(spec, 'ports');
  const ports = list?.kind === 'array' ? list.items : [];
  return {
    object,
    name: stringOf(memberOf(metadata, 'name')) ?? '',
    namespace: stringOf(memberOf(metadata, 'namespace')) ?? 'default',
    selector,
    ports: ports.flatMap((port, index) => servicePort(port, `spec.ports[${index}]`)),
    annotations: textsOf(memberOf(metadata, 'annotations')),
  };
}

function servicePort(port: JsonNode, path: string): readonly ServicePort[] {
  const { name = '', protocol = 'TCP' } = textsOf(port);
  const [target, ...clientPorts] = ['targetPort', 'port', 'nodePort'].map((field) => {
    const value = memberOf(port, field);
    return value?.kind === 'number' ? Number(value.literal) : stringOf(value);
  });
  const isForTraffic = !/metrics|prometheus|monitoring/.test(name);
  const found = target ?? clientPorts[0];
  return found === undefined ? [] : [{ path, target: found, protocol, clientPorts, isForTraffic }];
}

export function textsOf(node: JsonNode | undefined): Readonly<Record<string, string>> {
  if (node?.kind !== 'object') return {};
  return Object.fromEntries(node.members.map(({ key, value }) => [key, stringOf(value) ?? '']));
}

export function selects(service: Service, pod: Pod): boolean {
  return isInNamespace(service, pod) && differingLabels(service, pod).length === 0;
}

export function isInNamespace({ namespace }: Service, { metadata }: Pod): boolean {
  return namespace === (metadata.namespace || 'default');
}

/** Returns the keys of a selector whose value a pod's labels do not have. */
export function differingLabels({ selector }: Service, { metadata }: Pod): readonly string[] {
  const { labels = {} } = metadata;
  return Object.keys(selector).filter((key) => ownField(labels, key) !== selector[key]);
}

/**
 * Returns a function that reports whether a Service belongs with the pods of a file, or to another sample of the repository
 * that uses the same labels: its folder is the same, one above or below, or, where folders are made by kind, beside it.
 */
export function serviceNeighbors(
  services: readonly Service[],
  podFiles: readonly string[],
): (service: Service, file: string) => boolean {
  const withServices = new Set(services.map(({ object }) => folderOf(object.source.file)));
  const withPods = new Set(podFiles.map(folderOf));
  return (service, file) => {
    const [theirs, ours] = [folderOf(service.object.source.file), folderOf(file)];
    if (theirs.startsWith(ours) || ours.startsWith(theirs)) return true;
    return (
      folderOf(theirs.slice(0, -1)) === folderOf(ours.slice(0, -1)) &&
      !withPods.has(theirs) &&
      !withServices.has(ours)
    );
  };
}

/** Returns the folder of a path with a slash at its end; empty for the current one. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
