import type { ApiServer } from '../../api/admission/index.js';
import type { CustomKinds } from '../crds/custom-kinds.js';
import { hasErrors } from '../diagnostic.js';
import { classify, podKindsOf } from '../documents/known-kinds.js';
import { reportFieldError, reportIssue } from '../documents/report.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import { summarizeTemplate } from '../documents/template.js';
import { type Form, judgeDocuments } from './judge-documents.js';
import {
  type ObjectVerdict,
  reportVerdict,
  type ServerAnswer,
  type ValidatedFile,
} from './verdict.js';

export interface ValidateOptions {
  /** Sends the documents as they are, or the JSON that kubectl makes of them. */
  readonly as: Form;
  readonly strictKinds: boolean;
  readonly customKinds?: CustomKinds | undefined;
  readonly server?: ApiServer | undefined;
}

/** Validates the objects of a text as an API server would on create. */
export function validateSource(manifest: ManifestSource, options: ValidateOptions): ValidatedFile {
  const source = new SourceFile(manifest);
  const judged = judgeDocuments(manifest, options.as, options);
  const templates = new Map(
    judged.flatMap((each) => {
      const errors = reportTemplates(source, each, options.server);
      return errors === undefined ? [] : [[each, errors]];
    }),
  );
  for (const each of judged) reportVerdict(source, each);
  summarizeTemplate(source);
  if (options.strictKinds) reportKinds(source, judged);
  const rest = judged.filter((each) => !templates.has(each));
  const answers = judged.map((each) => {
    const answer = answerOf(each, !options.strictKinds);
    return templates.get(each) ? { ...answer, ok: false } : answer;
  });
  const isJudged = judged.map(({ admission }) => admission !== undefined);
  return {
    file: source.file,
    verdicts: judged.map(({ verdict }) => verdict),
    answers,
    diagnostics: source.diagnostics(),
    judged: isJudged.filter(Boolean).length,
    rejected: answers.filter(({ ok }, index) => !ok && isJudged[index]).length,
    templateKinds: countKinds([...templates.keys()].filter(({ admission }) => !admission)),
    otherKinds: countKinds(rest.filter(({ verdict }) => verdict.phase === 'other')),
    unmatchedKinds: countKinds(rest.filter(({ noMatch }) => noMatch?.kind === 'other')),
    unreadable: judged.some(isUnreadable),
    isEmpty: judged.every(isNothing),
  };
}

/**
 * Reports the errors in the probes of templates in an object of a kind that kprobe does not know; returns their number,
 * or undefined without a template.
 */
function reportTemplates(
  source: SourceFile,
  { verdict, node, admission }: ObjectVerdict,
  server: ApiServer | undefined,
): number | undefined {
  if (node === undefined || (admission && classify(verdict).kind === 'pod')) return undefined;
  const kinds = podKindsOf({ ...verdict, node });
  if (kinds.length === 0) return undefined;
  const admissions = kinds.map((kind) => kind.admit(node, { uid: '', integers: 'exact', server }));
  const issues = admissions.flatMap((each) => each.issues);
  const errors = admissions.flatMap((each) => each.errors);
  for (const issue of issues) reportIssue(source, issue, 'error');
  for (const error of errors) reportFieldError(source, node, error);
  return issues.filter(({ kind }) => kind !== 'dropped-field').length + errors.length;
}

/** Returns the answer that the exit code follows from; for a kind that kprobe does not validate, it has `ok`. */
function answerOf({ verdict, noMatch }: ObjectVerdict, ok: boolean): ServerAnswer {
  const isOther = verdict.phase === 'other' || noMatch?.kind === 'other';
  return isOther ? { ...verdict, ok, phase: 'other' } : verdict;
}

function reportKinds(source: SourceFile, judged: readonly ObjectVerdict[]): void {
  for (const { verdict, node, noMatch } of judged) {
    const { phase, kind, apiVersion } = verdict;
    if (node === undefined || (phase !== 'other' && noMatch === undefined)) continue;
    const message =
      phase === 'other'
        ? `${apiVersion} ${kind} has no pod, and is not checked`
        : (verdict.decode ?? '');
    source.report({ severity: 'error', offset: node.start, field: 'kind', message, rule: 'kind' });
  }
}

function isUnreadable({ verdict, problem, noMatch }: ObjectVerdict): boolean {
  return problem !== undefined || (verdict.phase === 'parse' && noMatch === undefined);
}

function countKinds(judged: readonly ObjectVerdict[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of judged) counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
  return counts;
}

export function validateSources(
  manifests: readonly ManifestSource[],
  options: ValidateOptions,
): readonly ValidatedFile[] {
  return manifests.map((manifest) => validateSource(manifest, options));
}

export function validationEnd(
  files: readonly ValidatedFile[],
): 'holds' | 'rejected' | 'unreadable' {
  if (hasNothing(files) || files.some(({ unreadable, isEmpty }) => unreadable && !isEmpty))
    return 'unreadable';
  return files.some(({ diagnostics }) => hasErrors(diagnostics)) ? 'rejected' : 'holds';
}

export function hasNothing(files: readonly ValidatedFile[]): boolean {
  return files.every(({ isEmpty }) => isEmpty);
}

/** Reports whether a verdict is about an empty document, a list, or a file without objects. */
function isNothing({ verdict, node, problem }: ObjectVerdict): boolean {
  return verdict.phase === 'list' || (node === undefined && problem === undefined);
}
