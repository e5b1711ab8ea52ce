import { Fields, isObject, tryParseJson } from '../../api/index.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import type { KubeObject } from '../types.js';

/** Holds the probes that Istio's injector has replaced, by the path that the kubelet asks instead. */
export const ISTIO_PROBERS = 'ISTIO_KUBE_APP_PROBERS';

/** Returns the probes of a pod that a mesh has rewritten: what the kubelet asks, and what is asked for it. */
export function rewrittenProbes({ spec }: KubeObject): string[] {
  const pod = new Fields(spec);
  const all = [...pod.list('containers'), ...pod.list('initContainers')];
  const variables = all.flatMap((container) => container.list('env'));
  const probers = variables.find((variable) => variable.text('name') === ISTIO_PROBERS);
  if (probers === undefined) return [];
  const originals = tryParseJson(probers.text('value'));
  if (!isObject(originals))
    return [`the value of ${ISTIO_PROBERS} cannot be read: the original probes are not known`];
  return all.flatMap((container) =>
    PROBE_TYPES.flatMap((type) => {
      const action = container.in(`${type}Probe`).in('httpGet');
      const path = action.text('path');
      const original = originals[path];
      if (original === undefined) return [];
      const asked = `http :${portText(action)}${path}`;
      return `Istio rewrites the ${type} probe of ${container.text('name')}: the kubelet asks ${asked}, and the sidecar then asks ${handlerText(original)}`;
    }),
  );
}

function handlerText(probe: unknown): string {
  const fields = new Fields(probe);
  const kind = (['httpGet', 'tcpSocket', 'grpc'] as const).find((name) =>
    fields.keys().includes(name),
  );
  const handler = fields.in(kind ?? '');
  const port = portText(handler);
  if (port === '') return `something that kprobe cannot read: ${JSON.stringify(probe)}`;
  if (kind === 'httpGet') return `http :${port}${handler.text('path')}`;
  return `${kind === 'tcpSocket' ? 'tcp' : 'grpc'} :${port}`;
}

function portText(handler: Fields): string {
  return handler.text('port') || (handler.number('port') || '').toString();
}
