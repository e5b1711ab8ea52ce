import { isObject, tryParseJson } from '../api/index.js';

/** The error that ended a program, or a request to it, in its own words. */
export interface ProgramError {
  readonly text: string;
  /** `server.js:3` */
  readonly at?: string | undefined;
}

/** An error in the output, and the line at which it ends: the last one counts. */
interface Found extends ProgramError {
  readonly line: number;
}

type Reader = (lines: readonly string[]) => Found | undefined;

/** Finds the last fatal error in a program's output, which is often far above its last line. */
export function programError(output: readonly string[]): ProgramError | undefined {
  const lines = output.map(plainLine);
  const best = runtimeError(output);
  if (best !== undefined) return best;
  const loud = lines.findLast((line) => LOUD.test(line) && !NOISE.test(line));
  const text = loud ?? lines.findLast((line) => line.trim() !== '' && !NOISE.test(line));
  return text === undefined ? undefined : { text: withoutPrefix(text) };
}

/** Finds an error that a runtime reports, or a line with the level of one, and not merely a last line. */
export function reportedError(output: readonly string[]): ProgramError | undefined {
  const line = output.map(plainLine).findLast((each) => LEVEL.test(each) && !ACCESS.test(each));
  return runtimeError(output) ?? (line === undefined ? undefined : { text: withoutPrefix(line) });
}

/** Finds the last error in the form of a known runtime. */
export function runtimeError(output: readonly string[]): ProgramError | undefined {
  const lines = output.map(plainLine);
  const found = READERS.flatMap((reader) => reader(lines) ?? []);
  const last = Math.max(...found.map(({ line }) => line), -1);
  // Readers are ordered: the one that knows the runtime best comes first.
  const best = found.find(({ line }) => line >= last - NEAR);
  return best && { text: best.text.trim(), at: best.at };
}

const LEVEL = /\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b|\b\w*(?:Error|Exception): |^E[A-Z]{3,}: /;
/** The line of a request, which says no more than the answer. */
const ACCESS = /\b(?:GET|HEAD) \//;

/** Lines within which two readers mean the same error. */
const NEAR = 30;
const LOUD =
  /\b(?:error|fatal|panic|exception|failed|cannot|can't|unable|denied|not set|no such|not found|not permitted|missing|required|must be|invalid|expired)\b/i;
/** Lines that follow an error without a word about it. */
const NOISE =
  /^\s*(?:at |\d+: (?:0x|\/|\w+ \()|----- (?:Native|JavaScript) stack trace|File "|\.{3} \d+ more|note: run with|stack backtrace|exit status \d|Node\.js v\d|npm (?:err!|error|notice|warn) ?(?:code|errno|syscall|lifecycle|A complete log|\S*_logs|path|command|workspace|location|$)|\{"init terminating|goodbye|bye\b|shutting down|exiting\b|stopp(?:ed|ing)\b|\}|\]|\^|=+$|-+$)/i;

const COLORS = /\u001b\[[\d;]*m/g;

function plainLine(text: string): string {
  return text.replaceAll(COLORS, '').trimEnd();
}

/** Removes times, levels and process ids before the message: a server adds its own to those of the program. */
function withoutPrefix(line: string): string {
  return line.trim().replace(PREFIX, '');
}

/** `ERROR:    ` is a level, and `FATAL: ` may be a kind; Laravel writes `production.ERROR: `. */
const PREFIX =
  /^(?:(?:\[[^\]]*\d\d:\d\d[^\]]*\]|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*(?: UTC| [+-]\d{4})?|\[\d+\]|\w+\.(?:ERROR|CRITICAL|ALERT|EMERGENCY):|\[(?:error|fatal|critical|err|crit|emerg|ERROR|FATAL|CRITICAL)\]:?|(?!(?:ERROR|FATAL): \S)(?:ERROR|FATAL|CRITICAL|ERR|CRIT|EMERG):?)\s+)+/;

/** Prints the place, the line with a mark below it, the error, its stack and then `Node.js v20`. */
const node: Reader = (lines) => {
  const end = lines.findLastIndex((line) => /^Node\.js v\d/.test(line));
  if (end === -1) return undefined;
  const begin = blockBegin(lines, end);
  const block = lines.slice(Math.max(0, begin), end);
  const isError = (line: string): boolean =>
    /^(?:Uncaught )?\[?[\w.]*(?:Error|Exception)\b/.test(line) || /^Uncaught:?\b/.test(line);
  // Where the report lacks the place, the crash is the last error before the version.
  const text = begin === -1 ? block.findLast(isError) : block.find(isError);
  if (text === undefined) return undefined;
  const input = lastExec(block, /^\s*input: ('.*?'),?$/)?.[1];
  const places = block.flatMap((line) => {
    const [, path, row] = /((?:file:\/\/)?[^\s(:]*\/[^\s(:]+\.[cm]?[jt]sx?):(\d+)/.exec(line) ?? [];
    return path === undefined || path.includes('node_modules') ? [] : [`${baseName(path)}:${row}`];
  });
  return { text: input === undefined ? text : `${text}: ${input}`, at: places[0], line: end };
};

/** Returns the line at which a crash's report begins: the place in the source, on a line of its own before the stack. */
function blockBegin(lines: readonly string[], end: number): number {
  return lines
    .slice(0, end)
    .findLastIndex((line) => /^(?:node:|file:\/\/|\/|\[eval|[A-Za-z]:\\).*:\d+$/.test(line));
}

const bun: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^error: (?:Uncaught )?/.test(each));
  if (line === -1) return undefined;
  const [, at] =
    /at (?:\S+ \()?\S*?([\w.-]+\.[cm]?[jt]sx?:\d+)/.exec(lines.slice(line).join('\n')) ?? [];
  return at === undefined ? undefined : { text: lines[line] ?? '', at, line };
};

const go: Reader = (lines) => {
  const begin = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  if (begin === -1) return undefined;
  const rest = lines.slice(begin);
  const frames = rest.flatMap((line) => {
    const [, path, row] = /^\s+(\S+\.go):(\d+)/.exec(line) ?? [];
    const isLibrary = path === undefined || /\/(?:go|golang)[^/]*\/src\/|\/pkg\/mod\//.test(path);
    return isLibrary ? [] : [`${baseName(path)}:${row}`];
  });
  return { text: lines[begin] ?? '', at: frames[0], line: lines.length - 1 };
};

const python: Reader = (lines) => {
  const begin = lines.findLastIndex(
    (line) =>
      /(?:^|\s)Traceback \(most recent call last\)|^\s*File ".+", line \d+$/.test(line) &&
      !/^\s+File/.test(line),
  );
  const start =
    begin === -1 ? lines.findLastIndex((line) => /^ {2}File ".+", line \d+$/.test(line)) : begin;
  if (start === -1) return undefined;
  const after = lines.slice(start + (begin === -1 ? 0 : 1));
  const end = after.findIndex(
    (line, index) =>
      (index > 0 || begin !== -1) &&
      /^[\w.]+(?:Error|Exception|Exit|Interrupt|Warning|[A-Z]\w*)?(?::|$)/.test(line),
  );
  if (end === -1) return undefined;
  const ofProgram = after
    .slice(0, end)
    .filter(
      (line) => !/\/(?:lib\/python|site-packages|dist-packages)|"<(?:frozen|string)/.test(line),
    );
  const [, path, row] = lastExec(ofProgram, /^\s+File "(.+?)", line (\d+)/) ?? [];
  const at = path === undefined ? undefined : `${baseName(path)}:${row}`;
  return { text: after[end] ?? '', at, line: start + 1 + end };
};

/** Logs that a worker could not be started, after the error's own line or traceback. */
const gunicorn: Reader = (lines) => {
  const end = lines.findLastIndex((each) =>
    /\[ERROR\] Reason: (?:App failed to load|Worker failed to boot)/.test(each),
  );
  const ofGunicorn = /^\[[^\]]+\] \[\d+\] \[\w+\] /;
  const line = lines.slice(0, end).findLastIndex((each) => each !== '' && !ofGunicorn.test(each));
  return end === -1 || line === -1 ? undefined : { text: lines[line] ?? '', line: end };
};

const spring: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^APPLICATION FAILED TO START/.test(each));
  if (line === -1) return undefined;
  const rest = lines.slice(line);
  const at = rest.findIndex((each) => /^Description:/.test(each));
  const text = rest.slice(at + 1).find((each) => each.trim() !== '');
  return at === -1 || text === undefined ? undefined : { text, line: lines.length - 1 };
};

const java: Reader = (lines) => {
  const memory = lines.findLastIndex((each) => /\bjava\.lang\.OutOfMemoryError\b/.test(each));
  if (memory !== -1)
    return {
      text: /java\.lang\.OutOfMemoryError.*/.exec(lines[memory] ?? '')?.[0] ?? '',
      line: memory,
    };
  const cause = lines.findLastIndex((each) => /^\s*Caused by: /.test(each));
  const thrown = lines.findLastIndex((each) =>
    /^Exception in thread "[^"]*" |^(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b/.test(each),
  );
  const vm = lines.findLastIndex((each) =>
    /^Error: (?:Unable to|Could not|Invalid|LinkageError|A JNI)/.test(each),
  );
  if (cause > thrown)
    return {
      text: (lines[cause] ?? '').replace(/^\s*Caused by: /, ''),
      at: javaPlace(lines.slice(cause)),
      line: cause,
    };
  if (thrown !== -1)
    return {
      text: (lines[thrown] ?? '').replace(/^Exception in thread "[^"]*" /, ''),
      at: javaPlace(lines.slice(thrown)),
      line: thrown,
    };
  return vm === -1 ? undefined : { text: lines[vm] ?? '', line: vm };
};

/** Returns the first place of a stack that is no library's. */
function javaPlace(lines: readonly string[]): string | undefined {
  const library =
    /^\s*at (?:[\w.]+\/)?(?:java|javax|jdk|sun|org\.(?:springframework|apache|hibernate))\./;
  const ofProgram = lines.find((each) => /^\s*at /.test(each) && !library.test(each));
  return /\((\w+\.\w+:\d+)\)/.exec(ofProgram ?? '')?.[1];
}

const rust: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^\s*thread '.*' (?:\(\d+\) )?panicked at /.test(each),
  );
  if (line === -1) return undefined;
  const [, old, oldPlace] = /panicked at '(.*)', (\S+)$/.exec(lines[line] ?? '') ?? [];
  if (old !== undefined) return { text: `panic: ${old}`, at: oldPlace, line };
  const [, at = ''] = /panicked at (.*?):?$/.exec(lines[line] ?? '') ?? [];
  return { text: `panic: ${lines[line + 1] ?? ''}`, at, line: line + 1 };
};

/** `Error: Os { code: 2 … }`, as main prints what it returns. */
const rustMain: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^Error: (?:\w+ ?[({]|")/.test(each));
  return line === -1 ? undefined : { text: lines[line] ?? '', line };
};

const ruby: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^(?:\S+\.r[bu]|<[^>]+>|\S*\/(?:bin|exe)\/\S+):\d+:in .*: .+ \([\w:]+\)$|^\S+\.r[bu]:\d+: (?:.*syntax error|.+ \([\w:]+\))/.test(
      each,
    ),
  );
  if (line === -1) return undefined;
  const places = [lines[line] ?? '', ...lines.slice(line + 1)].flatMap((each) => {
    const [, path, row] = /^\s*(?:from )?(\S+\.r[bu]):(\d+):/.exec(each) ?? [];
    return path === undefined || /\/gems\/|\/ruby\/|<internal/.test(path)
      ? []
      : [`${baseName(path)}:${row}`];
  });
  const [, error = '', type = ''] =
    /:in [^:]*(?:'|`|>)?.*?: (.+) \(([\w:]+)\)$/.exec(lines[line] ?? '') ??
    /^\S+?:\d+: (.+?)(?: \(([\w:]+)\))?$/.exec(lines[line] ?? '') ??
    [];
  return { text: type === '' ? error : `${error} (${type})`, at: places[0], line };
};

const php: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /(?:^|[:\]] )(?:PHP )?(?:Fatal|Parse) error: /.test(each),
  );
  if (line === -1) return undefined;
  const [, text = '', path, row] =
    /(?:PHP )?((?:Fatal|Parse) error: .*?)(?: in (\S+?\.\w+)(?::| on line )(\d+))?$/.exec(
      lines[line] ?? '',
    ) ?? [];
  const at = path === undefined ? undefined : `${baseName(path)}:${row}`;
  return { text: text.replace(/: +/, ': ').replace('Uncaught ', ''), at, line };
};

const dotnet: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^\s*Unhandled exception\. /i.test(each));
  if (line === -1) return undefined;
  const rest = lines.slice(line);
  const [, path, row] =
    rest.map((each) => / in (\S+\.(?:cs|fs|vb)):line (\d+)/.exec(each)).find(Boolean) ?? [];
  const inner = rest.findLast((each) => /^\s*---> /.test(each));
  const text = (inner ?? rest[0] ?? '').replace(
    /^\s*(?:Unhandled exception\. |---> (?:\(Inner Exception #\d+\) )?)/i,
    '',
  );
  return {
    text,
    at: path === undefined ? undefined : `${baseName(path.replaceAll('\\', '/'))}:${row}`,
    line,
  };
};

const elixir: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^\s*\*\* \((?!EXIT\b)[\w.]+\)|^\s*\*\* \(EXIT\) an exception was raised/.test(each),
  );
  const runtime = lines.findLastIndex((each) =>
    /Runtime terminating during boot|Kernel pid terminated/.test(each),
  );
  if (line === -1)
    return runtime === -1 ? undefined : { text: lines[runtime] ?? '', line: runtime };
  const text = (lines[line] ?? '').trim().replace(/^\*\* /, '');
  const at = /((?:lib|config|priv|test)\/\S+\.exs?:\d+)/.exec(lines.slice(line).join('\n'))?.[1];
  return { text, at: at && baseName(at), line };
};

const nginx: Reader = (lines) => {
  const line = lines.findLastIndex((each) => NGINX.test(each));
  if (line === -1) return undefined;
  const [, begin = ''] = NGINX.exec(lines[line] ?? '') ?? [];
  // It quotes what a client sent as it came, with ends of lines.
  const rest = lines.slice(line + 1).find((each) => each.startsWith('" '));
  const message = (begin.split('"').length - 1) % 2 === 1 ? `${begin}${rest ?? ''}` : begin;
  // The rest of the line describes the request, and may name the server behind the proxy.
  const [text = ''] = message.split(/,? (?:while reading client request|client: )/);
  const upstream = /, upstream: "([^"]+)"/.exec(message)?.[1];
  if (upstream !== undefined) return { text: `${upstream}: ${text}`, line };
  const [, before = text, path, row] = /^(.*) in (\S+):(\d+)$/.exec(text) ?? [];
  return { text: before, at: path === undefined ? undefined : `${baseName(path)}:${row}`, line };
};

const NGINX =
  /^(?:nginx: |\d{4}\/\d\d\/\d\d .*)\[(?:emerg|crit|alert|error)\](?: \d+#\d+:)?(?: \*\d+)? (.*)$/;

const postgres: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /\b(?:FATAL|PANIC): {2}/.test(each));
  if (line === -1) return undefined;
  const [text = ''] = /(?:FATAL|PANIC): {2}.*/.exec(lines[line] ?? '') ?? [];
  const detail = /\bDETAIL: {2}(.*)/.exec(lines[line + 1] ?? '')?.[1];
  return { text: [text.replace(/: +/, ': '), detail].filter(Boolean).join(': '), line };
};

const npm: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^npm (?:ERR!|error) (?:Missing script|enoent |Could not read package)/i.test(each),
  );
  return line === -1
    ? undefined
    : { text: (lines[line] ?? '').replace(/^npm (?:ERR!|error) /i, ''), line };
};

const shell: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^(?:\S*(?:sh|bash|dash|ash)|\S+\.sh): (?:(?:line )?\d+: )?(?:.*: (?:not found|command not found|Permission denied|No such file or directory|unbound variable|parameter (?:not set|null or not set)|[^:]*syntax error.*))|^\S*sh: (?:line )?\d+: [\w]+: \S/.test(
      each,
    ),
  );
  return line === -1 ? undefined : { text: lines[line] ?? '', line };
};

const FATAL = /^(?:fatal|panic|critical|crit|emerg|alert|error|err|severe)$/i;
const LEVELS = ['level', 'severity', 'lvl', 'levelname', 'log.level', '@l', 'LogLevel'];
const TEXTS = ['err', 'error', 'exception', 'exc_info', '@x', 'cause'];
const LINES = ['msg', 'message', '@m', '@mt', 'Message', 'event'];

/** A log of JSON objects: bunyan and pino have numbers for levels, 50 for an error and 60 for the worst. */
const jsonLog: Reader = (lines) => {
  for (const least of [60, 50]) {
    const line = lines.findLastIndex((each) => {
      const record = each.startsWith('{') ? tryParseJson(each) : undefined;
      if (!isObject(record)) return false;
      return LEVELS.some((name) => levelOf(record[name]) >= least);
    });
    if (line === -1) continue;
    const record = tryParseJson(lines[line] ?? '') as Readonly<Record<string, unknown>>;
    const message = textOf(LINES.map((name) => record[name]));
    const error = textOf(TEXTS.map((name) => record[name]));
    return {
      text:
        error === '' || message.includes(error)
          ? message
          : message === ''
            ? error
            : `${message}: ${error}`,
      line,
    };
  }
  return undefined;
};

/** Lines of a message without a stack. */
const MAX_MESSAGE_LINES = 4;

function levelOf(level: unknown): number {
  if (typeof level === 'number') return level;
  if (typeof level !== 'string' || !FATAL.test(level)) return 0;
  return /^(?:fatal|panic|critical|crit|emerg|alert)$/i.test(level) ? 60 : 50;
}

function textOf(values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value === 'string' && value !== '') {
      const lines = value.split('\n');
      const stack = lines.findIndex((line) => /^\s+(?:at|File) /.test(line));
      return (
        runtimeError(lines)?.text ??
        lines.slice(0, stack === -1 ? MAX_MESSAGE_LINES : stack).join(' ')
      );
    }
    if (isObject(value)) {
      const inner = textOf([value['message'], value['msg'], value['error']]);
      if (inner !== '') return inner;
    }
  }
  return '';
}

/** The console log of .NET: a level with a category, the message in the next line, and an exception after it. */
const dotnetLog: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^(?:fail|crit): [\w.]+\[\d+\]$/.test(each));
  const [message = '', thrown = ''] = lines.slice(line + 1).map((each) => each.trim());
  if (line === -1 || message === '') return undefined;
  const [, error] = /^[\w.]+Exception(?: \(\w+\))?: (.+)/.exec(thrown) ?? [];
  return { text: error === undefined || message.includes(error) ? message : thrown, line };
};

/** `2026/11/23 10:00:00 listen tcp :80: bind: permission denied`, and `level=fatal msg="…"`. */
const logfmt: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /\b(?:level|lvl|severity)=(?:fatal|panic|critical|error|err)\b/i.test(each),
  );
  if (line === -1) return undefined;
  const field = (name: string): string =>
    new RegExp(`\\b${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|(\\S+))`)
      .exec(lines[line] ?? '')
      ?.slice(1)
      .find(Boolean) ?? '';
  const [message, error] = [field('msg') || field('message'), field('err') || field('error')];
  return { text: [message, error].filter((text) => text !== '').join(': '), line };
};

const READERS: readonly Reader[] = [
  node,
  spring,
  python,
  gunicorn,
  java,
  go,
  rust,
  ruby,
  php,
  dotnet,
  dotnetLog,
  elixir,
  nginx,
  jsonLog,
  postgres,
  npm,
  logfmt,
  bun,
  rustMain,
  shell,
];

/** Finds the complaint about a port that another process listens on. */
export function takenPort(
  output: readonly string[],
): { readonly text: string; readonly port?: number | undefined } | undefined {
  const line = output.findLast((one) => TAKEN.test(one));
  if (line === undefined) return undefined;
  const port =
    /[:\s](\d{2,5})\b(?!.*:\d)/.exec(
      line.replace(/^.*?(?=address|EADDRINUSE|bind|listen)/i, ' '),
    )?.[1] ?? /:(\d{2,5})\b(?!.*:\d)/.exec(line)?.[1];
  const text = plainLine(line)
    .trim()
    .replace(/^.*?(?=\b(?:\w*Error|listen)\b)/, '');
  return { text, port: port === undefined ? undefined : Number(port) };
}

const TAKEN = /address already in use|\bEADDRINUSE: |port \d+ (?:was|is) already in use/i;

function lastExec(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((one) => pattern.test(one));
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined);
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
