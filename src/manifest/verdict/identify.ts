import { generatedName, isServed, type PodKind, podKind } from '../../api/index.js';
import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import { goQuote } from '../../go/quote.js';

/** Type and name of an object; empty where it has none. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Destination of an object. */
export type Destination =
  | { readonly kind: 'pod'; readonly podKind: PodKind }
  | { readonly kind: 'list' }
  | { readonly kind: 'other' }
  /** No server knows it, so a client has nowhere to send it. */
  | { readonly kind: 'unserved'; readonly message: string }
  /** It cannot be sent. */
  | { readonly kind: 'unfit'; readonly message: string };

export function identityOf(node: JsonNode): Identity {
  const metadata = memberOf(node, 'metadata');
  const name = stringOf(memberOf(metadata, 'name')) ?? '';
  const base = stringOf(memberOf(metadata, 'generateName')) ?? '';
  return {
    apiVersion: stringOf(memberOf(node, 'apiVersion')) ?? '',
    kind: stringOf(memberOf(node, 'kind')) ?? '',
    name: name === '' && base !== '' ? generatedName(base) : name,
  };
}

/**
 * Finds the destination of an object, in the order in which a client does. Ports what kubectl does with
 * UnstructuredJSONScheme (apimachinery pkg/apis/meta/v1/unstructured/helpers.go) and the discovered kinds.
 * `text` is the object as JSON.
 */
export function destinationOf(
  node: JsonNode,
  { apiVersion, kind }: Identity,
  text: () => string,
): Destination {
  if (apiVersion.split('/').length > 2) {
    return unfit(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (isList(apiVersion, kind)) return { kind: 'list' };
  const mismatch = unstructuredError(node);
  if (mismatch !== undefined) return unfit(mismatch);
  if (kind === '') return unfit(`Object 'Kind' is missing in '${text()}'`);
  if (apiVersion === '') return unfit(`Object 'apiVersion' is missing in '${text()}'`);
  // Ports ParseGroupVersion and GroupVersion.String: without a group there is no slash.
  const version = apiVersion.replace(/^\//, '');
  const known = podKind(kind);
  if (known?.apiVersion === version) {
    return { kind: 'pod', podKind: known };
  }
  if (isServed(version, kind)) return { kind: 'other' };
  const message = `no matches for kind ${goQuote(kind)} in version ${goQuote(version)}`;
  return { kind: 'unserved', message };
}

function unfit(message: string): Destination {
  return { kind: 'unfit', message };
}

/** The lists that a client takes apart: v1 List, and the lists of the kinds that are judged. */
function isList(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'v1' && kind === 'List') return true;
  const item = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
  return podKind(item)?.apiVersion === apiVersion;
}

/** Returns the type error of an object or of its items, if any. */
function unstructuredError(node: JsonNode): string | undefined {
  if (node.kind === 'null') return undefined;
  if (node.kind !== 'object') {
    return `json: cannot unmarshal ${node.kind} into Go value of type unstructured.detector`;
  }
  const items = memberOf(node, 'items');
  if (items === undefined || items.kind === 'null') return undefined;
  if (items.kind !== 'array') {
    const field = 'Go struct field decodeList.items of type []json.RawMessage';
    return `json: cannot unmarshal ${items.kind} into ${field}`;
  }
  const odd = items.items.find((item) => item.kind !== 'object' && item.kind !== 'null');
  if (odd === undefined) return undefined;
  return `json: cannot unmarshal ${odd.kind} into Go value of type map[string]interface {}`;
}
