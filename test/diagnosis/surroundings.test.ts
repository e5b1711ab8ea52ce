import { expect, it } from 'vitest';

import { errorAdvice, surroundingAdvice, waitAdvice } from '../../src/diagnosis/surroundings.js';
import { adviceText } from '../../src/diagnosis/words/change-text.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';

it.each([
  ["Error: ENOSPC: no space left on device, open '/cache/x'", 'disk'],
  ["Error: ENOSPC: System limit for number of file watchers reached, watch '/app'", 'kernel'],
  ['max virtual memory areas vm.max_map_count [65530] is too low', 'kernel'],
  ['disk usage of /data is 97%, limit is 90%', 'disk'],
  ['RuntimeError: Found no NVIDIA driver on your system.', 'device'],
  ['ImportError: libcuda.so.1: cannot open shared object file: No such file', 'device'],
  ['problem running manager: leader election lost', 'lease'],
  ['failed to renew lease kube-system/controller: timed out', 'lease'],
  ['s6-svlisten1: fatal: timed out', 'startLimit'],
  ['No response from gunicorn master within 120 seconds', 'startLimit'],
  ['initialized: true, sealed: true, standby: true', 'unsealing'],
  ['initialized: false, sealed: true, standby: true', 'initialization'],
  ['x509: certificate is valid for api.shop.svc, not localhost', 'certificateName'],
  ["Hostname/IP does not match certificate's altnames: IP: 10.0.0.7", 'certificateName'],
  [
    "certificate verify failed: Hostname mismatch, certificate is not valid for 'db'",
    'certificateName',
  ],
  [
    "x509: cannot validate certificate for 10.0.0.7: doesn't contain any IP SANs",
    'certificateName',
  ],
  ['java.security.cert.CertificateException: No name matching db found', 'certificateName'],
  ['x509: certificate has expired or is not yet valid', 'trust'],
  ['readinessState', 'acceptTraffic'],
  ['Query engine library for current platform "debian" could not be found.', 'module'],
  ['Error: read ECONNRESET', 'peerCuts'],
  ['dial tcp 10.0.0.7:5672: read: connection reset by peer', 'peerCuts'],
  ['function Duration.new!/1 is undefined (module Duration is not available)', 'runtime'],
  ['function Shop.Repo.all/1 is undefined (module Shop.Repo is not available)', 'module'],
  ['AH00484: server reached MaxRequestWorkers setting, consider raising it', 'workers'],
  ['512 worker_connections are not enough', 'workers'],
  ['the version of the data (28.0.1.1) is higher than the docker image version', 'dataVersion'],
  ['pending migrations', 'unmigrated'],
  ['bucket invoices-prod does not exist', 'schema'],
  ['NoSuchBucket: The specified bucket does not exist', 'schema'],
  ['migrations have not yet been fully applied', 'unmigrated'],
  ['FATAL: failed to create a backend 0 connection', 'backend'],
  ["OSError: [Errno 30] Read-only file system: '/app/logs'", 'writableFolder'],
  ['accept4: too many open files', 'files'],
  ['chmod: /scripts/common.sh: Read-only file system', 'imageFiles'],
  ["chown: changing ownership of '/home/app/.profile': Read-only file system", 'imageFiles'],
  ['addgroup: /etc/group: Read-only file system', 'imageFiles'],
  ["iptables: can't initialize table `nat': Permission denied (you must be root)", 'capability'],
  ['preinit: fatal: /run belongs to uid 0 instead of 1000', 'access'],
  [`wget: bad address '"127.0.0.1":8085'`, 'value'],
  ['curl: (6) Could not resolve host: "redis"', 'value'],
  ['getaddrinfo ENOTFOUND http://redis', 'value'],
  ['touch: test.txt: Permission denied', 'access'],
  ['panic: open gogs.rsa: permission denied', 'access'],
  [
    'pods is forbidden: User "system:serviceaccount:shop:web" cannot list resource "pods" in API group ""',
    'rights',
  ],
  ['Failed to fetch /opt/mule/conf/app.yml. statusCode=403', 'credentials'],
  ['ERROR: column users.tier does not exist at character 42', 'schema'],
  ['nsenter: failed to execute iscsiadm: No such file or directory', 'node'],
  ['modprobe: FATAL: Module rbd not found in directory /lib/modules/6.1', 'node'],
  ['member 9b3523b532ddb797 has already been bootstrapped', 'member'],
  ["The Cluster ID WHsw doesn't match stored clusterId Some(ktTJ) in meta.properties", 'member'],
  ['error: Dirty database version 5. Fix and force version.', 'migration'],
  ['migrate found failed migrations in the target database', 'migration'],
  ['The `2023_init` migration started at 2024-03-29 16:21 UTC failed', 'migration'],
  ['could not open db: Encryption key mismatch', 'credentials'],
  ['could not open file "/data/global/pg_control": No such file or directory', 'data'],
  ['failed to migrate the database, error: please upgrade to version 1.10 first', 'dataVersion'],
  ["Can't reach database server at `db`:`5432`", 'peer'],
  ['failed to connect to redis://cache:6379', 'peer'],
  ['DatabaseError(__Unknown, "disk I/O error")', 'volume'],
  ['Failed to load local shard "./storage/0": IO Error: No such file or directory', 'data'],
  ['The Access Key Id you provided does not exist in our records.', 'credentials'],
  ['config file ("f.yml") can only be writable by the owner', 'mode'],
  ['ERROR: JVM config file is missing: /etc/jvm.config', 'file'],
  ['/usr/bin/env: ‘node\\r’: No such file or directory', 'lineEnds'],
  ['httpd: bind: Permission denied', 'lowPort'],
  ['Error: listen EACCES: permission denied 0.0.0.0:80', 'lowPort'],
  ['(13)Permission denied: make_sock: could not bind to address 0.0.0.0:80', 'lowPort'],
  ["PermissionError: [Errno 13] Permission denied: '/data/db'", 'access'],
  ['bind: PermissionError: [Errno 13] Permission denied', 'lowPort'],
  ['sh: ./start.sh: Permission denied', 'access'],
  ["touch: cannot touch 'cache.db': Permission denied", 'access'],
  ['open() "/var/log/nginx/error.log" failed (13: Permission denied)', 'access'],
  ['java.io.FileNotFoundException: /data/x.lock (Permission denied)', 'access'],
  ['The server must be started under an unprivileged user ID to prevent', 'user'],
  ["Error: Cannot find module 'pg'", 'module'],
  ['Error: Could not load the "sharp" module using the linux-x64 runtime', 'module'],
  ['libpq.so.5: cannot open shared object file: No such file or directory', 'module'],
  ['FATAL: password authentication failed for user "shop"', 'credentials'],
  ['x509: certificate signed by unknown authority', 'trust'],
  ['Error: unable to verify the first certificate', 'trust'],
  ['Error: connect ECONNREFUSED 10.0.0.7:5432', 'peer'],
  ['PSQLException: Connection to postgres:5432 refused. Check that the hostname', 'peer'],
  ['java.sql.SQLException: Acquisition timeout while waiting for new connection', 'peer'],
  ['upstream connect error or disconnect/reset before headers. reset reason: overflow', 'peer'],
  ['no healthy upstream', 'peer'],
  ["ConnectionRefusedError: [Errno 111] Connect call failed ('10.0.0.7', 1)", 'peer'],
  ['A server is already running. Check /app/tmp/pids/server.pid.', 'leftover'],
  ['app: /tmp/app.pid exists, another instance is running', 'leftover'],
  ['another instance is running (/data/app.lock exists)', 'leftover'],
  ["mkdir: can't create directory '/data/run': File exists", 'leftover'],
  ["Error: EEXIST: file already exists, mkdir '/data/run'", 'leftover'],
  ["FileExistsError: [Errno 17] File exists: '/data/run'", 'leftover'],
  ["nc: can't connect to remote host (10.9.9.9): Network is unreachable", 'network'],
  ['Error: connect ENETUNREACH 10.9.9.9:5432', 'network'],
  ['dial tcp 10.9.9.9:5432: connect: network is unreachable', 'network'],
  ['broken header: "GET / HTTP/1.1" while reading PROXY protocol', 'plainPort'],
  ["ValueError: invalid literal for int() with base 10: 'tcp://10.96.0.9:80'", 'noServiceLink'],
  ['strconv.Atoi: parsing "tcp://10.96.14.3:6379": invalid syntax', 'noServiceLink'],
  ["httpd: bad address 'tcp://10.96.0.9:80'", 'noServiceLink'],
  ['Error: getaddrinfo ENOTFOUND tcp://10.96.0.9:80', 'noServiceLink'],
  ['listen tcp: address tcp://10.96.0.9:44317: too many colons in address', 'noServiceLink'],
  ["Error: ENOENT: no such file or directory, open '/etc/shop.yaml'", 'file'],
  ["Error: Cannot find module '/app/dist/index.js'", 'file'],
  ['Error: Unable to access jarfile app.jar', 'file'],
  ['RuntimeError: Form data requires "python-multipart" to be installed.', 'module'],
  ['RuntimeError: gevent worker requires gevent 24.10.1 or higher', 'runtime'],
  ['tls: failed to find any PEM data in certificate input', 'pem'],
  ['Wrong signature trying to load DB from file', 'data'],
  ['PANIC: could not locate a valid checkpoint record', 'data'],
  ['sqlite3.DatabaseError: file is not a database', 'data'],
  ['initdb: directory "/var/lib/postgresql/data" exists but is not empty', 'emptyFolder'],
  ['panic: yaml: unmarshal errors: cannot unmarshal !!str `tcp://1...` into int', 'noServiceLink'],
  ['Cannot create redo log files because data files are corrupt', 'data'],
  ['FATAL: database files are incompatible with server: it is of version 11', 'dataVersion'],
  [
    'TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out',
    'connections',
  ],
  [
    'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    'kubeconfig',
  ],
  ['kubernetes.config.config_exception.ConfigException: Invalid kube-config file.', 'kubeconfig'],
  ['HikariPool-1 - Connection is not available, request timed out after 30000ms', 'connections'],
  ['FATAL: sorry, too many clients already', 'connections'],
  ["HTTPConnectionPool(host='10.0.0.7', port=80): connection timed out", 'peer'],
  ['exec /app/start.sh: no such file or directory', 'interpreter'],
  ['exec /app/start.sh: exec format error', 'format'],
  ["KeyError: 'ORDERS_SERVICE_HOST'", 'serviceVariable'],
  ['Error: ORDERS_SERVICE_PORT is not set', 'serviceVariable'],
  ['curl: (5) Could not resolve proxy: proxy.corp', 'noProxy'],
  ['App has been compiled by a more recent version of the Java Runtime', 'runtime'],
  ["./app: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./app)", 'runtime'],
  ["Can't locate Shop/Cart.pm in @INC", 'module'],
  ['wait-for-it.sh: timeout occurred after waiting 15 seconds for db:5432', 'peer'],
  ['Postgres is unavailable - sleeping', 'peer'],
  ['Cookie file /var/lib/.erlang.cookie must be accessible by owner only', 'mode'],
  ['FATAL: private key file "/certs/tls.key" has group or world access', 'mode'],
  ['Error: licence expired', 'license'],
  ["Parameter 0 of constructor in Orders required a bean of type 'Mailer'", 'component'],
  ["Nest can't resolve dependencies of the OrdersService (?)", 'component'],
  ["Unable to resolve service for type 'IMailer' while attempting to activate 'X'", 'component'],
  ['node: .env.production: not found', 'file'],
  ['LicenseManager - License expired on 2026-10-31', 'license'],
  ['No valid license: contact sales', 'license'],
  ['Waiting for migration lock held by another instance', 'lock'],
  ['waiting for advisory lock 72707369, which process 41 has', 'lock'],
  ['Could not acquire change log lock. Currently locked by web-1', 'lock'],
  ['Unable to lock ./ibdata1 error: 11', 'lock'],
  ['opening storage failed: lock DB directory: resource temporarily unavailable', 'lock'],
  ['[1]: max file descriptors [4096] for elasticsearch process is too low', 'files'],
  ["PermissionDenied: Permission denied (os error 13): writefile 'hello.txt'", 'access'],
  ['Error in library(DBI) : there is no package called ‘DBI’', 'module'],
  ["init_by_lua:2: module 'resty.redis2' not found:", 'module'],
  ['Bad file format reading the append only file appendonly.aof.1.incr.aof', 'data'],
  ['UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document', 'dataVersion'],
  ['FATAL:  database "shop" does not exist', 'schema'],
  ["Unknown database 'shop'", 'schema'],
  ['./check.sh: 3: [: ok: unexpected operator', 'shellTest'],
  ['panic: called `Result::unwrap()` on an `Err` value: AddrParseError(Socket)', 'value'],
  [
    'panic: called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }',
    'value',
  ],
  ["FAILED: Can't locate revision identified by '4f2a9c'", 'dataVersion'],
  ['SchemaManagementException: Schema-validation: missing table [orders]', 'schema'],
  ['could not build arguments: missing dependencies: missing type: *sql.DB', 'component'],
  ['Config File "config" Not Found in "[/etc/gateway]"', 'file'],
  ['mysqld does not have the access rights to the directory.', 'access'],
  ["RuntimeError: can't start new thread", 'threads'],
  ['java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory', 'threads'],
  ['runtime: failed to create new OS thread (have 9 already; errno=11)', 'threads'],
  ['bash: fork: retry: Resource temporarily unavailable', 'threads'],
  ['Error: spawn convert EAGAIN', 'threads'],
  ['x509: certificate has expired or is not yet valid: current time A is before B', 'clock'],
  ['x509: certificate has expired or is not yet valid: current time B is after A', 'trust'],
  ['certificate verify failed: certificate is not yet valid (_ssl.c:1007)', 'clock'],
  ["IsADirectoryError: [Errno 21] Is a directory: '/etc/app.conf'", 'folder'],
  ['Error: EISDIR: illegal operation on a directory, read', 'folder'],
  ['read /etc/app.conf: is a directory', 'folder'],
  [
    'could not resize shared memory segment "/PostgreSQL.12": No space left on device',
    'sharedMemory',
  ],
  ["OSError: [Errno 28] No space left on device: '/dev/shm/torch_41'", 'sharedMemory'],
  ['ERROR: Unexpected bus error: insufficient shared memory (shm).', 'sharedMemory'],
  ['A system error occurred: uv_os_get_passwd returned ENOENT (no such file)', 'account'],
  ["KeyError: 'getpwuid(): uid not found: 12345'", 'account'],
  ['user: unknown userid 12345', 'account'],
  ['open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory', 'token'],
  ['s6-overlay-suexec: fatal: can only run as pid 1', 'firstProcess'],
  ['panic: unknown time zone Europe/Berlin', 'systemData'],
  ["ZoneInfoNotFoundError: 'No time zone found with key Europe/Berlin'", 'systemData'],
  ['locale.Error: unsupported locale setting', 'systemData'],
  ["Error: getaddrinfo ENOTFOUND localhost: 'localhost\\r'", 'lineEnds'],
  ['dial tcp: lookup db\r: no such host', 'lineEnds'],
  ["ValueError: Invalid header value b'Bearer x\\n'", 'lineBreak'],
  ['TypeError: Invalid character in header content ["Authorization"]', 'lineBreak'],
  ['net/http: invalid header field value for "Authorization"', 'lineBreak'],
  ['could not translate host name "db\\n" to address: Name or service not known', 'lineBreak'],
  [
    "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp']",
    'writableFolder',
  ],
  ['Unable to create tempDir. java.io.tmpdir is set to /tmp', 'writableFolder'],
  ['sqlite3.OperationalError: attempt to write a readonly database', 'access'],
  ["can't run as root without the -u switch", 'user'],
  ['java.lang.RuntimeException: can not run elasticsearch as root', 'user'],
  ['java.sql.SQLException: No suitable driver found for jdbc:postgresql://db/shop', 'module'],
  ['Fatal error: Error: Class "Redis" not found', 'module'],
  ['java.io.IOException: keystore password was incorrect', 'credentials'],
  ['Error: error:1C800064:Provider routines::bad decrypt', 'credentials'],
  ['TypeError: Password was not given but private key is encrypted', 'credentials'],
  ['Get "https://10.0.0.7/": http: server gave HTTP response to HTTPS client', 'scheme'],
  ['javax.net.ssl.SSLException: Unsupported or unrecognized SSL message', 'scheme'],
  ['exec /usr/bin/node: argument list too long', 'longValue'],
  [
    "ImportError: cannot import name 'Mapping' from 'collections' (/usr/lib/python3.11/x.py)",
    'olderLibrary',
  ],
  ['EOFError: EOF when reading a line', 'input'],
  ['the input device is not a TTY', 'input'],
  ['InaccessibleObjectException: module java.base does not "opens java.lang" to x', 'olderLibrary'],
  ['Error: error:0308010C:digital envelope routines::unsupported', 'olderLibrary'],
  ['FATAL: no pg_hba.conf entry for host "10.0.0.3", user "app", no encryption', 'admission'],
  ["Host '10.0.0.3' is not allowed to connect to this MySQL server", 'admission'],
  ['FATAL: role "root" does not exist', 'loginName'],
  ['FATAL: role "shop" does not exist', 'schema'],
  ['ERROR: No application configured, nothing to run', 'project'],
  ['Could not locate Gemfile or .bundle/ directory', 'project'],
  ['rewrite or internal redirection cycle while redirecting to "/index.html"', 'file'],
  ['Error: SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'credentials'],
  ['Error opening zip file or JAR manifest missing : /otel/agent.jar', 'file'],
  ['java.nio.file.AccessDeniedException: /data/lock', 'access'],
  ['listen tcp: address 8080: missing port in address', 'value'],
  ['Could not find rack-3.0.8 in locally installed gems (Bundler::GemNotFound)', 'module'],
  ["Could not find gem 'pg' in locally installed gems.", 'module'],
  ["Error: 'conf/gunicorn.py' doesn't exist", 'file'],
  ["entry.sh: 3: cd: can't cd to /app/current", 'file'],
  ["Fatal error: Uncaught Error: Failed opening required '/app/vendor/autoload.php'", 'file'],
  ['curl could not connect', 'peer'],
  ["Error: can't chdir to '/srv/app'", 'file'],
  ['Your Gemfile specified 3.3.0 (Bundler::RubyVersionMismatch)', 'runtime'],
  ['Error: Call to undefined function pg_connect()', 'module'],
  ['connection to server on socket "/run/.s.PGSQL.5432" failed: No such file or directory', 'peer'],
  ["fatal: detected dubious ownership in repository at '/app'", 'access'],
  ['ERROR: permission denied for table orders', 'grant'],
  [
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /app/a.ts',
    'compiled',
  ],
])('an error of the surroundings has advice about them: %s', (text, what) => {
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'provide', what });
});

it.each([
  [80, 'lowPort'],
  [8080, 'access'],
])('a denial of Rust, which names nothing, is about port %i: %s', (port, what) => {
  const readinessProbe = buildProbe({ httpGet: { path: '/', port, scheme: 'HTTP' } });
  const text = 'Error: Os { code: 13, kind: PermissionDenied, message: "Permission denied" }';
  expect(surroundingAdvice(text, buildContainer({ readinessProbe }))).toEqual({
    ...{ do: 'provide', what },
  });
});

it.each([
  [true, { do: 'writableMount', path: '/data', by: 'mount' }],
  // As that of a ConfigMap.
  [false, { do: 'writableMount', path: '/data', by: 'volume' }],
])('a file that cannot be written at a mount, read-only: %s, has advice', (readOnly, advice) => {
  const container = buildContainer({ volumeMounts: [{ name: 'v', mountPath: '/data', readOnly }] });
  const text = "sh: can't create /data/log: Read-only file system";
  expect(surroundingAdvice(text, container)).toEqual(advice);
});

it('a mount that is read-only is named where an error is about the folder itself', () => {
  const mount = { name: 'v', mountPath: '/videos', readOnly: true };
  const container = buildContainer({ volumeMounts: [mount] });
  expect(surroundingAdvice('chown: /videos: Read-only file system', container)).toEqual({
    ...{ do: 'writableMount', path: '/videos', by: 'mount' },
  });
  expect(surroundingAdvice('chown: /videos2: Read-only file system', container)).toEqual({
    ...{ do: 'provide', what: 'imageFiles' },
  });
});

it('space is that of the volume where the container has one', () => {
  const container = buildContainer({ volumeMounts: [{ name: 'v', mountPath: '/data' }] });
  const advice = surroundingAdvice('No space left on device', container);
  expect(advice).toEqual({ do: 'provide', what: 'space' });
});

it.each([
  ['808080', { do: 'setVariable', name: 'PORT' }],
  ['8080', undefined],
])('a variable for a port with the value %s is blamed if that is too great', (value, advice) => {
  const text = `options.port should be >= 0 and < 65536. Received type number (${value}).`;
  const container = buildContainer({ env: [{ name: 'PORT', value }] });
  expect(surroundingAdvice(text, container)).toEqual(advice);
});

it.each([
  ['Error: DATABASE_URL is not set', 'DATABASE_URL', 'passVariable'],
  ["KeyError: 'DATABASE_URL'", 'DATABASE_URL', 'passVariable'],
  ['Environment variable DATABASE_URL has a wrong form', 'DATABASE_URL', 'setVariable'],
  ['Error: EMPTY_URL is not set', 'EMPTY_URL', 'setVariable'],
])('a variable that env sets, and of which a program says %s, has advice', (text, name, what) => {
  const env = [
    { name: 'DATABASE_URL', value: 'postgres://db' },
    { name: 'EMPTY_URL', value: '' },
  ];
  expect(surroundingAdvice(text, buildContainer({ env }))).toEqual({ do: what, name });
});

it('sets the variable to which a command line refers, and that env lacks', () => {
  const container = buildContainer({ command: ['httpd', '-p', '$(PORT)'] });
  const text = "httpd: bad address '$(PORT)'";
  expect(surroundingAdvice(text, container)).toEqual({ do: 'setVariable' });
});

it('names the variable whose value refers to one that env lacks', () => {
  const env = [
    { name: 'DATA', value: '$(CACHE)/data' },
    { name: 'CACHE', value: '/tmp' },
  ];
  const text = "sh: cd: line 0: can't cd to $(CACHE)/data: No such file or directory";
  expect(surroundingAdvice(text, buildContainer({ env }))).toEqual({
    ...{ do: 'setVariable', name: 'DATA' },
  });
});

it('a variable for a port that is none is blamed, although the program takes it for a host', () => {
  const env = [
    { name: 'DB_HOST', value: 'db' },
    { name: 'PORT', value: 'abc' },
  ];
  const advice = (text: string) => surroundingAdvice(text, buildContainer({ env }));
  expect(advice("httpd: bad address 'abc'")).toEqual({ do: 'setVariable', name: 'PORT' });
  expect(advice("wget: bad address 'db'")).toEqual({ do: 'correctHost' });
});

it.each([
  'flag provided but not defined: -listen-port',
  'invalid value "x" for flag -port: parse error',
  'Error: unknown flag: --prot',
  "app: unrecognized option '--prot'",
  "app: invalid option -- 'x'",
  'app.py: error: unrecognized arguments: --prot 80',
  'app.py: error: the following arguments are required: --port',
  "error: unexpected argument '--prot' found",
  'Error: No such option: --prot',
  'Error: unknown command "serv" for "gateway"',
  'node: bad option: --inspct',
  'Invalid maximum heap size: -Xmx512MB',
  'Could not reserve enough space for 4194304KB object heap',
  'error: the following required arguments were not provided: --listen <LISTEN>',
  "error: invalid value 'http' for '--port <PORT>': invalid digit found in string",
  'required flag(s) "config" not set',
  'java.lang.NoClassDefFoundError: Shop (wrong name: x/Shop)',
  "Error: Failed to find Flask application or factory in module 'app'.",
])('an error of the command line has advice about command and args: %s', (text) => {
  const advice = surroundingAdvice(text, buildContainer({}));
  expect(advice).toEqual({ do: 'correct', fields: ['command', 'args'] });
});

it.each([
  ['database orders-db is not up yet', 'peer'],
  ['waiting for orders-db', 'peer'],
  ['waiting for connections', undefined],
  ['Waiting for new jobs', undefined],
])(
  'a program that waits for its peer, and not for its clients or for work, has advice: %s',
  (text, what) => {
    expect(waitAdvice(text, buildContainer({}))).toEqual(what && { do: 'provide', what });
  },
);

it.each([
  'TypeError: x is not a function',
  'Error: unknown flag in the answer of billing',
  'Error: the lock of the queue is free',
  'INFO license: MIT',
  'TypeError: invalid argument: -1',
  'OSError: [Errno 22] Invalid argument',
  'ParseError: unterminated tag',
  'rpc error: code = PermissionDenied desc = Permission denied on resource project shop',
  'GET https://api.example/v1/keys: 403 permission denied',
  'mqtt: tcp://10.0.0.5:1883 is not connected',
  'Usage of memory is above 90 %',
  "ReplyError: ERR unknown command 'HELLO'",
  'bind() to 0.0.0.0:8080 failed (98: Address already in use)',
  'Document must have root element',
  'Permission denied for directory listing',
])('an error of the program or of its peer has none: %s', (text) => {
  expect(surroundingAdvice(text, buildContainer({}))).toBeUndefined();
});

it.each([
  ["invalid literal for int() with base 10: 'auto'", 'WORKERS'],
  ['options.port should be >= 0 and < 65536. Received NaN', 'PORT'],
  ['Error: auto scaling is off', undefined],
  ['config: no such region eu-west-9', 'REGION'],
  ['config: no such region eu-west-99', undefined],
  ['eu-west-9: the cart is closed', undefined],
  ['default level:info  must be included in custom levels', 'LOG_LEVEL'],
  ['default level:info must be included in custom levels', undefined],
])('a variable whose value an error quotes, or whose port is none, is named: %s', (text, name) => {
  const env = [
    { name: 'WORKERS', value: 'auto' },
    { name: 'PORT', value: 'http' },
    { name: 'REGION', value: 'eu-west-9' },
    { name: 'LOG_LEVEL', value: 'info ' },
  ];
  const advice = surroundingAdvice(text, buildContainer({ env }));
  expect(advice).toEqual(name === undefined ? undefined : { do: 'setVariable', name });
});

it.each([
  ['Config validation error: "DATABASE_URL" is required', 'DATABSE_URL'],
  ['please set DATABASE_URL', 'DATABSE_URL'],
  ['Environment variable not found: DATABASE_URL', 'DATABSE_URL'],
  ['invalid HTTP_PORT: strconv.Atoi: parsing "x8": invalid syntax', 'HTTP_PORT'],
  ['strconv.Atoi: parsing "8080\\n": invalid syntax', 'HTTP_PORT'],
  ['RangeError: options.port should be >= 0 and < 65536. Received type number (NaN).', undefined],
])(
  'a variable that is missing, perhaps by a misspelled name, or wrong is named: %s',
  (text, name) => {
    const env = [
      { name: 'DATABSE_URL', value: 'postgres://db' },
      { name: 'REDIS_HOST1', value: 'redis' },
      { name: 'HTTP_PORT', value: '8080\n' },
    ].filter((each) => !text.includes('NaN') || each.name !== 'HTTP_PORT');
    const advice = surroundingAdvice(text, buildContainer({ env }));
    expect(advice).toEqual({ do: 'setVariable', ...(name !== undefined && { name }) });
  },
);

it.each([
  'missing capability CAP_NET_ADMIN',
  'setsockopt SO_REUSEPORT must be set',
  'ReferenceError: API_KEY is not defined',
  'worker pool exhausted after 30 s',
])(
  'a name of the system or of code, or a pool of something else, is none of a variable: %s',
  (text) => {
    const env = [{ name: 'API_KEY', value: 'x' }];
    expect(surroundingAdvice(text, buildContainer({ env }))).toBeUndefined();
  },
);

it.each([
  'TypeError: fetch failed: Error: getaddrinfo ENOTFOUND undefined',
  "HTTPConnectionPool(host='none', port=8000): Max retries exceeded: Failed to resolve 'none'",
  'java.net.UnknownHostException: null',
  'dial tcp: lookup undefined on 10.96.0.10:53: no such host',
  'dial tcp :5432: connect: connection refused',
  'Error: getaddrinfo EAI_AGAIN undefined',
  "Missing `secret_key_base` for 'production' environment, set this string with `bin/rails`",
])('a name or a secret that is missing is a variable that is not set: %s', (text) => {
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'setVariable' });
});

it.each([
  'npm error request failed, reason: getaddrinfo EAI_AGAIN registry.example',
  'psycopg2.OperationalError: could not translate host name "db": Temporary failure in name resolution',
  'lookup db on 10.96.0.10:53: server misbehaving',
])('a name for which no server answers may be right: %s', (text) => {
  const advice = surroundingAdvice(text, buildContainer({}));
  expect(advice).toEqual({ do: 'correctHost', isUnanswered: true });
});

it('JSON that cannot be read is to be corrected, in whatever file', () => {
  const text = "SyntaxError: Expected property name or '}' in JSON at position 1";
  const advice = errorAdvice({ text, at: 'server.js:3' }, buildContainer({}));
  expect(advice).toEqual({ do: 'correct', fields: ['the JSON that it reads'] });
});

it('a program that a script does not find is named', () => {
  const advice = surroundingAdvice('/app/start.sh: 3: nslookup: not found', buildContainer({}));
  expect(advice).toEqual({ do: 'command', field: 'command', command: 'nslookup', is: 'missing' });
});

it('a host that is not found comes before the variable that names it', () => {
  const env = [{ name: 'DB_HOST', value: 'db' }];
  const text = 'could not translate host name "db" to address';
  expect(surroundingAdvice(text, buildContainer({ env }))).toEqual({ do: 'correctHost' });
});

it('a file that is missing below a mount is one of the volume', () => {
  const container = buildContainer({ volumeMounts: [{ name: 'config', mountPath: '/app' }] });
  const text = "python3: can't open file '/app/main.py': [Errno 2] No such file or directory";
  expect(surroundingAdvice(text, container)).toEqual({ do: 'addToVolume', path: '/app' });
});

it('a word of args that an error quotes, and only a shell would expand, is named', () => {
  const container = buildContainer({ command: ['httpd', '-p', '${PORT}'] });
  expect(surroundingAdvice("httpd: bad address '${PORT}'", container)).toEqual({
    ...{ do: 'expand', field: 'command and args', word: '${PORT}' },
  });
});

it.each([
  { text: '(database.yml): did not find expected key', at: 'app.rb:3', file: 'database.yml' },
  { text: 'cannot parse 12 lines', at: 'nginx.conf:5', file: 'nginx.conf:5' },
  { text: 'Bad directive', at: 'line 2', isConfig: true, file: 'line 2' },
] as const)('an error about a file of settings is cured there: $text', ({ file, ...error }) => {
  const advice = errorAdvice(error, buildContainer({}));
  expect(advice).toEqual({ do: 'correct', fields: [file] });
});

it.each([
  'Error: listen EADDRNOTAVAIL: address not available 10.9.8.7:80',
  'listen tcp 10.9.8.7:80: bind: cannot assign requested address',
  'bind: OSError: [Errno 99] Cannot assign requested address',
])('an address that the machine does not have is not bound: %s', (text) => {
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'bindAll', family: 4 });
});

it.each([
  [{ capabilities: { drop: ['ALL'] } }, 'capability'],
  [{}, 'access'],
])(
  'what is not permitted needs a capability where some are dropped: %o',
  (securityContext, what) => {
    const container = buildContainer({ securityContext });
    const text = 'chown: /data: Operation not permitted';
    expect(surroundingAdvice(text, container)).toEqual({ do: 'provide', what });
  },
);

it.each([
  "Could not resolve placeholder 'payment.url' in value",
  'panic: called `Result::unwrap()` on an `Err` value: NotPresent',
])('an error about a setting that is absent has advice about variables: %s', (text) => {
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'setVariable' });
});

it.each([
  ['url: Field required', { do: 'setVariable' }],
  ['port: Input should be a valid integer', { do: 'provide', what: 'value' }],
])('an error of settings that are read from env has advice about them: %s', (text, advice) => {
  expect(errorAdvice({ text, isEnv: true }, buildContainer({}))).toEqual(advice);
});

it('a folder in place of a file comes from a subPath that its volume lacks', () => {
  const volumeMounts = [{ name: 'c', mountPath: '/etc/app.conf', subPath: 'app.conf' }];
  const advice = surroundingAdvice(
    'cat: read error: Is a directory',
    buildContainer({ volumeMounts }),
  );
  expect(advice).toEqual({ do: 'provide', what: 'subPath' });
});

it("a host name that busybox's wget does not resolve is corrected", () => {
  const text = "wget: bad address 'config-server:8888'";
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'correctHost' });
});

it.each([
  'Error: listen EADDRNOTAVAIL: address not available 10.0.0.7:8080',
  'java.net.BindException: Cannot assign requested address',
])('an address that the machine does not have is to be that of all: %s', (text) => {
  expect(surroundingAdvice(text, buildContainer({}))).toEqual({ do: 'bindAll', family: 4 });
});

it.each([
  ['org.yaml.snakeyaml.ScannerException: cannot scan a tab', undefined, 'the YAML that it reads'],
  ['YAMLException: bad indentation of a mapping entry (3:1)', 'app.js:3', 'the YAML that it reads'],
  ['tomllib.TOMLDecodeError: Invalid value', undefined, 'the TOML that it reads'],
  ['ParserError: cannot parse application.yaml', undefined, 'application.yaml'],
])('what cannot be parsed is to be corrected: %s', (text, at, file) => {
  const advice = errorAdvice({ text, at }, buildContainer({}));
  expect(advice).toEqual({ do: 'correct', fields: [file] });
});

it.each([
  ['server.ts:1', { do: 'provide', what: 'compiled' }],
  ['server.js:1', { do: 'fixError', at: 'server.js:1' }],
])('a syntax error in %s has advice', (at, advice) => {
  const text = 'SyntaxError: Missing initializer in const declaration';
  expect(errorAdvice({ text, at }, buildContainer({}))).toEqual(advice);
});

it.each([
  [undefined, 'Fix what the error names: the program, or its command, args, env and files'],
  ['server.js:3', 'Fix what the error names, or the program at server.js:3'],
])('an error that no rule knows is to be fixed where it says (%s)', (at, expected) => {
  const advice = errorAdvice({ text: 'Error: the queue is gone', at }, buildContainer({}));
  expect(adviceText(advice)).toBe(expected);
});
