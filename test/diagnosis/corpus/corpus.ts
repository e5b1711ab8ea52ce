import { readFileSync } from 'node:fs';

import type { Probe } from '../../../src/api/index.js';
import type { Fault } from '../../../src/diagnosis/fault.js';
import type { AttemptView } from '../../../src/trace/summary/probe-view.js';

/** What a program printed before it ended with exit code 1, and the error that ended it. */
export interface CrashCase {
  readonly name: string;
  readonly output: string;
  /** Undefined where a right diagnosis is another fault than a crash. */
  readonly fault: Partial<Fault> & { readonly text?: string; readonly at?: string };
}

function recorded(name: string): string {
  return readFileSync(new URL(`outputs/${name}.txt`, import.meta.url), 'utf8').trimEnd();
}

const crash = (name: string, text: string, at?: string): CrashCase => ({
  ...{ name, output: recorded(name) },
  fault: { kind: 'crashed', text, ...(at !== undefined && { at }) },
});

const composed = (name: string, text: string, output: string): CrashCase => ({
  ...{ name, output, fault: { kind: 'crashed', text } },
});

/** The outputs in files were printed by Python 3.11, Node 20, Ruby 3.1, PHP 8.2, Java 17, dash and nginx 1.22; the others follow the formats of their runtimes. */
export const CRASHES: readonly CrashCase[] = [
  crash('python-keyerror', "KeyError: 'DATABASE_URL'", 't.py:2'),
  crash('python-import', "ModuleNotFoundError: No module named 'psycopg2'", 'imp.py:1'),
  crash('python-syntax', 'SyntaxError: invalid syntax', 'syn.py:1'),
  crash('python-chained', 'RuntimeError: database is down', 'chain.py:7'),
  crash('node-after-handled', 'Error: licence expired', 'n.js:2'),
  crash('node-module', "Error: Cannot find module 'pg'", 'mod.js:1'),
  crash('node-rejection', 'Error: no queue', 'rej.js:1'),
  crash('node-syntax', "SyntaxError: Unexpected token ';'", 'syn.js:1'),
  crash('ruby-keyerror', 'key not found: "DATABASE_URL" (KeyError)', 'r.rb:2'),
  crash('ruby-require', 'cannot load such file -- sinatrax (LoadError)', 'req.rb:1'),
  crash('ruby-syntax', "syntax error, unexpected end-of-input, expecting ')'", 'syn.rb:1'),
  crash('php-uncaught', 'Fatal error: RuntimeException: no db', 'f.php:1'),
  crash(
    'php-undefined',
    'Fatal error: Error: Call to undefined function undefined_fn()',
    'u.php:1',
  ),
  crash('php-syntax', 'Parse error: syntax error, unexpected token ";"', 's.php:1'),
  crash('nginx-config', '"proxy_pass" directive is not allowed here', 'nginx.conf:2'),
  crash('shell-not-found', 'sh: 1: missing-command: not found'),
  crash('shell-unset', 'sh: 1: FOO_BAR: parameter not set'),
  crash('java-caused-by', 'java.net.ConnectException: Connection refused'),
  { name: 'java-memory', output: recorded('java-memory'), fault: { kind: 'outOfMemory' } },
  { name: 'php-memory', output: recorded('php-memory'), fault: { kind: 'outOfMemory' } },
  composed(
    'MySQL: its first start was killed',
    'Cannot create redo log files because data files are corrupt.',
    `2022-12-30T23:18:57.905834Z 1 [ERROR] [MY-013090] [InnoDB] Cannot create redo log files because data files are corrupt.
2022-12-30T23:18:58.305407Z 0 [ERROR] [MY-010020] [Server] Data Dictionary initialization failed.
2022-12-30T23:18:58.305445Z 0 [ERROR] [MY-010119] [Server] Aborting`,
  ),
  composed(
    'PostgreSQL: a volume with lost+found',
    'initdb: error: directory "/var/lib/postgresql/data" exists but is not empty',
    `initdb: error: directory "/var/lib/postgresql/data" exists but is not empty
initdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.
initdb: hint: Using a mount point directly as the data directory is not recommended.
Create a subdirectory under the mount point.`,
  ),
  composed(
    'php-fpm: its log may not be opened',
    'failed to open error_log (/proc/self/fd/2): Permission denied (13)',
    `[20-May-2021 17:16:15] ERROR: failed to open error_log (/proc/self/fd/2): Permission denied (13)
[20-May-2021 17:16:15] ERROR: failed to post process the configuration
[20-May-2021 17:16:15] ERROR: FPM initialization failed`,
  ),
  composed(
    'Spring Boot: a bean is missing',
    "Parameter 0 of constructor in com.example.Api required a bean of type 'com.example.Repo' that could not be found.",
    `Error starting ApplicationContext. To display the condition evaluation report re-run your application with 'debug' enabled.
2026-11-23 10:00:00.000 ERROR 1 --- [main] o.s.b.d.LoggingFailureAnalysisReporter   :

***************************
APPLICATION FAILED TO START
***************************

Description:

Parameter 0 of constructor in com.example.Api required a bean of type 'com.example.Repo' that could not be found.

Action:

Consider defining a bean of type 'com.example.Repo' in your configuration.`,
  ),
  composed(
    '.NET: no connection string',
    'System.InvalidOperationException: The ConnectionString property has not been initialized.',
    `Unhandled exception. System.InvalidOperationException: The ConnectionString property has not been initialized.
   at Npgsql.NpgsqlConnection.Open() in /src/Npgsql/NpgsqlConnection.cs:line 130
   at Program.Main(String[] args) in /app/Program.cs:line 7`,
  ),
  composed(
    'Elixir: a variable of the environment is missing',
    '(RuntimeError) environment variable DATABASE_URL is missing.',
    `** (RuntimeError) environment variable DATABASE_URL is missing.
    /app/releases/0.1.0/runtime.exs:20: (file)
    (elixir 1.15.7) src/elixir.erl:396: anonymous fn/4 in :elixir.eval_external_handler/1`,
  ),
  composed(
    'Perl: what follows a syntax error is its effect',
    'syntax error',
    `syntax error at app.pl line 2, near "= ;"
Global symbol "$x" requires explicit package name (did you forget to declare "my $x"?) at app.pl line 3.
Execution of app.pl aborted due to compilation errors.`,
  ),
  composed(
    'Redis: a directive that it does not know',
    "Bad directive or wrong number of arguments: 'maxmemory-polcy allkeys-lru'",
    `*** FATAL CONFIG FILE ERROR (Redis 7.0.15) ***
Reading the configuration file, at line 2
>>> 'maxmemory-polcy allkeys-lru'
Bad directive or wrong number of arguments`,
  ),
  composed(
    'npm: no such script',
    'Missing script: "start"',
    `npm ERR! Missing script: "start"
npm ERR!
npm ERR! To see a list of scripts, run:
npm ERR!   npm run

npm ERR! A complete log of this run can be found in: /root/.npm/_logs/2026-11-23T10_00_00_000Z-debug-0.log`,
  ),
  composed(
    'Postgres: no password',
    'FATAL: data directory "/var/lib/postgresql/data" has wrong ownership',
    `2026-11-23 10:00:00.000 UTC [1] LOG:  starting PostgreSQL 16.1
2026-11-23 10:00:00.010 UTC [1] FATAL:  data directory "/var/lib/postgresql/data" has wrong ownership
2026-11-23 10:00:00.010 UTC [1] HINT:  The server must be started by the user that owns the data directory.`,
  ),
  composed(
    'pino: a fatal line after a handled error',
    'licence expired',
    `{"level":50,"time":1,"msg":"cache miss, retrying"}
{"level":60,"time":2,"msg":"licence expired"}`,
  ),
  composed(
    'zap: an error with its cause',
    'cannot open database: dial tcp 10.0.0.1:5432: i/o timeout',
    `{"level":"info","msg":"starting"}
{"level":"fatal","ts":1,"caller":"main.go:12","msg":"cannot open database","error":"dial tcp 10.0.0.1:5432: i/o timeout"}`,
  ),
  composed(
    'logrus',
    'config: missing key listen',
    `time="2026-11-23T10:00:00Z" level=info msg="starting"
time="2026-11-23T10:00:00Z" level=fatal msg="config: missing key listen" file=/etc/app.yaml`,
  ),
  composed(
    'Java: a limit of threads, which is none of memory',
    'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
    `[0.512s][warning][os,thread] Failed to start thread "Unknown thread" with pthread_create (EAGAIN) for attributes: stacksize: 1024k, guardsize: 0k, detached.
Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached
	at java.base/java.lang.Thread.start0(Native Method)
	at com.shop.Main.main(Main.java:9)`,
  ),
  composed(
    '.NET: a low port, which only an outer exception names',
    'System.IO.IOException: Failed to bind to address http://[::]:80: permission denied.',
    `Unhandled exception. System.IO.IOException: Failed to bind to address http://[::]:80: permission denied.
 ---> Microsoft.AspNetCore.Connections.AddressInUseException: permission denied
 ---> System.Net.Sockets.SocketException (13): Permission denied
   at System.Net.Sockets.Socket.Bind(EndPoint localEP)
   --- End of inner exception stack trace ---
   at Program.<Main>$(String[] args) in /src/Program.cs:line 14`,
  ),
  composed(
    'anyhow: the file is in the cause before the last',
    'failed to read "/etc/gateway/routes.toml": No such file or directory (os error 2)',
    `Error: failed to start the gateway

Caused by:
    0: could not load the routes
    1: failed to read "/etc/gateway/routes.toml"
    2: No such file or directory (os error 2)`,
  ),
  composed(
    'clap: an argument is missing',
    'error: the following required arguments were not provided: --listen <LISTEN>',
    `error: the following required arguments were not provided:
  --listen <LISTEN>

Usage: gateway --listen <LISTEN>

For more information, try '--help'.`,
  ),
  composed(
    'klog: no cluster',
    'Error building kubeconfig: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    `W1129 10:00:00.100000       1 client_config.go:618] Neither --kubeconfig nor --master was specified.
F1129 10:00:00.123456       1 main.go:81] Error building kubeconfig: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined`,
  ),
  composed(
    'HAProxy: a keyword that it does not know',
    "unknown keyword 'default_backnd' in 'frontend' section",
    `[ALERT]    (7) : config : parsing [h.cfg:5] : unknown keyword 'default_backnd' in 'frontend' section
[ALERT]    (7) : config : Error(s) found in configuration file : h.cfg
[ALERT]    (7) : config : Fatal errors found in configuration.`,
  ),
  composed(
    'Elixir: an application whose child has not started',
    '(KeyError) key :database not found in: [hostname: "db", pool_size: 10]',
    `10:00:00.000 [notice] Application shop exited: Shop.Application.start(:normal, []) returned an error: shutdown: failed to start child: Shop.Repo
    ** (EXIT) an exception was raised:
        ** (KeyError) key :database not found in: [hostname: "db", pool_size: 10]
            (elixir 1.15.7) lib/keyword.ex:599: Keyword.fetch!/2
Kernel pid terminated (application_controller) ({application_start_failure,shop,...})`,
  ),
  composed(
    'serilog, compact',
    'Host terminated unexpectedly: System.Exception: no licence',
    `{"@t":"2026-11-23T10:00:00Z","@mt":"Host terminated unexpectedly","@l":"Fatal","@x":"System.Exception: no licence\\n   at Program.Main()"}`,
  ),
  composed(
    'Postgres: a setting that it does not know',
    'unrecognized configuration parameter "shared_bufers" in file "/data/postgresql.conf" line 816',
    `2026-11-29 14:53:29.544 GMT [1] LOG:  unrecognized configuration parameter "shared_bufers" in file "/data/postgresql.conf" line 816
2026-11-29 14:53:29.544 GMT [1] FATAL:  configuration file "/data/postgresql.conf" contains errors`,
  ),
  composed(
    'HAProxy: the address of a server',
    "'server b/api1' : could not resolve address 'api.internal'.",
    `[ALERT]    (7) : config : [haproxy.cfg:10] : 'server b/api1' : could not resolve address 'api.internal'.
[ALERT]    (7) : config : Failed to initialize server(s) addr.`,
  ),
  composed(
    'Apache: the line before has the place',
    "AH00526: Syntax error on line 5 of /etc/httpd.conf: Invalid command 'Hedaer', perhaps misspelled or defined by a module not included in the server configuration",
    `AH00526: Syntax error on line 5 of /etc/httpd.conf:
Invalid command 'Hedaer', perhaps misspelled or defined by a module not included in the server configuration`,
  ),
  composed(
    'Java: an agent that is missing',
    'Error opening zip file or JAR manifest missing : /otel/opentelemetry-javaagent.jar',
    `Picked up JAVA_TOOL_OPTIONS: -javaagent:/otel/opentelemetry-javaagent.jar
Error opening zip file or JAR manifest missing : /otel/opentelemetry-javaagent.jar
Error occurred during initialization of VM
agent library failed to init: instrument`,
  ),
  composed(
    'Java: the address is in the error around the last one',
    'org.postgresql.util.PSQLException: Connection to db:5432 refused. Check that the hostname and port are correct.',
    `Exception in thread "main" java.lang.IllegalStateException: no pool
	at com.shop.Main.main(Main.java:9)
Caused by: org.postgresql.util.PSQLException: Connection to db:5432 refused. Check that the hostname and port are correct.
	at org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:331)
Caused by: java.net.ConnectException: Connection refused
	at java.base/sun.nio.ch.Net.pollConnect(Native Method)`,
  ),
  composed(
    'Node: a host name that ends in a carriage return',
    String.raw`Error: getaddrinfo ENOTFOUND localhost: 'localhost\r'`,
    String.raw`node:events:502
      throw er; // Unhandled 'error' event
      ^

Error: getaddrinfo ENOTFOUND localhost
    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
  errno: -3008,
  code: 'ENOTFOUND',
  syscall: 'getaddrinfo',
  hostname: 'localhost\r'
}

Node.js v20.20.2`,
  ),
  composed(
    'Fastify, whose error repeats itself',
    "fastify-plugin: Plugin did not start in time: 'db'",
    `{"level":50,"err":{"type":"FastifyError","message":"fastify-plugin: Plugin did not start in time: 'db'"},"msg":"Plugin did not start in time: 'db'"}`,
  ),
  composed(
    'MongoDB: what follows the error is its effect',
    'WiredTiger error: connection: __posix_open_file: /data/db/WiredTiger.wt: handle-open: open: Operation not permitted',
    `{"t":{"$date":"2026-11-29T10:00:00Z"},"s":"E","c":"STORAGE","id":22435,"ctx":"initandlisten","msg":"WiredTiger error","attr":{"error":1,"message":"connection: __posix_open_file: /data/db/WiredTiger.wt: handle-open: open: Operation not permitted"}}
{"t":{"$date":"2026-11-29T10:00:00Z"},"s":"F","c":"STORAGE","id":28595,"ctx":"initandlisten","msg":"Terminating.","attr":{"reason":"1: Operation not permitted"}}
{"t":{"$date":"2026-11-29T10:00:00Z"},"s":"F","c":"ASSERT","id":23091,"ctx":"initandlisten","msg":"Fatal assertion","attr":{"msgid":28595}}
{"t":{"$date":"2026-11-29T10:00:00Z"},"s":"F","c":"ASSERT","id":23092,"ctx":"initandlisten","msg":"\\n\\n***aborting after fassert() failure\\n\\n"}`,
  ),
  {
    name: 'C++: no memory is left',
    output:
      "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
    fault: { kind: 'outOfMemory', by: 'program' },
  },
  {
    name: 'Elixir: a port that is taken',
    output: '** (MatchError) no match of right hand side value: {:error, :eaddrinuse}',
    fault: {
      kind: 'portTaken',
      text: '(MatchError) no match of right hand side value: {:error, :eaddrinuse}',
    },
  },
];

const HTTP: Partial<Probe> = { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' } };

/** An answer to an httpGet probe. */
export interface AnswerCase {
  readonly name: string;
  readonly status: number;
  readonly body: string;
  readonly response?: string;
  readonly fault: Partial<Fault> & Readonly<Record<string, unknown>>;
}

const down = (...parts: readonly string[]) => ({ kind: 'dependencyDown', parts }) as const;
const says = (text: string) => ({ kind: 'errorAnswer', text }) as const;
const answer = (
  name: string,
  status: number,
  body: string,
  fault: AnswerCase['fault'],
): AnswerCase => ({
  ...{ name, status, body, fault },
});

export const ANSWERS: readonly AnswerCase[] = [
  answer(
    'actuator',
    503,
    '{"status":"DOWN","components":{"db":{"status":"UP"},"rabbit":{"status":"DOWN","details":{"error":"refused"}}}}',
    down('rabbit'),
  ),
  answer(
    'actuator with two parts',
    503,
    '{"status":"DOWN","components":{"db":{"status":"DOWN"},"redis":{"status":"DOWN"},"ping":{"status":"UP"}}}',
    down('db', 'redis'),
  ),
  answer(
    "WEBrick's page",
    500,
    '<HTML><HEAD><TITLE>Internal Server Error</TITLE></HEAD><BODY><H1>Internal Server Error</H1>\n    undefined method `name&#39; for nil:NilClass\n<HR><ADDRESS>WEBrick</ADDRESS></BODY></HTML>',
    { kind: 'errorAnswer', text: "undefined method `name' for nil:NilClass" },
  ),
  answer(
    'a list of errors',
    503,
    '{"status":"unhealthy","errors":["pq: sorry, too many clients already"]}',
    { kind: 'errorAnswer', text: 'pq: sorry, too many clients already' },
  ),
  answer(
    'a flat list of checks, with sentences',
    503,
    '{"dns":"OK","goroutine-threshold":"too many goroutines (150 > 100)","version":"no error"}',
    says('goroutine-threshold: too many goroutines (150 > 100)'),
  ),
  answer(
    'a flat list with a sentence about the past',
    503,
    '{"db":"ok","uptime":"3 days","last_deploy":"2026-11-30 failed once"}',
    says('last_deploy: 2026-11-30 failed once'),
  ),
  answer(
    'a flat list of a service with its version',
    503,
    '{"service":"orders","version":"1.2.3","broker":"connection closed by peer"}',
    says('broker: connection closed by peer'),
  ),
  answer(
    'django-health-check',
    500,
    '{"Cache backend: default":"working","DatabaseBackend":"unavailable: Database error","CeleryHealthCheck":"unknown error: Unknown error"}',
    down('DatabaseBackend'),
  ),
  answer(
    'a check whose message has a name of its own',
    503,
    '{"checkResults":[{"name":"Database","notificationMessage":"Could not connect","status":"failed"},{"name":"Cache","notificationMessage":"","status":"ok"}]}',
    { ...down('Database'), text: 'Could not connect' },
  ),
  answer(
    'an error with a type alone',
    503,
    '{"error":{"root_cause":[{"type":"master_not_discovered_exception","reason":null}],"type":"master_not_discovered_exception","reason":null},"status":503}',
    says('master_not_discovered_exception'),
  ),
  answer('actuator without parts', 503, '{"status":"DOWN"}', { kind: 'statusOnly' }),
  answer(
    'MicroProfile',
    503,
    '{"status":"DOWN","checks":[{"name":"kafka","status":"DOWN","data":{"error":"no broker"}},{"name":"db","status":"UP"}]}',
    down('kafka'),
  ),
  answer(
    '.NET',
    503,
    '{"status":"Unhealthy","results":{"sql":{"status":"Unhealthy","description":"timeout"},"self":{"status":"Healthy"}}}',
    down('sql'),
  ),
  answer(
    'terminus',
    503,
    '{"status":"error","info":{"disk":{"status":"up"}},"error":{"mongo":{"status":"down","message":"closed"}},"details":{"disk":{"status":"up"},"mongo":{"status":"down","message":"closed"}}}',
    down('mongo'),
  ),
  answer(
    'failures by part',
    503,
    '{"status":"Service Unavailable","failures":{"rabbitmq":"dial tcp 10.0.0.1:5672: connect: connection refused"},"system":{"version":"go1.22"}}',
    down('rabbitmq'),
  ),
  answer(
    'flat states',
    503,
    '{"database":"ok","cache":"error: connection refused"}',
    down('cache'),
  ),
  answer('a part that connects', 503, '{"status":"error","redis":"reconnecting"}', down('redis')),
  answer('booleans', 503, '{"ready":false,"checks":{"db":true,"queue":false}}', down('queue')),
  answer(
    'health+json',
    503,
    '{"status":"fail","checks":{"cassandra:responseTime":[{"status":"fail","output":"no host"}],"cpu":[{"status":"pass"}]}}',
    down('cassandra:responseTime'),
  ),
  answer(
    'a message',
    500,
    '{"error":{"code":12,"message":"licence expired"}}',
    says('licence expired'),
  ),
  answer(
    'problem details',
    500,
    '{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"no tenant configured"}',
    says('no tenant configured'),
  ),
  answer('plain text', 503, 'warming up\nmore', says('warming up')),
  answer('plain status text', 503, 'Service Unavailable', { kind: 'statusOnly' }),
  answer('an empty answer', 500, '', { kind: 'statusOnly' }),
  answer(
    'Django debug page',
    500,
    '<html><head><title>OperationalError\n          at /healthz</title></head></html>',
    says('OperationalError at /healthz'),
  ),
  answer(
    'Werkzeug debugger',
    500,
    '<!doctype html><title>KeyError: &#39;DATABASE_URL&#39; // Werkzeug Debugger</title>',
    says("KeyError: 'DATABASE_URL'"),
  ),
  answer(
    'Flask page',
    500,
    '<!doctype html><html lang=en><title>500 Internal Server Error</title><h1>Internal Server Error</h1>',
    { kind: 'statusOnly' },
  ),
  answer(
    'Express page',
    500,
    '<!DOCTYPE html><html><head><title>Error</title></head><body><pre>Error: no redis<br> &nbsp; at h (/app/s.js:3)</pre></body></html>',
    says('Error: no redis'),
  ),
  answer(
    'nginx page of an upstream',
    502,
    '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
    { kind: 'statusOnly' },
  ),
  answer(
    'nginx on an HTTPS port',
    400,
    '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>',
    { kind: 'schemeMismatch', speaks: 'HTTPS' },
  ),
  answer('Go on an HTTPS port', 400, 'Client sent an HTTP request to an HTTPS server.\n', {
    kind: 'schemeMismatch',
    speaks: 'HTTPS',
  }),
  answer(
    'Apache on an HTTPS port',
    400,
    "<title>400 Bad Request</title><p>Reason: You're speaking plain HTTP to an SSL-enabled server port.",
    { kind: 'schemeMismatch', speaks: 'HTTPS' },
  ),
  answer(
    'Tomcat on an HTTPS port',
    400,
    'Bad Request\nThis combination of host and port requires TLS.\n',
    { kind: 'schemeMismatch', speaks: 'HTTPS' },
  ),
  answer('Django, a host that is not allowed', 400, '<title>DisallowedHost at /healthz</title>', {
    kind: 'hostRejected',
  }),
  answer('Starlette, a host that is not allowed', 400, 'Invalid host header', {
    kind: 'hostRejected',
  }),
  answer('Rails, a host that is not allowed', 403, '<h1>Blocked hosts: 127.0.0.1:8080</h1>', {
    kind: 'hostRejected',
  }),
  answer(
    'ASP.NET, a host that is not allowed',
    400,
    '<TITLE>Bad Request</TITLE><h2>Bad Request - Invalid Hostname</h2>',
    { kind: 'hostRejected' },
  ),
  answer('421', 421, 'Misdirected Request', { kind: 'hostRejected' }),
  answer('429', 429, 'slow down', { kind: 'rateLimited' }),
  answer('401', 401, 'Unauthorized', { kind: 'noCredentials' }),
  answer('403', 403, 'Forbidden', { kind: 'forbidden' }),
  answer('404', 404, 'Not Found', { kind: 'notFound', path: '/healthz' }),
  answer('404 of a server under maintenance', 404, '{"status":"maintenance_mode"}', {
    kind: 'errorAnswer',
    text: 'status: maintenance_mode',
  }),
  answer('405', 405, '', { kind: 'methodNotAllowed' }),
];

type Listening = readonly { readonly address: string; readonly port: number }[];

/** A failure without a status, with what the run listens on and whether it has answered before. */
export interface FailureCase {
  readonly name: string;
  readonly probe: Partial<Probe>;
  readonly attempt: Partial<AttemptView>;
  readonly listens?: Listening;
  readonly started?: boolean;
  readonly state?: 'stopped' | 'paused' | 'busy';
  /** Milliseconds of the answers before, in the same run. */
  readonly before?: readonly number[];
  readonly output?: readonly string[];
  readonly fault: Readonly<Record<string, unknown>>;
}

const TCP: Partial<Probe> = { tcpSocket: { port: 8080 } };
const HTTPS: Partial<Probe> = { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTPS' } };
const EXEC: Partial<Probe> = { exec: { command: ['check'] } };
const GRPC: Partial<Probe> = { grpc: { port: 8080 } };
const REFUSED = {
  reason: 'refused',
  detail: { address: '127.0.0.1:8080', timings: { total: 1 } },
} as const;
const at = (
  timings: Partial<NonNullable<AttemptView['detail']>['timings']>,
  response?: string,
) => ({
  address: '127.0.0.1:8080',
  timings: { total: 1000, ...timings },
  ...(response !== undefined && { response }),
});
const redirect = (to: string) =>
  at({ connect: 1, firstByte: 2 }, `HTTP/1.1 301 Moved\r\nLocation: ${to}\r\n\r\n`);
const failure = (
  name: string,
  probe: Partial<Probe>,
  attempt: Partial<AttemptView>,
  fault: FailureCase['fault'],
  more: Partial<FailureCase> = {},
): FailureCase => ({
  ...{ name, probe, attempt, fault, ...more },
});

export const FAILURES: readonly FailureCase[] = [
  failure(
    'a program that listens on nothing',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'nowhere' },
    { listens: [] },
  ),
  failure(
    'a program that listens on nothing, TCP',
    TCP,
    REFUSED,
    { kind: 'notListening', program: 'nowhere' },
    { listens: [] },
  ),
  failure(
    'a server that kprobe has not started',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'notStarted' },
    { listens: [], started: false },
  ),
  failure('nothing known of the processes', HTTP, REFUSED, {
    kind: 'notListening',
    program: 'unknown',
  }),
  failure(
    'a debugger in the log',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'unknown' },
    { output: ['Debugger listening on ws://127.0.0.1:9333/x'] },
  ),
  failure(
    'metrics in the log',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'unknown' },
    { output: ['serving metrics on :9090'] },
  ),
  failure(
    'another port',
    HTTP,
    REFUSED,
    { kind: 'wrongPort', port: 8080 },
    { listens: [{ address: '0.0.0.0', port: 8081 }] },
  ),
  failure(
    'two other ports',
    TCP,
    REFUSED,
    { kind: 'wrongPort' },
    {
      listens: [
        { address: '::', port: 8081 },
        { address: '::', port: 9090 },
      ],
    },
  ),
  failure(
    'IPv6 loopback',
    HTTP,
    REFUSED,
    { kind: 'wrongAddress' },
    { listens: [{ address: '::1', port: 8080 }] },
  ),
  failure(
    'another loopback address',
    HTTP,
    REFUSED,
    { kind: 'wrongAddress' },
    { listens: [{ address: '127.0.0.2', port: 8080 }] },
  ),
  failure(
    'a server that has just come up',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'starting' },
    { listens: [{ address: '0.0.0.0', port: 8080 }] },
  ),
  failure(
    'a server that closed its port',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'stopped' },
    { listens: [], before: [3] },
  ),
  failure(
    'a taken port',
    HTTP,
    REFUSED,
    { kind: 'portTaken', port: 8080 },
    { output: ['Error: listen EADDRINUSE: address already in use :::8080'] },
  ),
  failure(
    'a debugger whose port is taken',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'nowhere' },
    {
      listens: [],
      output: ['Starting inspector on 127.0.0.1:9229 failed: address already in use'],
    },
  ),
  failure(
    'metrics whose port is taken, without its number',
    HTTP,
    REFUSED,
    { kind: 'notListening', program: 'nowhere' },
    { listens: [], output: ['WARNING: metrics disabled: [Errno 98] Address already in use'] },
  ),
  failure(
    'a header that says the state',
    HTTP,
    {
      statusCode: 503,
      detail: at({ firstByte: 1 }, 'HTTP/1.1 503 X\r\nX-Minio-Server-Status: offline\r\n\r\n'),
    },
    { kind: 'errorAnswer', text: 'X-Minio-Server-Status: offline' },
  ),
  failure(
    '404, and a route below a prefix in the output',
    HTTP,
    { statusCode: 404 },
    { kind: 'notFound', listed: ['/api/healthz'] },
    { output: ['[RouterExplorer] Mapped {/api/healthz, GET} route'] },
  ),
  failure(
    '404 after successes',
    HTTP,
    { statusCode: 404 },
    { kind: 'flapping' },
    { before: [2, 3] },
  ),
  failure(
    'TLS after successes',
    HTTP,
    { reason: 'speaksTLS' },
    { kind: 'flapping' },
    { before: [2] },
  ),
  failure('TLS', HTTP, { reason: 'speaksTLS' }, { kind: 'schemeMismatch', speaks: 'HTTPS' }),
  failure('plain HTTP', HTTPS, { reason: 'plainHTTP' }, { kind: 'schemeMismatch', speaks: 'HTTP' }),
  failure('HTTP/2 alone', HTTP, { reason: 'speaksHTTP2' }, { kind: 'onlyHTTP2' }),
  failure('no HTTP', HTTP, { reason: 'notHTTP' }, { kind: 'notHTTP' }),
  failure(
    'no TLS and no HTTP',
    HTTPS,
    {
      reason: 'tls',
      output: 'Get "https://x": tls: first record does not look like a TLS handshake',
    },
    { kind: 'notHTTP' },
  ),
  failure(
    'a server that names another protocol',
    HTTP,
    { statusCode: 426, detail: at({}, 'HTTP/1.1 426 X\r\nUpgrade: h2c\r\nVia: a\r\n\r\n') },
    { kind: 'errorAnswer', text: 'Upgrade: h2c' },
  ),
  failure(
    'HTTP/2 without gRPC',
    GRPC,
    {
      reason: 'unimplemented',
      output:
        'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unexpected HTTP status code received from server: 404 (Not Found); transport: received unexpected content-type "text/html"',
    },
    { kind: 'notPlainGrpc', speaks: 'HTTP/2' },
  ),
  failure(
    'a proxy of gRPC that wants credentials',
    GRPC,
    {
      output:
        'error: health rpc probe failed: rpc error: code = Unauthenticated desc = unexpected HTTP status code received from server: 401 (Unauthorized); transport: received unexpected content-type "text/html"',
    },
    { kind: 'errorAnswer' },
  ),
  failure(
    'a proxy of gRPC whose server is gone',
    GRPC,
    {
      output:
        'error: health rpc probe failed: rpc error: code = Unavailable desc = unexpected HTTP status code received from server: 502 (Bad Gateway); transport: received unexpected content-type "text/html"',
    },
    { kind: 'errorAnswer' },
  ),
  failure(
    'a command whose output is compared',
    { exec: { command: ['sh', '-c', '[ "$(redis-cli ping)" = PONG ]'] } },
    { exitCode: 1, output: '' },
    { kind: 'commandFailed', text: 'PONG is not what redis-cli ping writes' },
  ),
  failure(
    'a client certificate',
    HTTPS,
    { reason: 'tls', output: 'Get "https://x": remote error: tls: certificate required' },
    { kind: 'clientCertificate' },
  ),
  failure(
    'another TLS alert',
    HTTPS,
    { reason: 'tls', output: 'Get "https://x": remote error: tls: unrecognized name' },
    { kind: 'tlsRefused' },
  ),
  failure(
    '301 to https without a port',
    HTTP,
    { reason: 'refused', detail: redirect('https://127.0.0.1/healthz') },
    { kind: 'redirect', end: 'refused', defaultPort: 443 },
  ),
  failure(
    '301 to https on the same port',
    HTTP,
    { reason: 'plainHTTP', detail: redirect('https://127.0.0.1:8080/healthz') },
    { kind: 'redirect', end: 'plainHTTP' },
  ),
  failure(
    'a circle',
    HTTP,
    { reason: 'redirects', detail: redirect('/healthz') },
    { kind: 'redirect', end: 'circle' },
  ),
  failure(
    'a stream',
    HTTP,
    {
      reason: 'timeout',
      error: 'timeout',
      detail: at(
        { connect: 1, firstByte: 2 },
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n',
      ),
    },
    { kind: 'unfinishedAnswer', isStream: true },
  ),
  failure(
    'a trickle',
    HTTP,
    { reason: 'timeout', error: 'timeout', detail: at({ connect: 1, firstByte: 2 }) },
    { kind: 'unfinishedAnswer', isStream: false },
  ),
  failure(
    'a blocked event loop',
    HTTP,
    { reason: 'timeout', detail: at({ connect: 1 }) },
    { kind: 'stalled', process: 'busy' },
    { before: [3], listens: [{ address: '::', port: 8080 }], state: 'busy' },
  ),
  failure(
    'a paused container',
    HTTP,
    { reason: 'timeout', detail: at({ connect: 1 }) },
    { kind: 'stalled', process: 'paused' },
    { listens: [{ address: '::', port: 8080 }], state: 'paused' },
  ),
  failure('a killed command', EXEC, { exitCode: 137 }, { kind: 'commandKilled' }),
  failure(
    'a stopped process',
    HTTP,
    { reason: 'timeout', detail: at({ connect: 1 }) },
    { kind: 'stalled', process: 'stopped' },
    { before: [3], listens: [{ address: '::', port: 8080 }], state: 'stopped' },
  ),
  failure(
    'a hang',
    TCP,
    { reason: 'timeout', detail: at({}) },
    { kind: 'stalled' },
    { before: [1] },
  ),
  failure(
    'rising latency',
    HTTP,
    { reason: 'timeout', detail: at({ connect: 1 }) },
    { kind: 'slowAnswer' },
    { before: [100, 500, 900] },
  ),
  failure(
    'no answer',
    HTTP,
    { reason: 'timeout', detail: at({ connect: 1 }) },
    { kind: 'noAnswer', accepted: true },
  ),
  failure(
    'a connection that nobody accepts',
    TCP,
    { reason: 'timeout', detail: at({}) },
    { kind: 'noAnswer', accepted: false },
  ),
  failure(
    'a close without an answer',
    HTTP,
    { reason: 'closed' },
    { kind: 'closedEarly', after: 'nothing', reset: false },
  ),
  failure(
    'a reset after a part',
    HTTP,
    {
      reason: 'reset',
      statusCode: 200,
      error: 'reset',
      detail: at({ firstByte: 1 }, 'HTTP/1.1 200 OK\r\n\r\n'),
    },
    { kind: 'closedEarly', after: 'part', reset: true },
  ),
  failure('no such host', HTTP, { reason: 'noHost' }, { kind: 'unknownHost' }),
  failure(
    'exit 127 of a shell',
    EXEC,
    { exitCode: 127, output: 'sh: 1: curl: not found' },
    { kind: 'commandMissing', command: 'curl' },
  ),
  ...[
    ['a shell, and a pipe hides its exit code', 1, 'sh: 1: curl: not found'],
    ['exec of a shell', 127, 'sh: 1: exec: curl: not found'],
    ["a script's shell", 1, '/app/check.sh: line 3: curl: command not found'],
    ['timeout', 127, 'timeout: failed to run command ‘curl’: No such file or directory'],
    ['timeout of busybox', 127, "timeout: can't execute 'curl': No such file or directory"],
    ['env', 127, '/usr/bin/env: ‘curl’: No such file or directory'],
    ['nice', 127, "nice: 'curl': No such file or directory"],
  ].map(([name, exitCode, output]) =>
    failure(
      `a program that is missing, in the words of ${name}`,
      EXEC,
      { exitCode: exitCode as number, output: output as string },
      { kind: 'commandMissing', command: 'curl' },
    ),
  ),
  failure(
    'exit 127 of a program that others run',
    {
      exec: { command: ['sh', '-c', 'exec env PGUSER=a nice -n 5 timeout -s KILL 2s pg_isready'] },
    },
    { exitCode: 127, output: '' },
    { kind: 'commandMissing', command: 'pg_isready' },
  ),
  failure(
    'the exit code of a program that others run',
    { exec: { command: ['timeout', '2', 'pg_isready', '-q'] } },
    { exitCode: 2, output: '' },
    { kind: 'commandFailed', text: 'the server does not answer' },
  ),
  failure(
    'a grep that finds nothing in what another command writes',
    { exec: { command: ['sh', '-c', 'redis-cli ping | grep -q PONG'] } },
    { exitCode: 1, output: '' },
    { kind: 'commandFailed', text: 'no line that redis-cli ping writes matches' },
  ),
  failure(
    'exit 127 of a script',
    EXEC,
    { exitCode: 127, output: 'three checks failed' },
    { kind: 'commandFailed' },
  ),
  failure(
    'exit 126 of a script',
    EXEC,
    { exitCode: 126, output: 'no licence' },
    { kind: 'commandFailed', text: 'no licence' },
  ),
  failure(
    'a command that may not run',
    EXEC,
    { exitCode: 126, output: 'sh: 1: ./check: Permission denied' },
    { kind: 'commandNotRunnable' },
  ),
  failure('a canceled command', EXEC, { reason: 'canceled' }, { kind: 'commandCanceled' }),
  failure('a slow command', EXEC, { reason: 'timeout' }, { kind: 'commandSlow' }),
  failure(
    'a command that fails',
    EXEC,
    { exitCode: 1, output: 'x\ndb: connection refused' },
    { kind: 'commandFailed', text: 'db: connection refused' },
  ),
  failure('gRPC, not serving', GRPC, { reason: 'notServing' }, { kind: 'notServing' }),
  failure(
    'gRPC, no health service',
    GRPC,
    { reason: 'unimplemented' },
    { kind: 'noHealthService' },
  ),
  failure(
    'gRPC, an answer with another status',
    GRPC,
    {
      output:
        'error: health rpc probe failed: rpc error: code = Unauthenticated desc = missing token',
    },
    { kind: 'errorAnswer', text: 'Unauthenticated: missing token' },
  ),
  failure(
    'a script in quotes',
    { exec: { command: ['sh', '-c', "'curl -fs localhost'"] } },
    { exitCode: 127, output: 'sh: 1: curl -fs localhost: not found' },
    { kind: 'quotedScript' },
  ),
  failure(
    'a device of bash alone',
    { exec: { command: ['sh', '-c', 'echo > /dev/tcp/localhost/80'] } },
    { exitCode: 1, output: "sh: can't create /dev/tcp/localhost/80: nonexistent directory" },
    { kind: 'bashOnly', word: '/dev/tcp' },
  ),
  failure(
    'gRPC, an unknown service',
    GRPC,
    { reason: 'unknownService' },
    { kind: 'unknownService' },
  ),
  failure(
    'gRPC, no gRPC',
    GRPC,
    { reason: 'notConnected', detail: at({ connect: 1 }) },
    { kind: 'notPlainGrpc' },
  ),
  failure(
    'gRPC, nothing listens',
    GRPC,
    { reason: 'notConnected' },
    { kind: 'notListening', program: 'nowhere' },
    { listens: [] },
  ),
];
export { HTTP };
