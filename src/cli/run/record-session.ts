import type { Session } from '../../app/session.js';
import type { EndOfRun } from '../../trace/trace-end.js';
import type { TraceHeader } from '../../trace/trace-record.js';
import type { TraceFile } from '../shared/trace-file.js';

/** Ends the recording; what went wrong with it, for standard error. */
export type EndRecording = (end: EndOfRun) => string;

/** Keeps a session's trace in a file. */
export function recordSession(
  session: Session,
  header: TraceHeader,
  file: TraceFile | undefined,
): EndRecording {
  if (file === undefined) return () => '';
  let told = false;
  file.begin(header);
  session.onLine((line, summary) => {
    file.line(line, summary);
    if (file.problem === undefined || told) return;
    told = true;
    session.note('warning', `nothing more is recorded: ${file.path}: ${file.problem}`);
  });
  return (end) => {
    file.end(end);
    return file.problem === undefined
      ? ''
      : `kprobe: ${file.path}: ${file.problem}: the recording is not whole\n`;
  };
}
