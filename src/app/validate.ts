import { type Diagnostic, hasErrors } from '../manifest/diagnostic.js';
import { type ManifestSource, SourceFile } from '../manifest/documents/source-file.js';
import { type Form, judgeDocuments } from '../manifest/verdict/judge-documents.js';
import { reportJudged } from '../manifest/verdict/report-judged.js';
import type { Judged, Verdict } from '../manifest/verdict/verdict.js';

export interface ValidateOptions {
  /** Sends the documents as they are, or the JSON that kubectl makes of them. */
  readonly as: Form;
  /** Report objects of kinds that kprobe does not validate as errors. */
  readonly strictKinds: boolean;
}

/** The result of validating a file. */
export interface ValidatedFile {
  readonly file: string;
  /** The server's answers, in the order of the text. */
  readonly verdicts: readonly Verdict[];
  /** Errors and warnings for people, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Number of validated objects. */
  readonly judged: number;
  /** Number of them that the server would reject. */
  readonly rejected: number;
  /** Number of objects of served kinds without a pod, by kind; they are not validated. */
  readonly otherKinds: ReadonlyMap<string, number>;
  /** The same for kinds that the API server does not have by itself. */
  readonly unservedKinds: ReadonlyMap<string, number>;
  /** Part of the file is not YAML or JSON, or not an object. */
  readonly unreadable: boolean;
}

/**
 * Validates one text as an API server would on create. `kprobe validate` and `kprobe lint` call it for each
 * file, and pass the result to the renderers (`render/report`) through `reportOf`.
 */
export function validateSource(manifest: ManifestSource, options: ValidateOptions): ValidatedFile {
  const source = new SourceFile(manifest);
  const judged = judgeDocuments(manifest, options.as);
  for (const each of judged) reportJudged(source, each);
  if (options.strictKinds) reportKinds(source, judged);
  const verdicts = judged.map(({ verdict }) => verdict);
  const looked = judged.filter(({ admission }) => admission !== undefined);
  return {
    file: source.file,
    verdicts,
    diagnostics: source.diagnostics(),
    judged: looked.length,
    rejected: looked.filter(({ verdict }) => !verdict.ok).length,
    otherKinds: countKinds(judged.filter(({ verdict }) => verdict.phase === 'other')),
    unservedKinds: countKinds(judged.filter(({ unserved }) => unserved === true)),
    unreadable: judged.some(isUnreadable),
  };
}

function reportKinds(source: SourceFile, judged: readonly Judged[]): void {
  for (const { verdict, node, unserved } of judged) {
    const { phase, kind, apiVersion } = verdict;
    if (node === undefined || (phase !== 'other' && unserved !== true)) continue;
    const message =
      phase === 'other'
        ? `${apiVersion} ${kind} has no pod, and is not checked`
        : (verdict.decode ?? '');
    source.report({ severity: 'error', offset: node.start, field: 'kind', message, rule: 'kind' });
  }
}

function isUnreadable({ verdict, problem, unserved }: Judged): boolean {
  return problem !== undefined || (verdict.phase === 'parse' && unserved !== true);
}

function countKinds(judged: readonly Judged[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of judged) {
    counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
  }
  return counts;
}

/** Validates several files in order. */
export function validateSources(
  manifests: readonly ManifestSource[],
  options: ValidateOptions,
): readonly ValidatedFile[] {
  return manifests.map((manifest) => validateSource(manifest, options));
}

/** Returns the verdict on all files: accepted, rejected or unreadable. */
export function validationEnd(
  files: readonly ValidatedFile[],
): 'holds' | 'rejected' | 'unreadable' {
  if (hasNothing(files) || files.some((file) => file.unreadable && !isEmpty(file)))
    return 'unreadable';
  return files.some(({ diagnostics }) => hasErrors(diagnostics)) ? 'rejected' : 'holds';
}

/** Returns whether none of the files has an object. */
export function hasNothing(files: readonly ValidatedFile[]): boolean {
  return files.every(isEmpty);
}

function isEmpty({ verdicts }: ValidatedFile): boolean {
  return verdicts.every(isNothing);
}

/** An empty document or list, and the answer for a file without objects. */
function isNothing({ phase, decode, kind }: Verdict): boolean {
  if (phase === 'empty' || phase === 'list') return true;
  return phase === 'parse' && kind === '' && decode === 'no objects passed';
}
