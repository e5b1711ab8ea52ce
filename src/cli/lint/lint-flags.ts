import type { Severity } from '../../manifest/diagnostic.js';
import type { ReportFormat } from '../../render/report/formats.js';

/** The flags of `kprobe lint`. */
export interface LintFlags {
  readonly output: ReportFormat | 'ndjson';
  readonly failOn?: Severity;
  readonly fix?: boolean;
  readonly diff?: boolean;
  readonly rule?: readonly string[];
  readonly without?: readonly string[];
  readonly record?: readonly string[];
  /** False is `--no-config`; true that none is named. */
  readonly config: string | boolean;
  readonly list?: boolean;
}
