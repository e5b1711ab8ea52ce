import { describe, expect, it } from 'vitest';

import { programError, reportedError } from '../../../src/diagnosis/output/program-output.js';

const OUTPUTS: readonly (readonly [string, string, string])[] = [
  [
    'an error that it gets over, and a fatal one after it has gone on',
    `Traceback (most recent call last):
  File "app.py", line 3, in connect
ConnectionError: retrying (1/3)
connected to database
FATAL: required key SIGNING_KEY is not set; aborting`,
    'FATAL: required key SIGNING_KEY is not set; aborting',
  ],
  ...['"fatal"', '60'].map((level): readonly [string, string, string] => [
    `an error that it gets over, and one of level ${level} in a log of JSON`,
    `Traceback (most recent call last):
  File "app.py", line 3, in connect
ConnectionError: retrying (1/3)
connected to database
{"level":${level},"msg":"required key SIGNING_KEY is not set"}`,
    'required key SIGNING_KEY is not set',
  ]),
  [
    'an error, and a fatal line about it at once',
    `Traceback (most recent call last):
  File "app.py", line 3, in connect
ConnectionError: cannot reach db:5432
FATAL: exception in main, required to exit`,
    'ConnectionError: cannot reach db:5432 (app.py:3)',
  ],
  [
    'an error for which it ends, and a warning about that',
    `s6-rc: fatal: timed out
rc.init: warning: s6-rc failed to properly bring all the services up! Check your logs
prog: fatal: stopping the container.`,
    's6-rc: fatal: timed out',
  ],
  [
    'an error of a start, and one of the shutdown that follows',
    `kafka.common.InconsistentClusterIdException: The Cluster ID aB doesn't match
\tat kafka.server.KafkaServer.startup(KafkaServer.scala:242)
java.lang.IllegalStateException: Kafka server is still starting up, cannot shut down!
\tat kafka.server.KafkaServer.shutdown(KafkaServer.scala:708)`,
    "kafka.common.InconsistentClusterIdException: The Cluster ID aB doesn't match (KafkaServer.scala:242)",
  ],
  [
    'a server that adds its time to that of the program',
    '[Thu Nov 26 11:23:25 2026] [2026-05-11 09:12:33] production.ERROR: SQLSTATE[HY000] [2002] Connection refused',
    'SQLSTATE[HY000] [2002] Connection refused',
  ],
  [
    'a low port in Python, whose error does not say what was tried',
    `Traceback (most recent call last):
  File "/app/server.py", line 4, in <module>
    HTTPServer(("0.0.0.0", 80), Handler).serve_forever()
  File "/usr/lib/python3.11/socketserver.py", line 472, in server_bind
    self.socket.bind(self.server_address)
PermissionError: [Errno 13] Permission denied`,
    'bind: PermissionError: [Errno 13] Permission denied (server.py:4)',
  ],
  [
    'a file that is missing because it could not be written before',
    `sh: can't create paper-1.21.3.jar: Permission denied
sh: can't create eula.txt: Permission denied
Error: Unable to access jarfile paper-1.21.3.jar`,
    "sh: can't create paper-1.21.3.jar: Permission denied",
  ],
  [
    'a user that cannot be made, and what follows from that',
    `Creating user and group...
addgroup: /etc/group: Read-only file system
adduser: unknown group app`,
    'addgroup: /etc/group: Read-only file system',
  ],
  [
    'a child that has failed, whose warnings say why',
    `s6-overlay-suexec: warning: unable to gain root privileges (is the suid bit set?)
s6-mkdir: warning: unable to mkdir /run/service: Permission denied
s6-overlay-suexec: fatal: child failed with exit code 111`,
    's6-mkdir: warning: unable to mkdir /run/service: Permission denied',
  ],
  [
    'an exception of C++',
    `terminate called after throwing an instance of 'std::runtime_error'
  what():  no config`,
    "terminate called after throwing an instance of 'std::runtime_error': no config",
  ],
  ['heap that the C library finds damaged', 'free(): invalid pointer', 'free(): invalid pointer'],
  [
    'a thread of Java that is interrupted because the program ends',
    `Caused by: java.sql.SQLException: no connection
Caused by: java.lang.InterruptedException: null`,
    'java.sql.SQLException: no connection',
  ],
  [
    'the log of .NET',
    `info: Microsoft.Hosting.Lifetime[0]
      Application started.
fail: Microsoft.EntityFrameworkCore.Database.Connection[20004]
      An error occurred using the connection to database 'shop'.
      Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.0.0.7:5432
         at Npgsql.Internal.NpgsqlConnector.Connect(NpgsqlTimeout timeout)`,
    'Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.0.0.7:5432',
  ],
  [
    'a message of several lines in JSON',
    `{"log.level":"ERROR", "message":"node validation exception\\nmax virtual memory areas vm.max_map_count [65530] is too low"}
ERROR: Elasticsearch did not exit normally`,
    'node validation exception max virtual memory areas vm.max_map_count [65530] is too low',
  ],
  [
    'a stack in JSON, whose last cause counts',
    String.raw`{"level":"ERROR","message":"Application run failed","stack_trace":"a.b.BeanException: no bean\n\tat a.B.c(B.java:7)\nCaused by: java.net.UnknownHostException: orders-db\n\t... 45 more\n"}`,
    'Application run failed: java.net.UnknownHostException: orders-db (B.java:7)',
  ],
  [
    'a server that writes more after it has said that it ends',
    `(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80
no listening sockets available, shutting down
AH00015: Unable to open logs`,
    '(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80',
  ],
  [
    'a server that says last that it aborts',
    `[ERROR] [MY-000067] [Server] unknown variable 'max_conections=9'.
[ERROR] [MY-010119] [Server] Aborting`,
    "[MY-000067] [Server] unknown variable 'max_conections=9'.",
  ],
  [
    'an unknown flag in Go, before the list of those that are known',
    `flag provided but not defined: -listen-port
Usage of ./app:
  -port int
    \tport, required (default 8080)`,
    'flag provided but not defined: -listen-port',
  ],
  [
    'an unknown option that is ignored, and then an error',
    `warning: unknown option '--color', ignored
cannot reach orders-db`,
    'cannot reach orders-db',
  ],
  [
    'a line of the file that redis reads',
    `*** FATAL CONFIG FILE ERROR (Redis 7.0.15) ***
Reading the configuration file, at line 2
>>> 'maxmemory-polcy allkeys-lru'
Bad directive or wrong number of arguments`,
    "Bad directive or wrong number of arguments: 'maxmemory-polcy allkeys-lru' (line 2 of the configuration file)",
  ],
  [
    'an address on which redis cannot listen',
    `7:M 28 Nov 2026 23:04:58.815 # Warning: Could not create server TCP listening socket 10.9.9.9:6379: bind: Cannot assign requested address
7:M 28 Nov 2026 23:04:58.815 # Failed listening on port 6379 (TCP), aborting.`,
    'Could not create server TCP listening socket 10.9.9.9:6379: bind: Cannot assign requested address',
  ],
  [
    'data that redis cannot load',
    `7:M 29 Nov 2026 02:51:16.130 # Server initialized
7:M 29 Nov 2026 02:51:16.137 # Wrong signature trying to load DB from file
7:M 29 Nov 2026 02:51:16.137 # Fatal error loading the DB: Invalid argument. Exiting.`,
    'Wrong signature trying to load DB from file',
  ],
  [
    'Rust, a stack that is too small',
    `parsing rules

thread 'main' (13113) has overflowed its stack
fatal runtime error: stack overflow, aborting`,
    'fatal runtime error: stack overflow, aborting',
  ],
  [
    'a Java machine that does not start',
    `Invalid maximum heap size: -Xmx2gb
Error: Could not create the Java Virtual Machine.
Error: A fatal exception has occurred. Program will exit.`,
    'Invalid maximum heap size: -Xmx2gb',
  ],
  [
    'a detail of Postgres',
    `FATAL:  data directory "/data" has invalid permissions
DETAIL:  Permissions should be u=rwx (0700) or u=rwx,g=rx (0750).`,
    'FATAL: data directory "/data" has invalid permissions: Permissions should be u=rwx (0700) or u=rwx,g=rx (0750).',
  ],
  [
    'Node',
    `listening soon
file:///app/server.js:2
const b = (;
           ^

SyntaxError: Unexpected token ';'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)
    at async ModuleJob._link (node:internal/modules/esm/module_job:148:19)

Node.js v20.20.2`,
    "SyntaxError: Unexpected token ';' (server.js:2)",
  ],
  [
    'Perl, a missing module',
    `Can't locate Shop/Cart.pm in @INC (you may need to install the Shop::Cart module) (@INC contains: /etc/perl) at app.pl line 2.
BEGIN failed--compilation aborted at app.pl line 2.`,
    "Can't locate Shop/Cart.pm in @INC (app.pl:2)",
  ],
  [
    'a class of Java for a later version',
    `Error: LinkageError occurred while loading main class App
\tjava.lang.UnsupportedClassVersionError: App has been compiled by a more recent version of the Java Runtime`,
    'java.lang.UnsupportedClassVersionError: App has been compiled by a more recent version of the Java Runtime',
  ],
  [
    'a framework of .NET that the image does not have',
    `You must install or update .NET to run this application.

App: /app/Shop.dll
Framework: 'Microsoft.AspNetCore.App', version '9.0.0' (x64)
Learn more:
https://aka.ms/dotnet/app-launch-failed

To install missing framework, download:`,
    "You must install or update .NET to run this application: 'Microsoft.AspNetCore.App', version '9.0.0' (x64)",
  ],
  [
    'gunicorn, whose worker is busy for too long',
    `[2026-11-26 22:36:24 +0000] [284] [CRITICAL] WORKER TIMEOUT (pid:286)
[2026-11-26 22:36:24 +0000] [286] [ERROR] Error handling request /healthz
Traceback (most recent call last):
  File "/app/app.py", line 3, in app
    time.sleep(30)
  File "/usr/lib/python3/site-packages/gunicorn/workers/base.py", line 204, in handle_abort
    sys.exit(1)
SystemExit: 1
[2026-11-26 22:36:25 +0000] [286] [INFO] Worker exiting (pid: 286)`,
    "WORKER TIMEOUT, gunicorn's --timeout (app.py:3)",
  ],
  [
    'wait-for-it',
    `wait-for-it.sh: timeout occurred after waiting 2 seconds for db:5432
wait-for-it.sh: strict mode, refusing to execute subprocess`,
    'wait-for-it.sh: timeout occurred after waiting 2 seconds for db:5432',
  ],
  [
    'Node, a missing module',
    `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module 'pg'
Require stack:
- /app/db.js
    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Object.<anonymous> (/app/db.js:7:12) {
  code: 'MODULE_NOT_FOUND'
}

Node.js v20.20.2`,
    "Error: Cannot find module 'pg' (db.js:7)",
  ],
  [
    'Node, an error with a cause',
    `node:internal/deps/undici/undici:13510
      Error.captureStackTrace(err);
            ^

TypeError: fetch failed
    at node:internal/deps/undici/undici:13510:13 {
  [cause]: Error: unable to verify the first certificate
      at TLSSocket.onConnectSecure (node:_tls_wrap:1679:34) {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
  }
}

Node.js v20.20.2`,
    'TypeError: fetch failed: Error: unable to verify the first certificate',
  ],
  [
    'Go',
    `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4898b4]

goroutine 1 [running]:
net/http.Serve(...)
\t/usr/local/go/src/net/http/server.go:15 +0x34
main.main()
\t/src/main.go:15 +0x34
exit status 2`,
    'panic: runtime error: invalid memory address or nil pointer dereference (main.go:15)',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "/app/app.py", line 5, in <module>
    load()
  File "/app/app.py", line 3, in load
    return json.loads("{")
  File "/usr/lib/python3.11/json/decoder.py", line 353, in raw_decode
    obj, end = self.scan_once(s, idx)
json.decoder.JSONDecodeError: Expecting property name
Exiting.`,
    'json.decoder.JSONDecodeError: Expecting property name (app.py:3)',
  ],
  [
    'Python, with frozen modules',
    `Traceback (most recent call last):
  File "/app/app.py", line 4, in <module>
    load()
  File "/app/app.py", line 3, in load
    return int(os.environ['DB_PORT'])
  File "<frozen os>", line 679, in __getitem__
KeyError: 'DB_PORT'`,
    "KeyError: 'DB_PORT' (app.py:3)",
  ],
  [
    'Java',
    `Exception in thread "main" org.springframework.beans.BeanCreationException: no bean
\tat org.example.Main.main(Main.java:3)
Caused by: java.net.ConnectException: Connection refused
\t... 3 more`,
    'java.net.ConnectException: Connection refused',
  ],
  [
    'Rust',
    `thread 'main' panicked at src/main.rs:2:5:
DATABASE_URL must be set
note: run with \`RUST_BACKTRACE=1\``,
    'panic: DATABASE_URL must be set (src/main.rs:2:5)',
  ],
  [
    'Rust in a library',
    `thread 'main' panicked at /root/.cargo/registry/src/index.crates.io-1/tokio-1.4.0/src/a.rs:7:9:
no reactor running`,
    'panic: no reactor running',
  ],
  [
    'a JVM',
    `Error occurred during initialization of VM
Initial heap size set to a larger value than the maximum heap size`,
    'Initial heap size set to a larger value than the maximum heap size',
  ],
  [
    'Nest',
    "[Nest] 41  - 11/29/2026, 7:37:34 AM   ERROR [ExceptionHandler] Nest can't resolve Orders",
    "Nest can't resolve Orders",
  ],
  [
    'Python, at a place of a compiled module',
    `Traceback (most recent call last):
  File "/usr/lib/python3.11/asyncio/runners.py", line 118, in run
  File "uvloop/loop.pyx", line 1515, in uvloop.loop.Loop.run_until_complete
FileNotFoundError: [Errno 2] No such file or directory`,
    'FileNotFoundError: [Errno 2] No such file or directory',
  ],
  [
    'anyhow, whose system error says nothing without what was tried',
    `Error: failed to start the gateway

Caused by:
    0: could not load the routes
    1: failed to read "/etc/routes.toml"
    2: No such file or directory (os error 2)`,
    'failed to read "/etc/routes.toml": No such file or directory (os error 2)',
  ],
  [
    'anyhow with a single cause',
    `Error: cannot read the license

Caused by:
    permission denied (os error 13)`,
    'cannot read the license: permission denied (os error 13)',
  ],
  [
    'eyre',
    `Error:
   0: cannot connect to the broker
   1: Connection refused (os error 111)

Location:
   src/main.rs:20`,
    'cannot connect to the broker: Connection refused (os error 111) (src/main.rs:20)',
  ],
  [
    'eyre with a single error after other lines',
    `INFO starting
Error:
   0: no license`,
    'no license',
  ],
  [
    'an error of Node without a message, which is logged',
    `Error:
    at main (/app/app.js:1:7)`,
    'Error:',
  ],
  [
    'clap, which lists what is missing',
    `error: the following required arguments were not provided:
  --listen <LISTEN>
  --upstream <URL>

Usage: gateway --listen <LISTEN> --upstream <URL>`,
    'error: the following required arguments were not provided: --listen <LISTEN> --upstream <URL>',
  ],
  [
    'zap for people, before a stack',
    `2026-11-29T10:00:00.100Z\tFATAL\tserver/main.go:42\tfailed to load tenants\t{"error": "open /etc/tenants.json: permission denied"}
main.main
\t/src/server/main.go:42`,
    'failed to load tenants: open /etc/tenants.json: permission denied (main.go:42)',
  ],
  [
    'klog',
    'F1129 10:00:00.123456       1 main.go:81] Error building kubeconfig: no such context',
    'Error building kubeconfig: no such context (main.go:81)',
  ],
  [
    'logfmt with a message in event',
    `event="loaded plugins" level=info
level=critical event="schema 41 is older than 42" migration=pending`,
    'schema 41 is older than 42',
  ],
  [
    '.NET, whose system error says nothing without what was tried',
    `Unhandled exception. Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.0.0.7:5432
 ---> System.Net.Sockets.SocketException (111): Connection refused
   at Npgsql.Internal.NpgsqlConnector.Connect(NpgsqlTimeout timeout)
   at Program.Main(String[] args) in /src/Program.cs:line 14`,
    'Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.0.0.7:5432: Connection refused (Program.cs:14)',
  ],
  [
    'Elixir, at a place of a library',
    `[notice] Application shop exited: Shop.Application.start(:normal, []) returned an error
        ** (KeyError) key :database not found in: [hostname: "db"]
            (elixir 1.15.7) lib/keyword.ex:599: Keyword.fetch!/2`,
    '(KeyError) key :database not found in: [hostname: "db"]',
  ],
  [
    'Elixir, at a place of the application that ended',
    `[notice] Application shop exited: Shop.Application.start(:normal, []) returned an error
        ** (KeyError) key :database not found in: [hostname: "db"]
            (elixir 1.15.7) lib/keyword.ex:599: Keyword.fetch!/2
            (shop 0.1.0) lib/shop/repo.ex:12: Shop.Repo.init/2`,
    '(KeyError) key :database not found in: [hostname: "db"] (repo.ex:12)',
  ],
  [
    'HAProxy, which says last that there is something',
    `[NOTICE]   (1) : haproxy version is 2.6.12
[ALERT]    (1) : config : parsing [/etc/h.cfg:5] : unknown keyword 'default_backnd' in 'frontend' section
[ALERT]    (1) : config : Error(s) found in configuration file : /etc/h.cfg
[ALERT]    (1) : config : Fatal errors found in configuration.`,
    "unknown keyword 'default_backnd' in 'frontend' section (h.cfg:5)",
  ],
  [
    'Python, in a group of exceptions',
    `  + Exception Group Traceback (most recent call last):
  |   File "/app/main.py", line 12, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/main.py", line 7, in consume
    |     raise RuntimeError("no topic orders")
    | RuntimeError: no topic orders
    +------------------------------------`,
    'RuntimeError: no topic orders (main.py:7)',
  ],
  [
    'Kafka, below the library of Scala',
    `java.lang.IllegalArgumentException: requirement failed: no listeners
	at scala.Predef$.require(Predef.scala:337)
	at kafka.server.KafkaConfig.validate(KafkaConfig.scala:2314)`,
    'java.lang.IllegalArgumentException: requirement failed: no listeners (KafkaConfig.scala:2314)',
  ],
  [
    'Python, in a function that a library has made',
    `Traceback (most recent call last):
  File "/app/app.py", line 2, in <module>
    e = create_engine(URL)
  File "<generated create_engine>", line 2, in create_engine
ModuleNotFoundError: No module named 'psycopg'`,
    "ModuleNotFoundError: No module named 'psycopg' (app.py:2)",
  ],
  [
    'Python, whose file of settings is wrong',
    `Traceback (most recent call last):
  File "/app/app.py", line 2, in <module>
    yaml.safe_load(open('config.yaml'))
yaml.scanner.ScannerError: while scanning for the next token
found character '\\t' that cannot start any token
  in "config.yaml", line 2, column 1`,
    'yaml.scanner.ScannerError: while scanning for the next token in "config.yaml", line 2 (app.py:2)',
  ],
  [
    'FastAPI, whose handler returns something else than its model',
    `Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/fastapi/routing.py", line 7, in serialize_response
    raise ResponseValidationError(
fastapi.exceptions.ResponseValidationError: 1 validation error:
  {'type': 'missing', 'loc': ('response', 'version'), 'msg': 'Field required', 'input': {}}`,
    'fastapi.exceptions.ResponseValidationError: 1 validation error: response version: Field required',
  ],
  [
    'Java, whose message has several lines',
    `Exception in thread "main" org.yaml.snakeyaml.scanner.ScannerException: while scanning
found character '\\t(TAB)' that cannot start any token
 in 'reader', line 3, column 1:
    rate: 2
    ^

\tat org.yaml.snakeyaml.scanner.ScannerImpl.fetchMoreTokens(ScannerImpl.java:445)
\tat x.Shop.main(Shop.java:12)`,
    "org.yaml.snakeyaml.scanner.ScannerException: while scanning found character '\\t(TAB)' that cannot start any token in 'reader', line 3, column 1: rate: 2 (Shop.java:12)",
  ],
  [
    'git, which says what to do after its error',
    "fatal: detected dubious ownership in repository at '/app'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /app",
    "fatal: detected dubious ownership in repository at '/app'",
  ],
  [
    'lighttpd, whose last line says no more',
    '(plugin.c.199) dlopen() failed for: mod_x.so: cannot open shared object file\n2026-11-29 19:20:18: (server.c.1448) loading plugins finally failed',
    '(plugin.c.199) dlopen() failed for: mod_x.so: cannot open shared object file',
  ],
  [
    'a program that goes on after an error that it handles, and then ends with another',
    `ERROR:root:no cache, going on
Traceback (most recent call last):
  File "/app/app.py", line 4, in <module>
redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.
INFO:root:reading license
license: key has 14 characters, 16 expected`,
    'license: key has 14 characters, 16 expected',
  ],
  [
    'a master that says last that its worker failed',
    `Traceback (most recent call last):
  File "/app/app.py", line 1, in <module>
ModuleNotFoundError: No module named 'redis'
[2026-11-29 10:00:00 +0000] [7] [INFO] Control socket listening
[2026-11-29 10:00:00 +0000] [7] [ERROR] Worker (pid:9) exited with code 3.`,
    "ModuleNotFoundError: No module named 'redis' (app.py:1)",
  ],
  [
    'an image whose message goes on in indented lines',
    `2026-11-29 20:11:03+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified
    You need to specify one of the following as an environment variable:
    - MYSQL_ROOT_PASSWORD
    - MYSQL_RANDOM_ROOT_PASSWORD`,
    '[Entrypoint]: Database is uninitialized and password option is not specified You need to specify one of the following as an environment variable: - MYSQL_ROOT_PASSWORD - MYSQL_RANDOM_ROOT_PASSWORD',
  ],
  [
    'a server that says last how it tells more',
    `2026-11-29 20:12:01,104 ERROR [cli] (main) ERROR: no hostname setting provided
2026-11-29 20:12:01,104 ERROR [cli] (main) For more details run the same command passing the '--verbose' option.`,
    'ERROR: no hostname setting provided',
  ],
  [
    'a request that failed in Quarkus',
    '2023-05-30 10:00:05,118 ERROR [io.qua.ver.htt.run.QuarkusErrorHandler] (executor-thread-0) HTTP Request to /health/live failed, error id: d1a65d60-fe15-4: java.sql.SQLException: no database',
    'java.sql.SQLException: no database',
  ],
  [
    'a server of PHP that names the effects of its first error',
    `[20-May-2021 17:16:15] ERROR: failed to open error_log (/proc/self/fd/2): Permission denied (13)
[20-May-2021 17:16:15] ERROR: failed to post process the configuration
[20-May-2021 17:16:15] ERROR: FPM initialization failed`,
    'failed to open error_log (/proc/self/fd/2): Permission denied (13)',
  ],
  [
    'a new database whose folder is not empty',
    `initdb: error: directory "/data" exists but is not empty
It contains a lost+found directory, perhaps due to it being a mount point.
Create a subdirectory under the mount point.`,
    'initdb: error: directory "/data" exists but is not empty',
  ],
  [
    'a task of Rake',
    `rake aborted!

NoMethodError: undefined method \`empty?' for 1234567890:Integer
/home/git/gitlab/lib/gitlab/utils.rb:54:in \`ensure_utf8_size'
(See full trace by running task with --trace)`,
    "NoMethodError: undefined method \`empty?' for 1234567890:Integer (utils.rb:54)",
  ],
  [
    'a panic of Go with a list',
    `panic: yaml: unmarshal errors:
	  line 20: cannot unmarshal !!map into string

goroutine 1 [running]:
main.main()
	/local/cmd/scheduler/main.go:14 +0x13`,
    'panic: yaml: unmarshal errors: line 20: cannot unmarshal !!map into string (main.go:14)',
  ],
  [
    'a panic of Go after a logged error',
    `level=error ts=2021-04-28T17:26:54.814Z msg="Error opening query log file" err="open /x: permission denied"
panic: Unable to create active query log

goroutine 1 [running]:
main.main()
	/app/main.go:374 +0x510c`,
    'panic: Unable to create active query log: open /x: permission denied (main.go:374)',
  ],
  [
    'a database that names the effects of its first error',
    `2022-12-30T23:18:57.771403Z 1 [System] [MY-013576] [InnoDB] InnoDB initialization has started.
2022-12-30T23:18:57.905834Z 1 [ERROR] [MY-013090] [InnoDB] Cannot create redo log files because data files are corrupt.
2022-12-30T23:18:58.305407Z 0 [ERROR] [MY-010020] [Server] Data Dictionary initialization failed.
2022-12-30T23:18:58.305445Z 0 [ERROR] [MY-010119] [Server] Aborting
2022-12-30T23:18:58.306020Z 0 [System] [MY-010910] [Server] /usr/sbin/mysqld: Shutdown complete.`,
    'Cannot create redo log files because data files are corrupt.',
  ],
  [
    'a database that writes notes between its errors, after a start that was whole',
    `2020-12-11T00:50:00.000000Z 0 [ERROR] [MY-010262] [Server] Can't start server: bind-address cannot be used
2020-12-11T00:50:01.000000Z 0 [Note] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections.
2020-12-11T00:53:56.356636Z 1 [ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11
2020-12-11T00:54:56.356636Z 1 [Note] [MY-012575] [InnoDB] Unable to open the first data file
2020-12-11T00:54:56.356646Z 1 [ERROR] [MY-012592] [InnoDB] Operating system error number 11 in a file operation.
2020-12-11T00:54:56.859999Z 0 [ERROR] [MY-010119] [Server] Aborting`,
    'Unable to lock ./ibdata1 error: 11',
  ],
  [
    'a program of Ruby that prints places without a word after its error',
    `2018-02-13T07:13:02.208Z 7 TID-gpmiazgnk INFO: Booting Sidekiq 5.0.4
Error connecting to Redis on 127.0.0.1:6379 (Errno::ECONNREFUSED)
/usr/local/bundle/gems/redis-3.3.3/lib/redis/client.rb:345:in \`rescue in establish_connection'
/app/config/boot.rb:3:in \`connect'
/usr/local/bundle/gems/sidekiq-5.0.4/bin/sidekiq:13:in \`<top (required)>'`,
    'Error connecting to Redis on 127.0.0.1:6379 (Errno::ECONNREFUSED) (boot.rb:3)',
  ],
  [
    'a program of Ruby whose first place is in a library of Ruby itself',
    `Failed to open TCP connection to api:80 (SocketError)
/usr/lib/ruby/3.1.0/net/http.rb:987:in \`initialize'
/app/client.rb:7:in \`get'`,
    'Failed to open TCP connection to api:80 (SocketError) (client.rb:7)',
  ],
  [
    'Erlang, with a term that quotes what went wrong',
    `2022-09-03 06:52:12.532743+00:00 [error] <0.131.0> BOOT FAILED
2022-09-03 06:52:12.532743+00:00 [error] <0.131.0> Exception during startup:
2022-09-03 06:52:12.532743+00:00 [error] <0.131.0> error:{badmatch,{error,{{shutdown,{failed_to_start_child,auth,{"Failed to create cookie file '/var/lib/rabbitmq/.erlang.cookie': eacces",[{auth,init_no_setcookie,0,[{file,"auth.erl"},{line,313}]}]}}}
Kernel pid terminated (application_controller) ({application_start_failure,rabbitmq_prelaunch,{{shutdown,...}}})`,
    "Failed to create cookie file '/var/lib/rabbitmq/.erlang.cookie': eacces",
  ],
  [
    'Tomcat, which ends with lines about earlier errors',
    `10-Jan-2020 13:14:58.238 SEVERE [main] org.apache.catalina.core.StandardContext.listenerStart Exception sending context initialized event
	java.lang.IllegalStateException: SHOP_CONFIG_DIR is not set
		at com.shop.Init.contextInitialized(Init.java:21)
10-Jan-2020 13:14:58.240 SEVERE [main] org.apache.catalina.core.StandardContext.startInternal One or more listeners failed to start. Full details will be found in the appropriate container log file
10-Jan-2020 13:14:58.241 SEVERE [main] org.apache.catalina.core.StandardContext.startInternal Context [] startup failed due to previous errors`,
    'java.lang.IllegalStateException: SHOP_CONFIG_DIR is not set',
  ],
  [
    'checks whose messages are numbered below their head',
    `ERROR: [1] bootstrap checks failed
[1]: max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]
2019.07.16 07:25:59 INFO  app[][o.s.a.SchedulerImpl] SonarQube is stopped`,
    'ERROR: [1] bootstrap checks failed [1]: max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]',
  ],
  [
    'a script that says which of its commands failed',
    `KAFKA_ADVERTISED_LISTENERS is required.
Command [/usr/local/bin/dub ensure KAFKA_ADVERTISED_LISTENERS] FAILED !`,
    'KAFKA_ADVERTISED_LISTENERS is required.',
  ],
  [
    'a logger in JSON that repeats the error of a stack before it',
    String.raw`{"level":"error","message":"uncaughtException: no id\nSyntaxError: no id\n    at JSON.parse (<anonymous>)\n    at Object.<anonymous> (/app/server.js:3:16)"}`,
    'SyntaxError: no id (server.js:3)',
  ],
  [
    'Caddy, whose log of requests has the level of an error, too',
    `{"level":"error","logger":"http.log.error","msg":"dial tcp 127.0.0.1:9000: connect: connection refused","status":502}
{"level":"error","logger":"http.log.access","msg":"handled request","status":502}`,
    'dial tcp 127.0.0.1:9000: connect: connection refused',
  ],
  [
    'a program of BusyBox, which names itself before its usage',
    "httpd: unrecognized option '--threads'\nBusyBox v1.35.0 (Debian) multi-call binary.\n\nUsage: httpd [-ifv[v]]\n\t-d STRING\tURL decode STRING",
    "httpd: unrecognized option '--threads'",
  ],
  [
    'Fluent Bit, which says last that something is wrong, and not what',
    `[2023/05/30 18:03:02] [error] [config] section 'tail2' tried to instance a plugin name that don't exists
[2023/05/30 18:03:02] [error] configuration file contains errors, aborting.`,
    "[config] section 'tail2' tried to instance a plugin name that don't exists",
  ],
  [
    'a program that warns before an end without a reason',
    'WARNING: no metrics token found\ncache not found, continuing without\nStartup failed',
    'Startup failed',
  ],
  [
    'Varnish, whose last two lines say that something has failed',
    `Message from VCC-compiler:
Symbol not found.
('/etc/varnish/default.vcl' Line 281 Pos 1)

Running VCC-compiler failed, exited with 2
VCL compilation failed`,
    'Symbol not found. (default.vcl:281)',
  ],
  [
    'a program that sums its errors up',
    `level=error msg="storage: option 'key' is required"
level=fatal msg="Can't continue due to the errors loading the configuration"`,
    "storage: option 'key' is required",
  ],
  [
    'a server that counts its errors',
    '1) Invalid configuration property a.b: may not be null\n\n1 error\n\n==========',
    '1) Invalid configuration property a.b: may not be null',
  ],
  ['a program that names its reason when it exits', 'Exiting: no keys', 'Exiting: no keys'],
  [
    'a program with a hint at its help',
    "pgrep: no matching criteria specified\nTry `pgrep --help' for more information.",
    'pgrep: no matching criteria specified',
  ],
  [
    'an option, what the program is, and a hint at its help',
    'flag provided but not defined: -a\n\nvmstorage stores data.\n\nRun "/vmstorage -help" to see all flags',
    'flag provided but not defined: -a',
  ],
  [
    'a script that says which command has failed',
    "Error: P1001: Can't reach database server at `db:5432`\nError executing command: npx prisma\nMigration failed",
    "Error: P1001: Can't reach database server at `db:5432`",
  ],
  [
    'glog with its level, time and place',
    'E20210806 05:47:25.380398     1 store.h:65] cannot open 12 stores',
    'cannot open 12 stores',
  ],
  [
    'BIND, which says with its time that it ends',
    `09-Jul-2021 15:58:10.880 /etc/bind/named.conf:19: missing ';' before end of file
09-Jul-2021 15:58:10.895 loading configuration: failure
09-Jul-2021 15:58:10.895 exiting (due to fatal error)`,
    "/etc/bind/named.conf:19: missing ';' before end of file",
  ],
  [
    'a server whose last error is a hint',
    'level=error msg="no route 12"\nlevel=error msg="See also: https://example.org/help"',
    'no route 12',
  ],
  [
    'yarn, which adds a line of its own',
    'app: DISCORD_ID is required\nerror Command failed with exit code 1.',
    'app: DISCORD_ID is required',
  ],
  [
    'a program that lists what is missing',
    'ERROR: invalid configuration:\n  missing setting: cookie-secret\n  missing setting: client-id',
    'ERROR: invalid configuration: missing setting: cookie-secret missing setting: client-id',
  ],
  [
    'klog with a message in quotes',
    'E1121 09:12:44.120731       1 run.go:74] "command failed" err="unknown flag: --old"',
    'command failed: unknown flag: --old (run.go:74)',
  ],
  [
    'Rust before 1.73 with a colon before the place',
    `thread 'main' panicked at 'Failed to turn on WAL': src/db/mod.rs:308
   0: shop::main`,
    'panic: Failed to turn on WAL (src/db/mod.rs:308)',
  ],
  ['another program that says error', 'error: no license\nbye', 'error: no license'],
  ['another program', 'DATABASE_URL is not set\n', 'DATABASE_URL is not set'],
];

describe('programError', () => {
  it.each(OUTPUTS)('finds the error in the output of %s', (_, output, expected) => {
    const { text = '', at } = programError(output.split('\n')) ?? {};
    expect(at === undefined ? text : `${text} (${at})`).toBe(expected);
  });

  it('finds nothing where there is no output', () => {
    expect(programError([])).toBeUndefined();
  });
});

it.each([
  [
    ['ERROR cache: i/o timeout; continuing without a cache', 'the key ended on 2026-10-31'],
    'the key ended on 2026-10-31',
  ],
  [
    ['ERROR cache: i/o timeout; continuing without a cache', 'the key ended', 'INFO plugins: 14'],
    'the key ended',
  ],
  [
    ['queue depth 900 is above 500', 'perl: warning: Setting locale failed.'],
    'queue depth 900 is above 500',
  ],
  [['app started', 'WARNING: the key is missing'], 'WARNING: the key is missing'],
  [
    [
      '[2026-11-30T10:02:00.000+0000] {webserver.py:220} ERROR - No response from the master',
      '[2026-11-30T10:02:00.001+0000] {webserver.py:221} ERROR - Shutting down webserver',
    ],
    'No response from the master',
  ],
])('a warning, or what a program does without, is no reason for an end: %j', (output, text) => {
  expect(programError(output)?.text).toBe(text);
});

it('what a program does without is no error that it reports', () => {
  const line = 'ERROR cache: i/o timeout; continuing without a cache';
  expect(reportedError([line, 'plugins: 14'])).toBeUndefined();
});

describe('reportedError', () => {
  it.each([
    ['2026-11-29 10:00:00,000 main ERROR no license', 'main ERROR no license'],
    ['cache: handler installed; FATAL errors go to the log', undefined],
    ['FATAL log level enabled', undefined],
    [
      '2026-11-29T18:47:14.400Z ERROR 24224 --- [shop] [main] .w.s.DefaultResolver : no such id',
      'no such id',
    ],
  ])('takes a level for one before the words of a line: %s', (line, text) => {
    expect(reportedError([line])?.text).toBe(text);
  });
});
