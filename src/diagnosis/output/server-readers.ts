import { isLoud } from './lines.js';
import { baseName, lastExec, python, type Reader } from './runtime-readers.js';

const COLORS = /\u001b\[[\d;]*m/g;

/** Returns a line without colors. */
export function plainLine(text: string): string {
  return text.replaceAll(COLORS, '').trimEnd();
}

/** Reads the last line that matches: its first group, or all of it. */
export function lastLineOf(pattern: RegExp): Reader {
  return (lines) => {
    const line = lines.findLastIndex((each) => pattern.test(each));
    const [, text = lines[line] ?? ''] = pattern.exec(lines[line] ?? '') ?? [];
    return line === -1 ? undefined : { text, line };
  };
}

/** Ends a worker that is busy for too long, with a traceback of what it does. */
export const gunicornTimeout: Reader = (lines) => {
  const begin = lines.findLastIndex((each) => /\[CRITICAL\] WORKER TIMEOUT/.test(each));
  const thrown = begin === -1 ? undefined : python(lines.slice(begin));
  if (thrown === undefined || !thrown.text.startsWith('SystemExit')) return undefined;
  return { text: "WORKER TIMEOUT, gunicorn's --timeout", at: thrown.at, line: begin + thrown.line };
};

/** Logs that a worker could not be started, after the error's own line or traceback. */
export const gunicorn: Reader = (lines) => {
  const end = lines.findLastIndex((each) =>
    /\[ERROR\] Reason: (?:App failed to load|Worker failed to boot)/.test(each),
  );
  const ofGunicorn = /^\[[^\]]+\] \[\d+\] \[\w+\] /;
  const line = lines.slice(0, end).findLastIndex((each) => each !== '' && !ofGunicorn.test(each));
  return end === -1 || line === -1 ? undefined : { text: lines[line] ?? '', line: end };
};

export const spring: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^APPLICATION FAILED TO START/.test(each));
  if (line === -1) return undefined;
  const rest = lines.slice(line);
  const at = rest.findIndex((each) => /^Description:/.test(each));
  const text = rest.slice(at + 1).find((each) => each.trim() !== '');
  return at === -1 || text === undefined ? undefined : { text, line: lines.length - 1 };
};

export const nginx: Reader = (lines) => {
  const line = lines.findLastIndex((each) => NGINX.test(each));
  if (line === -1) return undefined;
  const [, begin = ''] = NGINX.exec(lines[line] ?? '') ?? [];
  // nginx quotes what a client has sent as it is, with its line breaks.
  const rest = lines.slice(line + 1).find((each) => each.startsWith('" '));
  const message = (begin.split('"').length - 1) % 2 === 1 ? `${begin}${rest ?? ''}` : begin;
  // The rest of the line describes the request, and may name the server behind the proxy.
  const [text = ''] = message.split(/,? (?:while reading client request|client: )/);
  const upstream = /, upstream: "([^"]+)"/.exec(message)?.[1];
  if (upstream !== undefined) return { text: `${upstream}: ${text}`, line };
  const [, before = text, path, row] = /^(.*) in (\S+):(\d+)$/.exec(text) ?? [];
  return { text: before, ...(path && { at: `${baseName(path)}:${row}`, isConfig: true }), line };
};

const NGINX =
  /^(?:nginx: |\d{4}\/\d\d\/\d\d .*)\[(?:emerg|crit|alert|error)\](?: \d+#\d+:)?(?: \*\d+)? (.*)$/;

export const postgres: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /\b(?:FATAL|PANIC): {2}/.test(each));
  if (line === -1) return undefined;
  const [text = ''] = /(?:FATAL|PANIC): {2}.*/.exec(lines[line] ?? '') ?? [];
  const [, wrong] = /\bLOG: {2}(.*)/.exec(lines[line - 1] ?? '') ?? [];
  if (wrong !== undefined && text.endsWith(' contains errors')) return { text: wrong, line };
  const detail = /\bDETAIL: {2}(.*)/.exec(lines[line + 1] ?? '')?.[1];
  return { text: [text.replace(/: +/, ': '), detail].filter(Boolean).join(': '), line };
};

/** The errors of MySQL, MariaDB and php-fpm that follow the first one of a start are its effects; notes stand between them. */
export const failedStart: Reader = (lines) => {
  const line = lines.findLastIndex((each) => STARTS.test(each));
  if (line === -1 || !START_ENDS.test(lines[line] ?? '')) return undefined;
  const before = lines
    .slice(0, line)
    .findLastIndex((each) => !STARTS.test(each) && !NOTE.test(each));
  const first = lines.slice(before + 1).find((each) => STARTS.test(each)) ?? '';
  return { text: STARTS.exec(first)?.[1] ?? '', line };
};

const START_ENDS = /\b(?:aborting|initialization failed)$/i;
const STARTS =
  /^(?:\d{4}-\d\d-\d\d[T ][\d:.]+Z? +\d+ \[ERROR\] (?:\[MY-\d+\] \[\w+\] )?|\[\d\d-[^\]]+\] ERROR: )(.*)$/;
const NOTE = /^\d{4}-\d\d-\d\d[T ][\d:.]+Z? +\d+ \[Note\](?!.* ready for connections)/;

/** Says in further lines what a folder that is not empty has. */
export const initdb = lastLineOf(/^initdb: .*\bnot empty$/);

/** Prints a head without the error, the number of the line, the line itself, and then what is wrong with it. */
export const redis: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /FATAL CONFIG FILE ERROR/.test(each));
  const [, place = '', directive = '', text] = lines.slice(line);
  if (line === -1 || text === undefined) return undefined;
  const [row] = /line \d+/.exec(place) ?? [];
  const at = row && `${row} of the configuration file`;
  const error = `${text}: ${directive.replace(/^>>> /, '')}`;
  return { text: error, at, isConfig: true, line: line + 3 };
};

/** Names the address that it could not listen on, or what is wrong with its data, and then less in its last line. */
export const redisEnd: Reader = (lines) => {
  const last = / # (?:Failed listening on port \d+|Fatal error loading the DB)/;
  const line = lines.findLastIndex((each) => last.test(each));
  const pattern =
    /Could not create server TCP listening socket .*|(?<= # ).*\b(?:RDB|DB from file|loading DB)\b.*/;
  const [text] = lastExec(lines.slice(0, Math.max(0, line)), pattern) ?? [];
  return text === undefined ? undefined : { text, line };
};

/** Names what is wrong with its configuration, and then says that something is. */
export const haproxy: Reader = (lines) => {
  const line = lines.findLastIndex((each) => HAPROXY.test(each));
  const [, path = '', row, text = ''] = HAPROXY.exec(lines[line] ?? '') ?? [];
  if (line === -1) return undefined;
  return { text, ...(path && { at: `${baseName(path)}:${row}`, isConfig: true }), line };
};

const HAPROXY =
  /^\[ALERT\].*?\(\d+\) : (?!config : (?:Fatal errors|Error\(s\)|Failed to initialize))(?:config : )?(?:(?:parsing )?\[(\S+):(\d+)\] : )?(.+)$/;

/** Prints the type of an exception, its message and its place, with blank lines between them, and then the source. */
export const artisan: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^\s+[\w\\]+(?:Error|Exception)$/.test(each));
  const [text, place = ''] = lines.slice(line + 1).filter((each) => each.trim() !== '');
  const [, path = '', row] = /^\s+at (\S+\.php):(\d+)/.exec(place) ?? [];
  if (line === -1 || text === undefined || row === undefined) return undefined;
  const at = path.includes('vendor/') ? undefined : `${baseName(path)}:${row}`;
  return { text, at, line };
};

/** `level=fatal msg="…" err="…"` */
export const logfmt: Reader = (lines) => {
  const ofErrors = lines.findLastIndex((each) => LOGFMT.test(each));
  // A program may log at that level what it does then.
  const told = lines.findLastIndex((each) => LOGFMT.test(each) && isLoud(pairsText(each)));
  const line = told === -1 ? ofErrors : told;
  const { [line]: whole } = lines;
  if (whole === undefined) return undefined;
  const [, file] = CONFIG_FILE.exec(whole) ?? [];
  const at = file && ({ at: baseName(file), isConfig: true } as const);
  return { text: pairsText(whole) || whole, ...at, line };
};

const LOGFMT =
  /\b(?:level|lvl|severity)="?(?:fatal|d?panic|crit(?:ical)?|emerg|alert|severe|eror|err(?:or)?)\b/i;

/** The field of a message about a configuration that names its file. */
const CONFIG_FILE =
  /^(?=.*\b(?:load|pars|read)\w* .*config).*\b(?:config|file|filename|path)="?([\w./-]+\.(?:cfg|conf|hcl|ini|json|toml|ya?ml))\b/i;

/** Returns the message of a line of `key=value` pairs with its error; one that names nothing with its other fields, too. klog begins with the message. */
export function pairsText(line: string): string {
  const fields = Array.from(line.matchAll(PAIR), ([, name = '', quoted, bare = '']) => {
    return [name, quoted?.replaceAll(String.raw`\"`, '"') ?? bare.trim()] as const;
  });
  const field = (...names: readonly string[]): string =>
    names.map((each) => fields.find(([name]) => name === each)?.[1]).find(Boolean) ?? '';
  const [, head] = /^"((?:[^"\\]|\\.)*)"(?= |$)/.exec(line) ?? [];
  const message = head ?? field('msg', 'message', 'event');
  // A value like `main.go:7` is a place in the source.
  const others = fields.filter(([name, value]) => !OF_LOG.test(name) && !/\.\w+:\d+$/.test(value));
  const more = NAMES.test(message.replace(/\.$/, '')) ? [] : others.map((each) => each.join('='));
  const error = field('err', 'error') || more.join(' ');
  return [error === '' ? message : message.replace(/\.+$/, ''), error].filter(Boolean).join(': ');
}

/** A value without quotes may have blanks. */
const PAIR = /(?:^|\s)"?([\w.[\]-]+)"?=(?:"((?:[^"\\]|\\.)*)"|((?:(?!\s"?[\w.[\]-]+"?=).)*))/g;
/** Fields of a log itself. */
const OF_LOG =
  /^(?:app|audience|caller|component|event|func|goroutine|host|level|log|logger|lvl|message|module|msg|pid|service\S*|severity|source|subsys|system|t|thread|time|ts|version)$/i;

/** Says that something has failed, and neither what nor why. */
const BARE =
  /^(?:\[\w+\] )?(?:failed (?:running|to (?:boot|launch|run|start))(?: \S+)?|(?:\w+ )?(?:["'[].*["'\]]|action|boot|(?:\w+ )?checks?|command|initiali[sz]ation|migration|process|start|startup) failed|error executing command: .*|\w+ failed to connect(?:, exiting)?|.*\bstill could not bind\(|.*\bfailed to wait for \S+ caches to sync\b.*|(?:error|failed) initiali[sz]ing \w+: \w+|loading config\w*: [a-z ]+|(?:see|visit)\b.*https?:\/\/\S+|\w+ compilation failed|running \S+ failed, exit(?:ed)?.*|(?:\S+: )?(?:fatal: )?child failed with exit code \d+|config(?:uration)?(?: file)? contains errors(?:, \w+)?|\d+ errors?)\W*$/i;
/** Words of a sentence about a whole start or configuration. */
const SUMMARY = /\b(?:config\w*|errors|initiali[sz]\w+|settings|start\w*|validat\w+|will exit)\b/i;

/** Reports whether a message says neither what has failed nor why. */
export function isBare(text: string): boolean {
  return BARE.test(text) || (SUMMARY.test(text) && !NAMES.test(text));
}

/** A name in quotes or of several parts, a number, a path, or a colon, behind which the reason is. */
const NAMES = /["`\d:=/]|(?<!\w)'|\w[._]\w/;

/** A warning that a function which has to be awaited has only been called, so that nothing ran. */
export const neverAwaited: Reader = (lines) => {
  const pattern = /^(\S+:\d+): RuntimeWarning: (coroutine '.*' was never awaited)$/;
  const line = lines.findLastIndex((each) => pattern.test(each));
  const [, path = '', text = ''] = pattern.exec(lines[line] ?? '') ?? [];
  return line === -1 ? undefined : { text, at: baseName(path), line };
};

export const shell = lastLineOf(
  /^(?:\S*(?:sh|bash|dash|ash)|\S+\.sh): (?:(?:line )?\d+: )?(?:.*: (?:not found|command not found|Permission denied|No such file or directory|unbound variable|parameter (?:not set|null or not set)|[^:]*syntax error.*))|^\S*sh: (?:line )?\d+: [\w]+: \S/,
);

/** The first line of an error of curl: after one of TLS, it prints an explanation of several lines. */
export const curl = lastLineOf(/^curl: \(\d+\) /);

/** A script or a package.json that npm does not find. */
export const npm = lastLineOf(
  /^npm (?:ERR!|error) ((?:Missing script|enoent |Could not read package).*)/i,
);

/** An error of the system that npm has met: its code, call and path have a line each. */
export const npmSystem: Reader = (lines) => {
  const fields = new Map(
    lines.flatMap((each) => {
      const [, name, value = ''] = /^npm (?:ERR!|error) (code|syscall|path) (.+)$/.exec(each) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
  const code = fields.get('code') ?? '';
  if (!/^(?:EACCES|ENOSPC|EPERM|EROFS)$/.test(code) || !fields.has('path')) return undefined;
  const line = lines.findLastIndex((each) => /^npm (?:ERR!|error) path /.test(each));
  return { text: `${code}: npm, ${fields.get('syscall')} ${fields.get('path')}`, line };
};

/** Finds the complaint about a port that another process listens on. */
export function takenPort(
  output: readonly string[],
): { readonly text: string; readonly port?: number | undefined } | undefined {
  const line = output.findLast((each) => TAKEN.test(each) && !OF_SOCKET.test(each));
  if (line === undefined) return undefined;
  const port =
    /[:\s](\d{2,5})\b(?!.*:\d)/.exec(
      line.replace(/^.*?(?=address|EADDRINUSE|bind|listen)/i, ' '),
    )?.[1] ?? /:(\d{2,5})\b(?!.*:\d)/.exec(line)?.[1];
  const text = plainLine(line)
    .trim()
    .replace(/^.*?(?=\(?\b(?:\w*Error|listen)\b)|"\}$/g, '');
  return { text, port: port === undefined ? undefined : Number(port) };
}

/** A socket in a file has no port. */
const OF_SOCKET = /\bunix:|\bin use:? ['"]?\/|\.sock\b/i;
const TAKEN =
  /address already in use|\bEADDRINUSE: |:eaddrinuse\b|port \d+ (?:was|is) already in use/i;
