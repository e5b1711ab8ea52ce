import type { KubeObject } from '../types.js';
import { fieldsOf, listOf, textOf } from './decode-objects.js';

/** Holds the probes that Istio's injector has replaced, by the path that the kubelet asks instead. */
const PROBERS = 'ISTIO_KUBE_APP_PROBERS';

/** Returns the probes of a pod that a mesh has rewritten: what the kubelet asks, and what is asked for it. */
export function rewrittenProbes({ spec }: KubeObject): string[] {
  const { containers, initContainers } = fieldsOf(spec);
  const all = [...listOf(containers), ...listOf(initContainers)].map(fieldsOf);
  const variables = all.flatMap(({ env }) => listOf(env).map(fieldsOf));
  const text = variables.find(({ name }) => name === PROBERS)?.['value'];
  const originals = parse(textOf(text));
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

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // No JSON, or no variable.
    return {};
  }
}

function handlerText(probe: Readonly<Record<string, unknown>>): string {
  const { httpGet, tcpSocket, grpc } = probe;
  const { port, path } = fieldsOf(httpGet ?? tcpSocket ?? grpc);
  if (httpGet !== undefined) return `http :${String(port)}${textOf(path)}`;
  return `${tcpSocket === undefined ? 'grpc' : 'tcp'} :${String(port)}`;
}
