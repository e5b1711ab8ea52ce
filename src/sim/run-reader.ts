import { type Container, type Decoded, omitUndefined, type scenarioFile } from '../api/index.js';
import { parseDuration } from '../go/duration.js';
import type { JsonNode } from '../go/json-node.js';
import { containerProbes, PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import { locate } from '../manifest/documents/report.js';
import type { SourceFile } from '../manifest/documents/source-file.js';
import { similarHint } from '../manifest/similar-name.js';
import {
  type BehaviorSpec,
  parseRange,
  parseRate,
  parseWindow,
  type Range,
  RANGE_FORM,
  RATE_FORM,
  runBehaviors,
  type RunBehaviorSpec,
  WINDOW_FORM,
} from './behavior.js';
import { hookEndpoints, probeEndpoints } from './endpoint.js';
import {
  DEFAULT_ANSWER,
  DEFAULT_RUN,
  NETWORK_TAKES,
  type NetworkAnswer,
  type NetworkResponse,
  type ScriptedAnswer,
  type ScriptedRun,
} from './scenario.js';

type WrittenBehavior = Decoded<scenarioFile.ScenarioBehavior>;
type WrittenAnswer =
  Decoded<scenarioFile.ScenarioHttpAnswer> | Decoded<scenarioFile.ScenarioGrpcAnswer>;

type ProbeSpecs = RunBehaviorSpec['probes'];

const SERVING_STATUSES = ['SERVING', 'NOT_SERVING', 'UNKNOWN', 'SERVICE_UNKNOWN'];

export class RunReader {
  constructor(
    private readonly fields: FieldReader,
    private readonly container: Container,
    private readonly path: string,
  ) {}

  runs(written: Decoded<scenarioFile.ScenarioContainer>): readonly ScriptedRun[] {
    const spec = this.#spec(written, this.path);
    const runs = written.runs ?? [];
    // The container's behavior applies to each run.
    if (runs.length === 0 && isGiven(spec)) return [this.#run({}, spec, this.path)];
    return runs.map((run, n) => this.#run(run, spec, `${this.path}.runs[${n}]`));
  }

  #run(
    run: Decoded<scenarioFile.ScenarioRun>,
    containerSpec: RunBehaviorSpec,
    path: string,
  ): ScriptedRun {
    const exec = Object.entries(run.exec ?? {}).map(([line, answers]) => {
      const read = answers.map((a, n) => this.#answer(a, `${path}.exec.${line}[${n}]`));
      return [line, read] as const;
    });
    const network = this.#network(run, path);
    return {
      ...this.#exit(run.exitAfter, `${path}.exitAfter`),
      exitCode: run.exitCode ?? DEFAULT_RUN.exitCode,
      stopTakes: this.#takes(run.stopTakes, `${path}.stopTakes`, DEFAULT_RUN.stopTakes),
      stopExitCode: run.stopExitCode ?? DEFAULT_RUN.stopExitCode,
      exec: Object.fromEntries(exec),
      ...(network.length !== 0 && { network: Object.fromEntries(network) }),
      ...this.#behaviors(containerSpec, this.#spec(run, path), path),
      ...omitUndefined({ startError: run.startError }),
    };
  }

  #exit(text: string | undefined, path: string): Pick<ScriptedRun, 'exitAfter' | 'exitVaries'> {
    if (text === undefined) return {};
    // A plain duration has a more exact error message.
    if (/^[\w.]*$/.test(text) && !text.includes('..')) {
      return omitUndefined({ exitAfter: this.fields.duration(text, path) });
    }
    const range = this.fields.parsed(text, path, RANGE_FORM, parseRange);
    return range === undefined ? {} : exitOf(range);
  }

  #answer(answer: Decoded<scenarioFile.ScenarioAnswer>, path: string): ScriptedAnswer {
    return omitUndefined({
      until: this.fields.duration(answer.until, `${path}.until`),
      takes: this.#takes(answer.takes, `${path}.takes`, DEFAULT_ANSWER.takes),
      exit: answer.exit ?? 0,
      stdout: answer.stdout ?? '',
      stderr: answer.stderr ?? '',
      error: answer.error,
    });
  }

  /** Reads a duration. Zero means the default. */
  #takes(text: string | undefined, path: string, otherwise: number): number {
    const takes = this.fields.duration(text, path) ?? 0;
    return takes === 0 ? otherwise : takes;
  }

  #network(
    { http = {}, tcp = {}, grpc = {} }: Decoded<scenarioFile.ScenarioRun>,
    path: string,
  ): (readonly [string, readonly NetworkAnswer[]])[] {
    return [
      ...this.#answers('http', http, path, ({ status, body }) =>
        status === undefined && body === undefined
          ? { kind: 'ok' }
          : { kind: 'http', status: status ?? 200, body: body ?? '' },
      ),
      ...this.#answers('tcp', tcp, path, () => ({ kind: 'ok' })),
      ...this.#answers('grpc', grpc, path, ({ status = 'SERVING' }, at) => {
        const message = `must be one of ${SERVING_STATUSES.join(', ')}`;
        this.fields.oneOf(status, SERVING_STATUSES, `${at}.status`, message);
        return { kind: 'grpc', status };
      }),
    ];
  }

  #answers<T extends WrittenAnswer>(
    protocol: string,
    written: Readonly<Record<string, readonly T[]>>,
    path: string,
    responseOf: (answer: T, path: string) => NetworkResponse,
  ): (readonly [string, readonly NetworkAnswer[]])[] {
    return Object.entries(written).flatMap(([key, answers]) => {
      const at = `${path}.${protocol}.${key}`;
      const read = answers.map((answer, n): NetworkAnswer => {
        const closed = { kind: 'closed' } as const;
        return omitUndefined({
          until: this.fields.duration(answer.until, `${at}[${n}].until`),
          takes: this.#takes(answer.takes, `${at}[${n}].takes`, NETWORK_TAKES),
          response: answer.refused === true ? closed : responseOf(answer, `${at}[${n}]`),
        });
      });
      return this.#endpoints(protocol, key, at).map((endpoint) => [endpoint, read] as const);
    });
  }

  /** Returns the endpoints that match a key: with or without port, or the port alone. */
  #endpoints(protocol: string, key: string, path: string): readonly string[] {
    const used = [...probeEndpoints(this.container).values(), ...hookEndpoints(this.container)];
    const known = [...new Set(used)]
      .filter((endpoint) => endpoint.startsWith(`${protocol} `))
      .map((endpoint) => endpoint.slice(protocol.length + 1));
    const matches = (endpoint: string): boolean =>
      endpoint === key || endpoint === `:${key}` || endpoint.replace(/^:\d+(?=\/)/, '') === key;
    const found = known.filter(matches);
    if (found.length === 0) {
      const message = `no probe or hook of ${this.container.name} uses this ${protocol} endpoint`;
      const hint = known.length === 0 ? undefined : `they use ${known.join(', ')}`;
      this.fields.error(path, message, hint);
    }
    return found.map((endpoint) => `${protocol} ${endpoint}`);
  }

  #behaviors(
    container: RunBehaviorSpec,
    run: RunBehaviorSpec,
    path: string,
  ): Pick<ScriptedRun, 'behaviors' | 'requests'> {
    const spec = {
      container: { ...container.container, ...run.container },
      probes: mergeProbes(container.probes, run.probes),
    };
    if (!isGiven(spec)) return {};
    const { conflicts, ...behaviors } = runBehaviors(this.container, spec);
    for (const [first, second] of conflicts) {
      const message = `uses the same endpoint as the ${first} probe and gets the same answers`;
      this.fields.error(`${path}.probes.${second}`, message, 'set it for one of the two');
    }
    return behaviors;
  }

  #spec(
    written: WrittenBehavior & { readonly probes?: Decoded<scenarioFile.ScenarioRun>['probes'] },
    path: string,
  ): RunBehaviorSpec {
    const probes = Object.entries(written.probes ?? {}).flatMap(([type, behavior]) => {
      const at = `${path}.probes.${type}`;
      const has = containerProbes(this.container).map((each) => each.type);
      const known = this.fields.oneOf(type, has, at, `${this.container.name} has no such probe`);
      return known ? [[type, this.#behavior(behavior, at)] as const] : [];
    });
    return { container: this.#behavior(written, path), probes: Object.fromEntries(probes) };
  }

  #behavior(written: WrittenBehavior, path: string): BehaviorSpec {
    const fields = this.fields;
    const range = (name: 'readyAfter' | 'latency'): Range | undefined =>
      fields.parsed(written[name], `${path}.${name}`, RANGE_FORM, parseRange);
    return omitUndefined({
      readyAfter: range('readyAfter'),
      latency: range('latency'),
      hangsAt: written.hangsAt?.flatMap(
        (text, n) => fields.parsed(text, `${path}.hangsAt[${n}]`, WINDOW_FORM, parseWindow) ?? [],
      ),
      failRate: fields.parsed(written.failRate, `${path}.failRate`, RATE_FORM, parseRate),
    });
  }
}

/** Returns a scripted exit whose time varies within a range. */
export function exitOf({ from, to }: Range): Pick<ScriptedRun, 'exitAfter' | 'exitVaries'> {
  return { exitAfter: (from + to) / 2, exitVaries: (to - from) / 2 };
}

function isGiven({ container, probes }: RunBehaviorSpec): boolean {
  return Object.keys(container).length + Object.keys(probes).length > 0;
}

function mergeProbes(container: ProbeSpecs, run: ProbeSpecs): ProbeSpecs {
  const given = PROBE_TYPES.filter((type) => container[type] ?? run[type]);
  return Object.fromEntries(given.map((type) => [type, { ...container[type], ...run[type] }]));
}

/** Reads a scenario's fields and reports errors at their place. */
export class FieldReader {
  constructor(
    private readonly file: SourceFile,
    private readonly node: JsonNode,
  ) {}

  /** Milliseconds. */
  duration(text: string | undefined, path: string): number | undefined {
    if (text === undefined) return undefined;
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
    const bare = /^\d+(?:\.\d+)?$/.test(text);
    const hint = bare ? `add the unit: "${text}s"` : undefined;
    this.error(path, 'must be a duration such as "1.5s" or "207ms"', hint);
    return undefined;
  }

  /** Parses a text, or reports the form that it must have. */
  parsed<T>(
    text: string | undefined,
    path: string,
    form: string,
    parse: (text: string) => T | undefined,
  ): T | undefined {
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) this.error(path, `must be ${form}`);
    return value;
  }

  /** Reports a name that is not in the list. */
  oneOf(name: string, names: readonly string[], path: string, message: string): boolean {
    if (names.includes(name)) return true;
    this.error(path, message, similarHint(name, names));
    return false;
  }

  error(path: string, message: string, hint?: string): void {
    this.file.error(locate(this.node, path), path, message, hint);
  }
}
