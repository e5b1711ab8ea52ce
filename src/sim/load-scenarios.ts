import { decode } from '../api/decode/decode.js';
import type { JsonNode } from '../api/decode/json-node.js';
import { setDefaultsPod, setDefaultsPodSpec } from '../api/defaults/pod.js';
import type { Decoded } from '../api/schema/decoded.js';
import type { Pod } from '../api/types/pod.js';
import { parseDuration } from '../go/duration.js';
import { withConfigSource } from '../kubelet/pod-name.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import { reportIssue } from '../manifest/issue-diagnostic.js';
import { locate } from '../manifest/locate.js';
import { type ReadDocument, readDocuments } from '../manifest/read-documents.js';
import { type ManifestSource, SourceFile } from '../manifest/source-file.js';
import { suggest } from '../manifest/suggest.js';
import {
  type Action,
  DEFAULT_ANSWER,
  DEFAULT_RUN,
  KUBELET_UP,
  type Scenario,
  type ScriptedAnswer,
  type ScriptedRun,
} from './scenario.js';

export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads scenario files, which hold one or a list, JSON or YAML; every mistake is a diagnostic. */
export function loadScenarios(sources: readonly ManifestSource[]): LoadedScenarios {
  const files = sources.map((source) => new SourceFile(source));
  const names = new Set<string>();
  const scenarios = files.flatMap((file) =>
    readNodes(file).map((node) => new ScenarioReader(file, node).read(names)),
  );
  return { scenarios, diagnostics: files.flatMap((file) => file.diagnostics()) };
}

function readNodes(file: SourceFile): readonly JsonNode[] {
  const nodes = readDocuments(file.text).flatMap((read) => {
    if (read.kind === 'read') return reportDuplicates(file, read);
    file.error(read.problem.offset, '', read.problem.message, read.problem.hint);
    return [];
  });
  const found = nodes.flatMap((node) => (node.kind === 'array' ? node.items : node));
  if (found.length === 0) file.error(0, '', 'no scenario in this file');
  return found;
}

function reportDuplicates(
  file: SourceFile,
  { node, duplicates }: Extract<ReadDocument, { kind: 'read' }>,
): readonly JsonNode[] {
  for (const { start, path, merged } of duplicates) {
    if (!merged) file.error(start, path, 'set twice', 'remove one of the two');
  }
  return [node];
}

/** Reads one scenario; what is wrong gets a value that lets the rest be read. */
class ScenarioReader {
  constructor(
    private readonly file: SourceFile,
    private readonly node: JsonNode,
  ) {}

  read(names: Set<string>): Scenario {
    const { value, issues } = decode(this.node, 'Scenario');
    for (const issue of issues) reportIssue(this.file, issue, 'error');
    const name = this.#name(value.name, names);
    const pod = this.#pod(value.pod, 'pod', name);
    const containers = Object.entries(value.containers ?? {}).map(([container, { runs }]) => {
      const path = `containers.${container}`;
      this.#checkContainer(container, path, pod);
      const read = (runs ?? []).map((run, n) => this.#run(run, `${path}.runs[${n}]`));
      return [container, read] as const;
    });
    return {
      name,
      until: this.#duration(value.until, 'until') ?? 0,
      kubeletUp: this.#optionalDuration(value.kubeletUp, 'kubeletUp') ?? KUBELET_UP,
      pod,
      containers: Object.fromEntries(containers),
      actions: (value.actions ?? []).flatMap((action, n) =>
        this.#action(action, `actions[${n}]`, name),
      ),
    };
  }

  /** A scenario's trace is a file of its name. */
  #name(name: string | undefined, names: Set<string>): string {
    if (name === undefined) this.#error('name', 'must be given: it names the trace');
    else if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
      this.#error('name', 'must be fit for a file name: letters, digits, ".", "_" and "-"');
    } else if (names.has(name)) this.#error('name', `there is another scenario "${name}"`);
    names.add(name ?? '');
    return name ?? '';
  }

  #pod(written: Decoded<'Pod'> | undefined, path: string, scenario: string): Pod {
    if (written?.spec?.containers === undefined) {
      this.#error(`${path}.spec.containers`, 'must be given: a scenario is about a pod');
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
    // Strict decoding and the defaults have given the spec its type.
    const typed = withConfigSource(pod as unknown as Pod, 'file');
    this.#checkHandlers(typed, path);
    return typed;
  }

  /** A scenario has no network: it scripts commands. */
  #checkHandlers({ spec }: Pod, path: string): void {
    for (const list of ['containers', 'initContainers'] as const) {
      for (const [index, container] of (spec[list] ?? []).entries()) {
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
          if (container[probe] === undefined || container[probe].exec !== undefined) continue;
          const at = `${path}.spec.${list}[${index}].${probe}`;
          this.#error(at, 'must be an exec probe: a scenario scripts commands');
        }
        for (const hook of ['postStart', 'preStop'] as const) {
          if (container.lifecycle?.[hook]?.httpGet === undefined) continue;
          const at = `${path}.spec.${list}[${index}].lifecycle.${hook}.httpGet`;
          this.#error(at, 'must be an exec hook or a sleep: a scenario scripts commands');
        }
      }
    }
  }

  #checkContainer(name: string, path: string, { spec }: Pod): void {
    const known = [...spec.containers, ...(spec.initContainers ?? [])].map((c) => c.name);
    if (known.includes(name)) return;
    const near = suggest(name, known);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    this.#error(path, 'the pod has no container of this name', hint);
  }

  #run(run: Decoded<'ScenarioRun'>, path: string): ScriptedRun {
    const exec = Object.entries(run.exec ?? {}).map(([line, answers]) => {
      const read = answers.map((a, n) => this.#answer(a, `${path}.exec.${line}[${n}]`));
      return [line, read] as const;
    });
    const exitAfter = this.#optionalDuration(run.exitAfter, `${path}.exitAfter`);
    const stopTakes = this.#optionalDuration(run.stopTakes, `${path}.stopTakes`) ?? 0;
    return {
      exitCode: run.exitCode ?? DEFAULT_RUN.exitCode,
      stopTakes: stopTakes === 0 ? DEFAULT_RUN.stopTakes : stopTakes,
      stopExitCode: run.stopExitCode ?? DEFAULT_RUN.stopExitCode,
      exec: Object.fromEntries(exec),
      ...(exitAfter === undefined ? {} : { exitAfter }),
      ...(run.startError === undefined ? {} : { startError: run.startError }),
    };
  }

  #answer(answer: Decoded<'ScenarioAnswer'>, path: string): ScriptedAnswer {
    const until = this.#optionalDuration(answer.until, `${path}.until`);
    const takes = this.#optionalDuration(answer.takes, `${path}.takes`) ?? 0;
    return {
      takes: takes === 0 ? DEFAULT_ANSWER.takes : takes,
      exit: answer.exit ?? 0,
      stdout: answer.stdout ?? '',
      stderr: answer.stderr ?? '',
      ...(until === undefined ? {} : { until }),
      ...(answer.error === undefined ? {} : { error: answer.error }),
    };
  }

  #action(action: Decoded<'ScenarioAction'>, path: string, scenario: string): Action[] {
    const at = this.#duration(action.at, `${path}.at`) ?? 0;
    switch (action.do) {
      case 'delete':
        return [{ at, do: 'delete' }];
      case 'update':
        return [{ at, do: 'update', pod: this.#pod(action.pod, `${path}.pod`, scenario) }];
      default:
        this.#error(`${path}.do`, 'must be "delete" or "update"');
        return [];
    }
  }

  #duration(text: string | undefined, path: string): number | undefined {
    if (text === undefined) this.#error(path, 'must be given: a duration such as "90s"');
    return this.#optionalDuration(text, path);
  }

  #optionalDuration(text: string | undefined, path: string): number | undefined {
    if (text === undefined) return undefined;
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
    const bare = /^\d+(?:\.\d+)?$/.test(text);
    const hint = bare ? `with its unit it is "${text}s"` : undefined;
    this.#error(path, 'must be a duration such as "1.5s" or "207ms"', hint);
    return undefined;
  }

  #error(path: string, message: string, hint?: string): void {
    this.file.error(locate(this.node, path), path, message, hint);
  }
}
