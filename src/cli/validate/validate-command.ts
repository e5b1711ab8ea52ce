import {
  hasNothing,
  type ValidatedFile,
  validateSource,
  validationEnd,
} from '../../app/validate.js';
import type { Form } from '../../manifest/verdict/judge-documents.js';
import { verdictLine } from '../../manifest/verdict/verdict-line.js';
import { renderReport, type ReportFormat } from '../../render/report/formats.js';
import { escapeControl } from '../../render/text/escape.js';
import { validateReport } from '../../render/validate/validate-report.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { listSources, NOTHING, readSource } from '../shared/read-sources.js';
import { UsageError } from '../shared/usage-error.js';
import { VERSION } from '../shared/version.js';
import { Progress } from './progress.js';

export interface ValidateFlags {
  readonly output: ReportFormat | 'ndjson';
  readonly as: Form;
  readonly strictKinds?: boolean;
}

/** `kprobe validate`: what the API server would say of every object of every file; the exit code. */
export async function validateCommand(
  paths: readonly string[],
  flags: ValidateFlags,
  io: Io,
): Promise<number> {
  if (paths.length === 0) throw new UsageError('nothing to validate: name files, folders, or -');
  const { files, problems } = await validateAll(paths, flags, io);
  for (const problem of problems) await write(io.stderr, `kprobe: ${escapeControl(problem)}\n`);
  if (flags.output !== 'ndjson') {
    await write(io.stdout, await renderReport(validateReport(files, VERSION), flags.output));
  }
  if (problems.length > 0) return EXIT.usage;
  if (hasNothing(files)) await write(io.stderr, NOTHING);
  return { holds: EXIT.holds, rejected: EXIT.doesNotHold, unreadable: EXIT.usage }[
    validationEnd(files)
  ];
}

interface Validated {
  readonly files: readonly ValidatedFile[];
  /** What could not be read, and why. */
  readonly problems: readonly string[];
}

async function validateAll(
  paths: readonly string[],
  { output, as, strictKinds = false }: ValidateFlags,
  io: Io,
): Promise<Validated> {
  const problems: string[] = [];
  const listed = await listAll(paths, problems);
  const files: ValidatedFile[] = [];
  const progress = new Progress(io.stderr, listed.length);
  for (const [index, path] of listed.entries()) {
    progress.show(index, path);
    const source = await orProblem(problems, () => readSource(path, io));
    if (source === undefined) continue;
    const validated = validateSource(source, { as, strictKinds });
    if (output === 'ndjson') await write(io.stdout, ndjson(validated));
    files.push(validated);
  }
  progress.clear();
  return { files, problems };
}

function ndjson({ file, verdicts }: ValidatedFile): string {
  return verdicts.map((verdict) => `${verdictLine(file, verdict)}\n`).join('');
}

async function listAll(paths: readonly string[], problems: string[]): Promise<readonly string[]> {
  const listed: string[] = [];
  for (const path of paths) {
    listed.push(...((await orProblem(problems, () => listSources(path))) ?? []));
  }
  return listed;
}

/** One file that cannot be read does not keep the others from being validated. */
async function orProblem<T>(problems: string[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
