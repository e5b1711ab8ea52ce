import type { Advice, Provision } from '../change.js';
import { BAD_OPTION } from '../output/runtime-readers.js';
import { BAD_TEST, LINE_ENDS, NO_INTERPRETER } from './command-rules.js';

export function correct(file: string): Advice {
  return { do: 'correct', fields: [file] };
}

/** A name of a variable, and none of an error, a file or of the system. */
export const VARIABLE_NAME = String.raw`(?<![/.])(?!(?:CAP|E|EAI|ERR|SO|SSL|TLS)_)[A-Z][A-Z\d]*_[A-Z\d_]+`;
export const VARIABLE = new RegExp(String.raw`\b${VARIABLE_NAME}\b`, 'g');

/** Phrases about a variable that is not set, or has a wrong value. */
export const UNSET = new RegExp(
  [
    String.raw`[Ee]nvironment variable`,
    String.raw`\b${VARIABLE_NAME}["'\`]?\)? (?:not set|(?:is|was|must be|has to be) (?:(?:not )?(?:set|provided)|missing|required|undefined|empty))\b`,
    String.raw`(?:[Mm]issing|[Rr]equired|[Pp]lease set)\W+(?:\w+\W+){0,3}?${VARIABLE_NAME}\b`,
    String.raw`\b${VARIABLE_NAME} is (?:a|an) (?:mandatory|required)\b`,
    String.raw`\b(?:[Mm]issing|[Pp]ut|[Ss]et)\b.*\b(?:ENV\[['"]|process\.env\.)${VARIABLE_NAME}`,
    String.raw`\bport\b.*\b(?:NaN|undefined)\b`,
    String.raw`KeyError: '[A-Z][A-Z\d_]{2,}'`,
    String.raw`key not found: "[A-Z][A-Z\d_]{2,}"`,
    String.raw`Invalid URL: '(?:undefined)?'`,
    // What a language prints for a host that is not set.
    String.raw`(?:ENOTFOUND|EAI_AGAIN|lookup|host(?: ?name)?=?|UnknownHostException:|resolve) ?['"]?(?:undefined|null|[Nn]one|nil)\b`,
    String.raw`\bdial (?:tcp|udp) :\d`,
    String.raw`unbound variable`,
    String.raw`Missing .?secret_key_base|No application encryption key`,
    String.raw`validation errors? for \w*(?:Config|Env|Environment|Settings)\b.*[Ff]ield required`,
    String.raw`parameter (?:not set|null or not set)`,
    String.raw`[Cc]ould not resolve placeholder '`,
    String.raw`\bErr\` value: (?:NotPresent|EnvVar)\b`,
  ].join('|'),
);

const provide = (what: Provision, pattern: RegExp) =>
  ({ pattern, advice: { do: 'provide', what } }) as const;

export const SET_VARIABLE: Advice = { do: 'setVariable' };
export const COMPILE: Advice = { do: 'provide', what: 'compiled' };

export const LONG_VALUE = /\bE2BIG\b|argument list too long/i;

/** Warnings of servers all of whose workers or connections are in use: php-fpm, Apache, nginx, and pools of threads. */
export const LIMIT_REACHED =
  /\bserver reached (?:pm\.max_children|MaxRequestWorkers)\b|\bworker_connections are not enough\b|\ball (?:\w+ )?(?:threads|workers) (?:are )?(?:busy|in use)\b|\bno (?:free|idle) (?:thread|worker)s?\b|\bthread ?pool\b.*\b(?:exhausted|full|starv)/i;

/** Complaints about what a command line names: a script of npm, an application of a server. */
const BAD_COMMAND_LINE =
  /^Missing script: |^usage(?::| of \S+:)|^Error: -\w+ requires |\bcommand ["'`][\w:-]+["'`] (?:is )?not (?:defined|found)\b|(?<!\bERR )\b(?:no such|unknown) (?:sub)?command:? ["'`]|\bdon't know how to build task\b|^extra (?:argument|operand)s? |\binvalid choice: |\(wrong name: |\brequired flag\(s\) "|\b(?:failed to find|detected multiple) \w+ applications?\b|\bfrom flags: |(?:^|\s)--[a-z][\w-]+ (?:argument|flag|option)s?\b|(?:^|[\s"'`])--[a-z][\w-]+["'`]?(?:=\S+)? (?:can ?not|can't|has|is|must|not|requires?) |\b(?:both|invalid|missing|provide|set|specify|unknown|values? (?:for|of)) ["'`]?--[a-z]/i;

/** Phrases of errors about a program's surroundings, with the advice for each; the first that fits counts. */
export const SURROUNDINGS: readonly { readonly pattern: RegExp; readonly advice: Advice }[] = [
  provide('lineEnds', LINE_ENDS),
  provide(
    'node',
    /nsenter: failed to execute|installed on the (?:host|node)\b|modprobe: [EF]\w+: /i,
  ),
  provide(
    'lineBreak',
    /invalid (?:character in )?header (?:field )?(?:value|content)|\b(?:host|lookup|name|url)\b.*[\w-]\\n['"]/i,
  ),
  provide(
    'rights',
    /\bforbidden: User \\?"[\w:.-]+\\?" cannot \w+ resource\b|\b(?:RBAC|Authorization (?:enabled|mode))\b.*\bpermissions?\b/,
  ),
  provide('caches', /\bfailed to wait for \S+ caches to sync\b/),
  provide('kubeconfig', /\bno configuration has been provided\b|\binvalid kube-?config file\b/i),
  provide('serviceVariable', /\b[A-Z][A-Z\d_]*_SERVICE_(?:HOST|PORT)\b/),
  { pattern: UNSET, advice: SET_VARIABLE },
  provide(
    'noProxy',
    /not resolve proxy|unable to connect to proxy|\bProxyError\b|proxyconnect tcp/i,
  ),
  provide(
    'noServiceLink',
    /(?:pars|int\(|\b(?:address|port|ENOTFOUND|EAI_AGAIN|lookup|resolve)\b|number|integer|unmarshal|NaN).*\btcp:\/\/\d[\d.:]*|\btcp:\/\/[\d.]+:\d+.*(?:port\b|number|integer)/i,
  ),
  // A resolver does not quote a host: the quotes are part of its name.
  provide('value', /(?:bad address '|resolve host: |ENOTFOUND |EAI_AGAIN )(?:\\?["']|https?:)/),
  {
    pattern: /\bEAI_AGAIN\b|temporary failure in name resolution|server misbehaving/i,
    advice: { do: 'correctHost', isUnanswered: true },
  },
  {
    pattern:
      /\bno resolvable bootstrap urls\b|\bENOTFOUND\b|no such host|host not found|name or service not known|name does not resolve|failed to resolve host|(?:could not|can't|unable to) resolve (?:the )?(?:host|address|domain|name|proxy)|bad address '|could not translate host name|UnknownHostException|getaddrinfo failed|getaddrinfo: /i,
    advice: { do: 'correctHost' },
  },
  provide(
    'device',
    /\binfer device type\b|\bno CUDA-capable device|\bCUDA (?:driver|error)\b|\bno NVIDIA driver\b|\blibcuda\.so|\bNVML\b.*(?:error|fail|not found)|\bno (?:accelerator|GPU)s? (?:available|detected|found)|not compiled with CUDA/i,
  ),
  provide(
    'lease',
    /\bleader ?election lost\b|\b(?:failed to renew|lost) (?:the )?(?:leader|lease)\w*/i,
  ),
  provide(
    'startLimit',
    /^s6-\S+: fatal: timed out|\bfailed to start within \d|\bstart(?:up)? (?:has )?timed? ?out\b|^no response from \w+ (?:master|process|server|worker)\b.* within \d/i,
  ),
  provide('acceptTraffic', /^readinessState$/),
  provide('initialization', /\binitialized: false, sealed: true\b/),
  provide('unsealing', /\bsealed: true\b/),
  provide('workers', LIMIT_REACHED),
  provide('interpreter', NO_INTERPRETER),
  provide(
    'runtime',
    /compiled by a more recent version|\bGLIBC(?:XX)?_[\d.]+['’] not found|\bError relocating |\bundefined symbol: |install or update \.NET|\bRubyVersionMismatch\b|\brequires \S+ v?\d[\w.]* or (?:above|greater|higher|later|newer)|\bonly supports \w+ version \d|\bwas generated for "[^"]+", but\b|\bmodule (?:Duration|JSON) is not available|\bfunction (?:Access|Base|Date|DateTime|Enum|File|IO|Kernel|Keyword|List|Map|Process|Regex|Stream|String|System|Task|URI)\.\S+ is undefined/,
  ),
  {
    pattern:
      /\b(?:listen|bind|BindException)\b.*(?:\bEADDRNOTAVAIL\b|cannot assign requested address)/i,
    advice: { do: 'bindAll', family: 4 },
  },
  provide('cpu', /^SIGILL\b/),
  provide('format', /exec format error/i),
  provide(
    'browserSandbox',
    /\bno usable sandbox\b|\bfailed to move to new namespace\b|\bzygote_host_impl\w*|\bwithout --no-sandbox\b/i,
  ),
  provide(
    'deviceFile',
    /\b(?:no such (?:device|file)|not found)\b.*[\s'"]\/dev\/(?:bus|dri|fuse|kfd|kvm|net\/tun|nvidia|serial|snd|tty(?:ACM|AMA|S|USB)|vfio|video)|\/dev\/(?:bus|dri|fuse|kfd|kvm|net\/tun|nvidia|serial|snd|tty(?:ACM|AMA|S|USB)|vfio|video)\S*:.*(?:no such (?:device|file)|not found)/i,
  ),
  provide('capability', /\block memory\b|\bmlock\b/i),
  provide(
    'mode',
    /invalid permissions|accessible by owner only|only be \w+ by (?:the )?owner|\b(?:group|world)(?: or \w+)?[- ](?:access|readable|writable)\b|permissions? .*\btoo open\b|bad (?:owner or )?permissions/i,
  ),
  provide('capability', /\biptables\b.*(?:must be root|not permitted|permission denied)/i),
  provide('kernel', /\bvm\.max_map_count\b|number of (?:file watchers|inotify)/i),
  provide('emptyFolder', /^initdb: .*not empty$|\bdata directory has files in it\b/),
  provide('folder', /\bEISDIR\b|\bis a directory\b|\bIsADirectoryError\b/i),
  provide(
    'sharedMemory',
    /(?:\/dev\/shm|shared memory).*no space left|no space left.*\/dev\/shm|insufficient shared memory/i,
  ),
  provide(
    'space',
    /\bdisk (?:space|usage)\b.*\d ?%|\bENOSPC\b|no space left on device|disk quota exceeded/i,
  ),
  provide(
    'writableFolder',
    /\bEROFS\b|read-only file ?system|no usable temporary directory|unable to create temp/i,
  ),
  provide(
    'threads',
    /\bcan't (?:start new|create) thread\b|unable to create (?:new )?native thread|failed to (?:create new OS|spawn) thread|\bfork\b.*resource temporarily unavailable|\bspawn \S+ EAGAIN\b/i,
  ),
  provide('files', /\bEMFILE\b|too many open files|max file descriptors \[\d+\].*too low/i),
  provide(
    'lowPort',
    /(?:\bbind|\blisten).*(?:permission denied|\bEACCES\b)|permission denied.*\bbind to\b|\bEACCES\b.*:\d+$/i,
  ),
  provide(
    'account',
    /get_passwd\b|\bgetpwuid\b|unknown user ?id\b|cannot find name for user ID|\buid \d+ (?:does not exist|not found)/i,
  ),
  provide('firstProcess', /\b(?:as|be) pid 1\b/i),
  provide(
    'systemData',
    /unknown time zone|no time zone found|unsupported locale|cannot (?:set|change) locale|no such locale/i,
  ),
  // A database or a service that denies access names no file.
  provide(
    'access',
    /\bEACCES\b|\bEPERM\b|\bOs \{ code: 13\b|\bos error 13\b|dubious ownership|does not have the access rights|\[Errno 13\]|operation not permitted|(?:^|[\s'"(:]|cannot )\.?(?:\/[\w.-]|\w+ ['"]).*permission denied|\bcan(?:not|'t) (?:create|write) \S.*permission denied|^(?:cp|ln|mkdir|mv|rm|tee|touch): \S+: permission denied|\b(?:mkdir|open|unlink) [\w./-]+: permission denied|permission denied:? [['"]*\.?\/[\w.-]|\bwrite permissions?\b|\bnot writable\b|\bbelongs to uid \d|\bhas wrong ownership\b|\bfile access denied\b|\breadonly database|\bjava\.nio\.file\.AccessDeniedException/i,
  ),
  provide(
    'component',
    /required a bean of type|missing dependencies: missing type: |\bNo qualifying bean\b|can't resolve dependencies of|\bUnable to resolve service for type\b|\bNo implementation for \S+ was bound/,
  ),
  provide('escalation', /\bno[ _]new[ _]priv/i),
  provide(
    'root',
    /\bdrop privileges? as non-?root\b|\b(?:have|has|must|needs?)(?: to)? (?:be )?(?:run )?(?:as )?(?:the )?root\b(?! (?:ca|cert|element|folder|node|path|url))|\brequires? root\b(?! (?:ca|cert|element|folder|node|path|url))|\bnot (?:running as|the) root\b|\broot privileges? (?:are|is) required\b/i,
  ),
  provide(
    'user',
    /(?:"root"|\broot\b|unprivileged user).*(?:not (?:permitted|allowed)|prevent)|\b(?:can ?not|can't|must not|not) (?:supposed to )?(?:be )?run (?:\w+ )?as (?:the )?root\b/i,
  ),
  provide(
    'module',
    /^undef: |cannot find (?:module|package) '[^./]|can't locate \S+ in @INC|no module named|cannot load such file|ClassNotFoundException|could not find driver|call to undefined function (?:curl|ldap|mb|mysqli|pcntl|pg|socket)_|no suitable driver found|\bclass "[\w\\]+" not found|cannot open shared object|error loading shared library|no package called|\(module \S+ is not available\)|module '[\w.]+' not found|could not find gem\b|\bload main class\b|could not find \S+ in (?:any of the sources|locally installed gems)|requires? ['\"`]?[\w.-]+['\"`]? to be installed|\b(?:npm|pip) install \w|could not load the "\S+" module|could not locate the \w+ engine\b|\bengine (?:library )?for \S.* could not be found/i,
  ),
  provide(
    'grant',
    /\bpermission denied (?:for (?:column|database|function|language|large object|relation|schema|sequence|table|tablespace|type|view)|to (?:create|set) \w+)\b|\bcommand denied to user\b|\baccess denied for user \S+ to database\b|\bmust be owner of \w/i,
  ),
  provide('admission', /no pg_hba\.conf entry for|\bnot allowed to connect to this \w+ server/i),
  provide(
    'credentials',
    /(?:password )?authentication failed|\bconnection refused: not authorized\b|\bMessageEncryptor::InvalidMessage\b|\bstatus ?code\W{1,2}40[13]\b|\bpassword (?:is|was) incorrect|password must be a string|\bACCESS_REFUSED\b|\blog-?in (?:was )?(?:failed|refused)\b|final block not properly padded|\bbad decrypt\b|\bkey is encrypted\b|access denied for user|\bWRONGPASS\b|\bNOAUTH\b|\baccess key id you provided\b|\bencryption key mismatch|\b(?:correct|different|wrong) ["']?encryption ?key\b|\bInvalidAccessKeyId\b|\bSignatureDoesNotMatch\b|\b(?:bad|invalid) (?:api key|credentials)|\b(?:could not|unable to) (?:find|locate) (?:default )?credentials/i,
  ),
  provide('pem', /\bPEM (?:data|lib|routines)\b|\bPEM_read|\bno start line\b/),
  provide(
    'dataVersion',
    /\bfiles are incompatible with server|cannot downgrade|\bversion of the data\b.*\bhigher\b|\bdowngrading is not supported\b|\binvalid featureCompatibilityVersion\b|\bRDB format version|is not compatible with this version|can't locate revision identified by|\bupgrade to version \S+ first\b/i,
  ),
  provide(
    'data',
    /\bTable 'mysql\.\w+' doesn't exist|\bnot a valid data directory\b|\binvalid block sequence\b|\bfiles? (?:is|are) corrupt|bad file format reading|wrong signature trying to load DB|short read or OOM loading DB|invalid page type|(?:invalid|could not locate a valid) checkpoint record|\bpg_control\b|failed to (?:load|open|recover|replay) (?:\w+ )?(?:journal|segment|shard|snapshot|wal)\b|\braft log corrupted\b|^panic: log not found$|database disk image is malformed|file is not a database/i,
  ),
  provide(
    'clock',
    /\bcurrent time \S+ is before\b|\bCERT_NOT_YET_VALID\b|\bCertificateNotYetValid|certificate is not yet valid/i,
  ),
  provide(
    'certificateName',
    /certificate is (?:not )?valid for |\bALTNAME_INVALID\b|\bhostname\S* (?:mismatch|does(?:n't| not) match)\b|\bno (?:name matching|subject alternative)\b|\bany IP SANs\b|\blegacy Common Name\b/i,
  ),
  provide(
    'trust',
    /\bx509: |certificate.verify.failed|unable to (?:get|verify) .*certificate|certificate (?:has expired|signed by unknown)|self.signed certificate|PKIX path/i,
  ),
  provide('scheme', /HTTP response to HTTPS client|wrong.version.number|unrecognized SSL message/i),
  provide(
    'connections',
    /^(?=.*conn).*pool\b(?!\().*(?:limit .*reached|exhaust|timed? ?out|no (?:free|available))|(?:timed? ?out|waiting).*\b(?:from|for) (?:the |a )?(?:connection )?pool|connection is not available|too many (?:clients|connections)|max number of clients|\bPoolTimedOut\b|remaining connection slots/i,
  ),
  provide('network', /\bENETUNREACH\b|network (?:is )?unreachable/i),
  provide(
    'peer',
    /\bECONNREFUSED\b|ConnectionRefused|\bCannot assign requested address \(\S+:\d+\)|connection (?:to \S+ )?refused|waiting for new connection|\bETIMEDOUT\b|i\/o timeout|connection timed out|database system is starting up|\bEHOSTUNREACH\b|no route to host|timeout occurred after waiting|connection to server on socket|\b(?:curl|wget) could not connect\b|unavailable - (?:sleep|wait|retry)|^upstream (?:connect error|request timeout)|^no healthy upstream/i,
  ),
  provide(
    'peerCuts',
    /\bSocketException.*\bBroken pipe\b|\bECONNRESET\b|\bConnectionReset|connection reset by peer/i,
  ),
  provide('member', /\bmember \w+ has already been bootstrapped|\bcluster id\b.*doesn't match/i),
  provide(
    'leftover',
    /already running.*\bpid\b|\bpid ?file\b.*exists|\.pid\b.*\bexists|\block ?file .*already exists|\.lock\b.*\bexists|\bunix:.*\baddress already in use\b|\baddress already in use:? ['"]?\/|\bEEXIST\b|\bFileExistsError\b|: file exists$/i,
  ),
  provide(
    'volume',
    /\bno locks available\b|\bbytes should have been written, only 0\b|\bdisk i\/o error\b|\bstale (?:nfs )?file handle\b/i,
  ),
  provide('plainPort', /\bPROXY protocol\b/i),
  { pattern: BAD_OPTION, advice: { do: 'correct', fields: ['command', 'args'] } },
  { pattern: BAD_COMMAND_LINE, advice: { do: 'correct', fields: ['command', 'args'] } },
  { pattern: /^TypeError.* Unknown file extension "\.[cm]?tsx?"/, advice: COMPILE },
  provide(
    'value',
    /\b[Cc]ould not parse .*\bURL\b|address \S+: (?:missing port|too many colons) in address|\b(?:Parse(?:Bool|Char|Float|Int)Error|AddrParseError)\b/,
  ),
  provide(
    'lock',
    /\b(?:advisory|change ?log|database|migrations?|schema)\b.*\block(?:ed)?\b|\bMigration(?:s|Table)?Is?Locked|another migration process|\bunable to lock \S|\block\b.*resource temporarily unavailable/i,
  ),
  provide('loginName', /\b(?:role|database) "root" does not exist/),
  provide(
    'migration',
    /\bfailed migrations?\b|\bmigrations? .*\b(?:checksum|dirty|failed validation)|\bdirty database\b|`\S+` migration\b.*\bfailed\b|\bvalidation failed: .*(?:change ?sets?|checksums?)/i,
  ),
  provide(
    'unmigrated',
    /\bout[- ]of[- ]date (?:database )?schema\b|\b(?:pending|unapplied) migrations?\b|\bmigrations? (?:are pending|(?:have|has)(?: not|n't) (?:yet )?been (?:fully )?applied)\b/i,
  ),
  provide(
    'schema',
    /\b(?:database|relation|role|schema|table)\b ["'`]\S+["'`] (?:does not|doesn't) exist|\bcolumn [\w.]+ (?:of relation \S+ )?does not exist|\bunknown database ['"`]|\bno such table\b|\b(?:bucket|exchange|queue|topic)\b ["'`]?[\w./-]+["'`]? (?:does not|doesn't) exist|\bNoSuchBucket\b|\bindex_not_found_exception\b|\binitiali[sz]e the database\b|\bdatabase needs (?:bootstrapping|migrat|upgrad)|\bmissing (?:table|column) \[/i,
  ),
  provide('dataFolder', /\bunable to open database file\b/i),
  provide('input', /^EOFError: |\bnot a (?:tty|terminal)\b|\bstdin is not\b/i),
  provide(
    'olderLibrary',
    /does not "(?:opens|exports) |cannot import name '.*\/(?:lib\/python|site-packages|dist-packages)|digital envelope routines::unsupported|\bNODE_MODULE_VERSION\b/,
  ),
  provide('longValue', LONG_VALUE),
  provide('shellTest', BAD_TEST),
  provide('definition', /\bno matches for kind ['"\\]|could not find the requested resource/),
  provide('token', /kubernetes\.io\/serviceaccount\/(?:token|ca\.crt|namespace)\b/),
  provide(
    'project',
    /\bcould not locate gemfile|\bno application configured\b|couldn't find a package\.json|could not read package\.json|\bgo\.mod file not found|cannot find main module|could not find a composer\.json|could not find a mix\.project|can't open file '\S*manage\.py'|\bno rakefile found|no configuration file provided: not found/i,
  ),
  provide(
    'file',
    /internal redirection cycle|\bENOENT\b|\bno such file\b|could not open (?:input|(?:the )?config\w*) file|nonexistent directory|config file "\S*" not found|\b(?:cannot|can't|could not|unable to) find (?:the )?(?:\w+ )?file\b|FileNotFound|NoSuchFile|\b(?:directory|file|folder)\b[^:;]{0,60} (?:is missing|not found|(?:does not|doesn't) exist)\b|\bmake sure the (?:directory|file|folder) \S+ exists\b|\bcould not find (?:a |the )?[\w ]+ in the ['"]\S+ (?:directory|folder)|cannot find module '[./]|unable to access jarfile|error opening zip file|failed opening required|\bcan't (?:cd|chdir) to\b|['"][^'"\s]*\/[^'"\s]*\.\w+['"] (?:does not|doesn't) exist\b|^node: \S+: not found$/i,
  ),
  provide(
    'configuration',
    /\b(?:missing|no(?: valid)?) config(?:uration)?(?: file)?(?: (?:was )?(?:found|given|provided|specified))?(?=$|[.,!])/i,
  ),
  // What else it says of the connection decides before.
  provide(
    'peer',
    /\bfailed to (?:discover|fetch|retrieve)\b.*\bstatus\b\D{1,8}404\b|\b(?:cannot|can't|could not|couldn't|failed to|unable to) (?:connect|dial|reach|revive)\b(?=.*(?::\d{2,5}\b|:\/\/|\b(?:broker|cluster|database|endpoint|host|server)\b))/i,
  ),
  provide(
    'backend',
    /\bfailed to create a backend\b|\bno (?:available|live|usable) (?:backend|server)s?\b|\bno server is available\b|\ball backends (?:are )?down\b/i,
  ),
  { pattern: /\binvalid keystore\b/i, advice: correct('the keystore or its type') },
  provide(
    'license',
    /\blicen[cs]e\b.*\b(?:expired|invalid|missing|not (?:found|valid)|required|revoked)\b|\b(?:expired|invalid|missing|no valid)\b.*\blicen[cs]e\b/i,
  ),
];
