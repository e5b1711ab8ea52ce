import type { ApiServer } from '../../api/admission/index.js';
import { type Diagnostic, isAtLeast, type Severity } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { validateSource, validateSources } from '../../manifest/verdict/validate.js';
import type { ValidatedFile } from '../../manifest/verdict/verdict.js';
import { applyEdits, compatibleEdits } from './fix/text-edits.js';
import { lintInputs, type LintOptions, readInput } from './lint.js';
import { defaultLevel } from './rule.js';

/** The result of validation and of the rules for a file. */
export interface LintedFile {
  readonly file: string;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly validated: ValidatedFile;
}

const IN_CLUSTER = { as: 'cluster', strictKinds: false } as const;

/** Validates manifests and applies the rules to all of them together. */
export async function lintSources(
  sources: readonly ManifestSource[],
  options: LintOptions & { readonly validate?: boolean },
): Promise<readonly LintedFile[]> {
  // Each source is validated and read in turn: a long text is then parsed once.
  const read = sources.map((source) => ({
    answer: validateSource(source, { ...IN_CLUSTER, server: options.kubelet }),
    input: readInput(source, options.kubelet),
  }));
  const answers = read.map(({ answer }) => answer);
  const validated = options.validate === false ? answers.map(withoutRejections) : answers;
  const advised = await lintInputs(
    read.map(({ input }) => input),
    options,
  );
  return validated.map((file, index) => ({
    file: file.file,
    diagnostics: [...file.diagnostics, ...(advised[index] ?? [])].toSorted(
      (a, b) => a.line - b.line || a.column - b.column,
    ),
    validated: file,
  }));
}

/** Leaves out what an API server would reject; what cannot be read stays. */
function withoutRejections(file: ValidatedFile): ValidatedFile {
  const diagnostics = file.diagnostics.filter(({ rule = '' }) => UNREADABLE.includes(rule));
  return { ...file, diagnostics };
}

const UNREADABLE = ['syntax', 'not-an-object', 'unknown-kind', 'wrong-type', 'template'];

export function fails(files: readonly LintedFile[], failOn: Severity): boolean {
  return files.some(({ diagnostics }) =>
    diagnostics.some(({ severity }) => isAtLeast(severity, failOn)),
  );
}

/** Rounds of fixes: one fix may block or reveal another. */
const MAX_ROUNDS = 20;

/**
 * Applies the safe fixes until none is left. A text that the API server would then reject, or that
 * has lost information, stays unchanged.
 */
export async function fixSources(
  sources: readonly ManifestSource[],
  options: LintOptions,
): Promise<readonly ManifestSource[]> {
  const { level = defaultLevel } = options;
  const fixing: LintOptions = {
    ...options,
    level: (rule, file) => (rule.safeFix === true ? level(rule, file) : 'off'),
  };
  const read = (source: ManifestSource) => readInput(source, options.kubelet);
  let inputs = sources.map(read);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const advised = await lintInputs(inputs, fixing);
    const next = inputs.map((input, index) => {
      const fixed = withFixes(input.source, advised[index] ?? [], options.kubelet);
      return fixed === input.source ? input : read(fixed);
    });
    if (next.every((input, index) => input === inputs[index])) break;
    inputs = next;
  }
  return inputs.map(({ source }) => source);
}

function withFixes(
  source: ManifestSource,
  advice: readonly Diagnostic[],
  server: ApiServer | undefined,
): ManifestSource {
  const fixes = advice.flatMap(({ fix }) => (fix?.safe === true ? [fix.edits] : []));
  // Applies all fixes that do not overlap; where the result is no longer good, the first one alone.
  for (const edits of [compatibleEdits(fixes), fixes[0] ?? []]) {
    const text = applyEdits(source.text, edits);
    if (text !== source.text && isAsGood([source, { ...source, text }], server))
      return { ...source, text };
  }
  return source;
}

function isAsGood(sources: readonly ManifestSource[], server: ApiServer | undefined): boolean {
  const [old, now] = validateSources(sources, { ...IN_CLUSTER, server });
  if (old === undefined || now === undefined || now.unreadable !== old.unreadable) return false;
  return now.judged === old.judged && now.rejected <= old.rejected;
}
