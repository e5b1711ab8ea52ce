import { type Admission, endsKubelet, type PodKind, setServiceAccount } from '../api/index.js';
import { memberOf, stringOf } from '../go/json-node.js';
import { defaultedPaths } from './defaulted-paths.js';
import { reportFieldError } from './field-error-diagnostic.js';
import { reportIssue } from './issue-diagnostic.js';
import type { LoadedPod } from './loaded-pod.js';
import { locate } from './locate.js';
import type { ManifestObject } from './manifest-object.js';
import { podOf } from './pod-template.js';
import { portWarnings } from './port-warnings.js';
import { stableUid } from './stable-uid.js';

export interface LoadOptions {
  /**
   * Whether a pod that the API server would refuse is refused here (the default). Without, it is loaded as far
   * as it can be decoded: unknown fields are warnings, and of what validation would say only what ends a kubelet is.
   */
  readonly validate?: boolean;
  /** Whether ports by a name that their container does not have are warned of (the default). */
  readonly warnOfPorts?: boolean;
}

/** How many objects of the same kind, namespace and name came before. */
export type Ordinal = (key: string) => number;

/** The pod of an object that is one or makes them; what is wrong is reported, and then there is none. */
export function loadPod(
  object: ManifestObject,
  kind: PodKind,
  { validate = true, warnOfPorts = true }: LoadOptions,
  ordinalOf: Ordinal,
): LoadedPod | undefined {
  const { source, node } = object;
  const uid = uidOf(object, ordinalOf);
  const admission = kind.admit(node, { uid, plugins: setServiceAccount });
  const { issues } = admission;
  const errors = validate ? admission.errors : admission.errors.filter(endsKubelet);
  for (const issue of issues) reportIssue(source, issue, validate ? 'error' : 'warning');
  for (const error of errors) reportFieldError(source, node, error);
  const fatal = issues.filter((issue) => issue.kind === 'wrong-type' || validate);
  if (errors.length + fatal.filter(({ kind }) => kind !== 'unsafe-integer').length > 0) {
    return undefined;
  }
  for (const { field, message } of admission.warnings) {
    source.warn(locate(node, field), field, message);
  }
  const loaded = describe(object, kind, admission);
  if (warnOfPorts) reportPorts(object, kind, loaded);
  return loaded;
}

/** Stable: a manifest that is changed and read again has the same pods, as long as they keep their names. */
function uidOf({ kind, node }: ManifestObject, ordinalOf: Ordinal): string {
  const metadata = memberOf(node, 'metadata');
  const text = (field: string): string => stringOf(memberOf(metadata, field)) ?? '';
  const key = [kind, text('namespace'), text('name'), text('generateName')].join('/');
  return stableUid(`${key}/${ordinalOf(key)}`);
}

function describe(object: ManifestObject, kind: PodKind, admission: Admission): LoadedPod {
  const { source, node, document } = object;
  const { metadata, stored, replicas, written } = admission;
  const pod = podOf(object.kind, admission);
  return {
    pod,
    stored,
    source: {
      file: source.file,
      line: source.positionAt(node.start).line,
      document,
      kind: object.kind,
      name: metadata.name ?? '',
      ...(replicas !== undefined && { replicas }),
    },
    positions: (path) => source.positionAt(locate(node, inTemplate(kind, path))),
    defaulted: defaultedPaths(written.spec ?? {}, pod.spec, 'spec'),
  };
}

/** The path in the object of a path in its pod. */
function inTemplate({ templatePath }: PodKind, path: string): string {
  return templatePath === '' ? path : `${templatePath}.${path}`;
}

function reportPorts({ source, node }: ManifestObject, kind: PodKind, { pod }: LoadedPod): void {
  for (const warning of portWarnings(pod.spec)) {
    const field = inTemplate(kind, warning.field);
    source.warn(locate(node, field), field, warning.message, warning.hint);
  }
}
