import {
  type Admission,
  computePodQOS,
  type Decoded,
  type Pod,
  type PodSpec,
  setDefaultsPod,
  setServiceAccount,
} from '../../api/index.js';

/**
 * Returns the pod that a controller would create, or the pod itself. Controllers end names in
 * random letters; here a pod has its workload's own name, and a StatefulSet's the `-0` that its first has.
 */
export function podOf(kind: string, admission: Admission): Pod {
  const { metadata, template } = admission;
  const name = `${metadata.name ?? ''}${kind === 'StatefulSet' ? '-0' : ''}`;
  // A pod already has these defaults; one from a template gets them when it is created.
  const spec = setServiceAccount(
    setDefaultsPod({
      ...template.spec,
      ...identity(kind, name, admission),
      ...storage(name, admission),
    }),
  );
  const labels = { ...template.metadata?.labels, ...identityLabels(kind, name) };
  const annotations = template.metadata?.annotations;
  return {
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      uid: metadata.uid ?? '',
      generation: 1,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(annotations && { annotations }),
    },
    // Validation has checked the required fields.
    spec: spec as PodSpec,
    status: { phase: 'Pending', qosClass: computePodQOS(spec) },
  };
}

/** Ports initIdentity and updateIdentity (pkg/controller/statefulset/stateful_set_utils.go). */
function identity(
  kind: string,
  name: string,
  { serviceName }: Admission,
): { readonly hostname?: string; readonly subdomain?: string } {
  if (kind !== 'StatefulSet') return {};
  return { hostname: name, ...(serviceName !== undefined && { subdomain: serviceName }) };
}

/**
 * The claims as volumes, in place of those of their names, and behind the template's own, which so keep their places.
 * Ports updateStorage (stateful_set_utils.go).
 */
function storage(
  pod: string,
  { claims = [], template }: Admission,
): Pick<Decoded<'PodSpec'>, 'volumes'> {
  if (claims.length === 0) return {};
  const claimed = claims.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-${pod}` },
  }));
  const own = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claims.includes(name));
  return { volumes: [...own, ...claimed] };
}

function identityLabels(kind: string, name: string): Readonly<Record<string, string>> {
  if (kind !== 'StatefulSet') return {};
  return { 'statefulset.kubernetes.io/pod-name': name, 'apps.kubernetes.io/pod-index': '0' };
}
