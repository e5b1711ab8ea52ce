import { type ApiServer, type PodKind, podKind } from '../../api/admission/index.js';
import type { GetRuleLevel } from '../../cli/shared/config/config.js';
import { parseJson } from '../../go/json.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { podDifferences } from '../../kubelet/upgrade.js';
import type { Diagnostic, Severity } from '../../manifest/diagnostic.js';
import { podKindsOf } from '../../manifest/documents/known-kinds.js';
import { type ManifestObject, readObjects } from '../../manifest/documents/manifest-object.js';
import { splitDocuments } from '../../manifest/documents/read-documents.js';
import { locate } from '../../manifest/documents/report.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';
import {
  contains,
  type PartialPod,
  readPartialPod,
  statefulSetSpec,
} from '../../manifest/pods/load-pod.js';
import { similarHint } from '../../manifest/similar-name.js';
import { type DocumentText, fixOf } from './fix/fix-of.js';
import { type Advice, adviceOf, defaultLevel, type Rule } from './rule.js';
import { RULES } from './rules.js';
import { type Balancer, balancerOf } from './subject/load-balancers.js';
import { selects, type Service, serviceNeighbors, serviceOf } from './subject/services.js';
import type { SimulatedAlone } from './subject/simulate-alone.js';
import { membersOf, type StartTimes, type Subject } from './subject/subject.js';

export interface LintOptions {
  readonly level?: GetRuleLevel;
  readonly starts?: StartTimes;
  readonly upgrade?: Upgrade | undefined;
  /** Release of the kubelet that rules simulate. */
  readonly kubelet?: KubeletConfig | undefined;
  /** Called before each source, by its index. */
  readonly onSource?: (index: number) => void;
}

/** An upgrade whose changes are findings. */
interface Upgrade {
  readonly from: KubeletConfig;
  readonly to: KubeletConfig;
}

interface LintInput {
  readonly source: ManifestSource;
  readonly workloads: readonly Workload[];
  readonly services: readonly Service[];
  readonly balancers: readonly Balancer[];
}

/** Reads what the rules need of a source; the rest of a long text is not kept. */
export function readInput(source: ManifestSource, server?: ApiServer): LintInput {
  const objects = readObjects(new SourceFile(source));
  return {
    source,
    workloads: objects.flatMap((object) => workloadOf(object, server)),
    services: objects.flatMap((object) => serviceOf(object) ?? []),
    balancers: objects.flatMap(balancerOf),
  };
}

/**
 * Applies the rules to manifests, all together: a Service of one file selects the pods of
 * another. They skip what an API server would refuse, which validation reports, and check the rest of the object. Returns
 * the findings of each file, in the order of its text.
 */
export async function lintInputs(
  inputs: readonly LintInput[],
  options: LintOptions,
): Promise<readonly (readonly Diagnostic[])[]> {
  const services = inputs.flatMap((input) => input.services);
  const balancers = inputs.flatMap((input) => input.balancers);
  const podFiles = inputs.flatMap(({ source, workloads }) =>
    workloads.length === 0 ? [] : [source.file],
  );
  const isNear = serviceNeighbors(services, podFiles);
  const { level = defaultLevel, starts = new Map(), kubelet } = options;
  const shared = { starts, simulations: new Map<string, Promise<SimulatedAlone>>(), kubelet };
  const advised: (readonly Diagnostic[])[] = [];
  for (const [index, input] of inputs.entries()) {
    const { source, workloads } = input;
    options.onSource?.(index);
    const file = new SourceFile(source);
    const report = new FileReport(file);
    const nearServices = services.filter((service) => isNear(service, source.file));
    for (const workload of workloads) {
      const subject = subjectOf(workload, nearServices, balancers, shared);
      await report.applyRules(workload, level, async (rule) => adviceOf(rule, subject));
      if (options.upgrade !== undefined) report.applyUpgrade(workload, options.upgrade);
    }
    for (const service of input.services) {
      const near = inputs.filter((each) => isNear(service, each.source.file));
      const candidates = near.flatMap((each) => each.workloads);
      const place = { object: service.object, kind: { templatePath: '' }, wrong: [], unread: [] };
      await report.applyRules(place, level, (rule) =>
        'checkService' in rule ? rule.checkService(service, candidates) : [],
      );
    }
    advised.push(file.diagnostics());
  }
  return advised;
}

function workloadOf(object: ManifestObject, server?: ApiServer): readonly Workload[] {
  return podKindsOf(object).flatMap((kind) => {
    const read = readPartialPod(object, kind, server);
    if (read === undefined) return [];
    const isCertain = podKind(kind.kind) === kind && read.wrong.length + read.unread.length === 0;
    return [{ object, kind, isCertain, ...read }];
  });
}

function subjectOf(
  { object, kind, loaded }: Workload,
  services: readonly Service[],
  balancers: readonly Balancer[],
  shared: Pick<Subject, 'starts' | 'simulations' | 'kubelet'>,
): Subject {
  const { pod } = loaded;
  const selecting = services.filter((service) => selects(service, pod));
  const inFront = balancers.filter(({ namespace, isFor }) =>
    selecting.some((service) => service.namespace === namespace && isFor(service)),
  );
  return {
    kind: kind.kind,
    object: object.node,
    loaded,
    pod,
    members: membersOf(pod),
    services: selecting,
    balancerLimits: inFront.flatMap(({ limits }) => limits),
    ...shared,
  };
}

/** The object that the paths of an advice are in, and its paths that have errors. */
interface Place extends Pick<PartialPod, 'wrong' | 'unread'> {
  readonly object: ManifestObject;
  readonly kind: Pick<PodKind, 'templatePath'>;
}

interface Workload extends Place, PartialPod {
  /** False where the pods may be other than the manifest shows: it has errors, or an operator makes them. */
  readonly isCertain: boolean;
  readonly kind: PodKind;
}

export const UPGRADE = 'upgrade';

const KNOWN: readonly string[] = [...RULES.map(({ id }) => id), UPGRADE];

type Advise = (rule: Rule) => readonly Advice[] | Promise<readonly Advice[]>;

/** Reports findings of rules in a file, with their places and fixes, unless a comment ignores them. */
class FileReport {
  readonly #ignored: IgnoredLines;
  #documents: readonly DocumentText[] | undefined;

  constructor(private readonly file: SourceFile) {
    this.#ignored = ignoredLines(file);
  }

  async applyRules(place: Place, level: GetRuleLevel, advise: Advise): Promise<void> {
    for (const rule of RULES) {
      const severity = level(rule, this.file.file);
      if (severity === 'off') continue;
      for (const advice of await advise(rule)) this.#add(place, rule, severity, advice);
    }
  }

  applyUpgrade(workload: Workload, { from, to }: Upgrade): void {
    // The later release keeps the fields that an earlier one drops or refuses.
    const later = readPartialPod(workload.object, workload.kind, to) ?? workload;
    const { pod, written } = later.loaded;
    const differences = podDifferences(pod, from, to, statefulSetSpec(later.loaded), written);
    for (const { since, now, before, fields, ofWorkload } of differences) {
      for (const path of fields) {
        const advice = { path, message: `from ${since} on: ${now} Before: ${before}` };
        this.#add({ ...workload, ...later }, { id: UPGRADE }, 'info', advice, ofWorkload && '');
      }
    }
  }

  #add(
    place: Place,
    rule: Pick<Rule, 'id' | 'safeFix'>,
    severity: Severity,
    advice: Advice,
    prefix = place.kind.templatePath === '' ? '' : `${place.kind.templatePath}.`,
  ): void {
    const { object } = place;
    const { path, message, hint, changes = [] } = advice;
    const field = prefix + path;
    if (isDoubtful(place, field) || this.#isIgnored(object, field, rule.id)) return;
    const inObject = changes.map((change) => ({ ...change, path: prefix + change.path }));
    this.#documents ??= documentTexts(this.file.text);
    const document = this.#documents[object.document];
    const fix = document && fixOf(object, document, inObject, rule.safeFix === true);
    const finding = { severity, offset: locate(object.node, field), field, message, hint };
    this.file.report({ ...finding, rule: rule.id, ...(fix && { fix }) });
  }

  /** Returns whether a comment ignores a rule: it applies to the field of its line and to all fields in it. */
  #isIgnored({ node }: ManifestObject, field: string, rule: string): boolean {
    if (this.#ignored.size === 0) return false;
    const around = [...field.matchAll(/\.|\[|$/g)].map(({ index }) => field.slice(0, index));
    return ['', ...around].some((path) => {
      const { line } = this.file.positionAt(locate(node, path));
      return this.#ignored.get(line)?.has(rule) === true;
    });
  }
}

/** Reports whether an advice may follow only from the errors of its manifest. */
function isDoubtful({ wrong, unread }: Place, field: string): boolean {
  return (
    [...wrong, ...unread].some((each) => contains(each, field)) ||
    unread.some((each) => contains(field, each))
  );
}

function documentTexts(text: string): readonly DocumentText[] {
  return splitDocuments(text).map((document) => {
    if (document.kind === 'broken') return { start: 0, text };
    const { start } = document.kind === 'json' ? document.node : document;
    const end = document.kind === 'json' ? parseJson(text, start)?.end : document.end;
    return { start, text: text.slice(start, end) };
  });
}

const COMMENT = /(?<=^|\s)#\s*kprobe-ignore\s*:\s*([^#\r\n]*)/;

/**
 * The rules that comments of a file switch off, by the line that they are about: a comment at the end of a line
 * is about that line, one on a line of its own about the next that is not a comment.
 */
type IgnoredLines = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads `# kprobe-ignore: rule, rule`; a rule that does not exist is a warning. */
function ignoredLines(file: SourceFile): IgnoredLines {
  const ignored = new Map<number, Set<string>>();
  if (!file.text.includes('kprobe-ignore')) return ignored;
  let offset = 0;
  let waiting: string[] = [];
  for (const [index, line] of file.text.split('\n').entries()) {
    const match = COMMENT.exec(line);
    const rules = (match?.[1] ?? '').split(/[\s,]+/).filter((rule) => rule !== '');
    const unknown = rules.filter((rule) => !KNOWN.includes(rule));
    for (const rule of unknown) warn(file, offset + (match?.index ?? 0), rule);
    waiting.push(...rules);
    if (!/^\s*(?:#|$)/.test(line)) {
      if (waiting.length > 0) ignored.set(index + 1, new Set(waiting));
      waiting = [];
    }
    offset += line.length + 1;
  }
  return ignored;
}

function warn(file: SourceFile, offset: number, rule: string): void {
  const hint = similarHint(rule, KNOWN) ?? 'see "kprobe lint --list"';
  file.warn(offset, '', `kprobe-ignore: unknown rule ${rule}`, hint);
}
