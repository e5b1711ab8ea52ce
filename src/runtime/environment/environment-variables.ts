import type {
  ConfigMap,
  Container,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  KeySelector,
  Pod,
  ResourceList,
  Secret,
} from '../../api/index.js';
import { fromBase64 } from '../../go/base64.js';
import { fail, ok, type OrError } from '../../go/result.js';
import { expand } from '../../kubelet/prober/exec-probe.js';
import { containerResourceRuntimeValue, podFieldSelectorRuntimeValue } from './downward-api.js';

/** The node's fields that a container's environment can refer to. */
export interface EnvironmentNode {
  readonly name: string;
  /** Addresses, at most one of each family, the primary one first. */
  readonly hostIPs: readonly string[];
  /** Defaults of limits: `cpu`, `memory`, `ephemeral-storage`. */
  readonly allocatable: ResourceList;
}

export interface EnvironmentInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly podIPs: readonly string[];
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** Variables of the cluster's services; a node without a cluster has none. */
  readonly serviceEnv?: Readonly<Record<string, string>>;
}

export type Environment = ReadonlyMap<string, string>;

/** A container's variables, or the kubelet's text of why it has none. Ports makeEnvironmentVariables (kubelet_pods.go). */
export function makeEnvironmentVariables(input: EnvironmentInput): OrError<Environment> {
  const { container, serviceEnv = {} } = input;
  const env = new Map<string, string>();
  for (const from of container.envFrom ?? []) {
    const found = envFromData(input, from);
    if (!found.ok) return found;
    for (const [key, value] of Object.entries(found.value ?? {})) {
      env.set(`${from.prefix ?? ''}${key}`, value);
    }
  }
  const services = new Map(Object.entries(serviceEnv));
  const mapping = (name: string): string => env.get(name) ?? services.get(name) ?? `$(${name})`;
  for (const variable of container.env ?? []) {
    const value = runtimeValue(input, variable, mapping);
    if (!value.ok) return value;
    if (value.value !== undefined) env.set(variable.name, value.value);
  }
  for (const [name, value] of services) if (!env.has(name)) env.set(name, value);
  return ok(env);
}

function envFromData(
  input: EnvironmentInput,
  { configMapRef, secretRef }: EnvFromSource,
): ConfigLookup {
  if (configMapRef !== undefined) return configMapData(input, configMapRef);
  return secretRef === undefined ? ok(undefined) : secretData(input, secretRef);
}

/** Returns the variable's value, or undefined where the container does not get the variable. */
function runtimeValue(
  input: EnvironmentInput,
  { value = '', valueFrom }: EnvVar,
  mapping: (name: string) => string,
): OrError<string | undefined> {
  if (value !== '') return ok(expand(value, mapping));
  return valueFrom === undefined ? ok('') : sourceValue(input, valueFrom);
}

function sourceValue(
  input: EnvironmentInput,
  { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef }: EnvVarSource,
): OrError<string | undefined> {
  const { pod, container, podIPs, node } = input;
  const { namespace } = pod.metadata;
  if (fieldRef !== undefined) return podFieldSelectorRuntimeValue(fieldRef, pod, podIPs, node);
  if (resourceFieldRef !== undefined) {
    return containerResourceRuntimeValue(resourceFieldRef, pod, container, node.allocatable);
  }
  if (configMapKeyRef !== undefined) {
    const found = configMapData(input, configMapKeyRef);
    return keyOf(found, configMapKeyRef, `ConfigMap ${namespace}/${configMapKeyRef.name}`);
  }
  if (secretKeyRef !== undefined) {
    const found = secretData(input, secretKeyRef);
    return keyOf(found, secretKeyRef, `Secret ${namespace}/${secretKeyRef.name}`);
  }
  return ok('');
}

function keyOf(
  found: ConfigLookup,
  { key, optional = false }: KeySelector,
  owner: string,
): OrError<string | undefined> {
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  if (Object.hasOwn(found.value, key)) return ok(found.value[key]);
  return optional ? ok(undefined) : fail(`couldn't find key ${key} in ${owner}`);
}

/** The ConfigMaps and Secrets that a pod can refer to. */
export interface ConfigSource {
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
}

/** Finds the ConfigMap or Secret with a name; of two, the later one counts, as if it was applied last. */
export function findConfig<T extends ConfigMap | Secret>(
  all: readonly T[],
  { metadata: { namespace } }: Pod,
  name: string,
): T | undefined {
  return all.findLast((each) => each.namespace === namespace && each.name === name);
}

/** The values by key of a ConfigMap or Secret; undefined where it is missing but optional. */
type ConfigLookup = OrError<Readonly<Record<string, string>> | undefined>;

interface ConfigRef {
  readonly name: string;
  readonly optional?: boolean;
}

/** Ports GetConfigMap's part in makeEnvironmentVariables (pkg/kubelet/kubelet_pods.go). */
function configMapData(
  { pod, config }: EnvironmentInput,
  { name, optional = false }: ConfigRef,
): ConfigLookup {
  const configMap = findConfig(config.configMaps, pod, name);
  if (configMap === undefined && !optional) return fail(`configmap "${name}" not found`);
  return ok(configMap?.data);
}

/** Ports GetSecret's part in makeEnvironmentVariables (pkg/kubelet/kubelet_pods.go). */
function secretData(
  { pod, config }: EnvironmentInput,
  { name, optional = false }: ConfigRef,
): ConfigLookup {
  const secret = findConfig(config.secrets, pod, name);
  if (secret === undefined) return optional ? ok(undefined) : fail(`secret "${name}" not found`);
  const entries = Object.entries(secret.data);
  return ok(Object.fromEntries(entries.map(([key, base64]) => [key, decode(base64)])));
}

/** A variable holds text: bytes that are not UTF-8 become U+FFFD. */
function decode(base64: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(fromBase64(base64));
}
