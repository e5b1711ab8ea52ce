import {
  isCredential,
  isCredentialName,
  isVagueName,
  oneOf,
  SEPARATOR,
} from './credential-names.js';
import { VENDOR_TOKEN } from './vendor-tokens.js';

/** Stands for a value that is not shown. */
export const MASK = '***';

/** Takes each value that was masked. */
type OnFound = (value: string) => void;

/** A pattern whose group `secret` is masked. */
type Pattern = RegExp;

/** A pattern of a name up to its value, and of the value, which is masked if the name is that of a credential. */
interface NamedPattern {
  readonly head: RegExp;
  readonly value: RegExp;
}

/** A value up to the quote that it begins after. */
const QUOTED = String.raw`(?<=")(?!\s)[^"\\\r\n]{1,500}(?=\\?")|(?<=')(?!\s)[^'\\\r\n]{1,500}(?=\\?')`;
/** The value of a variable, a parameter or a part of a connection string, which ends at the next semicolon. */
const ASSIGNED = String.raw`(?<secret>${QUOTED}|(?<=;[\w ]{1,40}=)(?:\{[^{}\r\n]{1,500}\}|[^\s"';${SEPARATOR}]+(?=;))|[^\s"'&;,}${SEPARATOR}]+)`;
/** A value in quotes or up to a blank. */
const WORD = String.raw`(?<secret>${QUOTED}|[^\s"'|,;]+)`;
/** The value of an option. */
const ARGUMENT = String.raw`(?<secret>${QUOTED}|[^\s"'${SEPARATOR}]+)`;

/** A name in front of its value; a part of it is no name, which saves the search for one. */
const NAME = String.raw`(?<![\w.-])(?=(?<name>[\w.-]{1,100}))\k<name>`;
/** A name of several words: in a sentence, "password" and "token" are only words. */
const LONG_NAME = String.raw`(?<![\w./-])(?<name>(?=\w{1,99}[._-]|[a-z\d]{1,99}[A-Z]|[A-Z][a-z\d]{0,99}[A-Z])[\w.-]{1,100})(?![\w.-])`;
/** Words and signs after a name that are no value, as in "password is required". */
const NO_VALUE = oneOf(String.raw`
    undefined\b required\b missing\b invalid\b string\b number\b boolean\b not\b must\b is\b was\b has\b cannot\b may\b [[{&*!|>]`);
/** A value in a sentence has letters and digits: "password: must be at least 8 characters". */
const LOOKS_RANDOM = String.raw`(?=\S*\d)(?=\S*[a-z])(?!/|\d{4}-)`;

const RANDOM = /^(?=.*\d)(?=.*[A-Za-z]).{8}/;

/** Returns a pattern for text of any case. */
function pattern(text: TemplateStringsArray, ...parts: readonly (string | number)[]): Pattern {
  return new RegExp(String.raw(text, ...parts), 'dgi');
}

/** Returns a pattern of a name and, as its last part, a value. */
function named(text: TemplateStringsArray, ...parts: readonly string[]): NamedPattern {
  const head = String.raw(text, ...parts.slice(0, -1), '');
  return { head: new RegExp(head, 'dgm'), value: new RegExp(parts.at(-1) ?? '', 'dmy') };
}

/** Escapes in a text that a pattern reads; after them, it takes the rest. A million would overflow the stack. */
export const MAX_ESCAPES = 5000;

/** `users=me:VALUE:1001` */
const USERS = named`(?<![\w.-])(?<name>[\w.-]{0,60}(?:[uU][sS][eE][rR][sS]?|user_?[iI]nfo|[lL]ogin|LOGIN))["']?(?:=|: )["']?(?=[^\s"':|]{1,100}[:|])${String.raw`(?<secret>[^\s"']{1,1000})`}`;

/** Written here: the package for this, secretlint, reads files asynchronously, needs Node 22, and knows the tokens of vendors alone. */
const IN_ALL_TEXTS: readonly (Pattern | NamedPattern)[] = [
  // Keys and headers
  // A header alone, as on a line of its own, is no credential.
  /(?<secret>-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?!\s*$)[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$))/dg,
  /\bPrivate-Lines: \d+\s(?<secret>[\w+/=\s]+)/dg,
  // A JSON Web Key.
  /"(?:d|dp|dq|qi|k)"\s?:\s?"(?<secret>[\w-]{20,})"(?:(?<="kty"[^{}]{0,3000})|(?=[^{}]{0,3000}"kty"))/dg,
  // Up to the quote, if there is one.
  /\b(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-auth-token)\s*:\s*(?<secret>(?!\s|(?:required|missing|invalid|none|eacces|enoent|eperm)\b)[^"'\r\n\u0001]+)/dgi,
  /\bBearer\s+(?<secret>(?!realm|error|scope)(?=[\w.~+/-]*\d|[\w.~+/-]{16})[\w.~+/-]{6,}=*)/dgi,
  /\bBasic\s+(?<secret>(?=[A-Za-z+/]*\d|[A-Za-z\d+/]*=|[A-Za-z\d+/]{20})[A-Za-z\d+/]{6,}=*)/dg,

  // Tokens
  // A JSON Web Token.
  /(?<![\w-])(?<secret>eyJ[\w-]{5,}(?:\.[\w-]+(?:\r?\n[\w-]+){1,40}\.[\w-]{20,}|\.[\w-]+(?:\.[\w-]*)?|(?:\.[\w-]*){4}))/dg,
  // A bot of Telegram.
  /(?<!\d)(?<secret>\d{8,12}:AA[\w-]{28,})/dg,
  VENDOR_TOKEN,
  /\bresponse="(?<secret>[\da-f]{32,})"/dg,

  // Hashes of passwords; their `$` stays
  /(?<![\w$])\$(?<secret>(?:apr1|[156y]|2[abxy]|argon2(?:id?|d))\$[\w.,/+=$-]{20,})/dg,
  /(?<![\w-])(?<secret>SCRAM-SHA-\d+\$\d+:[\w+/=]+\$[\w+/=:]+|md5[\da-f]{32}(?!\w)|(?:pbkdf2|scrypt)[\w:]{2,40}\$[\w+/=$.]{20,}|\{S?SHA\d*\}[\w+/=]{20,})/dg,

  // Files with blanks or colons between a setting and its value
  /^[ \t]{0,40}(?:requirepass|masterauth|rootpw|sentinel auth-pass \S+|user \S+ (?:insecure-)?password|\w{0,40}password(?=[ \t]+\S*\d))[ \t]+["']?(?<secret>[^\s"']+)["']?\r?$/dgim,
  // `.pgpass`
  /^[ \t]{0,40}(?=[\w-]{0,100}[A-Za-z.*])[\w.*-]{1,100}:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?<secret>[^\s:]+)\r?$/dgm,
  // Users of Redis: `user me on >VALUE ~*`
  /\buser \S{1,60} (?:[\w~*&+@-]{1,60} ){1,9}>(?<secret>\S+)/dgi,

  // Lines of FTP, POP and IMAP; "PASS a.test.ts" is a test's. Redis and SMTP.
  /^(?:PASS|\w{1,9} LOGIN \S{1,100}) (?<secret>(?=\S*\d)(?![^\s]*[/:])[^\s.]+)\r?$/dgm,
  /\bAUTH(?: (?:PLAIN|LOGIN))? (?<secret>[A-Za-z\d+/]{10,}={1,2})/dg,
  pattern`\bAUTH["']? ["']?(?:default )?["']?(?<secret>${LOOKS_RANDOM}[^\s"']{8,})`,

  // SQL
  /\bIDENTIFIED\s+(?:WITH\s+\S{1,60}\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?(?:'(?<secret>[^']+)')/dgi,
  /\bSET PASSWORD(?: FOR \S{1,100})?\s*=\s*(?:PASSWORD\()?'(?<secret>[^']+)'/dgi,
  /\([^()]{0,500}(?:passw(?:or)?d|secret|token)[^()]{0,500}\)\s*VALUES\s*\((?<secret>[^()]+)/dgi,

  // Arguments in a trace of PHP
  /\b(?:(?:PDO|mysqli)->__construct|mysqli?_connect)\('[^']{0,300}', '[^']{0,100}', '(?<secret>[^']+)'/dg,
  /\b\w{0,40}(?:[lL]ogin|[aA]uthenticate)\('[^']{0,100}', '(?<secret>(?=[^']*\d)[^']+)'/dg,

  // URLs
  /[?&]sig=(?<secret>[^\s"'&]{10,})/dg,
  // The key of a cache or a table is a word or a number.
  /[?&](?:code|key)=(?<secret>(?:\d\/)?(?=[\w%-]*\d)(?=[\w%-]*[a-z])[\w%-]{10,}=*)/dgi,
  // Webhooks, by their host or path: a long id, or two of them.
  /\b(?:hooks\.slack\.com\/services\/|api\.telegram\.org\/bot)(?<secret>[\w/:-]{10,})/dg,
  /:\/\/(?:[\w-]{1,63}\.){0,5}(?:web)?hooks?\.[\w.-]{1,100}\/(?<secret>(?=\S{0,200}?(?:(?=[\w-]{0,63}\d)[\w-]{20}|\d[\w-]{0,63}\/(?=[a-z-]{0,63}\d)[\w-]{6}))[^\s"'?]{20,})/dgi,
  /\bhooks\/(?<secret>(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,})/dgi,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/(?<secret>[\w/-]{10,})/dg,
  // User and password of Oracle, and of a DSN in Go.
  /(?<![\w/.@-])[\w$#]{1,40}\/(?<secret>[^\s/@"']{1,100})@(?:\/\/|[\w.-]{1,100}:\d{1,5}(?!\w)|[A-Z][A-Z\d_]{2,}\b)/dg,
  /(?<![\w.-])[\w.-]{1,60}:(?<secret>[^\s@/"'()]{1,200})@(?:tcp|udp|unix)\d?\(/dg,
  // User and password. A short word is the name of a user, but with redis.
  /\b(?!(?!redis)[\w+.-]{1,21}:\/\/[a-z_-]{1,15}@)[a-z][\w+.-]{0,20}:\/\/(?<secret>(?!:@|[^\s/@]{0,200}:\$)[^\s/@"'<>]{1,500})@/dgi,

  // Sentences
  pattern`(?:passw(?:or)?d|pwd|passphrase|token|client_?secret|(?:access|api|encryption|master|secret|shared|signing|unseal)[ _-]?key(?: \d)?)["']?(?::\s+|\s+=>?\s+)["']?(?<secret>${LOOKS_RANDOM}[^\s"',;()[\]{}<>${SEPARATOR}]{8,})`,
  // "password is VALUE", "with password 'VALUE'"; a secret of Kubernetes has a name with hyphens.
  /\b(?:passw(?:or)?d|passphrase|token|(?:api|access|secret|unseal)[ _-]key|(?:secret|credentials?)(?!\s+\S*-))\s+(?:(?:is|(?:is |was |has been )?(?:set|reset|changed|rotated) to|was)\s+)?["'`]?(?<secret>(?=[^\s"'`]*\d)(?=[^\s"'`]*[a-z])(?!\/|\d{4}-|[\w.-]*[/@:])[^\s"'`,;()[\]{}<>=\u0001]{7,})/dgi,
  // "login with admin / VALUE"
  /\b(?:credentials?|log ?in|password|sign in)\b[^/\r\n]{0,60}\s\/\s(?<secret>(?=\S*\d)(?=\S*[a-z])[^\s"',;/]{6,})(?!\/)/dgi,
  // "a temporary password is generated for root@localhost: VALUE"
  /\bpassword\b(?![^:\r\n]{0,120}(?:deni|error|fail|invalid|incorrect|reject|wrong))[^:\r\n]{1,120}:\s+(?<secret>(?=\S*\d)(?=\S*[a-z])(?!\d{4}-)\S{8,200})\r?$/dgim,

  // Registries in the configuration of docker
  /(?<![a-z\d])auth\\?["']? ?[:=] ?\\?["']?(?<secret>[A-Za-z\d+/]{8,1000}={1,2})/dg,
  USERS,
];

/** The ways in which languages and files of settings write a name and its value. */
const NAMED_VALUES: readonly NamedPattern[] = [
  // `NAME=VALUE`, `NAME => VALUE`, `[NAME] => VALUE`
  named`${NAME}\\?["']?\]?(?:\s?=>\s?|=|(?<=\])\s=\s|\s?:=\s?(?=["']))\\?["']?${ASSIGNED}`,
  named`\b(?:setenv|ENV)[ \t]{1,40}${NAME}[ \t]{1,40}["']?${WORD}`,
  // TOML and HCL on a line of its own; `{ Name = VALUE, … }`
  named`^[ \t]{0,40}${NAME}[ \t]{1,40}= ["']?${WORD}`,
  named`${LONG_NAME} = (?![\w.]+\()["']?${WORD}`,
  // JSON; `"NAME": {"value": "VALUE"}`
  named`"${NAME}"\s*:\s*(?:\{\s*"\w{0,20}[vV]alue"\s*:\s*)?"(?!")${String.raw`(?<secret>[^"\\]*(?:\\.[^"\\]*){0,${MAX_ESCAPES}}(?:(?=")|(?=\\)[^]*))`}`,
  // Python, JSON within JSON
  named`(?<quote>\\+"|')${NAME}\k<quote>\s*:\s*\k<quote>${String.raw`(?<secret>[^\\"'\r\n]+)`}`,
  // `{ user: me, password: VALUE }`, `Some("VALUE")` of Rust
  named`${NAME}:\s(?<=\{[^{}\r\n]{0,300})(?:Some\()?(?!${NO_VALUE})["']?${ASSIGNED}`,
  // YAML, a header, and `NAME: VALUE` at the end of a line of a log
  named`${LONG_NAME}["']?:[ \t]{1,40}(?!${NO_VALUE})["']?${String.raw`${WORD}(?=["']?,?\r?$)`}`,
  // `kubectl describe`
  named`^[ \t]{0,40}${NAME}:[ \t]{2,40}(?!${NO_VALUE})${String.raw`(?<secret>\S+)(?=\r?$)`}`,
  // A struct and a map of Go
  named`(?<=[\s{&[])(?=\w{1,100}:)(?:(?=[A-Z])|(?<=map\[(?:[^\]\r\n]{0,300} )?))(?<name>\w{1,100}):"?${String.raw`(?<secret>${QUOTED}|[^\s{}"',\]/]+)(?=[\s{}"',\]])`}`,
  // PHP's var_dump
  named`"${NAME}"\]=>\s{1,40}string\(\d+\) "${WORD}`,
  // "NAME is VALUE", "NAME set to VALUE"; a cell of a table
  named`${LONG_NAME}(?: (?:is|was) (?="|${LOOKS_RANDOM})| (?:is |was )?(?:set|changed) to (?!${NO_VALUE})| ?\| )["']?${WORD}`,
  // `"NAME": ["VALUE"]`, `["NAME", "VALUE"]`, `{NAME, "VALUE"}`, `{NAME,<<"VALUE">>}`, `(NAME . "VALUE")`
  named`(?:[[({]["']?|["'])${NAME}["']?(?:,\s?(?:<<)?| \. |\s?:\s?\[\s?)["']${String.raw`(?<secret>${LOOKS_RANDOM}[^\s"']{8,})`}`,
  // `name: NAME, value: VALUE`
  named`\b(?:name|key|flag)["']?[:=]\s{0,40}["']?-{0,2}(?<name>\w[\w.-]{0,100})["']?(?:,\s{0,40}|\s{1,40})["']?value["']?[:=]\s{0,40}["']?${String.raw`(?<secret>[^\s"',}]+)`}`,
  // XML, and PHP's constants
  named`<(?<name>[\w.:-]{1,100})>${String.raw`(?<secret>[^<>"']{1,500})(?=</)`}`,
  named`\bdefine\(\s{0,9}["']${NAME}["'],\s{0,9}["']${WORD}`,
];

/** A line in the middle of a key or a certificate: nothing tells them apart. */
const KEY_LINE = /^\s*(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)[A-Za-z\d+/]{60,76}={0,2}\s*$/;

/** Reports whether a line of output may be from the middle of a private key. */
export function isKeyLine(line: string): boolean {
  return KEY_LINE.test(line);
}

/** Every match of these patterns, but for the tokens of vendors, contains one of these parts; few texts do. */
const MAY_MATCH =
  /pass|identified|private|kty|pdo|mysql|response=|pwd|secret|token|key|credential|auth(?!ority)|cookie|bearer|basic|user(?!-agent)|log ?in|sign in|rootpw|eyj|:\/\/|@|hooks\/|code=|sig=|\$[\da-y]|:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:|scram|md5|scrypt|sha\d*\}|:aa/i;
/** Every name of a credential contains one of these parts. */
const MAY_HAVE_NAME =
  /pass|pwd|pw|secret|token|key|credential|auth(?!ority)|cookie|signature|salt|pepper|dsn|session|connection_?string|snmp|mnemonic|jwt|psk|saml|seed|bearer|activation|personal_access/i;

/** Programs with the letter of their option for a password, which may follow without a space. */
const PASSWORD_OPTIONS = [
  [String.raw`(?:redis|valkey|keydb)-cli`, 'a'],
  [
    String.raw`mongo\w* cqlsh cypher-shell rabbitmqadmin sshpass
      (?:az|docker|podman|nerdctl|buildah|skopeo|oras|helm\Wregistry|crane\Wauth)\Wlogin`,
    'p',
  ],
  [String.raw`sqlcmd [it]sql ipmitool mosquitto_\w+`, 'P'],
  [String.raw`ldap\w+`, 'w'],
  [String.raw`snmp\w+`, '[cAX]'],
] as const;

function passwordOption([program, letter]: (typeof PASSWORD_OPTIONS)[number]): Pattern {
  const option = String.raw`[^|;&]{0,200}?[\s${SEPARATOR}]-${letter}[\s"',\\${SEPARATOR}]*`;
  return new RegExp(String.raw`\b${oneOf(program)}\b${option}${ARGUMENT}`, 'dg');
}

const IN_COMMANDS: readonly (Pattern | NamedPattern)[] = [
  named`(?<![\w-])--?(?<name>\w[\w.-]{0,100})[\s"',\\${SEPARATOR}]+(?![-,])${ARGUMENT}`,
  /\b(?:sqlplus|sqlldr|expdp|impdp|rman)\b[^|;&]{0,200}?[\s\u0001]\w+\/(?<secret>[^\s/@"'\u0001]+)/dg,
  named`(?:-H|--?(?:\w+-)?header)[\s"',\\${SEPARATOR}=]+(?<name>[\w-]+)\s*:\s*${String.raw`(?<secret>[^"'\r\n${SEPARATOR}]+)`}`,
  new RegExp(String.raw`--(?:require)?pass[\s"',\\${SEPARATOR}=]+${ARGUMENT}`, 'dg'),
  ...PASSWORD_OPTIONS.map(passwordOption),
  new RegExp(
    String.raw`\b(?:mysql|mariadb)(?:-?admin|dump)?\b[^|;&]{0,200}?[\s${SEPARATOR}]-p\\?["']?${ARGUMENT}`,
    'dg',
  ),
  /\b(?:vault[\s\u0001]+(?:login|token[\s\u0001]+\w+)|set-initial-password|(?:add_user|authenticate_user|change_password)[\s\u0001]+\S+?)[\s\u0001]+(?<secret>(?!-)[^\s"'\u0001=]+)(?=[\s\u0001]|$)/dg,
  /[\s\u0001-](?:pass[\s\u0001:]+pass:|passin[\s\u0001]+pass:|U[\s\u0001]*[^\s%\u0001]+%)(?<secret>[^\s"'\u0001]+)/dg,
  // The last words
  /\b(?:mc[\s\u0001]+(?:alias[\s\u0001]+set|config[\s\u0001]+host[\s\u0001]+add)(?:[\s\u0001]+[^\s\u0001]+){3}|htpasswd[\s\u0001]+-\w*b\w*(?:[\s\u0001]+[^\s\u0001|;&]+){1,4}?)[\s\u0001]+(?<secret>[^\s"'\u0001|;&]+)(?=[\s\u0001]*(?:$|[|;&>]))/dg,
  /\bopenssl\b[^|;&]{0,200}?[\s\u0001]-(?:[kK]|psk)[\s\u0001]+(?<secret>[^\s"'\u0001]+)/dg,
  // A cookie of curl; a file has no `=`
  /\bcurl\b[^|;&]{0,300}?[\s\u0001](?:-[A-Za-z]{0,5}b|--cookie)[\s\u0001"'\\=]*(?<secret>[\w.-]+=[^"'\r\n\u0001]+)/dg,
  // A password through a pipe
  /\b(?:echo|printf)[\s\u0001]+(?:-n[\s\u0001]+|["']?%s(?:\\n)?["']?[\s\u0001]+)?["']?(?<secret>[^\s"'|\u0001]+)["']?\s*\|\s*(?:kinit|chpasswd|sudo\s+-S|[^|;&]{0,200}(?:-stdin|-passphrase-fd))\b/dg,
  /\bAUTH %s(?:\\\w|\w)*["'][\s\u0001]+["']?(?<secret>[^\s"'\u0001]+)/dg,
  // `user:VALUE@host:1234`
  /(?<![\w/.:-])[\w.-]{1,60}:(?<secret>(?=[^\s@]{0,200}[A-Za-z])[^\s@/"'\u0001]{1,200})@[\w.-]{1,100}:\d{1,5}(?!\w)/dg,
  // The command of Redis; SMTP's has the name of a mechanism.
  /\bAUTH[ \u0001]+(?<secret>(?!LOGIN|PLAIN|CRAM|XOAUTH)[^\s"'\\\u0001]{4,})/dg,
  // A user and a password, or with these programs a user and a group; `http -a` is HTTPie. They are looked for last: a look back from every character is slow.
  /(?:[\s\u0001]-[A-Za-z]{0,5}u[\s"',\\\u0001=]*|\bhttps?[\s\u0001]+-a[\s\u0001]*|(?<![\w-])--?[\w.-]{0,40}(?:users?|auth|creds)[\s"',\\\u0001=]+)(?<!\b(?:docker|podman|nerdctl|buildah|chroot|gosu|su-exec|install|rsync)\b[^|;&\r\n]{0,300})(?!\d+:\d+(?:[\s"'\u0001]|$))[^\s:"'\\\u0001]+:(?<secret>(?!\/\/)[^\s"'\u0001]+)/dg,
  /(?<![\w./:@-])(?<secret>[\da-f]{32,})(?![\w./-])/dgi,
  /(?<![\w./:@+-])(?<secret>(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])(?=[\w+-]*\d)(?:[\w+-]{32,}={0,2}|[A-Za-z\d+/]{16,}={1,2}))(?![\w./-])/dg,
];

export function maskText(text: string, found?: OnFound): string {
  const patterns = [
    ...(MAY_MATCH.test(text) ? IN_ALL_TEXTS : [VENDOR_TOKEN]),
    ...(MAY_HAVE_NAME.test(text) ? NAMED_VALUES : []),
  ];
  return patterns.reduce((masked, pattern) => maskPattern(masked, pattern, found), text);
}

/** Every match of `IN_COMMANDS` contains one of these parts; `127.0.0.1:8080` does not. */
const MAY_MATCH_IN_COMMANDS = /[-\s\u0001]|[\w+/]{16}/;

export function maskCommandLine(line: string, found?: OnFound): string {
  const patterns = MAY_MATCH_IN_COMMANDS.test(line) ? IN_COMMANDS : [];
  return patterns.reduce((text, each) => maskPattern(text, each, found), maskText(line, found));
}

export function maskArguments(words: readonly string[], found?: OnFound): readonly string[] {
  const masked = maskCommandLine(words.join(SEPARATOR), found).split(SEPARATOR);
  return masked.length === words.length
    ? masked
    : words.map((word) => maskCommandLine(word, found));
}

/** Masks the values of credentials' headers, and the like, in a request or a response. */
export function maskHeaders(text: string, found?: OnFound): string {
  return maskText(maskPattern(text, HEADER, found), found);
}

const HEADER = named`^(?<name>[\w-]+):[ \t]*${String.raw`(?<secret>[^\r\n]+)`}`;

function maskPattern(
  text: string,
  pattern: Pattern | NamedPattern,
  found: OnFound | undefined,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of 'head' in pattern ? namedValues(text, pattern) : text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
    const secret = text.slice(start, end);
    // A reference to a variable shows no value.
    if (secret.includes(MASK) || secret.startsWith('$')) continue;
    found?.(secret);
    parts.push(text.slice(from, start), MASK);
    from = end;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

/** Finds the values of credentials. A name that is none is left behind alone: `Environment="PASSWORD=hunter2"`. */
function* namedValues(text: string, pattern: NamedPattern): Generator<RegExpExecArray> {
  const { head, value } = pattern;
  head.lastIndex = 0;
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const name = match.groups?.['name'] ?? '';
    if (pattern !== USERS && !isCredentialName(name)) continue;
    value.lastIndex = head.lastIndex;
    const found = value.exec(text);
    const secret = found?.groups?.['secret'] ?? '';
    if (found === null || !isCredential(name, secret)) continue;
    if (pattern !== HEADER && isVagueName(name) && !RANDOM.test(secret)) continue;
    head.lastIndex = value.lastIndex;
    yield found;
  }
}
