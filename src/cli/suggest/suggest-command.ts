import { suggestFor } from '../../app/suggest.js';
import { patches, type SuggestReport, suggestText } from '../../render/suggest/text.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { orInterrupted } from '../shared/or-interrupted.js';
import { readTraceFile } from '../shared/read-trace-file.js';

export interface SuggestFlags {
  readonly partial?: boolean;
  readonly output?: 'text' | 'yaml' | 'json';
}

/** `kprobe suggest`; resolves with the exit code. */
export function suggestCommand(path: string, flags: SuggestFlags, io: Io): Promise<number> {
  return orInterrupted(io, suggest(path, flags, io));
}

async function suggest(path: string, flags: SuggestFlags, io: Io): Promise<number> {
  const trace = await readTraceFile(path, flags, io);
  if (trace === undefined) return EXIT.usage;
  const { pods, simulated } = await suggestFor(trace);
  const { before, after, unobserved } = simulated;
  const report: SuggestReport = { pods, before, after, unobserved };
  await write(io.stdout, show(report, flags.output));
  return pods.some(({ suggestions }) => suggestions.length > 0) ? EXIT.holds : EXIT.unknown;
}

function show(report: SuggestReport, output: SuggestFlags['output'] = 'text'): string {
  switch (output) {
    case 'text':
      return suggestText(report);
    case 'yaml':
      return patches(report.pods);
    case 'json':
      return `${JSON.stringify(report, undefined, 2)}\n`;
  }
}
