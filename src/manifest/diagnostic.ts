export type Severity = 'error' | 'warning';

/** Something to tell the user about a manifest, and where it stands. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** The path of the field, such as `spec.containers[0].livenessProbe.periodSeconds`; empty for a document. */
  readonly field: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The line of the manifest that it is about, as it stands there. */
  readonly source?: string;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
