export type Severity = 'error' | 'warning' | 'info';

const RANKS: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

export function isAtLeast(severity: Severity, other: Severity): boolean {
  return RANKS[severity] >= RANKS[other];
}

/** A part of a text, between two offsets, and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Fix {
  /** Replacements in the order of the text; they do not overlap. */
  readonly edits: readonly TextEdit[];
  readonly diff: string;
  /** True for a fix that only corrects obvious mistakes. */
  readonly safe: boolean;
}

export interface Diagnostic {
  readonly severity: Severity;
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts characters, from 1. */
  readonly column: number;
  /** The path of the field, such as `spec.containers[0].livenessProbe.periodSeconds`; empty for a document. */
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  /** The line of the manifest, as written. */
  readonly source?: string;
  /** Kind of finding: `unknown-field`, or a rule of `kprobe lint` such as `liveness-equals-readiness`. */
  readonly rule?: string;
  readonly fix?: Fix;
}

/** A problem of a field whose place is not known yet. */
export type FieldProblem = Pick<Diagnostic, 'field' | 'message' | 'hint'>;

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
