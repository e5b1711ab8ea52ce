import { isObject, tryParseJson } from '../../api/index.js';
import {
  CONTINUES,
  ENDING,
  GOES_ON,
  isCalm,
  isLoud,
  isReason,
  isReported,
  NOISE,
  NOT_WRITABLE,
  OF_JOB,
  OF_SHUTDOWN,
  OF_SYSTEM,
  OF_WORKER,
  PLAIN,
  withoutPrefix,
  WORST,
} from './lines.js';
import {
  baseName,
  bun,
  elixir,
  go,
  native,
  node,
  options,
  perl,
  php,
  type ProgramError,
  python,
  type Reader,
  ruby,
  rubyTrace,
  rust,
  rustMain,
} from './runtime-readers.js';
import {
  artisan,
  curl,
  failedStart,
  gunicorn,
  gunicornTimeout,
  haproxy,
  initdb,
  isBare,
  logfmt,
  neverAwaited,
  nginx,
  npm,
  npmSystem,
  pairsText,
  plainLine,
  postgres,
  redis,
  redisEnd,
  shell,
  spring,
} from './server-readers.js';
import { dotnet, dotnetLog, java, jvmCrash, stackPlace } from './vm-readers.js';

/** Finds the last fatal error in a program's output, which is often far above its last line. */
export function programError(output: readonly string[]): ProgramError | undefined {
  const lines = output.map(plainLine);
  const { line = -1, ...error } = lastError(lines) ?? { text: '' };
  const last = line !== -1 && !isHandled(lines, line) ? error : lastMessage(lines);
  return last && (writeErrorOf(lines, last.text) ?? last);
}

/** Returns the earlier error by which a program could not write the file that it lacks at last, or make its folder. */
function writeErrorOf(lines: readonly string[], text: string): ProgramError | undefined {
  const [path] = /(?:[\w.-]*\/)*[\w-][\w.=-]*\.\w+\b(?=\W*(?:\(no such .*)?$)/i.exec(text) ?? [];
  if (path === undefined || NOT_WRITABLE.test(text)) return undefined;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const names = [baseName(path), ...(folder === '' ? [] : [`${folder}'`])];
  const line = lines.findLast(
    (each) => names.some((name) => each.includes(name)) && NOT_WRITABLE.test(each),
  );
  return line === undefined ? undefined : { text: withoutPrefix(line) };
}

/** Reports whether a program has logged its next steps after the error in a line, or quoted it, and then another error. */
export function isHandled(lines: readonly string[], error: number): boolean {
  const later = lines.slice(error + 1);
  if (OF_JOB.test(lines[error] ?? '') && later.some((line) => isReason(line) && !OF_JOB.test(line)))
    return true;
  // A program that goes on, and says then that it must end, has another reason.
  const goneOn = later.findIndex((line) => PLAIN.test(line) && !isLoud(line) && !NOISE.test(line));
  if (goneOn !== -1 && later.slice(goneOn).some((line) => isWorst(line) && isReason(line)))
    return true;
  const step = lines.findLastIndex((line) => isCalm(line) && !ENDING.test(line));
  const isOther = (line: string): boolean => isLoud(line) && !OF_WORKER.test(line);
  return step > error && lines.slice(step + 1).some(isOther);
}

function isWorst(line: string): boolean {
  return WORST.test(line) || worstLevel(recordOf(line) ?? {}) >= WORST_LEVEL;
}

/** Returns the last message with a word about an error; else the last line. */
function lastMessage(lines: readonly string[]): ProgramError | undefined {
  const usage = usageBegin(lines);
  if (usage !== -1) {
    const before = lines.slice(0, usage);
    const text = lines.slice(usage).filter((line) => line.trim() !== '');
    return before.some(isReason) ? lastMessage(before) : { text: text.slice(0, 2).join(' ') };
  }
  // What a program writes after it has said that it ends is an effect of that.
  const end = lines.findLastIndex((line) => ENDING.test(line));
  const isNear = end !== -1 && end > lines.length - AFTER_END;
  const beforeEnd = isNear ? lines.slice(0, end + 1).findLastIndex(isReason) : -1;
  const isText = (line: string): boolean => line.trim() !== '' && !NOISE.test(line);
  const isTold = beforeEnd !== -1 && !isBare(withoutPrefix(lines[beforeEnd] ?? ''));
  const loudest = isTold ? beforeEnd : lines.findLastIndex(isReason);
  const last = lines.findLastIndex(isText);
  // A warning explains an end only where no other line follows it.
  const isLast = isLoud(lines[last] ?? '');
  const loud = fullest(lines, loudest === -1 && isLast ? last : loudest);
  const plain = lines.findLastIndex((each) => isText(each) && !isCalm(each) && !GOES_ON.test(each));
  const line = [loud, plain].find((each) => each !== -1) ?? last;
  const { [line]: text, [line - 1]: head = '' } = lines;
  if (text === undefined) return undefined;
  // A list is indented below its head; one that precedes an error of the system has what was tried, or the place.
  const first = lines.slice(0, line + 1).findLastIndex((each) => !/^\s+\S/.test(each));
  const isList = first < line && lines[first]?.endsWith(':') && line - first < MAX_MESSAGE_LINES;
  const isHead = (head.endsWith(':') || OF_SYSTEM.test(withoutPrefix(text))) && isLoud(head);
  const begin = isList ? first : isHead ? line - 1 : line;
  const after = line + 1 + messageRest(lines, loud).length;
  const whole = lines.slice(begin, after).map(messageOf).map(withoutPrefix).join(' ');
  const [, path, row] = PLACE.exec(lines[after] ?? '') ?? [];
  const at = path && `${baseName(path)}:${row}`;
  return { text: whole, ...(at && { at, isConfig: true }), ...(loud === -1 && { isLast: true }) };
}

/** Returns the line at which a program begins to print how it is to be called, where it prints nothing else after that. */
function usageBegin(lines: readonly string[]): number {
  const begin = lines.findLastIndex((line) => /^\s*usage(?::| of )/i.test(line));
  const rest = lines.slice(begin + 1).filter((line) => line.trim() !== '');
  const isOption = (line: string): boolean => /^(?:\s+|-)\S/.test(line);
  const isHelp =
    isOption(rest.at(-1) ?? '') && rest.every((line) => isOption(line) || !isLoud(line));
  return isHelp ? begin : -1;
}

/** A line that has only the place of what the line before it says. */
const PLACE = /^\W*(?:at |in )?(\/[\w./-]+)['"]?(?::|,? line )(\d+)\b[^.]{0,20}$/i;

/** Returns the line that says the most of what a line does: one that has all of it, or the reason before one without. */
function fullest(lines: readonly string[], at: number): number {
  const text = lines[at]?.trim() ?? '';
  const before = lines.slice(0, Math.max(0, at));
  const isEffect = isBare(withoutPrefix(text)) || /\bwarning: /i.test(text);
  const reason = isEffect ? before.findLastIndex(isReason) : -1;
  const isNear = before.slice(reason).filter((line) => /\w/.test(line)).length <= AFTER_END;
  if (reason !== -1 && isNear) return fullest(lines, reason);
  const whole = before.findLastIndex((line) => line.includes(text) && isLoud(line));
  return whole === -1 || text.length < MIN_REPEATED ? at : whole;
}

/** Letters of a message that another line does not have by chance. */
const MIN_REPEATED = 20;

/** Returns the lines of a message that are indented below its first one, or numbered as `[1]: …`. */
function messageRest(lines: readonly string[], first: number): readonly string[] {
  const rest = lines.slice(first + 1, first + MAX_MESSAGE_LINES);
  const isRest = (line: string, at: number): boolean =>
    CONTINUES.test(line) || (lines[first + at]?.endsWith(',') ?? false);
  const end = rest.findIndex((line, at) => !isRest(line, at) || NOISE.test(line));
  return first === -1 ? [] : rest.slice(0, end === -1 ? undefined : end);
}

/** Finds an error that a runtime reports, or a line with the level of one, and not merely a last line or what the program does without. */
export function reportedError(output: readonly string[]): ProgramError | undefined {
  const lines = output.map(plainLine);
  if (hasGoneOn(lines)) return undefined;
  const line = lines.findLastIndex(isReported);
  const at = /^\s+at /.test(lines[line + 1] ?? '') ? stackPlace(lines.slice(line)) : undefined;
  const logged = { text: withoutPrefix(lines[line] ?? ''), at };
  return runtimeError(output) ?? (line === -1 ? undefined : logged);
}

/** Finds an error that a runtime reports, unless the program has gone on without what it lacked. */
export function fatalError(output: readonly string[]): ProgramError | undefined {
  return hasGoneOn(output.map(plainLine)) ? undefined : runtimeError(output);
}

/** Reports whether a program has said after an error, or before its traceback, that it does without what it lacked. */
function hasGoneOn(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== '');
  // A traceback of several errors has blank lines between them.
  const head = lines.findLast((line, at) => line && lines[at + 1]?.startsWith('Traceback'));
  return [last, head].some((line = '') => GOES_ON.test(line));
}

/** Finds the last error in the form of a known runtime. */
export function runtimeError(output: readonly string[]): ProgramError | undefined {
  const { line: _, ...error } = lastError(output.map(plainLine)) ?? { text: '' };
  return error.text === '' ? undefined : error;
}

function lastError(lines: readonly string[]): ReturnType<Reader> {
  const found = READERS.flatMap((reader) => reader(lines) ?? []);
  const last = Math.max(...found.map(({ line }) => line), -1);
  // Readers are ordered: the one that knows the runtime best comes first.
  const best = found.find(({ line }) => line >= last - NEAR);
  if (best === undefined) return undefined;
  // What is said of all errors of a start follows the last of them.
  const isLate = OF_SHUTDOWN.test(best.text);
  const before = isLate || isBare(best.text) ? lastError(lines.slice(0, best.line)) : undefined;
  const told = before && (isLate || before.line >= best.line - AFTER_END) ? before : best;
  return { ...told, text: told.text.trim(), line: best.line };
}

/** Lines within which two readers mean the same error. */
const NEAR = 30;
/** Lines that may follow such an end. */
const AFTER_END = 5;
const FATAL = /^(?:fatal|panic|critical|crit|emerg|alert|error|err|severe|[FE])$/i;
const LEVELS = ['level', 'severity', 'lvl', 'levelname', 'log.level', '@l', 'LogLevel', 's'];
const TEXTS = [
  ...['stack_trace', 'error.stack_trace', 'err', 'error', 'error.message', 'exception'],
  ...['exc_info', '@x', 'thrown', 'cause'],
];
const LINES = ['msg', 'message', '@m', '@mt', 'Message', 'event'];

/** Lines in which MongoDB says that it ends, after the error for which it does. */
const ABORTS = /^\W*(?:aborting after|fatal assertion|terminating)\b/i;

/** A log of JSON objects: bunyan and pino have numbers for levels, 50 for an error and 60 for the worst. */
const jsonLog: Reader = (lines) => {
  for (const minLevel of [WORST_LEVEL, 50]) {
    const line = lines.findLastIndex((each) => {
      const record = recordOf(each);
      if (record === undefined || ABORTS.test(String(record['msg']))) return false;
      if (OF_REQUEST.test(recordText(record))) return false;
      return worstLevel(record) >= minLevel;
    });
    const record = recordOf(lines[line] ?? '');
    if (record !== undefined) return { text: recordText(record), at: placeIn(record), line };
  }
  return undefined;
};

/** Returns the message of a line of JSON; another line as it is. */
export function messageOf(line: string): string {
  const record = recordOf(line);
  return (record && recordText(record)) || line;
}

function recordOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const record = line.startsWith('{') ? tryParseJson(line) : undefined;
  return isObject(record) ? record : undefined;
}

function recordText(record: Readonly<Record<string, unknown>>): string {
  const message = textOf(LINES.map((name) => record[name]));
  const { error: wrong, message: more } = isObject(record['attr']) ? record['attr'] : {};
  const error = textOf([...TEXTS.map((name) => record[name]), wrong, more]);
  if (error === '' || message.includes(error)) return message;
  return error.includes(message) ? error : `${message}: ${error}`;
}

/** A request that was answered with an error, by Caddy and pino-http: it says no more than the answer. */
const OF_REQUEST = /^handled request$|\bfailed with status code \d+$/;

/** Returns the program's place in the first stack of a record. */
function placeIn(value: unknown): string | undefined {
  if (isObject(value)) return Object.values(value).map(placeIn).find(Boolean);
  if (typeof value !== 'string' || !/\n\s+(?:at |File )/.test(value)) return undefined;
  const lines = value.split('\n');
  return lastError(lines)?.at ?? stackPlace(lines);
}

/** Lines of a message without a stack. */
const MAX_MESSAGE_LINES = 4;

/** The level of a line that says that the program cannot go on. */
const WORST_LEVEL = 60;

function worstLevel(record: Readonly<Record<string, unknown>>): number {
  return Math.max(...LEVELS.map((name) => levelOf(record[name])));
}

function levelOf(level: unknown): number {
  if (typeof level === 'number') return level;
  if (typeof level !== 'string' || !FATAL.test(level)) return 0;
  return /^(?:fatal|panic|critical|crit|emerg|alert|F)$/i.test(level) ? WORST_LEVEL : 50;
}

function textOf(values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value === 'string' && value !== '') {
      const lines = value.split('\n');
      const stack = lines.findIndex((line) => /^\s+(?:at|File) /.test(line));
      const head = lines.slice(0, stack === -1 ? MAX_MESSAGE_LINES : stack);
      // The line before a stack in Node is the error, which a logger may repeat before it.
      const error = stack > 0 && /^\w*Error: /.test(head.at(-1) ?? '') ? head.at(-1) : undefined;
      return lastError(lines)?.text ?? error ?? head.join(' ');
    }
    if (isObject(value)) {
      const inner = textOf([value['message'], value['msg'], value['error']]);
      if (inner !== '') return inner;
    }
  }
  return '';
}

/** The logs of zap for people (`FATAL`, the place, the message and fields, with tabs between) and of klog (`F1129 10:00:00.1 1 main.go:81] …`). */
const goLog: Reader = (lines) => {
  const line = lines.findLastIndex((each) => ZAP.test(each) || KLOG.test(each));
  const [, place = '', whole = '', fields = ''] =
    ZAP.exec(lines[line] ?? '') ?? KLOG.exec(lines[line] ?? '') ?? [];
  // client-go begins with the place that has called its logger.
  const message = whole.replace(/^\S+\.go:\d+: /, '');
  if (line === -1) return undefined;
  // A logger may have a name.
  if (/^(?:[\w./-]+ )?"(?:[^"\\]|\\.)*"(?:$|=| \S+=)/.test(message))
    return { text: pairsText(message), at: baseName(place), line };
  const record = tryParseJson(fields);
  const error = isObject(record) ? textOf(TEXTS.map((name) => record[name])) : '';
  const text = [message, error].filter((each) => each !== '').join(': ');
  return { text, at: place === '' ? undefined : baseName(place), line };
};

const ZAP =
  /^\S*\s*\b(?:ERROR|D?PANIC|FATAL)\t(?:(\S+\.go:\d+)\t)?(?:[\w./-]+\t)?([^\t{][^\t]*)(?:\t(\{.*\}))?$/;
const KLOG = /^[EF]\d{4} [\d:.]+ +\d+ (\S+\.go:\d+)\] (.*)$/;

const READERS: readonly Reader[] = [
  node,
  spring,
  gunicornTimeout,
  python,
  gunicorn,
  java,
  jvmCrash,
  go,
  rust,
  ruby,
  rubyTrace,
  perl,
  php,
  artisan,
  dotnet,
  dotnetLog,
  elixir,
  nginx,
  jsonLog,
  postgres,
  initdb,
  failedStart,
  redis,
  redisEnd,
  npmSystem,
  npm,
  logfmt,
  goLog,
  haproxy,
  native,
  bun,
  neverAwaited,
  rustMain,
  shell,
  curl,
  options,
];
