import { isObject } from '../../api/index.js';
import type { KubeObject } from '../types.js';
import { fieldsOf, listOf, textOf } from './decode-objects.js';

/** Holds the probes that Istio's injector has replaced, by the path that the kubelet asks instead. */
export const ISTIO_PROBERS = 'ISTIO_KUBE_APP_PROBERS';

/** Returns the probes of a pod that a mesh has rewritten: what the kubelet asks, and what is asked for it. */
export function rewrittenProbes({ spec }: KubeObject): string[] {
  const { containers, initContainers } = fieldsOf(spec);
  const all = [...listOf(containers), ...listOf(initContainers)].map(fieldsOf);
  const variables = all.flatMap(({ env }) => listOf(env).map(fieldsOf));
  const text = variables.find(({ name }) => name === ISTIO_PROBERS)?.['value'];
  if (text === undefined) return [];
  const originals = parse(textOf(text));
  if (originals === undefined)
    return [`the value of ${ISTIO_PROBERS} cannot be read: the original probes are not known`];
  return all.flatMap((container) =>
    ['startup', 'readiness', 'liveness'].flatMap((type) => {
      const { path, port } = fieldsOf(fieldsOf(container[`${type}Probe`])['httpGet']);
      const original = originals[textOf(path)];
      if (original === undefined) return [];
      const asked = `http :${String(port)}${textOf(path)}`;
      return `Istio rewrites the ${type} probe of ${textOf(container['name'])}: the kubelet asks ${asked}, and the sidecar then asks ${handlerText(fieldsOf(original))}`;
    }),
  );
}

/** Returns undefined for a text that is no JSON object. */
function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function handlerText(probe: Readonly<Record<string, unknown>>): string {
  const { httpGet, tcpSocket, grpc } = probe;
  const { port, path } = fieldsOf(httpGet ?? tcpSocket ?? grpc);
  if (typeof port !== 'number' && typeof port !== 'string') {
    return `something that kprobe cannot read: ${JSON.stringify(probe)}`;
  }
  if (httpGet !== undefined) return `http :${port}${textOf(path)}`;
  return `${tcpSocket === undefined ? 'grpc' : 'tcp'} :${port}`;
}
