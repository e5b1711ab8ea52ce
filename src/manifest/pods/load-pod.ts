import {
  type Admission,
  type ApiServer,
  endsKubelet,
  type FieldError,
  type PodKind,
  setServiceAccount,
} from '../../api/admission/index.js';
import { setDefaultsPod, strictMessage } from '../../api/decode/index.js';
import {
  computePodQOS,
  type Decoded,
  isObject,
  type Pod,
  type PodSpec,
  type v1,
} from '../../api/index.js';
import { memberOf, stringOf } from '../../go/json-node.js';
import { fnv1a } from '../../go/text.js';
import { admitInCluster } from '../documents/known-kinds.js';
import type { ManifestObject } from '../documents/manifest-object.js';
import { locate, reportFieldError, reportIssue } from '../documents/report.js';
import type { Position } from '../documents/source-file.js';
import { portWarnings } from './port-warnings.js';

export interface LoadOptions {
  /**
   * Rejects pods that the API server would reject (the default). When false, a pod that can be decoded is loaded: unknown
   * fields are warnings, and only errors that would crash a kubelet count.
   */
  readonly validate?: boolean;
  /** Warns of named ports that the container does not have (the default). */
  readonly warnOfPorts?: boolean;
  readonly server?: ApiServer | undefined;
}

/** Returns the pod of a Pod or a workload; undefined when it has errors, which are reported. */
export function loadPod(
  object: ManifestObject,
  kind: PodKind,
  { validate = true, warnOfPorts = true, server }: LoadOptions,
  ordinalOf: (key: string) => number,
): LoadedPod | undefined {
  const { source, node } = object;
  const uid = uidOf(object, ordinalOf);
  const admission = kind.admit(node, { uid, plugins: setServiceAccount, server });
  const { issues } = admission;
  const errors = validate ? admission.errors : admission.errors.filter(endsKubelet);
  for (const issue of issues) reportIssue(source, issue, validate ? 'error' : 'warning');
  for (const error of errors) reportFieldError(source, node, error);
  const isFatal = issues.some(
    (issue) => issue.kind === 'wrong-type' || (validate && strictMessage(issue) !== undefined),
  );
  if (errors.length > 0 || isFatal) return undefined;
  for (const { field, message } of admission.warnings) {
    source.warn(locate(node, field), field, message);
  }
  const loaded = loadedPod(object, kind, admission, server);
  if (warnOfPorts) reportPorts(object, kind, loaded);
  return loaded;
}

/** A pod that may be partly unreadable. */
export interface PartialPod {
  readonly loaded: LoadedPod;
  /** Paths in the object of values with errors, which no rule can judge. */
  readonly wrong: readonly string[];
  /** Paths of values that could not be read: other values may seem to be missing because of them. */
  readonly unread: readonly string[];
}

/** Reads a pod that the API server may reject: invalid probes are left out. Reports nothing. */
export function readPartialPod(
  object: ManifestObject,
  kind: PodKind,
  server?: ApiServer,
): PartialPod | undefined {
  const admission = admitInCluster(object.node, kind, server);
  const { spec } = admission.template;
  if ((spec?.containers ?? []).length === 0) return undefined;
  const wrong = admission.errors.map(({ field }) => field);
  const isWrong = (path: string): boolean =>
    wrong.some((field) => contains(inTemplate(kind, path), field));
  const unread = admission.issues
    .filter(({ kind: issue }) => issue !== 'unsafe-integer' && issue !== 'dropped-field')
    .map(({ path }) => path);
  const complete = (containers: Containers, path: string): Containers =>
    containers?.map((container, index) => {
      const at = `${path}[${index}]`;
      const dropped = PROBES.filter((name) => {
        const probe = container[name];
        const { exec, httpGet, tcpSocket, grpc } = probe ?? {};
        const hasHandler = exec ?? httpGet ?? tcpSocket ?? grpc;
        return probe && (isWrong(`${at}.${name}`) || hasHandler === undefined);
      });
      unread.push(...dropped.map((name) => inTemplate(kind, `${at}.${name}`)));
      const without = Object.fromEntries(dropped.map((name) => [name, undefined]));
      return { ...container, name: container.name ?? '', image: container.image ?? '', ...without };
    });
  const template = {
    ...admission.template,
    spec: {
      ...spec,
      containers: complete(spec?.containers, 'spec.containers'),
      ...(spec?.initContainers && {
        initContainers: complete(spec.initContainers, 'spec.initContainers'),
      }),
    },
  };
  return { loaded: loadedPod(object, kind, { ...admission, template }, server), wrong, unread };
}

type Containers = Decoded<v1.PodSpec>['containers'];

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

/** Returns whether a path is that of a field, or of a parent of it. */
export function contains(path: string, field: string): boolean {
  return field.startsWith(path) && /^(?:$|[.[])/.test(field.slice(path.length));
}

/** Returns a stable UID: a manifest that is changed and read again has the same pods while they keep their names. */
function uidOf({ kind, node }: ManifestObject, ordinalOf: (key: string) => number): string {
  const metadata = memberOf(node, 'metadata');
  const text = (field: string): string => stringOf(memberOf(metadata, field)) ?? '';
  const key = [kind, text('namespace'), text('name'), text('generateName')].join('/');
  return stableUid(`${key}/${ordinalOf(key)}`);
}

function loadedPod(
  object: ManifestObject,
  kind: PodKind,
  admission: Admission,
  server: ApiServer | undefined,
): LoadedPod {
  const { source, node } = object;
  const { metadata, stored, errors, replicas, written } = admission;
  const pod = podOf(object.kind, admission, server);
  return {
    pod,
    stored,
    errors,
    source: {
      file: source.file,
      line: source.positionAt(node.start).line,
      kind: object.kind,
      name: metadata.name ?? '',
      ...(replicas !== undefined && { replicas }),
    },
    positions: (path) => source.positionAt(locate(node, inTemplate(kind, path))),
    written: written.spec ?? {},
    defaulted: new Set(defaultedPaths(written.spec ?? {}, pod.spec, 'spec')),
  };
}

function inTemplate({ templatePath }: PodKind, path: string): string {
  return templatePath === '' ? path : `${templatePath}.${path}`;
}

function reportPorts({ source, node }: ManifestObject, kind: PodKind, { pod }: LoadedPod): void {
  for (const warning of portWarnings(pod.spec)) {
    const field = inTemplate(kind, warning.field);
    source.warn(locate(node, field), field, warning.message, warning.hint);
  }
}

interface PodSource {
  readonly file: string;
  /** Line of the object that the pod comes from, from 1. */
  readonly line: number;
  readonly kind: string;
  readonly name: string;
  /** Replicas of the workload; kprobe runs one of them. */
  readonly replicas?: number;
}

/** A pod with its defaults, and its place in the text that it comes from. */
export interface LoadedPod {
  readonly pod: Pod;
  /** The decoded object that the pod comes from, with its defaults. */
  readonly stored: object;
  readonly errors: readonly FieldError[];
  readonly source: PodSource;
  /** Finds the place of a field of the pod (`spec.containers[0].livenessProbe`), or of the nearest enclosing one. */
  readonly positions: (path: string) => Position;
  /** The pod's spec without defaults. */
  readonly written: Decoded<v1.PodSpec>;
  /** The paths of the fields that the API's defaults have set, or changed. */
  readonly defaulted: ReadonlySet<string>;
}

/** Returns the spec of the StatefulSet that a pod is of; undefined for another kind. */
export function statefulSetSpec({ source, stored }: LoadedPod) {
  return source.kind === 'StatefulSet' ? (stored as Decoded<v1.StatefulSet>).spec : undefined;
}

function defaultedPaths(written: unknown, defaulted: unknown, path: string): readonly string[] {
  if (Array.isArray(defaulted)) {
    const items: readonly unknown[] = Array.isArray(written) ? written : [];
    return defaulted.flatMap((item, index) =>
      defaultedPaths(items[index], item, `${path}[${index}]`),
    );
  }
  if (!isObject(defaulted)) return defaulted !== undefined && written !== defaulted ? [path] : [];
  const fields = isObject(written) ? written : {};
  const inside = Object.entries(defaulted).flatMap(([key, value]) =>
    defaultedPaths(fields[key], value, `${path}.${key}`),
  );
  return written === undefined ? [path, ...inside] : inside;
}

const SEEDS = [0x811c9dc5, 0x050c5d1f, 0x9e3779b9, 0x85ebca6b] as const;

/** Returns the same UID for the same text: four FNV-1a hashes in the form of a version 4 UUID. */
export function stableUid(text: string): string {
  const hex = SEEDS.map((seed) => fnv1a(text, seed).toString(16).padStart(8, '0')).join('');
  const version = `4${hex.slice(13, 16)}`;
  const variant =
    ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16) + hex.slice(17, 20);
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20)].join('-');
}

/**
 * Returns the pod that a controller would create, or the pod itself. Its name has no random letters at the end: it is the
 * name of the workload, or for a StatefulSet that of its first pod, with `-0`.
 */
function podOf(kind: string, admission: Admission, server?: ApiServer): Pod {
  const { metadata, template, serviceName } = admission;
  // Ports initIdentity and updateIdentity (pkg/controller/statefulset/stateful_set_utils.go).
  const isStateful = kind === 'StatefulSet';
  const name = `${metadata.name ?? ''}${isStateful ? '-0' : ''}`;
  // A pod already has these defaults; one from a template gets them when it is created.
  const spec = setServiceAccount(
    setDefaultsPod(
      {
        ...template.spec,
        ...(isStateful && {
          hostname: name,
          ...(serviceName !== undefined && { subdomain: serviceName }),
        }),
        ...storage(name, admission),
      },
      server,
    ),
  );
  const labels = {
    ...template.metadata?.labels,
    ...(isStateful && {
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': '0',
    }),
  };
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

/**
 * Returns the template's volumes and, after them, the claims as volumes; a claim replaces the volume of its name. Ports
 * updateStorage (stateful_set_utils.go).
 */
function storage(pod: string, { claims = [], template }: Admission) {
  if (claims.length === 0) return {};
  const claimed = claims.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-${pod}` },
  }));
  const others = (template.spec?.volumes ?? []).filter(({ name = '' }) => !claims.includes(name));
  return { volumes: [...others, ...claimed] };
}
