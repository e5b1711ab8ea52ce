import { lintInputs, type LintOptions, readInput } from '../../src/commands/lint/lint.js';
import type { ManifestSource } from '../../src/manifest/documents/source-file.js';

/** Applies the rules to manifests, without validation. */
export async function lint(sources: readonly ManifestSource[], options: LintOptions = {}) {
  const inputs = sources.map((source) => readInput(source, options.kubelet));
  const advised = await lintInputs(inputs, options);
  return advised.map((advice) => ({ advice }));
}
