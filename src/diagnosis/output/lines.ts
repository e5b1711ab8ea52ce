/** What kind a line of a program's output is. */

export function isLoud(line: string): boolean {
  return LOUD.test(line) && !NOISE.test(withoutPrefix(line));
}

const LOUD =
  /\b(?:error|fatal|panic|exception|failed|failure|cannot|can't|unable|denied|not set|no such|not found|not permitted|missing|prevents \w+ from|required|requires \S+ v?\d|must be|invalid|expected|expired|no space left|read-only file ?system)\b/i;

/** Reports whether a line may be the reason for an end: a warning is none, nor is what a program does without. */
export function isReason(line: string): boolean {
  const isWarning = /\bwarn(?:ing)?\b/i.test(line) && !NOT_WRITABLE.test(line);
  return isLoud(line) && !GOES_ON.test(line) && !isWarning;
}

export function isReported(line: string): boolean {
  return LEVEL.test(line) && !HARMLESS.test(line) && !GOES_ON.test(line);
}

/** A level comes before the words of a line. */
const LEVEL =
  /^(?:(?!\b[a-z]{2,} [a-z]{2,}\b).)*?\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b|\[(?:\w+:)?(?:error|crit|emerg|alert)\]|\b\w*(?:Error|Exception): |^E[A-Z]{3,}: /;

/** A line of a log of requests, which says no more than the answer, or one that names the log's level. */
const HARMLESS = /\b(?:GET|HEAD) \/|\blog(?:ging)?[ _-]?level (?:enabled|is|set)\b/i;

export function isCalm(line: string): boolean {
  return CALM.test(line) || (OF_GO.test(line) && !isLoud(line));
}

/** A line of a log, perhaps with a script's name before it, whose level is below that of an error. */
const CALM = /^(?:[^a-z"]*|\S+: |.*"level":\s*")\[?(?:INFO|DEBUG|info|debug)\b/;

/** A line of Go's package log, which has no levels. */
const OF_GO = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d (?!\[)/;

/** A line that is no part of a stack or a list. */
export const PLAIN = /^[\w[(<]/;

/** A line whose level says that the program cannot go on. */
export const WORST = /^[^a-z]*(?:FATAL|CRITICAL|PANIC)\b/;

/** A line of a job, whose output the program repeats with its number. */
export const OF_JOB = /^(?:\[[a-z][\w -]*\d+\]|[a-z][\w-]* ?\d+ ?[|:]) /i;

/** Words by which a master process names its workers in a message. */
export const OF_WORKER = /\b(?:worker|child|process|master)\b/i;

/** An error of the system that does not name what it is about. */
export const OF_SYSTEM =
  /^(?:error[^:]*: )?(?:\(\d+\) )?(?:permission denied|no such file or directory|operation not permitted|connection refused|no space left on device|read-only file system|resource temporarily unavailable)\.?$/i;

/** An error of a program that ends already. */
export const OF_SHUTDOWN = /\b(?:can(?:not|'t)|during|while) shut(?:ting)? ?down\b/i;

export const ENDING = /\b(?:shutting down|exiting|aborting|terminating)(?: \(.*\))?\W*$/i;

export const CONTINUES = /^(?:\s+|\[\d+\]: |(?:check|ensure|make sure|please) )\S/i;

export const NOT_WRITABLE =
  /\b(?:permission denied|operation not permitted|read-only file ?system|no space left on device)\b/i;

export const GOES_ON =
  /\bfall(?:s|ing)? back\b|\bfallback\b|\b(?:continuing|going on|proceeding|running|starting) without\b|\bcontinuing with\b|\bignor(?:ed|ing)\b|\bskipp(?:ed|ing)\b|\bdisabled\b|\busing (?:the |an? )?(?:default|in-?memory|local|memory)\b/i;

/** Lines that follow an error without a word about it. */
export const NOISE =
  /^\s*(?:at |wait-for-it\S*: strict mode|\d+: (?:0x|\/|\w+ \()|----- (?:Native|JavaScript) stack trace|File "|\.{3} \d+ more|note: run with|stack backtrace|exit status \d|Node\.js v\d|npm (?:err!|error|notice|warn) ?(?:code|errno|syscall|lifecycle|A complete log|\S*_logs|path|command|workspace|location|failed at the|exit status|this is probably|\S+@\S+ \S+: `|$)|\{"init terminating|(?:[\d :-]+: )?\(server\.c\.\d+\) (?:loading|setting|configuration) .*failed|to add an exception |(?:.*[\])] )?for (?:complete (?:error )?|more )(?:details|information)\b|.*\b(?:(?:check|see) the logs (?:at|in)|full details will be found|due to previous errors)\b|.* log may have more information|run `\w+ install`|(?:from )?\S+:\d+:in [`']|Command \[.*\] FAILED|goodbye|bye\b|\S+: warning: (?:falling back to the standard locale|please check that your locale|(?:\S+: )?(?:setlocale|setting locale))|shutting down|exiting\b(?!: \S)|(?:\S+: )*stopp(?:ed|ing)\b|error Command failed with exit code \d|(?:try|use|run|see|type) .*--?h(?:elp)?\b|Error: Could not create the Java Virtual Machine|Error occurred during initialization of VM$|agent library failed|.*program will exit|(?:.*\] )?aborting$|\}|\]|\^|=+$|-+$)/i;

/** Removes times, levels and process ids before the message: a server adds its own to those of the program. */
export function withoutPrefix(line: string): string {
  return line.trim().replace(PREFIX, '');
}

/** `ERROR:    ` is a level, and `FATAL: ` may be a kind; Laravel writes `production.ERROR: `. */
const PREFIX =
  /^(?:(?:\[[^\]]*\d\d:\d\d[^\]]*\](?:\[[^\]]*\])*|\[[\w./-]+\.\w+:\d+\]|\d{10}:|[\w-]+:(?:error|fatal)(?=\s+\d{4}-)|[IWEF]\d{4,8} [\d:.]+ +\d+ \S+\]|(?!\d{4}-)[\w-]+ \d\d:\d\d:\d\d\.\d\d\d?|==>|\[Nest\] \d+ +- \S+ \S+(?: [AP]M)? +(?:ERROR|FATAL) \[\w+\]|\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d:\d\d\S*(?: UTC| [+-]\d{4})?|\[ ?\d+ ?\](?: \{\S*\})?|<(?:Error|Fatal|Critical)>|\[FTL\]|\[(?:pid|client) [^\]]*\]|[A-Z]+ \d+ --- (?:\[[^\]]*\] ?)+\S+ +:|\w+\.(?:ERROR|CRITICAL|ALERT|EMERGENCY):|\[[\w.$]+\] \([^)]*\)|HTTP Request to \S+ failed, error id: \S+:|\[(?:\w+:)?(?:error|fatal|critical|err|crit|emerg|ERROR|FATAL|CRITICAL)\]:?|(?!(?:ERROR|FATAL): \S)(?:ERROR|FATAL|CRITICAL|ERR|CRIT|EMERG)(?::| -)?|\{\w+\.py:\d+\})\s+)+/;
