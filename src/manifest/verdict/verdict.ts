import type { Admission, FieldError } from '../../api/admission/index.js';
import type { DecodeIssue } from '../../api/decode/index.js';
import type { SyntaxProblem } from '../../go/json.js';
import type { JsonNode } from '../../go/json-node.js';
import type { DuplicateKey } from '../../go/yaml/decode-tree.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Classified } from '../documents/known-kinds.js';
import { reportDuplicate, type TypeProblem, typeProblems } from '../documents/manifest-object.js';
import { locate, reportFieldError, reportIssue } from '../documents/report.js';
import type { SourceFile } from '../documents/source-file.js';

/**
 * Stage at which the creation of an object ends: `parse` nothing can be sent; `decode` it is answered with 400;
 * `validate` with 422; `created`; `empty` is passed over; a `list` is taken apart, its items follow; `other` is
 * a served kind without a pod, which is not validated.
 */
type Stage = 'parse' | 'decode' | 'validate' | 'created' | 'empty' | 'list' | 'other';

/** The server's answer when it refuses an object, as a Status has it. */
export interface ServerStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** Answer of a v1.36 API server to creating one object with fieldValidation=Strict. */
export interface ServerAnswer {
  readonly doc: number;
  /** Place of the object in a List: `0.1` is item 1 of a List that is item 0. */
  readonly item?: string | undefined;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly ok: boolean;
  readonly phase: Stage;
  readonly decode?: string | undefined;
  readonly strict: readonly string[];
  /** Errors in the server's order; with strict errors, those that fieldValidation=Warn would give. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  readonly status?: ServerStatus | undefined;
  /** Number of verdicts of a list's items, which follow. */
  readonly items?: number | undefined;
  /** Stored fields of the pod spec, with its `path`. */
  readonly defaulted?: Readonly<Record<string, unknown>> | undefined;
}

export interface ObjectVerdict {
  readonly verdict: ServerAnswer;
  /** Absent for a document that could not be read, and for a file without objects. */
  readonly node?: JsonNode;
  readonly problem?: SyntaxProblem;
  /** Duplicate keys of YAML, when YAML is sent. */
  readonly duplicates?: readonly DuplicateKey[];
  /** Present for an object that was validated. */
  readonly admission?: Admission;
  readonly issues?: readonly DecodeIssue[];
  /** Present for a kind that a server does not have by itself: `other` if a CustomResourceDefinition may add it, else `unknown`. */
  readonly noMatch?: Classified;
}

export interface ValidatedFile {
  readonly file: string;
  readonly verdicts: readonly ServerAnswer[];
  /** The answers that the exit code follows from: kinds that kprobe does not validate are accepted unless `strictKinds`. */
  readonly answers: readonly ServerAnswer[];
  readonly diagnostics: readonly Diagnostic[];
  readonly judged: number;
  readonly rejected: number;
  /** Number of objects of other kinds with pod templates, by kind: only the probes in them are validated. */
  readonly templateKinds: ReadonlyMap<string, number>;
  /** Number of objects of served kinds without a pod, by kind; they are not validated. */
  readonly otherKinds: ReadonlyMap<string, number>;
  /** Number of objects whose kind needs a CustomResourceDefinition, by kind. */
  readonly unmatchedKinds: ReadonlyMap<string, number>;
  /** Part of the file is not YAML or JSON, or not an object. */
  readonly unreadable: boolean;
  /** True for a file without objects. */
  readonly isEmpty: boolean;
}

/** Returns a verdict as a line of NDJSON, with its file first; an int64 keeps all its digits. */
export function verdictLine(file: string, verdict: ServerAnswer): string {
  return exactJson({ file, ...verdict });
}

/** Writes JSON; unlike JSON.stringify, it writes bigints as numbers, and escapes the two separators that Go escapes. */
function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value ?? null);
    return text.replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
  }
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${exactJson(key)}:${exactJson(each)}`);
  return `{${members.join(',')}}`;
}

export function reportVerdict(source: SourceFile, judged: ObjectVerdict): void {
  const { problem, node, admission, duplicates = [], issues = [] } = judged;
  if (problem !== undefined) {
    const { offset, message, hint } = problem;
    source.report({ severity: 'error', offset, field: '', message, hint, rule: 'syntax' });
  }
  for (const duplicate of duplicates) reportDuplicate(source, duplicate, 'duplicate-field');
  for (const issue of [...(admission?.issues ?? []), ...issues])
    reportIssue(source, issue, 'error');
  if (node === undefined) return;
  if (judged.verdict.phase === 'parse') reportInvalid(source, node, judged);
  for (const error of admission?.errors ?? []) reportFieldError(source, node, error);
  for (const { field, message } of admission?.warnings ?? []) {
    const offset = locate(node, field);
    source.report({ severity: 'warning', offset, field, message, rule: 'api-warning' });
  }
}

/** Reports an object that cannot be sent; kinds that only some servers have are not reported. */
function reportInvalid(
  source: SourceFile,
  node: JsonNode,
  { verdict, noMatch, issues }: ObjectVerdict,
): void {
  if (issues !== undefined) return;
  const { apiVersion, kind } = verdict;
  if (noMatch !== undefined) {
    if (noMatch.kind !== 'unknown') return;
    const { field, message, hint } = noMatch;
    const offset = locate(node, field);
    source.report({ severity: 'error', offset, field, message, hint, rule: 'unknown-kind' });
    return;
  }
  const problems: readonly TypeProblem[] = typeProblems(node, { apiVersion, kind });
  const decodeProblem = { offset: node.start, field: '', message: verdict.decode ?? '' };
  for (const problem of problems.length > 0 ? problems : [decodeProblem]) {
    source.report({ severity: 'error', hint: undefined, ...problem, rule: 'not-an-object' });
  }
}
