import { type ObjectFieldSelector, type Pod, splitMaybeSubscriptedPath } from '../../api/index.js';
import { toByteString, toText } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { fail, ok, type Result } from '../../go/result.js';
import { sortPodIPs } from '../../kubelet/status/pod-status.js';

/** A field of the pod, or of its status as the runtime makes it. Ports podFieldSelectorRuntimeValue (kubelet_pods.go). */
export function podFieldSelectorRuntimeValue(
  { apiVersion = 'v1', fieldPath }: ObjectFieldSelector,
  pod: Pod,
  podIPs: readonly string[],
  { name, hostIPs }: { readonly name: string; readonly hostIPs: readonly string[] },
): Result<string> {
  if (apiVersion !== 'v1') return fail(`unsupported pod version: ${apiVersion}`);
  const sortedPodIPs = sortPodIPs(podIPs, hostIPs[0] ?? '');
  switch (fieldPath) {
    case 'spec.host':
    case 'spec.nodeName':
      return ok(pod.spec.nodeName ?? name);
    case 'spec.serviceAccountName':
      return ok(pod.spec.serviceAccountName ?? '');
    case 'status.hostIP':
      return ok(hostIPs[0] ?? '');
    case 'status.hostIPs':
      return ok(hostIPs.join(','));
    case 'status.podIP':
      return ok(sortedPodIPs[0] ?? podIPs[0] ?? '');
    case 'status.podIPs':
      return ok(sortedPodIPs.join(','));
    default:
      return extract(pod, fieldPath);
  }
}

const UNREADABLE = ['spec.restartPolicy', 'spec.schedulerName', 'status.phase'];

/** Distinguishes unknown fields from unsupported ones. Ports ConvertDownwardAPIFieldLabel (pkg/apis/core/pods/helpers.go). */
function extract(pod: Pod, fieldPath: string): Result<string> {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  const value = extractFieldPathAsString(pod, fieldPath);
  if (value.ok || UNREADABLE.includes(fieldPath)) return value;
  if (subscripted === undefined) return fail(`field label not supported: ${fieldPath}`);
  return fail(`field label does not support subscript: ${fieldPath}`);
}

/** A field of a pod as text. Ports ExtractFieldPathAsString (pkg/fieldpath/fieldpath.go). */
export function extractFieldPathAsString({ metadata }: Pod, fieldPath: string): Result<string> {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  if (subscripted !== undefined) {
    const { path, subscript } = subscripted;
    if (path === 'metadata.annotations') return ok(own(metadata.annotations, subscript));
    if (path === 'metadata.labels') return ok(own(metadata.labels, subscript));
    return fail(`fieldPath ${quoted(fieldPath)} does not support subscript`);
  }
  switch (fieldPath) {
    case 'metadata.annotations':
      return ok(formatMap(metadata.annotations));
    case 'metadata.labels':
      return ok(formatMap(metadata.labels));
    case 'metadata.name':
      return ok(metadata.name);
    case 'metadata.namespace':
      return ok(metadata.namespace);
    case 'metadata.uid':
      return ok(metadata.uid);
    default:
      return fail(`unsupported fieldPath: ${fieldPath}`);
  }
}

/** One `key="value"` a line, sorted by key. Ports FormatMap (pkg/fieldpath/fieldpath.go). */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join('\n');
}

function own(map: Readonly<Record<string, string>> = {}, key: string): string {
  return Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}

function quoted(text: string): string {
  return toText(quote(toByteString(text)));
}
