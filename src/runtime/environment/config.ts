import type { ConfigMap, Secret } from '../../api/index.js';
import { fail, ok, type Result } from '../../go/result.js';

/** The ConfigMaps and Secrets that a pod can refer to. */
export interface ConfigSource {
  getConfigMap(namespace: string, name: string): ConfigMap | undefined;
  getSecret(namespace: string, name: string): Secret | undefined;
}

/** Returns the ConfigMaps and Secrets of the manifests; the later one of a name counts, as if applied last. */
export function configSource(
  configMaps: readonly ConfigMap[],
  secrets: readonly Secret[],
): ConfigSource {
  const find = <T extends ConfigMap | Secret>(
    all: readonly T[],
    namespace: string,
    name: string,
  ): T | undefined => all.findLast((each) => each.namespace === namespace && each.name === name);
  return {
    getConfigMap: (namespace, name) => find(configMaps, namespace, name),
    getSecret: (namespace, name) => find(secrets, namespace, name),
  };
}

/** A ConfigMap's or a Secret's keys, as environment variables see them. */
export type ConfigData = Readonly<Record<string, string>>;

/** `undefined`: missing, but optional. */
export type ConfigLookup = Result<ConfigData | undefined>;

/** Ports GetConfigMap's part in makeEnvironmentVariables (pkg/kubelet/kubelet_pods.go). */
export function configMapData(
  source: ConfigSource,
  namespace: string,
  name: string,
  optional = false,
): ConfigLookup {
  const configMap = source.getConfigMap(namespace, name);
  if (configMap !== undefined) return ok(configMap.data);
  return optional ? ok(undefined) : fail(`configmap "${name}" not found`);
}

/** Ports GetSecret's part in makeEnvironmentVariables (pkg/kubelet/kubelet_pods.go). */
export function secretData(
  source: ConfigSource,
  namespace: string,
  name: string,
  optional = false,
): ConfigLookup {
  const secret = source.getSecret(namespace, name);
  if (secret === undefined) return optional ? ok(undefined) : fail(`secret "${name}" not found`);
  const entries = Object.entries(secret.data).map(([key, base64]) => [key, decode(base64)]);
  return ok(Object.fromEntries(entries) as ConfigData);
}

/** A variable holds text: bytes that are not UTF-8 become U+FFFD. */
function decode(base64: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(fromBase64(base64));
}

export function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
