/** Returns a pattern of one of these parts, which blanks separate. */
export function oneOf(parts: string): string {
  return `(?:${parts.trim().split(/\s+/).join('|')})`;
}

/** Separates a name from its value, and the arguments of a command that is masked as one text. */
export const SEPARATOR = '\u0001';

/** Kinds of keys that are credentials, also in one word with `key`. */
const STRONG_KEY = oneOf(
  'access account api app auth cookie encryption fernet license master private secret shared signing unseal',
);

/** Ends of the names of credentials; one that begins with `_` is a word of its own. */
const CREDENTIAL_ENDS = new RegExp(
  oneOf(String.raw`
    pass passcode pass_?words? passwd passphrase pwd pw secrets? token credentials? authorization _auth [^_]_bearer
    (?:access|admin|api|auth|bearer)_tokens cookie signature salt pepper dsn [^_]_session _session_?id connection_?strings?
    snmp_community mnemonic seed_?phrase _jwt psk saml_?(?:response|assertion) api_?key_\w+_keys [^_]_key key_base
    ${STRONG_KEY}_?keys?
    pass_?word_?(?:double_?)?(?:hash|sha\d*) activation_code personal_access root_token_id (?:vault|role)_secret_id`) +
    '$',
);

/** Words that may follow the end of a credential's name. */
const VARIANTS =
  /(?:_?(?:v?\d+(?!\d)|base64|b64|hex|value|data|header|old|previous|next|primary|current))+$/;

/** Ends of names that carry no credential: limits, public keys, switches, names of Secrets. */
const PUBLIC_ENDS = new RegExp(
  oneOf(String.raw`
    _(?:max|min|num|page|total|prompt|context|new|input|output|completion)_?(?:\w+_)?tokens?
    ^_checksum/\w* _initial_cluster_token _(?:pusher|reverb)_app_key ^_public_\w*key ^_[a-z]+_public_\w*key ^_(?:vite|react_app)_\w*key
    _${oneOf(`public publishable primary foreign sort partition cache routing idempotency unique row lookup shard hash
      range site gpg pgp file state message config index host object group tag label limit map by web_?socket`)}_?key
    \w*allow_empty\w*
    _${oneOf('by com auto not no always without use enable require disable skip show change reset forgot')}_?${oneOf('pass password auth (?<!change_|reset_)token secret cookie pw jwt')}s?
    ${oneOf('by com multi over sur tres')}pass`) + '$',
);

/** Reports whether a variable, a header, a key or an annotation of this name carries a credential: its last words say so. */
export function isCredentialName(name: string): boolean {
  const words = wordsOf(name);
  return CREDENTIAL_ENDS.test(words.replace(VARIANTS, '')) && !PUBLIC_ENDS.test(words);
}

/** Returns the words of a name, each behind a `_`: `_db_password` for `DB_PASSWORD`, `dbPassword` and `db.password`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return `_${words.replaceAll(/[^a-z\d/]+/g, '_')}`;
}

/** Ends of names that are often no credential's in a program's output: `topologyKey`, `imagePullSecrets`, `basic-auth`. */
const VAGUE_ENDS = new RegExp(
  `(?:${oneOf('_auth _session secrets credentials ^_signature salt')}|(?<!${STRONG_KEY})_keys?)$`,
);

/** Reports whether the value of this name in a text is a credential only if it looks like one: if it has letters and digits. */
export function isVagueName(name: string): boolean {
  return VAGUE_ENDS.test(wordsOf(name).replace(VARIANTS, ''));
}

/** Kinds of values that are no credentials under any name. */
const NO_CREDENTIAL = anyOf(
  /true|false|yes|no|on|off|null|none|<nil>/, // a switch
  /\$[({][^{}()]*[)}]|%\(?[\w.]+\)?[s%]?(?:\/[\w./-]*)?/, // a reference to a variable
  /\(\w+\)|\[\w+\]|<(?:none|null|empty|unset|redacted|hidden|masked|sensitive)>|\*+/, // a mask
  /[\w.]+\(\)/, // a call in a line of source code
  /(?:file:\/\/|\.{0,2}|~)\/[\w.@%+-]+(?:\/[\w.@%+-]+)*\/?/, // a path
  /[\w-]+(?:\/[\w-]+)+\.[a-z][\w.]{1,6}|[\w./%-]+\.(?:pem|crt|cer|key|json|ya?ml|txt|p12|jks|conf)/, // a file
  /(?:https?|tcp|wss?):\/\/[^\s@]*/, // a plain address
  /x(?:-[a-z]+)+|authorization|bearer/, // the name of a header
);

/** Names with values that are no credentials. */
const NO_CREDENTIAL_HERE = anyOf(
  /(?:.*auth_)?token\u0001(?:simple|jwt|opaque)/, // a kind of token
  /(?:signature|auth)\u0001(?:[a-z]+|(?:scram-)?(?:sha|md)-?\d+)|(?:tests?_)?pass\u0001\d{1,6}/, // a kind, a count
  /.*(?:auth|cert|existing|tls|key|password|pull)[_.-]?secret\u0001(?:[a-z]+\/)?[a-z]+(?:-[a-z]+)+|.*pull_?secrets\u0001[a-z-]+/, // the name of a Secret
  /.*(?:redis|etcd|consul|s3)[_.-]?key\u0001[a-z_:/.-]+/, // an entry in a store
  /(?:self|this)\.(?<own>\w+)\u0001\k<own>/, // a line of source code
);

/** A variable, as in templates of manifests, or a URL whose password is one; `"token": "NUMBER"` of a parser. */
const TEMPLATE =
  /(?:^token\u0001[A-Z_]{1,12}|\u0001[a-z][\w+.-]*:\/\/[^\s:@/]*:\$[^\s@]+@\S*|\u0001\$[A-Z_][A-Z\d_]*)$/;

/** Users with their passwords: `users=me:hunter2:1001`, `users=me|hunter`; a group (`user=1000:1000`, `user=node:node`) has small letters or digits. */
const USERS =
  /(?:users?|user_?info|login)\u0001(?!User:|Group:|Role:)[\w.@+-]+(?::(?!x:|\/\/)(?=[^\s:]*[A-Za-z])(?=[^\s:]*[^\s:a-z_-]|[^\s:]+:\d)[^\s:]+(?::\d\S*)?|\|[^\s|]+(?:\|[/\d]\S*)?)(?:[\s,;].*)?$/;

/** Reports whether a variable, a header or a key carries a credential. */
export function isCredential(name: string, value: string): boolean {
  const pair = `${name}${SEPARATOR}${value}`;
  if (NO_CREDENTIAL.test(value) || TEMPLATE.test(pair)) return false;
  return isCredentialName(name)
    ? !NO_CREDENTIAL_HERE.test(pair)
    : USERS.test(`${name.toLowerCase()}${SEPARATOR}${value}`);
}

/** Returns a pattern of a whole text of one of these kinds, in any case. */
function anyOf(...kinds: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${kinds.map(({ source }) => source).join('|')})$`, 'i');
}
