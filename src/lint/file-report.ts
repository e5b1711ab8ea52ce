import type { PodKind } from '../api/index.js';
import type { Severity } from '../manifest/diagnostic.js';
import type { ManifestObject } from '../manifest/documents/manifest-object.js';
import { splitDocuments } from '../manifest/documents/read-documents.js';
import { locate } from '../manifest/documents/report.js';
import type { SourceFile } from '../manifest/documents/source-file.js';
import type { PartialPod } from '../manifest/pods/load-pod.js';
import { suggest } from '../manifest/suggest.js';
import { type DocumentText, fixOf } from './fix/fix-of.js';
import type { Advice, Rule } from './rule.js';
import { RULES } from './rules.js';

export interface Workload extends PartialPod {
  readonly object: ManifestObject;
  readonly kind: PodKind;
}

interface Entry {
  readonly workload: Workload;
  readonly rule: Rule;
  readonly severity: Severity;
  readonly advice: Advice;
}

const KNOWN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

/** Reports findings of rules in a file, with their places and fixes, unless a comment ignores them. */
export class FileReport {
  readonly #file: SourceFile;
  readonly #ignored: IgnoredLines;
  #documents: readonly DocumentText[] | undefined;

  constructor(file: SourceFile) {
    this.#file = file;
    this.#ignored = ignoredLines(file, KNOWN);
  }

  add({ workload, rule, severity, advice }: Entry): void {
    const { object, kind } = workload;
    const prefix = kind.templatePath === '' ? '' : `${kind.templatePath}.`;
    const field = prefix + advice.path;
    if (this.#isIgnored(object, field, rule.id)) return;
    const changes = (advice.changes ?? []).map(({ path, value }) => ({
      path: prefix + path,
      value,
    }));
    const document = this.#documentOf(object);
    const fix =
      changes.length > 0 && document !== undefined
        ? fixOf(object, document, changes, rule.safeFix === true)
        : undefined;
    this.#file.report({
      severity,
      offset: locate(object.node, field),
      field,
      message: advice.message,
      hint: advice.hint,
      rule: rule.id,
      ...(fix && { fix }),
    });
  }

  /** Returns whether a comment ignores a rule: it applies to the field of its line and to all fields in it. */
  #isIgnored({ node }: ManifestObject, field: string, rule: string): boolean {
    if (this.#ignored.size === 0) return false;
    const around = [...field.matchAll(/\.|\[|$/g)].map(({ index }) => field.slice(0, index));
    return ['', ...around].some((path) => {
      const { line } = this.#file.positionAt(locate(node, path));
      return this.#ignored.get(line)?.has(rule) === true;
    });
  }

  #documentOf({ document }: ManifestObject): DocumentText | undefined {
    this.#documents ??= documentTexts(this.#file.text);
    return this.#documents[document];
  }
}

/** Returns the whole text for JSON documents: a fix needs a file with one of them. */
function documentTexts(text: string): readonly DocumentText[] {
  return splitDocuments(text).map((document) =>
    document.kind === 'yaml'
      ? { start: document.start, text: text.slice(document.start, document.end) }
      : { start: 0, text },
  );
}

const COMMENT = /(?<=^|\s)#\s*kprobe-ignore\s*:\s*([^#\r\n]*)/;

/**
 * The rules that comments of a file switch off, by the line that they are about: a comment at the end of a line
 * is about that line, one on a line of its own about the next that is not a comment.
 */
type IgnoredLines = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads `# kprobe-ignore: rule, rule`; a rule that does not exist is a warning. */
function ignoredLines(file: SourceFile, known: ReadonlySet<string>): IgnoredLines {
  const ignored = new Map<number, Set<string>>();
  if (!file.text.includes('kprobe-ignore')) return ignored;
  let offset = 0;
  let waiting: string[] = [];
  for (const [index, line] of file.text.split('\n').entries()) {
    const match = COMMENT.exec(line);
    const rules = (match?.[1] ?? '').split(/[\s,]+/).filter((rule) => rule !== '');
    for (const rule of rules)
      if (!known.has(rule)) warn(file, offset + (match?.index ?? 0), rule, known);
    const isComment = /^\s*(?:#|$)/.test(line);
    if (isComment) waiting.push(...rules);
    else {
      const all = [...waiting, ...rules];
      if (all.length > 0) ignored.set(index + 1, new Set(all));
      waiting = [];
    }
    offset += line.length + 1;
  }
  return ignored;
}

function warn(file: SourceFile, offset: number, rule: string, known: ReadonlySet<string>): void {
  const near = suggest(rule, [...known]);
  const hint = near === undefined ? 'see "kprobe lint --list"' : `did you mean "${near}"?`;
  file.warn(offset, '', `kprobe-ignore: unknown rule ${rule}`, hint);
}
