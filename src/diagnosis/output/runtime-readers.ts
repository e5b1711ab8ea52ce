/** The error that ended a program, or a request to it, in its own words. */
export interface ProgramError {
  readonly text: string;
  /** `server.js:3` */
  readonly at?: string | undefined;
  /** The place is in a file that configures the program. */
  readonly isConfig?: true | undefined;
  /** It is only the last line, which has no word about an error. */
  readonly isLast?: true | undefined;
  /** The error is about settings that are read from env. */
  readonly isEnv?: true | undefined;
}

/** Finds an error in the form of a runtime, with the line at which it ends: the last one counts. */
export type Reader = (
  lines: readonly string[],
) => (ProgramError & { readonly line: number }) | undefined;

/** Prints the place, the line with a mark below it, the error, its stack and then `Node.js v20`. */
export const node: Reader = (lines) => {
  const end = lines.findLastIndex((line) => /^Node\.js v\d/.test(line));
  if (end === -1) return undefined;
  const begin = blockBegin(lines, end);
  const block = lines.slice(Math.max(0, begin), end);
  const isError = (line: string): boolean =>
    /^(?:Uncaught )?\[?[\w.]*(?:Error|Exception)\b/.test(line) || /^Uncaught:?\b/.test(line);
  // Where the report lacks the place, the crash is the last error before the version.
  const text = begin === -1 ? block.findLast(isError) : block.find(isError);
  if (text === undefined) return undefined;
  const inner = lastExec(
    block,
    /^\s*(?:(?:input: |\w+: (?='.*\\r'))('.*?'),?|\[cause\]: (.*\w).*)$/,
  );
  const reason = inner?.[1] ?? inner?.[2];
  const places = block.flatMap((line) => {
    const [, path, row] = /((?:file:\/\/)?[^\s(:]*\/[^\s(:]+\.[cm]?[jt]sx?):(\d+)/.exec(line) ?? [];
    return path === undefined || path.includes('node_modules') ? [] : [`${baseName(path)}:${row}`];
  });
  return { text: reason === undefined ? text : `${text}: ${reason}`, at: places[0], line: end };
};

/** Returns the line at which a crash's report begins: the place in the source, on a line of its own before the stack. */
function blockBegin(lines: readonly string[], end: number): number {
  return lines
    .slice(0, end)
    .findLastIndex((line) => /^(?:node:|file:\/\/|\/|\[eval|[A-Za-z]:\\).*:\d+$/.test(line));
}

export const bun: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^error: (?:Uncaught )?/.test(each));
  if (line === -1) return undefined;
  const [, at] =
    /at (?:\S+ \()?(?!ext:)\S*?([\w.-]+\.[cm]?[jt]sx?:\d+)/.exec(lines.slice(line).join('\n')) ??
    [];
  return at === undefined ? undefined : { text: lines[line] ?? '', at, line };
};

export const go: Reader = (lines) => {
  const fatal = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  // The server of net/http goes on after it.
  const begin = fatal === -1 ? lines.findLastIndex((line) => SERVING.test(line)) : fatal;
  if (begin === -1) return undefined;
  const rest = lines.slice(begin);
  const frames = rest.flatMap((line) => {
    const [, path, row] = /^\s+(\S+\.go):(\d+)/.exec(line) ?? [];
    const isLibrary = path === undefined || /\/(?:go|golang)[^/]*\/src\/|\/pkg\/mod\//.test(path);
    return isLibrary ? [] : [`${baseName(path)}:${row}`];
  });
  const [head = ''] = rest;
  // A head that ends in a colon is followed by what is wrong.
  const list = head.endsWith(':') ? rest.slice(1, Math.max(1, rest.indexOf(''))) : [];
  const [, logged] = /\blevel=err.* err="(.+)"$/.exec(lines[begin - 1] ?? '') ?? [];
  const reason = logged === undefined ? '' : `: ${logged}`;
  const text = [head.replace(SERVING, 'panic: ') + reason, ...list.map((each) => each.trim())];
  return { text: text.join(' '), at: frames[0], line: fatal === -1 ? begin : lines.length - 1 };
};

const SERVING = /^.*\bhttp2?: panic serving \S+: /;

/** Lines of a traceback that its innermost call takes: the place, its source, and marks below that. */
const CALL_LINES = 3;

export const python: Reader = (output) => {
  // A group of exceptions has the traceback of each behind bars.
  const lines = output.map((each) => each.replace(/^(?: *\|)+ /, ''));
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
      (line) => !/\/(?:bin\/[\w-]+"|lib\/python|site-packages|dist-packages)|"<|\.pyx"/.test(line),
    );
  const [, path, row] = lastExec(ofProgram, /^\s+File "(.+?)", line (\d+)/) ?? [];
  const at = path === undefined ? undefined : `${baseName(path)}:${row}`;
  const text = after[end] ?? '';
  // An error of a file names it; that of a socket does not say what was tried.
  const trace = after.slice(Math.max(0, end - CALL_LINES), end).join('\n');
  const [call] = /\[Errno (?:13|99)\][^:]*$/.test(text) ? (/bind|connect/.exec(trace) ?? []) : [];
  // A list of what is invalid follows its head: a name, and what is wrong with it.
  const [name = '', wrong = ''] = /\b\d+ validation errors?(?: for |:$)/.test(text)
    ? after.slice(end + 1)
    : [];
  const isNamed = /^\S/.test(name) && /^ +\S/.test(wrong);
  const item = isNamed ? `${name}: ${wrong.trim().replace(/ \[type=.*/, '')}` : validated(name);
  const list = item === '' ? '' : `${text.endsWith(':') ? '' : ':'} ${item}`;
  const isEnv = list !== '' && after.slice(0, end).some((line) => PYDANTIC_SETTINGS.test(line));
  // An error in YAML names the file below.
  const [, file = ''] = lastExec(after.slice(end + 1), /^ +(in ".+?", line \d+)/) ?? [];
  return {
    text: `${call === undefined ? '' : `${call}: `}${text}${list} ${file}`,
    at,
    ...(isEnv && { isEnv }),
    line: start + 1 + end,
  };
};

/** Returns what FastAPI says of a value that does not fit, which it prints as a dict: its place, and what is wrong. */
function validated(dict: string): string {
  const [, place = '', wrong] = /'loc': \(([^)]*)\), 'msg': '([^']*)'/.exec(dict) ?? [];
  return wrong === undefined ? '' : `${place.replaceAll(/[',]+/g, '')}: ${wrong}`;
}

/** A frame of the class whose fields are variables of env. */
const PYDANTIC_SETTINGS = /^ +File ".*(?:pydantic_settings|env_settings)/;

/** Ends each error with its place; a module that is missing is followed by what fails with it. */
export const perl: Reader = (lines) => {
  // What follows a syntax error is its effect.
  const syntax = lines.findIndex((each) => /^syntax error at \S+ line \d+, near /.test(each));
  const last = lines.findLastIndex(
    (each) => PERL.test(each) && !/^(?:BEGIN|Compilation) failed/.test(each),
  );
  const line = syntax === -1 ? last : syntax;
  const [, text = '', path = '', row] = PERL.exec(lines[line] ?? '') ?? [];
  return line === -1 ? undefined : { text, at: `${baseName(path)}:${row}`, line };
};

const PERL =
  /^(.+?)(?: \((?:you may need|@INC).*)? at (\S+\.(?:p[lm]|psgi)) line (\d+)(?:\.|, near .*)$/;

/** Names an option that it does not know, before or after how it is to be called. */
export const options: Reader = (lines) => {
  const line = lines.findLastIndex((each) => BAD_OPTION.test(each));
  const rest = lines.slice(line + 1).join('\n');
  // clap lists what is missing.
  const [missing = ''] = /^(?: {2}-.*\n?)*/.exec(rest) ?? [];
  const hint = /^(?:BusyBox .*)?\s*(?:$|(?:usage|options|flags)\b|.*--help\b|[^]*\s-help\b.*\s*$)/i;
  const isLast = hint.test(rest.slice(missing.length));
  const text = `${lines[line]} ${missing}`.replaceAll(/\s+/g, ' ').trim();
  return line === -1 || !isLast ? undefined : { text, line };
};

/** Complaints about a command line: of Go, getopt, Python, Rust, Java and their libraries. */
export const BAD_OPTION =
  /\bunknown command "\S+" for "|\bflag (?:provided but not defined|needs an argument): -|\bfor flag "?[-\w]|\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|bad|no such|missing) (?:shorthand )?(?:option|flag|argument)s?(?::? ['"‘`]|: )-(?=[-a-z])|\b(?:invalid|illegal|unknown) option -- |\bunknown shorthand flag: |\boption requires an argument\b|\barguments are required: |\berror: argument -|\brequired arguments were not provided:|\b(?:a value is required|invalid value '.*') for '-|\bInvalid (?:initial|maximum|thread) \w+ size: -|^Unrecognized VM option '|^Could not reserve enough space for .*heap|^Initial heap size set to a larger|^Conflicting collector combinations/i;

export const rust: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^\s*thread '.*' (?:\(\d+\) )?panicked at /.test(each),
  );
  if (line === -1) return undefined;
  const [, old, oldPlace] = /panicked at '(.*)'[,:] (\S+)$/.exec(lines[line] ?? '') ?? [];
  if (old !== undefined) return { text: `panic: ${old}`, at: oldPlace, line };
  const [, place = ''] = /panicked at (.*?):?$/.exec(lines[line] ?? '') ?? [];
  const at = /^\/rustc\/|\/\.?cargo\/(?:git|registry)\//.test(place) ? undefined : place;
  return { text: `panic: ${lines[line + 1] ?? ''}`, at, line: line + 1 };
};

/** `Error: Os { code: 2 … }`, as main prints what it returns; anyhow and eyre list the causes, the innermost last. */
export const rustMain: Reader = (lines) => {
  const list = lines.findLastIndex((each) => /^(?:Caused by|Error):$/.test(each.trim()));
  const end = lines.findIndex((each, at) => at > list && !/^\s+(?!at )\S/.test(each));
  const causes = lines.slice(list + 1, end === -1 ? undefined : end);
  if (list !== -1 && causes.length > 0) {
    const head = lines[list] === 'Caused by:' ? lines.slice(0, list).filter(Boolean).slice(-1) : [];
    const [, at] = /^Location:\s*(\S+\.rs:\d+)/m.exec(lines.slice(list).join('\n')) ?? [];
    // What the system says is nothing without what was tried.
    const last = [...head, ...causes]
      .slice(-2)
      .map((each) => each.replace(/^\s*(?:\d+: |Error: )?/, ''));
    return { text: last.join(': '), at, line: list + causes.length };
  }
  const line = lines.findLastIndex((each) => /^Error: (?:\w+ ?[({]|")/.test(each));
  return line === -1 ? undefined : { text: lines[line] ?? '', line };
};

/** Reads the message of the C library, C++ or a sanitizer before an abort. */
export const native: Reader = (lines) => {
  const line = lines.findLastIndex((each) => ABORTED.test(each));
  if (line === -1) return undefined;
  const [whole = '', next = ''] = lines.slice(line);
  const [, path = '', row, failed] = /(\S+?):(\d+): .*?(Assertion .* failed)/.exec(whole) ?? [];
  if (failed !== undefined) return { text: failed, at: `${baseName(path)}:${row}`, line };
  const text = whole.replace(/^==\d+==\s*ERROR: |^\*\*\* | \*\*\*.*$/g, '');
  return { text: text + next.replace(/^(?: +what\(\)(: .*))?.*/, '$1').replace(/: +/, ': '), line };
};

const ABORTED =
  /: Assertion [`'"].* failed\.$|^(?:free|malloc|realloc|munmap_chunk)\(\): |^(?:corrupted |double free)|^\*\*\* (?:buffer overflow|stack smashing) detected|^fatal runtime error: |^terminate called |^ *Error loading shared library |^==\d+==\s*ERROR: \w+Sanitizer/;

export const ruby: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^(?:\S+\.r[bu]|<[^>]+>|\S*\/(?:bin|exe)\/\S+):\d+:in .*: .+ \([\w:]+\)$|^\S+\.r[bu]:\d+: (?:.*syntax error|.+ \([\w:]+\))/.test(
      each,
    ),
  );
  if (line === -1) return undefined;
  const [, error = '', type = ''] =
    /:in [^:]*(?:'|`|>)?.*?: (.+) \(([\w:]+)\)$/.exec(lines[line] ?? '') ??
    /^\S+?:\d+: (.+?)(?: \(([\w:]+)\))?$/.exec(lines[line] ?? '') ??
    [];
  const text = type === '' ? error : `${error} (${type})`;
  return { text, at: rubyPlace(lines.slice(line)), line };
};

/** Returns the first place in the program, and not in a library. */
function rubyPlace(lines: readonly string[]): string | undefined {
  for (const each of lines) {
    const [, path, row] = /^\s*(?:from )?(\S+\.r[bu]):(\d+):/.exec(each) ?? [];
    const isOfLibrary = path === undefined || /\/gems\/|\/ruby\/|<internal/.test(path);
    if (!isOfLibrary) return `${baseName(path)}:${row}`;
  }
  return undefined;
}

/** Many programs of Ruby print an error, and then its places without a word. */
export const rubyTrace: Reader = (lines) => {
  const isPlace = (each: string): boolean => /^\S+\.r[bu]:\d+:in ['`][^:]*$/.test(each);
  const first = lines.findLastIndex((each, at) => isPlace(each) && !isPlace(lines[at - 1] ?? ''));
  const line = lines.slice(0, Math.max(first, 0)).findLastIndex((each) => /^\S/.test(each));
  if (line === -1) return undefined;
  const text = lines.slice(line, first).map((each) => each.trim());
  return { text: text.join(' '), at: rubyPlace(lines.slice(first)), line };
};

export const php: Reader = (lines) => {
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

export const elixir: Reader = (lines) => {
  const line = lines.findLastIndex((each) =>
    /^\s*\*\* \((?!EXIT\b)[\w.]+\)|^\s*\*\* \(EXIT\) an exception was raised/.test(each),
  );
  const runtime = lines.findLastIndex((each) =>
    /Runtime terminating during boot|Kernel pid terminated/.test(each),
  );
  // The term that names a child cuts its reason short in the last line.
  const [, reason = lines[runtime] ?? ''] =
    lastExec(lines, /failed_to_start_child,\w+,\s*\{\\?"([^"\\]+)\\?"/) ?? [];
  const [, module, name] =
    /\{undef,\[\{'?(?:Elixir\.)?([\w.]+)'?,'?(\w+)/.exec(lines[runtime] ?? '') ?? [];
  const told = module === undefined ? reason : `undef: ${module}.${name}`;
  if (line === -1) return runtime === -1 ? undefined : { text: told, line: runtime };
  const text = (lines[line] ?? '').trim().replace(/^\*\* /, '');
  // A place in an application that is not the one that ended is a library's.
  const app = /Application (\w+) exited/.exec(lines.join('\n'))?.[1];
  const ofProgram = lines
    .slice(line)
    .filter((each) => !/^\s*\(\w+ [\d.]+/.test(each) || each.trim().startsWith(`(${app} `));
  const at = /((?:lib|config|priv|test)\/\S+\.exs?:\d+)/.exec(ofProgram.join('\n'))?.[1];
  return { text, at: at && baseName(at), line };
};

export function lastExec(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((each) => pattern.test(each));
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined);
}

export function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
