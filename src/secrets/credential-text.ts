/** Stands for a value that is not shown. */
export const MASK = '***';

/** Takes each value that was masked. */
type OnFound = (value: string) => void;

/** Returns a pattern of one of these parts, which blanks separate. */
function oneOf(parts: string): string {
  return `(?:${parts.trim().split(/\s+/).join('|')})`;
}

/** Kinds of keys that are credentials, also in one word with `key`. */
const SECRET_KEY = oneOf('access account cookie encryption master private shared signing unseal');

/** A word that hints at a credential; the name around it decides (`isCredential`). */
const WORD = oneOf(String.raw`
  pass(?![a-z]|["']?\s?[:=]\s?\d{1,6}\b) passcode passw(?:or)?d passwd passphrase pwd
  secret token authorization cookie connection_?string (?:api|${SECRET_KEY})[-_.]?key [-_]signature credentials?`);
/** Separates the arguments of a command that is masked as one text. */
const SEPARATOR = '\u0001';

/** Reports whether a variable, a header, a key or an annotation of this name carries a credential: its last words say so. */
export function isCredentialName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return CREDENTIAL_NAME.test(words) && !PUBLIC_NAME.test(words);
}

/** The last words of a credential's name. */
const CREDENTIAL_WORDS = oneOf(String.raw`
    pass passcode passwd passwords? passphrase pwd pw secrets? token credentials? authorization cookie signature
    salt dsn (?:^|[_.-])auth [_.-]session (?:^|[_.-])session_?id connection_?strings? snmp_community mnemonic seed_?phrase
    api_?keys? api_?key_\w+_keys [_.-]key [_.-]bearer (?:app|auth|secret|${SECRET_KEY})_?keys? key_base license_?key pepper
    password_?(?:double_?)?(?:hash|sha\d*) activation_code personal_access root_token_id (?:vault|role)_secret_id`);
/** Words that may follow them. */
const VARIANTS = oneOf(
  String.raw`(?:v?\d+) base64 b64 hex value data header old previous next primary current`,
);
const CREDENTIAL_NAME = new RegExp(`${CREDENTIAL_WORDS}(?:[_.-]?${VARIANTS})*$`);

const COUNTED_TOKENS = oneOf('max min num page total prompt context new');
const PUBLIC_KEYS =
  oneOf(`public publishable primary foreign sort partition cache routing idempotency unique row lookup shard hash
  range site gpg pgp file state message config index host object group tag label limit map by web_?socket`);
const SWITCHES = oneOf(
  'by com auto not no always without use enable require disable skip show change reset forgot',
);

/** Names that end in such a word and are no credential's: limits, public keys, switches. */
const PUBLIC_NAME = new RegExp(
  oneOf(String.raw`
    ^checksum/ ^(?:[a-z]+_)?public_\w*key$
    (?:^|[_.-])${COUNTED_TOKENS}[_.-]?(?:\w+[_.-])?tokens?$
    initial_cluster_token$ (?:pusher|reverb)_app_key$ ^(?:vite|react_app)_\w*key$
    (?:^|[_.-])${PUBLIC_KEYS}[_.-]?key
    allow[_.-]empty
    (?:^|[_.-])${SWITCHES}[_-]?${oneOf('pass password auth token secret cookie pw')}s?$
    ${oneOf('by com multi over sur tres')}pass$`),
);

/** Values that are no credentials under any name: switches, references, files, plain addresses and names of headers. */
const NO_CREDENTIAL =
  /^(?:true|false|yes|no|on|off|null|none|\$[({][^{}()]*[)}]|%\(?[\w.]+\)?[s%]?(?:\/[\w./-]*)?|(?:file:\/\/|\.{0,2}|~)\/[\w.@%+-]+(?:\/[\w.@%+-]+)*\/?|[\w-]+(?:\/[\w-]+)+\.[a-z][\w.]{1,6}|[\w./%-]+\.(?:pem|crt|cer|key|json|ya?ml|txt|p12|jks|conf)|(?:https?|tcp|wss?):\/\/[^\s@]*|x(?:-[a-z]+)+|authorization|bearer|<nil>|\(\w+\)|\[\w+\]|\*+)$/i;

/** A variable, as in templates of manifests, or a URL whose password is one; `"token": "NUMBER"` of a parser. */
const TEMPLATE =
  /(?:^token\u0001[A-Z_]{1,12}|\u0001[a-z][\w+.-]*:\/\/[^\s:@/]*:\$[^\s@]+@\S*|\u0001\$[A-Z_][A-Z\d_]*)$/;

/** The name of a Secret of Kubernetes, an entry in a store, or a kind of token: `ETCD_AUTH_TOKEN=simple`. */
const REFERENCE =
  /(?:auth_token\u0001(?:simple|jwt|opaque)|(?:auth|cert|existing|tls|key|password|pull)[_.-]?secret\u0001(?:[a-z]+\/)?[a-z]+(?:-[a-z]+)+|(?:redis|etcd|consul|s3)[_.-]?key\u0001[a-z_:/.-]+)$/i;

/** Users with their passwords: `users=me:hunter2:1001`; a group (`user=1000:1000`, `user=node:node`) has small letters or digits. */
const USERS =
  /(?:users?|user_?info|login)\u0001(?!User:|Group:|Role:)[\w.@+-]+:(?!x:|\/\/)(?=[^\s:]*[A-Za-z])(?=[^\s:]*[^\s:a-z_-]|[^\s:]+:\d)[^\s:]+(?::\d\S*)?(?:[\s,;].*)?$/;

/** Reports whether a variable, a header or a key carries a credential. */
export function isCredential(name: string, value: string): boolean {
  const pair = `${SEPARATOR}${value}`;
  if (NO_CREDENTIAL.test(value) || TEMPLATE.test(`${name}${pair}`)) return false;
  return isCredentialName(name)
    ? !REFERENCE.test(`${name}${pair}`)
    : USERS.test(`${name.toLowerCase()}${pair}`);
}

/** A pattern whose group `secret` is masked, unless its group `name` names no credential. */
type Pattern = RegExp;

/** A value up to the quote that it begins after. */
const QUOTED = String.raw`(?<=")(?!\s)[^"\\\r\n]{1,500}(?=\\?")|(?<=')(?!\s)[^'\\\r\n]{1,500}(?=\\?')`;
const ASSIGNED = String.raw`(?<secret>${QUOTED}|[^\s"'&;,}${SEPARATOR}]+)`;
/** The value of an option. */
const ARGUMENT = String.raw`(?<secret>${QUOTED}|[^\s"'${SEPARATOR}]+)`;

/** Returns a pattern for text of any case. */
function pattern(text: TemplateStringsArray, ...parts: readonly (string | number)[]): Pattern {
  return new RegExp(String.raw(text, ...parts), 'dgi');
}

/** Escapes in a text that a pattern reads; after them, it takes the rest. A million would overflow the stack. */
export const MAX_ESCAPES = 5000;

/** Written here: the package for this, secretlint, reads files asynchronously, needs Node 22, and knows the tokens of vendors alone. */
const IN_ALL_TEXTS: readonly Pattern[] = [
  /(?<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))/dg,
  // Up to the quote, if there is one.
  /\b(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-auth-token)\s*:\s*(?<secret>(?!\s|(?:required|missing|invalid|none)\b)[^"'\r\n\u0001]+)/dgi,
  /\bBearer\s+(?<secret>(?!realm|error|scope)(?=[\w.~+/-]*\d|[\w.~+/-]{16})[\w.~+/-]{6,}=*)/dgi,
  /\bBasic\s+(?<secret>(?=[A-Za-z+/]*\d|[A-Za-z\d+/]*=|[A-Za-z\d+/]{20})[A-Za-z\d+/]{6,}=*)/dg,
  /(?<![\w-])(?<secret>eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?)/dg,
  /\b(?<secret>(?:AKIA|ASIA)[\dA-Z]{12,})\b/dg,
  /\b(?<secret>gh[pousr]_\w{10,}|github_pat_\w{10,}|gl(?:pat|cbt|dt|ptt|rt|soat)-[\w-]{10,}|x(?:ox[abeoprs]|app)-[\w-]{10,})/dg,
  /\b(?<secret>[rs]k_(?:live|test)_\w{10,}|AIza[\w-]{30,}|npm_\w{30,})/dg,
  /\b(?<secret>hv[bs]\.[\w-]{10,}|sk-(?:[a-z\d]+-){0,2}(?=\w*\d)\w{16,}[\w-]*)/dg,
  /\b(?:hooks\.slack\.com\/services\/|api\.telegram\.org\/bot)(?<secret>[\w/:-]{10,})/dg,
  /\b(?<secret>(?:dckr_pat|dop_v1|figd|gl(?:c|sa)|gsk|hc[ax]ik|hf|lin_api|ntn|r8|shp[a-z]{2}|sntrys|whsec)_\w{16,}|(?:nvapi|pplx|pul|PMAK|tskey|xai)-(?=[\w-]*\d)[\w-]{16,}|dapi[\da-f]{32}|claim-(?=\w*[A-Z])(?=\w*\d)\w{20}(?!\w)|ATATT3[\w=-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|pypi-[\w-]{16,}|key-[\da-f]{32}|AGE-SECRET-KEY-1\w+)/dg,
  // A bot of Telegram.
  /(?<!\d)(?<secret>\d{8,12}:AA[\w-]{28,})/dg,
  // Hashes of passwords; their `$` stays.
  /(?<![\w$])\$(?<secret>(?:apr1|[156y]|2[abxy]|argon2(?:id?|d))\$[\w.,/+=$-]{20,})/dg,
  /(?<![\w-])(?<secret>SCRAM-SHA-\d+\$\d+:[\w+/=]+\$[\w+/=:]+|md5[\da-f]{32}(?!\w)|(?:pbkdf2|scrypt)[\w:]{2,40}\$[\w+/=$.]{20,}|\{S?SHA\d*\}[\w+/=]{20,})/dg,
  // A file of settings with blanks, and `.pgpass`.
  /^[ \t]{0,40}(?:requirepass|masterauth|rootpw|sentinel auth-pass \S+|user \S+ (?:insecure-)?password|\w{0,40}password(?=[ \t]+\S*\d))[ \t]+["']?(?<secret>[^\s"']+)["']?\r?$/dgim,
  /^[ \t]{0,40}[\w.*-]{1,100}:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?<secret>[^\s:]+)\r?$/dgm,
  /[?&]sig=(?<secret>[^\s"'&]{10,})/dg,
  // The key of a cache or a table is a word or a number.
  /[?&](?:code|key)=(?<secret>(?:\d\/)?(?=[\w%-]*\d)(?=[\w%-]*[a-z])[\w%-]{10,}=*)/dgi,
  // Webhooks, by their host or path: a long id, or two of them.
  /:\/\/(?:[\w-]{1,63}\.){0,5}(?:web)?hooks?\.[\w.-]{1,100}\/(?<secret>(?=\S{0,200}?(?:(?=[\w-]{0,63}\d)[\w-]{20}|\d[\w-]{0,63}\/(?=[a-z-]{0,63}\d)[\w-]{6}))[^\s"'?]{20,})/dgi,
  /\bhooks\/(?<secret>(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,})/dgi,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/(?<secret>[\w/-]{10,})/dg,
  // In a sentence, a value has letters and digits: "password: must be at least 8 characters".
  pattern`(?:passw(?:or)?d|pwd|passphrase|token|client_?secret|(?:access|api|encryption|master|secret|shared|signing|unseal)[ _-]?key(?: \d)?)["']?(?::\s+|\s+=>?\s+)["']?(?<secret>(?=\S*\d)(?=\S*[a-z])(?!/|\d{4}-)[^\s"',;()[\]{}<>${SEPARATOR}]{8,})`,
  // "password is VALUE", "with password 'VALUE'"; a secret of Kubernetes has a name with hyphens.
  /\b(?:passw(?:or)?d|passphrase|token|(?:api|access|secret|unseal)[ _-]key|(?:secret|credentials?)(?!\s+\S*-))\s+(?:(?:is|(?:is |was |has been )?(?:set|reset|changed|rotated) to|was)\s+)?["'`]?(?<secret>(?=[^\s"'`]*\d)(?=[^\s"'`]*[a-z])(?!\/|\d{4}-|[\w.-]*[/@:])[^\s"'`,;()[\]{}<>=\u0001]{7,})/dgi,
  // "login with admin / VALUE"
  /\b(?:credentials?|log ?in|password|sign in)\b[^/\r\n]{0,60}\s\/\s(?<secret>(?=\S*\d)(?=\S*[a-z])[^\s"',;/]{6,})(?!\/)/dgi,
  // "a temporary password is generated for root@localhost: VALUE"
  /\bpassword\b(?![^:\r\n]{0,120}(?:deni|error|fail|invalid|incorrect|reject|wrong))[^:\r\n]{1,120}:\s+(?<secret>(?=\S*\d)(?=\S*[a-z])(?!\d{4}-)\S{8,200})\r?$/dgim,
  // YAML: a key of several words.
  /^[ \t]{0,40}(?:- )?["']?(?!\w{0,60}[sS]ecrets\b)(?<name>(?=\w{1,60}[._-]|[a-z\d]{1,60}[A-Z])[\w.-]{1,100})["']?: {1,40}["']?(?<secret>[^\s"']+)["']?\r?$/dgm,
  // TOML, and files of settings: a line of its own.
  /^[ \t]{0,40}(?<name>[\w.-]{1,100}) = ["']?(?<secret>[^\s"']+)["']?\r?$/dgm,
  /\b(?:name|key|flag)["']?[:=]\s{0,40}["']?-{0,2}(?<name>\w[\w.-]{0,100})["']?,?\s{1,40}["']?value["']?[:=]\s{0,40}["']?(?<secret>[^\s"',}]+)/dg,
  // `users=me:VALUE:1001`
  /(?<![\w.-])(?<name>[\w.-]{0,40}(?:users?|user_?info|login))["']?(?:=|: )["']?(?<secret>[^\s"']+)/dgi,
  // Users of Redis: `user me on >VALUE ~*`
  /\buser \S{1,60} (?:[\w~*&+@-]{1,60} ){1,9}>(?<secret>\S+)/dgi,
  /(?<![\w.-])(?<name>[\w.-]{0,40}[_.-]key)=["']?(?<secret>[^\s"'&;,}\u0001]+)/dgi,
  /(?<![a-z\d])auth\\?["']? ?[:=] ?\\?["']?(?<secret>[A-Za-z\d+/]{8,1000}={1,2})/dg,
  // A struct in Go.
  /(?<=[\s{&])(?<name>[A-Z]\w{0,100}):"?(?<secret>[^\s{}"',]+)/dg,
  // User and password of Oracle, and of a DSN in Go.
  /(?<![\w/.@-])[\w$#]{1,40}\/(?<secret>[^\s/@"']{1,100})@(?:\/\/|[\w.-]{1,100}:\d{1,5}(?!\w)|[A-Z][A-Z\d_]{2,}\b)/dg,
  /(?<![\w.-])[\w.-]{1,60}:(?<secret>[^\s@/"'()]{1,200})@(?:tcp|udp|unix)\d?\(/dg,
  // User and password in a URL. A short word is the name of a user, but with redis.
  /\b(?!(?!redis)[\w+.-]{1,21}:\/\/[a-z_-]{1,15}@)[a-z][\w+.-]{0,20}:\/\/(?<secret>(?!:@|[^\s/@]{0,200}:\$)[^\s/@"'<>]{1,500})@/dgi,
  pattern`(?<![\w.-])(?<name>[\w.-]{0,40}${WORD}[\w.-]{0,40})\\?["']?(?:\s?=>\s?|=|\]\s?=\s?)\\?["']?${ASSIGNED}`,
  pattern`"(?<name>[\w.-]{0,40}${WORD}[\w.-]{0,40})"\s*:\s*"(?!")(?<secret>[^"\\]*(?:\\.[^"\\]*){0,${MAX_ESCAPES}}(?:(?=")|(?=\\)[^]*))`,
  // `{ user: me, password: VALUE }`
  pattern`(?<![\w.-])(?<name>[\w.-]{0,40}${WORD}[\w.-]{0,40})(?<=\{[^{}\r\n]{0,300}):\s(?![{[&*!]|undefined|required|missing|invalid|string|number|boolean)${ASSIGNED}`,
  // In XML and PHP.
  pattern`(?:<(?<name>[\w.:-]{0,40}${WORD}[\w.-]{0,40})>|\bdefine\(\s{0,9}["']\w{0,40}${WORD}["'],\s{0,9}["'])(?<secret>[^<>"']{1,500})(?=</|["'])`,
  // In Python, or in JSON within JSON.
  pattern`(?<quote>\\"|')(?<name>[\w.-]{0,40}${WORD}[\w.-]{0,40})\k<quote>\s*:\s*\k<quote>(?<secret>[^\\"'\r\n]+)`,
];

/** Every match of these patterns contains one of these parts; few texts do. */
const MAY_MATCH =
  /pass|pwd|secret|users?["']?[=:]|user \S+ |user_?info|log ?in|sign in|signature|token|key|credential|authorization|cookie|bearer|basic|eyj|akia|asia|gh[pousr]_|github_|gl[a-z]{2,5}-|xox|xapp|sig=|k_live|k_test|aiza|npm_|hv[bs]\.|\bsk-|:\/\/|x-a|auth|pw|@|sg\.|pypi-|dckr_|dop_|glc_|glsa|hf_|lin_api|shp|whsec|:aa|code=|hooks\/|\$[\da-y]|:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:|scram|md5|pbkdf|scrypt|sha\d*\}|figd|gsk_|hc[ax]ik|ntn_|r8_|sntrys|nvapi|pplx|pul-|pmak|xai-|dapi|claim-|atatt/i;

/** Programs with the letter of their option for a password, which may follow without a space. */
const PASSWORD_OPTIONS = [
  [String.raw`(?:redis|valkey|keydb)-cli`, 'a'],
  [
    String.raw`(?:mongo\w*|cqlsh|cypher-shell|rabbitmqadmin|sshpass|(?:az|docker|podman)\Wlogin)`,
    'p',
  ],
  [String.raw`(?:sqlcmd|mosquitto_\w+)`, 'P'],
  [String.raw`ldap\w+`, 'w'],
  [String.raw`snmp\w+`, 'c'],
] as const;

function passwordOption([program, letter]: (typeof PASSWORD_OPTIONS)[number]): Pattern {
  const option = String.raw`[^|;&]{0,200}?[\s${SEPARATOR}]-${letter}[\s"',\\${SEPARATOR}]*`;
  return new RegExp(String.raw`\b${program}\b${option}${ARGUMENT}`, 'dg');
}

const IN_COMMANDS: readonly Pattern[] = [
  pattern`(?<![\w-])--?(?<name>[\w.-]{0,40}${WORD}[\w.-]{0,40})[\s"',\\${SEPARATOR}]+(?![-,])${ARGUMENT}`,
  /\b(?:sqlplus|sqlldr|expdp|impdp|rman)\b[^|;&]{0,200}?[\s\u0001]\w+\/(?<secret>[^\s/@"'\u0001]+)/dg,
  /(?:-H|--?(?:\w+-)?header)[\s"',\\\u0001=]+(?<name>[\w-]+)\s*:\s*(?<secret>[^"'\r\n\u0001]+)/dg,
  new RegExp(String.raw`--(?:require)?pass[\s"',\\${SEPARATOR}=]+${ARGUMENT}`, 'dg'),
  ...PASSWORD_OPTIONS.map(passwordOption),
  new RegExp(
    String.raw`\b(?:mysql|mariadb)(?:-?admin|dump)?\b[^|;&]{0,200}?[\s${SEPARATOR}]-p\\?["']?${ARGUMENT}`,
    'dg',
  ),
  /\b(?:vault[\s\u0001]+login|(?:add_user|authenticate_user|change_password)[\s\u0001]+\S+?)[\s\u0001]+(?<secret>(?!-)[^\s"'\u0001=]+)(?=[\s\u0001]|$)/dg,
  /[\s\u0001-](?:pass[\s\u0001:]+pass:|passin[\s\u0001]+pass:|U[\s\u0001]*[^\s%\u0001]+%)(?<secret>[^\s"'\u0001]+)/dg,
  // The command of Redis; SMTP's has the name of a mechanism.
  /\bAUTH[ \u0001]+(?<secret>(?!LOGIN|PLAIN|CRAM|XOAUTH)[^\s"'\\\u0001]{4,})/dg,
  // `docker exec -u 1000:1000` has numbers; `http -a` is HTTPie.
  /(?:[\s\u0001]-[A-Za-z]{0,5}u[\s"',\\\u0001=]*|\bhttps?[\s\u0001]+-a[\s\u0001]*|--?[\w.-]{0,40}(?:users?|auth)[\s"',\\\u0001=]+)[^\s:"'\\\u0001]+:(?<secret>(?!\/\/|\d+(?:[\s"'\u0001]|$))[^\s"'\u0001]+)/dg,
  /(?<![\w./:@-])(?<secret>[\da-f]{32,})(?![\w./-])/dgi,
  /(?<![\w./:@+-])(?<secret>(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])(?=[\w+-]*\d)(?:[\w+-]{32,}={0,2}|[A-Za-z\d+/]{16,}={1,2}))(?![\w./-])/dg,
];

export function maskText(text: string, found?: OnFound): string {
  if (!MAY_MATCH.test(text)) return text;
  return IN_ALL_TEXTS.reduce((masked, pattern) => maskPattern(masked, pattern, found), text);
}

export function maskCommandLine(line: string, found?: OnFound): string {
  return IN_COMMANDS.reduce(
    (masked, pattern) => maskPattern(masked, pattern, found),
    maskText(line, found),
  );
}

export function maskArguments(words: readonly string[], found?: OnFound): readonly string[] {
  const masked = maskCommandLine(words.join(SEPARATOR), found).split(SEPARATOR);
  return masked.length === words.length
    ? masked
    : words.map((word) => maskCommandLine(word, found));
}

/** Masks the values of credentials' headers, and the like, in a request or a response. */
export function maskHeaders(text: string, found?: OnFound): string {
  const masked = text.replaceAll(
    HEADER,
    (line: string, begin: string, name: string, value: string) => {
      if (!isCredentialName(name) || value === MASK) return line;
      found?.(value);
      return `${begin}${MASK}`;
    },
  );
  return maskText(masked, found);
}

const HEADER = /^(([\w-]+):[ \t]*)([^\r\n]+)/gm;

function maskPattern(text: string, pattern: Pattern, found: OnFound | undefined): string {
  if (text.search(pattern) === -1) return text;
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
    const secret = text.slice(start, end);
    // A reference to a variable shows no value.
    if (secret.includes(MASK) || secret.startsWith('$')) continue;
    const name = match.groups?.['name'];
    if (name !== undefined && !isCredential(name, secret)) continue;
    found?.(secret);
    parts.push(text.slice(from, start), MASK);
    from = end;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}
