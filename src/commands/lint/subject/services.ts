import { ownField, type Pod } from '../../../api/index.js';
import { type JsonNode, memberOf, stringOf } from '../../../go/json-node.js';
import type { ManifestObject } from '../../../manifest/documents/manifest-object.js';

export interface Service {
  readonly file: string;
  readonly name: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  /** Names and numbers of container ports. */
  readonly targetPorts: readonly (string | number)[];
  /** Numbers at which clients reach a target: the Service's ports and those of the nodes. */
  readonly clientPorts: readonly ClientPort[];
  readonly annotations: Readonly<Record<string, string>>;
}

interface ClientPort {
  readonly port: number;
  readonly target: string | number;
}

/**
 * The Service that an object is; undefined for any other, for one without a selector, and for one that sends
 * traffic whether pods are ready or not.
 */
export function serviceOf({ source, apiVersion, kind, node }: ManifestObject): Service | undefined {
  if (apiVersion !== 'v1' || kind !== 'Service') return undefined;
  const metadata = memberOf(node, 'metadata');
  const spec = memberOf(node, 'spec');
  const selector = textsOf(memberOf(spec, 'selector'));
  const always = memberOf(spec, 'publishNotReadyAddresses');
  if (always?.kind === 'bool' && always.value) return undefined;
  if (Object.keys(selector).length === 0) return undefined;
  const list = memberOf(spec, 'ports');
  const ports = list?.kind === 'array' ? list.items : [];
  return {
    file: source.file,
    name: stringOf(memberOf(metadata, 'name')) ?? '',
    namespace: stringOf(memberOf(metadata, 'namespace')) ?? 'default',
    selector,
    targetPorts: ports.filter(isForTraffic).flatMap(targetPort),
    clientPorts: ports.flatMap(clientPorts),
    annotations: textsOf(memberOf(metadata, 'annotations')),
  };
}

/** Returns false for ports of metrics, which are collected from each pod, ready or not. */
function isForTraffic(port: JsonNode): boolean {
  return !/metrics|prometheus|monitoring/.test(stringOf(memberOf(port, 'name')) ?? '');
}

function targetPort(port: JsonNode): readonly (string | number)[] {
  const target = memberOf(port, 'targetPort') ?? memberOf(port, 'port');
  if (target?.kind === 'string') return [target.value];
  return target?.kind === 'number' ? [Number(target.literal)] : [];
}

function clientPorts(port: JsonNode): readonly ClientPort[] {
  const numbers = ['port', 'nodePort'].flatMap((field) => {
    const number = memberOf(port, field);
    return number?.kind === 'number' ? [Number(number.literal)] : [];
  });
  return targetPort(port).flatMap((target) => numbers.map((number) => ({ port: number, target })));
}

export function textsOf(node: JsonNode | undefined): Readonly<Record<string, string>> {
  if (node?.kind !== 'object') return {};
  return Object.fromEntries(node.members.map(({ key, value }) => [key, stringOf(value) ?? '']));
}

export function selects({ selector, namespace }: Service, { metadata }: Pod): boolean {
  const { labels = {} } = metadata;
  const isInNamespace = namespace === (metadata.namespace || 'default');
  return (
    isInNamespace &&
    Object.entries(selector).every(([key, value]) => ownField(labels, key) === value)
  );
}

/**
 * Returns a function that reports whether a Service belongs with the pods of a file, or to another sample of the repository
 * that uses the same labels: its folder is the same, one above or below, or, where folders are made by kind, beside it.
 */
export function serviceNeighbors(
  services: readonly Service[],
  podFiles: readonly string[],
): (service: Service, file: string) => boolean {
  const withServices = new Set(services.map(({ file }) => folderOf(file)));
  const withPods = new Set(podFiles.map(folderOf));
  return (service, file) => {
    const [theirs, ours] = [folderOf(service.file), folderOf(file)];
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
