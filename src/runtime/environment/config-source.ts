import type { ConfigMap, Secret } from '../../api/index.js';

/** The ConfigMaps and Secrets that a pod can refer to. */
export interface ConfigSource {
  getConfigMap(namespace: string, name: string): ConfigMap | undefined;
  getSecret(namespace: string, name: string): Secret | undefined;
}

/** What came with the pods; of two of one name the later one counts, as if it had been applied last. */
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
