import type { PodKind } from '../api/admission/kinds.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import { classify } from '../manifest/known-kinds.js';
import { loadPod } from '../manifest/load-pod.js';
import type { LoadedPod } from '../manifest/loaded-pod.js';
import { locate } from '../manifest/locate.js';
import { type ManifestObject, readObjects } from '../manifest/manifest-object.js';
import { type ManifestSource, SourceFile } from '../manifest/source-file.js';
import { splitDocuments } from '../manifest/split-documents.js';
import { type DocumentText, fixOf } from './fix/fix-of.js';
import { type IgnoredLines, ignoredLines } from './ignore-comments.js';
import type { Advice, Rule } from './rule.js';
import { RULES } from './rules.js';
import { defaultLevel, type LevelOf } from './settings.js';
import type { StartTimes } from './start-times.js';
import { membersOf } from './subject/members.js';
import type { Rehearsal } from './subject/rehearse.js';
import { selects, type Service, serviceOf } from './subject/services.js';
import type { Subject } from './subject/subject.js';

export interface LintOptions {
  readonly level?: LevelOf;
  /** From recorded runs. */
  readonly starts?: StartTimes;
}

export interface LintResult {
  /** In the order of the files and of their texts. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many pods, and workloads that make pods, were looked at. */
  readonly pods: number;
  /** How many objects of each other kind there were. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Files with something in them that is not a manifest at all. */
  readonly unreadable: readonly string[];
}

/** A pod of a manifest, and the object that it is made from. */
interface Workload {
  readonly object: ManifestObject;
  readonly kind: PodKind;
  readonly loaded: LoadedPod;
}

/** What the API server would refuse, and what the rules have to say of the rest. */
export async function lint(
  sources: readonly ManifestSource[],
  options: LintOptions = {},
): Promise<LintResult> {
  const files = sources.map((source) => new SourceFile(source));
  const objects = files.flatMap(readObjects);
  const unreadable = files.filter((file) => file.hasErrors()).map(({ file }) => file);
  const services = objects.flatMap((object) => serviceOf(object) ?? []);
  const passedOver = new Map<string, number>();
  const workloads = objects.flatMap((object) => workloadOf(object, passedOver));
  const linter = new Linter(services, options);
  for (const workload of workloads) await linter.check(workload);
  for (const file of files) linter.ignoredIn(file);
  return {
    diagnostics: files.flatMap((file) => file.diagnostics()),
    pods: workloads.length,
    passedOver,
    unreadable,
  };
}

function workloadOf(object: ManifestObject, passedOver: Map<string, number>): readonly Workload[] {
  const found = classify(object);
  if (found.kind === 'unknown') {
    const { field, message, hint } = found;
    object.source.error(locate(object.node, field), field, message, hint);
    return [];
  }
  if (found.kind === 'other') {
    passedOver.set(object.kind, (passedOver.get(object.kind) ?? 0) + 1);
    return [];
  }
  const loaded = loadPod(object, found.podKind, { warnOfPorts: false }, () => 0);
  return loaded === undefined ? [] : [{ object, kind: found.podKind, loaded }];
}

const KNOWN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

class Linter {
  readonly #services: readonly Service[];
  readonly #level: LevelOf;
  readonly #starts: StartTimes;
  readonly #rehearsals = new Map<string, Promise<Rehearsal>>();
  readonly #ignored = new Map<SourceFile, IgnoredLines>();
  readonly #documents = new Map<SourceFile, readonly DocumentText[]>();

  constructor(services: readonly Service[], { level = defaultLevel, starts }: LintOptions) {
    this.#services = services;
    this.#level = level;
    this.#starts = starts ?? new Map();
  }

  async check(workload: Workload): Promise<void> {
    const subject = this.#subject(workload);
    for (const rule of RULES) {
      const level = this.#level(rule, workload.object.source.file);
      if (level === 'off') continue;
      for (const advice of await rule.check(subject)) this.#report(workload, rule, level, advice);
    }
  }

  ignoredIn(file: SourceFile): IgnoredLines {
    const known = this.#ignored.get(file);
    if (known !== undefined) return known;
    const ignored = ignoredLines(file, KNOWN);
    this.#ignored.set(file, ignored);
    return ignored;
  }

  #subject({ object, kind, loaded }: Workload): Subject {
    const { pod, source, defaulted } = loaded;
    return {
      kind: kind.kind,
      object: object.node,
      pod,
      replicas: source.replicas ?? 1,
      members: membersOf(pod),
      services: this.#services.filter((service) => selects(service, pod)),
      defaulted,
      starts: this.#starts,
      rehearsals: this.#rehearsals,
    };
  }

  #report(
    { object, kind }: Workload,
    rule: Rule,
    level: Diagnostic['severity'],
    advice: Advice,
  ): void {
    const { source, node } = object;
    const prefix = prefixOf(kind);
    const field = prefix + advice.path;
    if (this.#isIgnored(object, field, rule.id)) return;
    const changes = (advice.changes ?? []).map((change) => ({
      ...change,
      path: prefix + change.path,
    }));
    const document = this.#document(object);
    const fix =
      changes.length > 0 && document !== undefined
        ? fixOf(object, document, changes, rule.safeFix === true)
        : undefined;
    source.report({
      severity: level,
      offset: locate(node, field),
      field,
      message: advice.message,
      hint: advice.hint,
      rule: rule.id,
      ...(fix && { fix }),
    });
  }

  /** A comment is about the field of its line, and about all that is in it. */
  #isIgnored({ source, node }: ManifestObject, field: string, rule: string): boolean {
    const ignored = this.ignoredIn(source);
    if (ignored.size === 0) return false;
    const around = [...field.matchAll(/\.|\[|$/g)].map(({ index }) => field.slice(0, index));
    return ['', ...around].some((path) => {
      const { line } = source.positionAt(locate(node, path));
      return ignored.get(line)?.has(rule) === true;
    });
  }

  #document({ source, document }: ManifestObject): DocumentText | undefined {
    let documents = this.#documents.get(source);
    if (documents === undefined) {
      documents = documentTexts(source.text);
      this.#documents.set(source, documents);
    }
    return documents[document];
  }
}

function prefixOf({ templatePath }: PodKind): string {
  return templatePath === '' ? '' : `${templatePath}.`;
}

/** JSON documents have no end of their own: a fix needs one that stands alone. */
function documentTexts(text: string): readonly DocumentText[] {
  const documents = splitDocuments(text);
  return documents.map((document) => {
    if (document.kind === 'yaml') {
      return { start: document.start, text: text.slice(document.start, document.end) };
    }
    return { start: 0, text };
  });
}
