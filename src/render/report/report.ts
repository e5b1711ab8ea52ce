import packageJson from '../../../package.json' with { type: 'json' };
import type { Diagnostic, Severity } from '../../manifest/diagnostic.js';

export interface ReportedFile {
  readonly file: string;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly objects: number;
  /** Part of it is not YAML or JSON, or not an object. */
  readonly unreadable: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface ReportedRule {
  readonly id: string;
  /** A sentence. */
  readonly title: string;
  /** Of a rule of `kprobe lint`: why that matters. */
  readonly reason?: string;
  /** In docs/. */
  readonly page?: string;
}

export const { version: VERSION, homepage: HOMEPAGE } = packageJson;

/** Returns the address of a page in docs/. */
export function pageURL(page: string): string {
  return `${HOMEPAGE}/blob/main/docs/${page}`;
}

/**
 * Findings of `kprobe validate` or `kprobe lint`, for the renderers of this folder: each of them (`textReport`,
 * `jsonReport`, `githubReport`, `sarifReport`, `junitReport`) makes the whole output of it.
 */
export interface Report {
  readonly command: 'validate' | 'lint' | 'run' | 'ci';
  readonly files: readonly ReportedFile[];
  /** Files that could not be read, each with the reason. */
  readonly problems: readonly string[];
  readonly exitCode: number;
  /** The rules that diagnostics name; one that is not here is shown by its id. */
  readonly rules: readonly ReportedRule[];
  /** The least severity that fails; formats that know failures show what is as bad as one. Error by default. */
  readonly failOn?: Severity;
  readonly summary: readonly string[];
}

export interface Counts {
  readonly files: number;
  readonly objects: number;
  readonly errors: number;
  readonly warnings: number;
}

export function countsOf(files: readonly ReportedFile[]): Counts {
  const diagnostics = files.flatMap((file) => file.diagnostics);
  return {
    files: files.length,
    objects: files.reduce((sum, { objects }) => sum + objects, 0),
    errors: diagnostics.filter(({ severity }) => severity === 'error').length,
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
  };
}
