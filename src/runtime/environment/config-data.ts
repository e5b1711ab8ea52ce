import { fail, ok, type Result } from '../../go/result.js';
import type { ConfigSource } from './config-source.js';

/** A ConfigMap's or a Secret's keys, as environment variables see them. */
export type ConfigData = Readonly<Record<string, string>>;

/** `undefined` stands for what is missing and may be. */
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
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  );
}
