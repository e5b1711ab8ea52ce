import { collectErrors, endsKubelet, validatePodSpec } from '../api/admission/index.js';
import { decode, setDefaultsPod, setDefaultsPodSpec } from '../api/decode/index.js';
import type { Decoded, Pod, scenarioFile, v1 } from '../api/index.js';
import { type JsonNode, memberOf } from '../go/json-node.js';
import { withConfigSource } from '../kubelet/pod-name.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import { readDocuments } from '../manifest/documents/read-documents.js';
import { reportIssue } from '../manifest/documents/report.js';
import { type ManifestSource, SourceFile } from '../manifest/documents/source-file.js';
import { FieldReader, RunReader } from './run-reader.js';
import { type Action, KUBELET_UP, type Scenario, type ScriptedRun } from './scenario.js';

export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Default length, in milliseconds, of a run of a pod from a manifest. */
export const DEFAULT_UNTIL = 600_000;

/** Reads scenario files with one scenario or a list, JSON or YAML. A scenario without a pod is about the given one. */
export function loadScenarios(sources: readonly ManifestSource[], given?: Pod): LoadedScenarios {
  const files = sources.map((source) => new SourceFile(source));
  const names = new Set<string>();
  const scenarios = files.flatMap((file) =>
    readNodes(file).map((node) => new ScenarioReader(file, node, given).read(names)),
  );
  return { scenarios, diagnostics: files.flatMap((file) => file.diagnostics()) };
}

function readNodes(file: SourceFile): readonly JsonNode[] {
  const nodes = readDocuments(file.text).flatMap((read) => {
    if (read.kind === 'broken') {
      file.error(read.problem.offset, '', read.problem.message, read.problem.hint);
      return [];
    }
    for (const { start, path, merged } of read.duplicates) {
      if (!merged) file.error(start, path, 'set twice', 'remove one of the two');
    }
    return read.node;
  });
  const found = nodes.flatMap((node) => (node.kind === 'array' ? node.items : node));
  if (found.length === 0) file.error(0, '', 'no scenario in this file');
  return found;
}

/** Reads one scenario; a wrong field gets a default, so that the rest can be checked. */
class ScenarioReader {
  readonly #fields: FieldReader;

  constructor(
    private readonly file: SourceFile,
    private readonly node: JsonNode,
    private readonly given: Pod | undefined,
  ) {
    this.#fields = new FieldReader(file, node);
  }

  read(names: Set<string>): Scenario {
    const { value, issues } = decode(this.node, 'Scenario');
    for (const issue of issues) reportIssue(this.file, issue, 'error');
    const { given } = this;
    const name = this.#name(value.name ?? given?.metadata.name, names);
    const pod =
      value.pod === undefined && given !== undefined ? given : this.#pod(value.pod, 'pod', name);
    const actions = (value.actions ?? []).flatMap((action, n) =>
      this.#action(action, `actions[${n}]`, name),
    );
    const changed = actions.flatMap((action) => (action.do === 'update' ? action.pod : []));
    return {
      name,
      until: this.#time(value.until, 'until', given === undefined ? undefined : DEFAULT_UNTIL),
      kubeletUp: this.#fields.duration(value.kubeletUp, 'kubeletUp') ?? KUBELET_UP,
      pod,
      containers: this.#containers(value, [pod, ...changed]),
      actions,
    };
  }

  /** Checks the name, which is also the name of the trace file. */
  #name(name: string | undefined, names: Set<string>): string {
    const error = (message: string): void => this.#fields.error('name', message);
    if (name === undefined) error('is required: it names the trace');
    else if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
      error('must be a valid file name: letters, digits, ".", "_" and "-"');
    } else if (names.has(name)) error(`there is another scenario "${name}"`);
    names.add(name ?? '');
    return name ?? '';
  }

  #pod(written: Decoded<v1.Pod> | undefined, path: string, scenario: string): Pod {
    if (written?.spec?.containers === undefined) {
      const message = 'is required: a scenario is about a pod';
      this.#fields.error(`${path}.spec.containers`, message);
    }
    const { metadata } = written ?? {};
    const spec = setDefaultsPod(setDefaultsPodSpec(written?.spec ?? {}));
    const pod = {
      metadata: {
        name: metadata?.name ?? 'pod',
        namespace: metadata?.namespace ?? 'default',
        uid: metadata?.uid ?? `uid-${scenario}`,
        ...(metadata?.labels && { labels: metadata.labels }),
        ...(metadata?.annotations && { annotations: metadata.annotations }),
      },
      spec,
      status: { phase: 'Pending' },
    };
    // Decoding and defaulting have checked the type.
    const typed = pod as unknown as Pod;
    if (written?.spec?.containers !== undefined) this.#rejectCrashingPod(typed, path);
    return withConfigSource(typed, 'file');
  }

  /** Rejects a pod that would crash a kubelet; a pod that only the API server would reject is accepted. */
  #rejectCrashingPod({ spec }: Pod, path: string): void {
    const errors = collectErrors(`${path}.spec`, (at) => validatePodSpec(spec, undefined, at));
    for (const { field, message } of errors.filter(endsKubelet)) this.#fields.error(field, message);
  }

  #containers(
    { containers }: Decoded<scenarioFile.Scenario>,
    pods: readonly Pod[],
  ): Readonly<Record<string, readonly ScriptedRun[]>> {
    const known = pods.flatMap(({ spec }) => [...spec.containers, ...(spec.initContainers ?? [])]);
    const names = known.map(({ name }) => name);
    const read = Object.entries(containers ?? {}).map(([name, written]) => {
      const path = `containers.${name}`;
      this.#fields.oneOf(name, names, path, 'the pod has no container of this name');
      const container = known.find((c) => c.name === name) ?? { name, image: '' };
      return [name, new RunReader(this.#fields, container, path).runs(written)] as const;
    });
    return Object.fromEntries(read);
  }

  #action(action: Decoded<scenarioFile.ScenarioAction>, path: string, scenario: string): Action[] {
    const at = this.#time(action.at, `${path}.at`);
    if (action.do === 'delete') return [{ at, do: 'delete' }];
    if (action.do === 'update') {
      return [{ at, do: 'update', pod: this.#pod(action.pod, `${path}.pod`, scenario) }];
    }
    this.#fields.error(`${path}.do`, 'must be "delete" or "update"');
    return [];
  }

  /** Reads a time that is required unless there is a default. */
  #time(text: string | undefined, path: string, otherwise?: number): number {
    if (text === undefined && otherwise === undefined) {
      this.#fields.error(path, 'is required: a duration such as "90s"');
    }
    return this.#fields.duration(text, path) ?? otherwise ?? 0;
  }
}

/** Returns whether a text holds scenarios: API objects have a kind, scenarios have none. */
export function holdsScenarios({ text }: ManifestSource): boolean {
  return nodesOf(text).some(
    (node) =>
      node.kind === 'array' ||
      (node.kind === 'object' && !memberOf(node, 'kind') && !memberOf(node, 'apiVersion')),
  );
}

function nodesOf(text: string): readonly JsonNode[] {
  return readDocuments(text).flatMap((read) => (read.kind === 'read' ? read.node : []));
}

/** Returns whether a text has fields of a scenario, which no API object has at its top level. */
export function looksLikeScenario(source: ManifestSource): boolean {
  if (!holdsScenarios(source)) return false;
  return nodesOf(source.text)
    .flatMap((node) => (node.kind === 'array' ? node.items : node))
    .some((node) => SCENARIO_FIELDS.some((field) => memberOf(node, field)));
}

const SCENARIO_FIELDS = ['pod', 'containers', 'until', 'actions'];
