import { isObject, ownField } from '../api/index.js';
import { jsonText } from '../go/json.js';
import { type JsonNode, memberOf, stringOf } from '../go/json-node.js';
import { type Diagnostic, hasErrors } from '../manifest/diagnostic.js';
import { type ManifestObject, readObjects } from '../manifest/documents/manifest-object.js';
import { locate } from '../manifest/documents/report.js';
import { type ManifestSource, SourceFile } from '../manifest/documents/source-file.js';
import { loadManifest } from '../manifest/pods/load-manifest.js';
import type { LoadedPod, LoadOptions } from '../manifest/pods/load-pod.js';
import type { Applied } from './control-plane.js';
import { isSelected } from './controllers/endpoint-slice.js';
import { type AppliedWorkload, appliedWorkload, ROLLED_OUT_KINDS } from './workload.js';

/** A workload and its related objects, from the files. */
interface RolloutManifest {
  /** Absent when the files have errors. */
  readonly workload?: AppliedWorkload;
  readonly related: readonly Applied[];
  readonly assumptions: readonly Assumption[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadRolloutOptions extends LoadOptions {
  readonly name?: string | undefined;
  readonly replicas?: number | undefined;
}

export function loadRollout(
  sources: readonly ManifestSource[],
  options: LoadRolloutOptions,
): RolloutManifest {
  const { pods, diagnostics } = loadManifest(sources, options);
  const nothing = { related: [], assumptions: [] };
  if (hasErrors(diagnostics)) return { ...nothing, diagnostics };
  const candidates = pods.filter(({ source }) => ROLLED_OUT_KINDS.includes(source.kind));
  const named = candidates.filter(
    ({ source: { name } }) => options.name === undefined || name === options.name,
  );
  const [loaded, second] = named;
  if (loaded === undefined || second !== undefined) {
    const problem = choiceProblem(candidates, pods, options.name, second);
    return { ...nothing, diagnostics: [...diagnostics, problem] };
  }
  const files = sources.map((source) => new SourceFile(source));
  const found = withRelatedObjects(loaded, files.flatMap(readObjects), options.replicas);
  const excess = tooManyReplicas(loaded, found.workload);
  if (excess !== undefined) return { ...nothing, diagnostics: [...diagnostics, excess] };
  const errors = files.flatMap((file) => file.diagnostics());
  return { ...found, diagnostics: [...diagnostics, ...errors] };
}

/** The number of replicas that take minutes to simulate; the time grows with its square. */
const MAX_REPLICAS = 1000;

function tooManyReplicas({ source }: LoadedPod, { spec }: AppliedWorkload): Diagnostic | undefined {
  if (!('replicas' in spec) || spec.replicas <= MAX_REPLICAS) return undefined;
  const { file, line } = source;
  const message = `kprobe simulates at most ${MAX_REPLICAS} replicas, and there are ${spec.replicas}`;
  const place = { file, line, column: 1, field: 'spec.replicas' };
  return { severity: 'error', ...place, message, hint: 'simulate fewer with --replicas' };
}

/** Returns a workload, its Services and its budgets; an error in one of them is reported to its file. */
export function withRelatedObjects(
  loaded: LoadedPod,
  objects: readonly ManifestObject[],
  replicas?: number,
): Required<Omit<RolloutManifest, 'diagnostics'>> {
  const workload = appliedWorkload(loaded, replicas);
  const { namespace } = workload.metadata;
  const related = objects.flatMap((object) => relatedObject(object, namespace));
  const budgets = related.filter(({ kind }) => kind === 'PodDisruptionBudget');
  const services = related.filter(
    (object) => object.kind === 'Service' && isSelected(loaded.pod, object.spec.selector),
  );
  return {
    workload,
    related: [...(services.length > 0 ? services : [impliedService(workload)]), ...budgets],
    assumptions: assumptionsOf(loaded, objects, workload),
  };
}

function choiceProblem(
  candidates: readonly LoadedPod[],
  pods: readonly LoadedPod[],
  name: string | undefined,
  second: LoadedPod | undefined,
): Diagnostic {
  const names = candidates.map(({ source }) => `${source.kind} ${source.name}`).join(', ');
  const at = (loaded: LoadedPod | undefined, field: string, message: string, hint: string) => {
    const { file = '', line = 1 } = loaded?.source ?? {};
    return { severity: 'error', file, line, column: 1, field, message, hint } as const;
  };
  if (second !== undefined) {
    const message = `kprobe rolls out one workload, and the files have ${names}`;
    return at(second, 'metadata.name', message, 'name one with --workload');
  }
  if (candidates.length > 0) {
    return at(candidates[0], 'metadata.name', `no workload "${name ?? ''}"`, `known: ${names}`);
  }
  const kind = pods[0]?.source.kind ?? '';
  const message = `a ${kind} has no rollout`;
  return at(pods[0], 'kind', message, `kprobe rolls out ${ROLLED_OUT_KINDS.join(', ')}`);
}

/** Returns a Service or a budget; a field of a wrong type is reported. */
function relatedObject(object: ManifestObject, namespace: string): Applied[] {
  const isService = object.kind === 'Service' && object.apiVersion === 'v1';
  const isBudget = object.kind === 'PodDisruptionBudget' && object.apiVersion === 'policy/v1';
  if (!isService && !isBudget) return [];
  const value = JSON.parse(jsonText(object.node)) as Readonly<Record<string, unknown>>;
  const metadata = objectOf(value['metadata']);
  const spec = objectOf(value['spec']);
  const { name, namespace: objectNamespace = namespace } = metadata;
  const specError = isService ? serviceError(spec) : budgetError(spec);
  const [field, message] =
    typeof name === 'string' && name !== '' ? (specError ?? []) : ['metadata.name', 'is required'];
  if (field !== undefined && message !== undefined) {
    object.source.error(locate(object.node, field), field, message);
    return [];
  }
  if (objectNamespace !== namespace) return [];
  const { kind } = object;
  return [{ kind, metadata: { name, namespace }, spec } as unknown as Applied];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Returns the path of a wrong field, and the error. */
function serviceError(spec: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { selector, publishNotReadyAddresses } = spec;
  const labels = isObject(selector) ? Object.values(selector) : [false];
  if (selector !== undefined && !labels.every((each) => typeof each === 'string')) {
    return ['spec.selector', 'must be a map of labels'];
  }
  if (publishNotReadyAddresses !== undefined && typeof publishNotReadyAddresses !== 'boolean') {
    return ['spec.publishNotReadyAddresses', 'must be true or false'];
  }
  return undefined;
}

function budgetError(spec: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { selector, minAvailable, maxUnavailable } = spec;
  if (!isObject(selector)) return ['spec.selector', 'is required'];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    return ['spec.maxUnavailable', 'minAvailable and maxUnavailable cannot be both set'];
  }
  const amounts = Object.entries({ minAvailable, maxUnavailable });
  const found = amounts.find(([, amount]) => amount !== undefined && !isAmount(amount));
  return found && [`spec.${found[0]}`, 'must be a whole number or a percentage, such as 1 or 25%'];
}

function isAmount(value: unknown): boolean {
  if (typeof value === 'string') return /^\d+%$/.test(value);
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Returns the Service that is assumed where no Service selects the pods. */
function impliedService({ metadata, spec }: AppliedWorkload): Applied {
  const { name, namespace } = metadata;
  const selector = spec.selector.matchLabels ?? spec.template.metadata.labels;
  return { kind: 'Service', metadata: { name, namespace }, spec: { selector } };
}

/** Something that is not simulated, and what is assumed instead. */
export interface Assumption {
  readonly subject: string;
  readonly assumed: string;
}

/** Kinds that affect a rollout but are not simulated. */
const KINDS: Readonly<Record<string, (workload: AppliedWorkload) => string>> = {
  HorizontalPodAutoscaler: ({ spec }) => `the number of replicas stays ${replicasOf(spec)}`,
  ScaledObject: ({ spec }) => `the number of replicas stays ${replicasOf(spec)}`,
  VerticalPodAutoscaler: () => 'requests stay as they are',
  Rollout: () => 'only Kubernetes’ own controllers run',
  Canary: () => 'only Kubernetes’ own controllers run',
  ResourceQuota: () => 'every pod is admitted',
  NetworkPolicy: () => 'all traffic is allowed',
};

function replicasOf(spec: AppliedWorkload['spec']): string {
  return 'replicas' in spec ? String(spec.replicas) : 'as it is';
}

const PLACEMENT = 'a pod goes to the node with the fewest pods';

function assumptionsOf(
  loaded: LoadedPod,
  objects: readonly ManifestObject[],
  workload: AppliedWorkload,
): readonly Assumption[] {
  const ofObjects = objects.flatMap(({ kind, node }): Assumption[] => {
    const assumed = ownField(KINDS, kind);
    return assumed === undefined || scalesAnother(node, workload)
      ? []
      : [{ subject: named(kind, node), assumed: assumed(workload) }];
  });
  return [...ofObjects, ...specAssumptions(loaded)];
}

function scalesAnother(node: JsonNode, { metadata }: AppliedWorkload): boolean {
  const spec = memberOf(node, 'spec');
  const target = memberOf(spec, 'scaleTargetRef') ?? memberOf(spec, 'targetRef');
  return (stringOf(memberOf(target, 'name')) ?? metadata.name) !== metadata.name;
}

function named(kind: string, node: JsonNode): string {
  const name = stringOf(memberOf(memberOf(node, 'metadata'), 'name'));
  return name === undefined ? kind : `${kind} ${name}`;
}

function specAssumptions({ written: spec }: LoadedPod): readonly Assumption[] {
  const found: Assumption[] = [];
  const add = (subject: string, assumed: string, isThere: boolean): void => {
    if (isThere) found.push({ subject, assumed });
  };
  add('affinity', PLACEMENT, spec.affinity !== undefined);
  add('nodeSelector', PLACEMENT, Object.keys(spec.nodeSelector ?? {}).length > 0);
  add('topologySpreadConstraints', PLACEMENT, (spec.topologySpreadConstraints ?? []).length > 0);
  add('priorityClassName', 'no pod is preempted', spec.priorityClassName !== undefined);
  add('readinessGates', 'their conditions are true', (spec.readinessGates ?? []).length > 0);
  add('schedulingGates', 'they are removed at once', (spec.schedulingGates ?? []).length > 0);
  add('volumes', 'they are mounted at once', (spec.volumes ?? []).length > 0);
  return found;
}
