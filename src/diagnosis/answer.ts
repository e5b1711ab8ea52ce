import { isObject, ownField, tryParseJson } from '../api/index.js';
import type { ProbeType } from '../trace/event.js';

/** A part of a program that its health answer reports as down. */
export interface DownPart {
  readonly name: string;
  readonly text: string;
}

/** The contents of an error's answer, as far as they say more than its status. */
export interface ReadAnswer {
  readonly down: readonly DownPart[];
  /** One line; empty where the answer only repeats its status. */
  readonly text: string;
}

/** Characters of a text that a finding holds. */
const MAX_TEXT = 1000;

/** Reads the body of an answer: JSON by its parts, HTML by its title, other texts by their first line, or the list that it begins. */
export function readAnswer(body: string): ReadAnswer {
  const json = tryParseJson(body);
  if (json !== undefined) {
    const down = downParts(json, '');
    return { down: distinct(down), text: oneLine(messageIn(json, 2) ?? stateText(json)) };
  }
  const text = body.trimStart().startsWith('<')
    ? htmlText(body)
    : body.trim().replace(/^([^\n]*[^:\s])\s*\n[^]*/, '$1');
  return { down: markedParts(body), text: isStatusText(text) ? '' : oneLine(text) };
}

const OPENING_BRACE = 0x7b;

/** Returns the state of the whole by its answer in JSON, where that is bad: `DOWN`. */
export function badState(body: Uint8Array = new Uint8Array()): string | undefined {
  // Asked after each attempt of each container: to parse texts that are no JSON took 6 of 45 s in a run of 500.
  if (body.find((byte) => byte > 0x20) !== OPENING_BRACE) return undefined;
  const json = tryParseJson(new TextDecoder().decode(body));
  const state = isObject(json) ? (json['status'] ?? json['state']) : undefined;
  return typeof state === 'string' && BAD.test(state.trim()) ? state.trim() : undefined;
}

/** `[-]etcd failed: reason withheld`, as the servers of Kubernetes list their checks. */
function markedParts(body: string): readonly DownPart[] {
  return [...body.matchAll(/^\[-\](\S+)(?: failed)?:? *(.*)$/gm)].map(
    ([, name = '', text = '']) => {
      return { name, text: oneLine(text) };
    },
  );
}

/** Returns a text as one line; a longer one is cut, and of a chain of errors its last one stays. */
export function oneLine(text: string, max = MAX_TEXT): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  // The package of an exception is the part of its name that says least.
  const bare = line.replaceAll(WRAPPER, '').replaceAll(PACKAGE, '');
  if (bare.length <= max) return bare;
  const [last = ''] = LAST_ERROR.exec(bare) ?? [];
  return `${bare.slice(0, Math.max(0, max - last.length))}…${last}`;
}

/** What gRPC and TLS of Go put before the reason. */
const WRAPPER =
  /\b(?:(?:rpc|connection) error: (?:code = \w+ )?desc = "?|transport: |authentication handshake failed: |tls: failed to verify certificate: )/g;
const PACKAGE = /\b(?:[a-z_]\w*\.)+(?=[A-Z]\w*(?:Error|Exception)\b)/g;
const LAST_ERROR =
  /(?:: |")dial \w+ \S{1,40}: .{5,40}$|: [A-Za-z][^:/]{9,49}$|, not [\w.:-]{1,40}\W*$/;

/** A text that every server has for a status: `503 Service Unavailable`, `Bad Request (400)`. */
function isStatusText(text: string): boolean {
  return STATUS_TEXT.test(text.trim());
}

const STATUS_TEXT =
  /^(?:(?:HTTP )?(?:status |error(?: code)?:? )?\d{3}\b:?[ -]*)?(?:server error|error(?: response)?|oops!?|bad request|unauthorized|forbidden|not found|method not allowed|request timeout|misdirected request|too many requests|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|unhealthy|an error occurred|action controller: exception caught|something went wrong|the server encountered an internal error\b.*)?(?: \(?\d{3}\)?)?[.!]?$/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
};

/** Returns the first of a page's texts that says more than its status: an error page of a framework has the error there. */
function htmlText(html: string): string {
  const texts = [
    /<b>root cause<\/b>[^]*?<pre>([^<\n]*)/i,
    /<b>(?:fatal|parse) error<\/b>:([^<\n]*)/i,
    /<title[^>]*>([^]*?)<\/title>/i,
    /<pre[^>]*>([^]*?)<(?:br|\/pre)/i,
    /<h1[^>]*>([^]*?)<\/h1>/i,
    /<\/h1>\s*([^<\n]*)/i,
    /<p[^>]*>([^]*?)<\/p>/i,
  ];
  for (const pattern of texts) {
    const found = plainText(pattern.exec(html)?.[1] ?? '').replace(/ \/\/ Werkzeug Debugger$/, '');
    if (found !== '' && !isStatusText(found)) return found + djangoValue(html);
  }
  return '';
}

/** Returns what Django's page says of an exception, whose title names the type alone. */
function djangoValue(html: string): string {
  const value = plainText(/<pre class="exception_value">([^]*?)<\/pre>/i.exec(html)?.[1] ?? '');
  return value === '' ? '' : `: ${value}`;
}

function entity(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,5})|(\d{1,6}))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return ownField(ENTITIES, name);
  return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entity(name) ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const MESSAGES = [
  ...['error', 'message', 'detail', 'reason', 'description', 'msg', 'output', 'title', 'causes'],
];

/** Returns the message of an object; `{"error": {"message": "…"}}` is common, too. */
function messageIn(value: unknown, depth: number): string | undefined {
  if (!isObject(value) || depth === 0) return undefined;
  const others = Object.keys(value).filter((name) => name.endsWith('Message'));
  for (const name of [...MESSAGES, 'errors', ...others]) {
    const [field] = [value[name]].flat();
    // FastAPI names the place of an input that is missing.
    const { loc, msg } = isObject(field) ? field : {};
    if (Array.isArray(loc) && typeof msg === 'string') return `${loc.join(' ')}: ${msg}`;
    if (typeof field === 'string' && field !== '' && !isStatusText(field)) return field;
    const inner = messageIn(field, depth - 1) ?? errorName(field);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Returns the name of an error that has no message: `{"error": {"type": "…", "reason": null}}`. */
function errorName(error: unknown): string | undefined {
  return isObject(error) ? [error['type'], error['code']].find(isText) : undefined;
}

/** Returns what an object without a message says of the whole, or of what failed: `sealed: true`, `status: red`, `dns: lookup failed`. */
function stateText(json: unknown): string {
  if (!isObject(json)) return '';
  const states = Object.entries(json).filter(([name, value]) =>
    STATES.includes(name)
      ? typeof value === 'string' && !BAD.test(value) && !isStatusText(value)
      : !NO_PART.has(name) && (typeof value === 'boolean' || (isText(value) && ERROR.test(value))),
  );
  return states.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
}

const STATES = ['status', 'state', 'healthy', 'ok', 'up', 'alive', 'ready', 'available'];
const BAD =
  /^(?:down|fail(?:ed|ing|ure)?|errors?|unhealthy|not[ _-]?(?:ok|ready|healthy|connected)|(?:re)?connecting|critical|out_of_service|unavailable|offline|disconnected|unreachable|timed? ?out|timeout|ko|bad|dead)(?![\w-])/i;
/** Texts of errors, as the value of a part. */
const ERROR =
  /\b(?:(?<!\b(?:no|0) )(?:error|failed)|too many|connection closed|refused|denied|authentication failed|does not exist|timed out|timeout|unreachable|could not|cannot|no such host|not known|reset by peer|\w*exception)\b/i;
/** Fields that have parts, or describe the whole. */
const NO_PART = new Set([
  ...STATES,
  ...MESSAGES,
  ...['components', 'checks', 'details', 'results', 'entries', 'dependencies', 'services', 'info'],
  ...['data', 'code', 'statusCode', 'success', 'timestamp', 'path', 'version', 'type', 'name'],
]);
/** Fields whose entries are parts, each with its state as value. */
const PARTS = new Set([
  'components',
  'checks',
  'results',
  'entries',
  'dependencies',
  'services',
  'details',
  'health',
]);

/** Finds the innermost parts that an answer reports as down. */
function downParts(value: unknown, name: string): DownPart[] {
  if (Array.isArray(value)) return value.flatMap((item) => downParts(item, nameOf(item) ?? name));
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, child]): DownPart[] => {
    if (isObject(child) || Array.isArray(child)) {
      return downParts(child, NO_PART.has(key) ? name : key);
    }
    const isPart = !NO_PART.has(key) && (PARTS.has(name) || name === '');
    if (!isPart || !isBad(child, PARTS.has(name))) return [];
    return [{ name: key, text: typeof child === 'string' ? detailOf(child) : '' }];
  });
  const listed = entryParts(value);
  if (inner.length + listed.length > 0) return [...inner, ...listed];
  // The name of an entry may be the program's: its key names the part.
  const part = name === '' || PARTS.has(name) ? (nameOf(value) ?? name) : name;
  const isDown = STATES.some((field) => isBad(value[field], true));
  if (!isDown || part === '' || PARTS.has(part)) return [];
  return [
    {
      name: part,
      text: messageIn(value, 1) ?? detailIn(value['details'] ?? value['data']) ?? '',
    },
  ];
}

/** Returns the message of a part's details, or the first of them that is a text. */
function detailIn(details: unknown): string | undefined {
  if (!isObject(details)) return undefined;
  const entry = Object.entries(details).find(([, value]) => isText(value)) ?? [];
  // A time says nothing without its name.
  const text = /^\d/.test(String(entry[1])) ? entry.join(': ') : entry[1];
  return messageIn(details, 1) ?? (isText(text) ? text : undefined);
}

function nameOf(value: unknown): string | undefined {
  return isObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
}

/** `{"checks": {"db": false}}` and `{"errors": {"db": "refused"}}`: the entries of a field that has parts. */
function entryParts(value: Readonly<Record<string, unknown>>): DownPart[] {
  return Object.entries(value).flatMap(([field, parts]) => {
    const areErrors = field === 'errors' || field === 'failures';
    if (!isObject(parts) || (!PARTS.has(field) && !areErrors)) return [];
    return Object.entries(parts).flatMap(([name, state]) =>
      !NO_PART.has(name) && (isBad(state, true) || (areErrors && isText(state)))
        ? [{ name, text: isText(state) ? detailOf(state) : '' }]
        : [],
    );
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isBad(state: unknown, takesFalse: boolean): boolean {
  if (typeof state !== 'string') return takesFalse && state === false;
  return BAD.test(state.trim()) || (takesFalse && ERROR.test(state));
}

/** Returns what follows the state in `error: connection refused`. */
function detailOf(state: string): string {
  return state.replace(BAD, '').replace(/^[\s:,-]+/, '');
}

function distinct(parts: readonly DownPart[]): readonly DownPart[] {
  return [
    ...new Map(parts.map((part) => [part.name, { ...part, text: oneLine(part.text) }])).values(),
  ];
}

const INPUT =
  /\b(query|header) ([\w-]+): field required|\b(?:expected|key|missing|required|token)\b.* in (?:the |a )?(header|query)(?: parameter)? ['"`]?([A-Za-z]\w*-[\w-]+)|(?:missing|required)(?: required)?(?: request| query| url)? (header|param)(?:eter)?s?(?!\w):? *['"`]?((?!(?:is|are|was|for|in|of)\b)[\w-]+)|\b(header|param)(?:eter)? ['"`]?((?!is\b)[\w-]+)['"`]? (?:is )?(?:required|missing|not present)/i;

/** Returns the query parameter or the header that a text asks for. */
export function inputAskedFor(text: string) {
  const [place = '', name] = INPUT.exec(text)?.slice(1).filter(Boolean) ?? [];
  return name === undefined ? undefined : { isHeader: /header/i.test(place), name };
}

/** Paths whose names are those of probes. */
const PROBE_PATH =
  /(?<![\w.:/-])\/(?:[\w.-]+\/)*(?:health|live|ready|readiness|alive|ping|status)[\w/.-]*/gi;
const MAX_PATHS = 2;

/** Returns paths for probes that a text names beside the one that was asked for, those of the type first. */
export function probePaths(text: string, asked: string, type: ProbeType): readonly string[] {
  const paths = [...new Set(text.match(PROBE_PATH))].filter((path) => path !== asked);
  const word = type === 'liveness' ? 'live' : 'ready';
  const rank = (path: string): number => (path.includes(word) ? 0 : 1);
  return paths.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_PATHS);
}

/** Returns the paths that a program's output names, such as those of its routes. */
export function pathsIn(output: readonly string[]): readonly string[] {
  return [...new Set(output.flatMap((line) => line.match(PATH) ?? []))];
}

/** Returns the paths that end in the one that was asked for, as below a prefix. */
export function pathsBelow(paths: readonly string[], asked: string): readonly string[] {
  const isBelow = (path: string): boolean => path !== asked && path.endsWith(asked);
  return asked === '/' ? [] : paths.filter(isBelow).slice(0, MAX_PATHS);
}

const PATH = /(?<![\w.:/-])(?:\/[\w.-]+)+/g;

/** Returns the path below which a program says that it serves all of its own. */
export function contextPath(output: readonly string[]): string | undefined {
  const line = output.findLast((each) => CONTEXT_PATH.test(each)) ?? '';
  return CONTEXT_PATH.exec(line)?.[1];
}

const CONTEXT_PATH = /\b(?:context|base) ?path:? ['"]?(\/[\w./-]+)/i;

/** Returns the header in which a server says its state where the answer has no body, such as MinIO's `X-Minio-Server-Status: offline`. */
export function stateHeader(response: string): string | undefined {
  return /^(x-[\w-]*(?:status|state|health): *(?:down|draining|maintenance|not[ -]ready|offline|unavailable|unhealthy))\r?$/im.exec(
    response,
  )?.[1];
}

/** Returns the header in which a server names the protocols that it accepts in place of the one used (RFC 9110, 15.5.22). */
export function upgradeHeader(response: string): string | undefined {
  return /^upgrade: *.+?(?=\r?$)/im.exec(response)?.[0];
}

/** Words of an answer that a server gives while it starts. */
const STARTS =
  /(?:\b|_)(?:starting|startup|loading|warm|boot|initiali[sz]|migrat|not[ _-](?:yet )?ready|rejecting connections)/i;

export function saysItStarts(text: string): boolean {
  return STARTS.test(text);
}

/** Texts of frameworks that refuse a Host header: Django, Rails, Starlette, ASP.NET, webpack, Vite, Werkzeug. */
const HOST_REFUSED =
  /DisallowedHost|Invalid HTTP_HOST header|Invalid host header|Blocked hosts?\b|Invalid Hostname|host (?:name )?(?:\S+ )?is not (?:trusted|allowed|permitted)|host not allowed|unknown (?:virtual )?host|unrecognized host|untrusted (?:domain|host)\b/i;

/** The page of Django without DEBUG, which nothing else in the request of a probe can bring about. */
const DJANGO_REFUSED = /<h1>Bad Request \(400\)<\/h1><p><\/p>/;

export function refusesHost(text: string): boolean {
  return HOST_REFUSED.test(text) || DJANGO_REFUSED.test(text);
}

/** Texts of servers that got plain HTTP where they speak TLS: nginx, Go, Apache, Tomcat, Jetty. */
const WANTS_TLS =
  /HTTP request (?:was )?(?:sent )?to (?:an? )?HTTPS (?:server|port)|speaking plain HTTP to an SSL|combination of host and port requires TLS/i;

export function wantsTls(text: string): boolean {
  return WANTS_TLS.test(text);
}

/** Reports whether nginx answers a client that shows no certificate. */
export function wantsCertificate(text: string): boolean {
  return /no required SSL certificate was sent/i.test(text);
}
