import { type Pod } from '../../api/index.js';
import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import type { ManifestObject } from '../../manifest/documents/manifest-object.js';

/** A Service of the manifests, as far as it bears on pods. */
export interface Service {
  readonly name: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  /** Names and numbers of container ports. */
  readonly targetPorts: readonly (string | number)[];
}

/**
 * The Service that an object is; undefined for any other, for one without a selector, and for one that sends
 * traffic whether pods are ready or not.
 */
export function serviceOf({ apiVersion, kind, node }: ManifestObject): Service | undefined {
  if (apiVersion !== 'v1' || kind !== 'Service') return undefined;
  const metadata = memberOf(node, 'metadata');
  const spec = memberOf(node, 'spec');
  const selector = textsOf(memberOf(spec, 'selector'));
  const always = memberOf(spec, 'publishNotReadyAddresses');
  if (always?.kind === 'bool' && always.value) return undefined;
  if (Object.keys(selector).length === 0) return undefined;
  const ports = memberOf(spec, 'ports');
  return {
    name: stringOf(memberOf(metadata, 'name')) ?? '',
    namespace: stringOf(memberOf(metadata, 'namespace')) ?? 'default',
    selector,
    targetPorts:
      ports?.kind === 'array' ? ports.items.filter(isForTraffic).flatMap(targetPort) : [],
  };
}

/** Whoever collects metrics asks each pod, ready or not. */
function isForTraffic(port: JsonNode): boolean {
  return !/metrics|prometheus|monitoring/.test(stringOf(memberOf(port, 'name')) ?? '');
}

function targetPort(port: JsonNode): readonly (string | number)[] {
  const target = memberOf(port, 'targetPort') ?? memberOf(port, 'port');
  if (target?.kind === 'string') return [target.value];
  return target?.kind === 'number' ? [Number(target.literal)] : [];
}

function textsOf(node: JsonNode | undefined): Readonly<Record<string, string>> {
  if (node?.kind !== 'object') return {};
  return Object.fromEntries(node.members.map(({ key, value }) => [key, stringOf(value) ?? '']));
}

export function selects({ selector, namespace }: Service, { metadata }: Pod): boolean {
  if (namespace !== (metadata.namespace || 'default')) return false;
  const labels = new Map(Object.entries(metadata.labels ?? {}));
  return Object.entries(selector).every(([key, value]) => labels.get(key) === value);
}
