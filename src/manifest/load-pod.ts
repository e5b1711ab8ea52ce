import { decode } from '../api/decode/decode.js';
import { setDefaultsPod, setDefaultsPodSpec } from '../api/defaults/pod.js';
import type { ObjectMeta } from '../api/types/meta.js';
import type { Pod, PodSpec } from '../api/types/pod.js';
import type { Unchecked } from '../api/types/unchecked.js';
import { defaultedPaths } from './defaulted-paths.js';
import { reportIssue } from './issue-diagnostic.js';
import type { PodKind } from './kinds.js';
import type { LoadedPod } from './loaded-pod.js';
import { locate } from './locate.js';
import type { ManifestObject } from './manifest-object.js';
import { stableUid } from './stable-uid.js';

interface Template {
  readonly metadata?: Unchecked<ObjectMeta>;
  readonly spec?: Unchecked<PodSpec>;
}

interface Decoded extends Template {
  readonly replicas?: number;
  readonly template: Template;
}

/** The suffix that stands for the random one of a generated name. */
const GENERATED_SUFFIX = 'xxxxx';

/** The pod of an object that is one or makes them; what is wrong is reported, and then there may be none. */
export function loadPod(
  object: ManifestObject,
  kind: PodKind,
  ordinal: number,
): LoadedPod | undefined {
  const { source } = object;
  const { value, issues } = decode(object.node, object.kind);
  for (const issue of issues) reportIssue(source, issue);
  if (issues.some((issue) => issue.kind === 'wrong-type')) return undefined;
  const decoded = readTemplate(value, kind);
  const name = workloadName(decoded.metadata ?? {});
  const written = decoded.template.spec ?? {};
  const spec = setDefaultsPod(setDefaultsPodSpec(written));
  const namespace = decoded.metadata?.namespace ?? 'default';
  const uid = stableUid(`${object.kind}/${namespace}/${name}/${ordinal}`);
  const { labels, annotations } = decoded.template.metadata ?? {};
  const pod = {
    metadata: {
      name: object.kind === 'StatefulSet' ? `${name}-0` : name,
      namespace,
      uid,
      generation: 1,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec,
    status: { phase: 'Pending' },
  };
  const prefix = kind.templatePath === '' ? '' : `${kind.templatePath}.`;
  return {
    pod: pod as Pod,
    source: {
      file: source.file,
      line: source.positionAt(object.node.start).line,
      document: object.document,
      kind: object.kind,
      name,
      ...(decoded.replicas !== undefined && { replicas: decoded.replicas }),
    },
    positions: (path) => source.positionAt(locate(object.node, prefix + path)),
    defaulted: defaultedPaths(written, spec, 'spec'),
  };
}

function workloadName(metadata: Unchecked<ObjectMeta>): string {
  if (metadata.name !== undefined) return metadata.name;
  return metadata.generateName === undefined ? '' : `${metadata.generateName}${GENERATED_SUFFIX}`;
}

/** The tables that decoding follows are those of the types that are named here. */
function readTemplate(value: unknown, kind: PodKind): Decoded {
  const object = value as Template & { readonly spec?: { readonly replicas?: number } };
  const template = kind.templatePath
    .split('.')
    .filter((key) => key !== '')
    .reduce<unknown>(
      (at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key],
      value,
    );
  return { ...object, template: template ?? {} };
}
