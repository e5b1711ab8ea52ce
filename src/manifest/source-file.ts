import type { Diagnostic, Fix, Severity } from './diagnostic.js';
import { LineMap, type Position } from './line-map.js';

/** One text that was given to read. */
export interface ManifestSource {
  readonly file: string;
  readonly text: string;
}

/** A diagnostic that still has an offset for its place. */
export interface Finding {
  readonly severity: Severity;
  readonly offset: number;
  readonly field: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly rule?: string;
  readonly fix?: Fix;
}

/** A source, its lines, and what was found in it. */
export class SourceFile {
  readonly file: string;
  readonly text: string;
  readonly #lines: LineMap;
  readonly #findings: Finding[] = [];

  constructor(source: ManifestSource) {
    this.file = source.file;
    this.text = source.text;
    this.#lines = new LineMap(source.text);
  }

  report(finding: Finding): void {
    this.#findings.push(finding);
  }

  error(offset: number, field: string, message: string, hint?: string): void {
    this.report({ severity: 'error', offset, field, message, hint });
  }

  warn(offset: number, field: string, message: string, hint?: string): void {
    this.report({ severity: 'warning', offset, field, message, hint });
  }

  hasErrors(): boolean {
    return this.#findings.some((finding) => finding.severity === 'error');
  }

  positionAt(offset: number): Position {
    return this.#lines.positionAt(offset);
  }

  /** What was found, in the order of the text. */
  diagnostics(): readonly Diagnostic[] {
    return this.#findings
      .toSorted((a, b) => a.offset - b.offset)
      .map((finding) => this.#diagnostic(finding));
  }

  #diagnostic({ severity, offset, field, message, hint, rule, fix }: Finding): Diagnostic {
    const position = this.positionAt(offset);
    const source = this.#lines.lineAt(position.line);
    return {
      severity,
      file: this.file,
      ...position,
      field,
      message,
      source,
      ...(hint !== undefined && { hint }),
      ...(rule !== undefined && { rule }),
      ...(fix !== undefined && { fix }),
    };
  }
}
