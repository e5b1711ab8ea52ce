import { type ConfigMap, decode, type Secret } from '../api/index.js';
import { reportIssue } from './issue-diagnostic.js';
import type { ManifestObject } from './manifest-object.js';

/** A ConfigMap of the stream, for the env and the volumes of a pod beside it. */
export function loadConfigMap({ source, node }: ManifestObject): ConfigMap {
  const { value, issues } = decode(node, 'ConfigMap');
  for (const issue of issues) reportIssue(source, issue, 'warning');
  const { metadata, data = {}, binaryData = {} } = value;
  return {
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? 'default',
    data,
    binaryData,
  };
}

/** A Secret of the stream; as on a server, stringData ends up in data. */
export function loadSecret({ source, node }: ManifestObject): Secret {
  const { value, issues } = decode(node, 'Secret');
  for (const issue of issues) reportIssue(source, issue, 'warning');
  const { metadata, data = {}, stringData = {} } = value;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, toBase64(text)] as const);
  return {
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? 'default',
    data: { ...data, ...Object.fromEntries(encoded) },
  };
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
