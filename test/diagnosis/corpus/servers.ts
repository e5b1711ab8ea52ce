import type { Advice } from '../../../src/diagnosis/change.js';
import type { CrashCase } from './corpus.js';

/** A crash, and the first advice against it. */
export interface ServerCrash extends CrashCase {
  readonly advice: Advice;
}

const ACCESS: Advice = { do: 'provide', what: 'access' };
const FLAGS: Advice = { do: 'correct', fields: ['command', 'args'] };

/** Three sets of the morning of 2026-11-30, from public threads about servers: crashes whose first cause was wrong, or whose first advice did not help. */
export const SERVERS: readonly ServerCrash[] = [
  {
    name: 'Traefik: a flag that this version does not know',
    output: `2019/08/23 10:12:01 command traefik error: failed to decode configuration from flags: field not found, node: entrypoint`,
    fault: {
      kind: 'crashed',
      text: 'command traefik error: failed to decode configuration from flags: field not found, node: entrypoint',
    },
    advice: FLAGS,
  },
  {
    name: 'Envoy: a field that this version does not know, said again without the file',
    output: `[2022-01-03 16:20:08.763][8][info][main] [external/envoy/source/server/server.cc:372]   envoy.request_id: envoy.request_id.uuid
[2022-01-03 16:20:08.766][8][critical][main] [external/envoy/source/server/server.cc:114] error initializing configuration '/etc/envoy.yaml': Protobuf message (type envoy.config.bootstrap.v3.Bootstrap reason INVALID_ARGUMENT:(static_resources.clusters[0]) hosts: Cannot find field.) has unknown fields
[2022-01-03 16:20:08.766][8][info][main] [external/envoy/source/server/server.cc:891] exiting
[2022-01-03 16:20:08.766][8][debug][main] [external/envoy/source/common/access_log/access_log_manager_impl.cc:21] destroyed access loggers
[2022-01-03 16:20:08.766][8][debug][main] [external/envoy/source/common/event/dispatcher_impl.cc:82] destroying dispatcher main_thread
[2022-01-03 16:20:08.766][8][debug][init] [external/envoy/source/common/init/watcher_impl.cc:31] init manager Server destroyed
Protobuf message (type envoy.config.bootstrap.v3.Bootstrap reason INVALID_ARGUMENT:(static_resources.clusters[0]) hosts: Cannot find field.) has unknown fields`,
    fault: {
      kind: 'crashed',
      text: "error initializing configuration '/etc/envoy.yaml': Protobuf message (type envoy.config.bootstrap.v3.Bootstrap reason INVALID_ARGUMENT:(static_resources.clusters[0]) hosts: Cannot find field.) has unknown fields",
    },
    advice: { do: 'correct', fields: ['envoy.yaml'] },
  },
  {
    name: 'ClickHouse: a folder that it may not write to',
    output: `Processing configuration file '/etc/clickhouse-server/config.xml'.
Logging trace to /var/log/clickhouse-server/clickhouse-server.log
2023.08.08 05:58:01.942606 [ 1 ] {} <Information> SentryWriter: Sending crash reports is disabled
2023.08.08 05:58:01.966137 [ 1 ] {} <Information> : Starting ClickHouse 23.3.1.2823 with revision 54472, build id: 5D8C1, PID 1
2023.08.08 05:58:02.103311 [ 1 ] {} <Information> Application: Setting max_server_memory_usage was set to 13.49 GiB
2023.08.08 05:58:02.110024 [ 1 ] {} <Error> Application: Caught exception while loading metadata: std::exception. Code: 1001, type: std::__1::__fs::filesystem::filesystem_error, e.what() = filesystem error: in create_directories: Permission denied ["/var/lib/clickhouse/metadata"], Stack trace (when copying this message, always include the lines below):

0. std::system_error::system_error(std::error_code, String const&) @ 0x1673a4f5 in /usr/bin/clickhouse
1. DB::Server::main(std::vector<String> const&) @ 0xa3a5c24 in /usr/bin/clickhouse
2. main @ 0xa25ddbd in /usr/bin/clickhouse
 (version 23.3.1.2823 (official build))
2023.08.08 05:58:02.110911 [ 1 ] {} <Information> Application: shutting down
2023.08.08 05:58:02.111023 [ 1 ] {} <Debug> Application: Uninitializing subsystem: Logging Subsystem
2023.08.08 05:58:02.111404 [ 1 ] {} <Information> BaseDaemon: Stop SignalListener thread`,
    fault: {
      kind: 'crashed',
      text: 'Application: Caught exception while loading metadata: std::exception. Code: 1001, type: std::__1::__fs::filesystem::filesystem_error, e.what() = filesystem error: in create_directories: Permission denied ["/var/lib/clickhouse/metadata"], Stack trace (when copying this message, always include the lines below):',
    },
    advice: ACCESS,
  },
  {
    name: 'Vault: memory that it may not lock, and a paragraph about that',
    output: `Error initializing core: Failed to lock memory: cannot allocate memory

This usually means that the mlock syscall is not available.
Vault uses mlock to prevent memory from being swapped to
disk. This requires root privileges as well as a machine
that supports mlock. Please enable mlock on your system or
disable Vault from using it. To disable Vault from using it,
set the \`disable_mlock\` configuration option in your configuration
file.`,
    fault: {
      kind: 'crashed',
      text: 'Error initializing core: Failed to lock memory: cannot allocate memory',
    },
    advice: { do: 'provide', what: 'capability' },
  },
  {
    name: 'NATS: a value of another type in its configuration',
    output: `nats-server: /etc/nats-config/nats.conf:31:1: interface conversion: interface {} is bool, not int64
/etc/nats-config/nats.conf:32:1: interface conversion: interface {} is bool, not int64`,
    fault: {
      kind: 'crashed',
      text: '/etc/nats-config/nats.conf:32:1: interface conversion: interface {} is bool, not int64',
    },
    advice: { do: 'correct', fields: ['nats.conf:32'] },
  },
  {
    name: 'MinIO: a volume that it may not write to',
    output: `API: SYSTEM.storage
Time: 11:00:54 UTC 12/12/2025
Error: unable to rename (/data/.minio.sys/tmp -> /data/.minio.sys/tmp-old/9892d0a8-43f4-40d3-9b76-41c9591dee8b) file access denied, drive may be faulty, please investigate (*fmt.wrapError)
       7: internal/logger/logger.go:271:logger.LogIf()
       6: cmd/logging.go:160:cmd.storageLogIf()
       5: cmd/prepare-storage.go:89:cmd.bgFormatErasureCleanupTmp()
       4: cmd/xl-storage.go:272:cmd.newXLStorage()
FATAL Unable to initialize backend: Unable to write to the backend
      > Please ensure MinIO binary has write permissions for the backend
      HINT:
        Run the following command to add write permissions: \`sudo chown -R nonroot. <path> && sudo chmod u+rxw <path>\``,
    fault: {
      kind: 'crashed',
      text: 'Unable to initialize backend: Unable to write to the backend > Please ensure MinIO binary has write permissions for the backend HINT: Run the following command to add write permissions: `sudo chown -R nonroot. <path> && sudo chmod u+rxw <path>`',
    },
    advice: ACCESS,
  },
  {
    name: 'Airflow: a database without its tables',
    output: `[2023-11-30 09:12:10,355] {__init__.py:51} INFO - Using executor CeleryExecutor
ERROR: You need to initialize the database. Please run \`airflow db init\`. Make sure the command is run using Airflow version 2.6.1.`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: You need to initialize the database. Please run `airflow db init`. Make sure the command is run using Airflow version 2.6.1.',
    },
    advice: { do: 'provide', what: 'schema' },
  },
  {
    name: 'npm: a folder that it may not write to, whose error has a line for each of its parts',
    output: `npm ERR! code EACCES
npm ERR! syscall mkdir
npm ERR! path /.npm
npm ERR! errno -13
npm ERR!
npm ERR! Your cache folder contains root-owned files, due to a bug in
npm ERR! previous versions of npm which has since been addressed.

npm ERR! Log files were not written due to an error writing to the directory: /.npm/_logs
npm ERR! You can rerun the command with \`--loglevel=verbose\` to see the logs in your terminal`,
    fault: { kind: 'crashed', text: 'EACCES: npm, mkdir /.npm' },
    advice: ACCESS,
  },
  {
    name: 'Deno: a permission that its command line lacks',
    output: `error: Uncaught (in promise) NotCapable: Requires net access to "0.0.0.0:8000", run again with the --allow-net flag
const server = Deno.serve({ port: 8000 }, handler);
                    ^
    at listen (ext:deno_net/01_net.js:1:9897)
    at serveInner (ext:deno_http/00_serve.ts:1:23360)
    at Object.serve (ext:deno_http/00_serve.ts:1:22862)
    at file:///app/main.ts:4:21`,
    fault: {
      kind: 'crashed',
      text: 'error: Uncaught (in promise) NotCapable: Requires net access to "0.0.0.0:8000", run again with the --allow-net flag',
      at: 'main.ts:4',
    },
    advice: FLAGS,
  },
  {
    name: 'Next.js: no build in the image',
    output: `   ▲ Next.js 15.3.0
   - Local:        http://localhost:3000
   - Network:      http://10.0.8.184:3000

 ✓ Starting...
[Error: Could not find a production build in the '.next' directory. Try building your app with 'next build' before starting the production server. https://nextjs.org/docs/messages/production-start-no-build-id]`,
    fault: {
      kind: 'crashed',
      text: "[Error: Could not find a production build in the '.next' directory. Try building your app with 'next build' before starting the production server. https://nextjs.org/docs/messages/production-start-no-build-id]",
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Streamlit: a file that the image lacks',
    output: `Usage: streamlit run [OPTIONS] TARGET [ARGS]...
Try 'streamlit run --help' for help.

Error: Invalid value: File does not exist: app.py`,
    fault: { kind: 'crashed', text: 'Error: Invalid value: File does not exist: app.py' },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Mosquitto: an error of the system below what was tried',
    output: `1659577565: mosquitto version 2.0.14 starting
1659577565: Config loaded from /mosquitto/config/mosquitto.conf.
1659577565: Error: Unable to open log file /mosquitto/log/mosquitto.log for writing.
1659577565: Error: Permission denied.`,
    fault: {
      kind: 'crashed',
      text: 'Error: Unable to open log file /mosquitto/log/mosquitto.log for writing. Error: Permission denied.',
    },
    advice: ACCESS,
  },
  {
    name: 'SonarQube: a limit of the node, and a hint at a file of logs',
    output: `2023.11.29 08:13:32 INFO  es[][o.e.n.Node] starting ...
2023.11.29 08:13:32 INFO  es[][o.e.b.BootstrapChecks] explicitly enforcing bootstrap checks
2023.11.29 08:13:32 ERROR es[][o.e.b.Elasticsearch] node validation exception
[1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch. For more information see [https://www.elastic.co/guide/en/elasticsearch/reference/8.11/bootstrap-checks.html]
bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]; for more information see [https://www.elastic.co/guide/en/elasticsearch/reference/8.11/_maximum_map_count_check.html]
ERROR: Elasticsearch did not exit normally - check the logs at /opt/sonarqube/logs/sonarqube.log
2023.11.29 08:13:32 INFO  es[][o.e.n.Node] stopping ...
2023.11.29 08:13:32 INFO  es[][o.e.n.Node] stopped
2023.11.29 08:13:33 WARN  app[][o.s.a.p.AbstractManagedProcess] Process exited with exit value [ElasticSearch]: 78
2023.11.29 08:13:33 INFO  app[][o.s.a.SchedulerImpl] Process[ElasticSearch] is stopped
2023.11.29 08:13:33 INFO  app[][o.s.a.SchedulerImpl] SonarQube is stopped`,
    fault: {
      kind: 'crashed',
      text: 'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]; for more information see [https://www.elastic.co/guide/en/elasticsearch/reference/8.11/_maximum_map_count_check.html]',
    },
    advice: { do: 'provide', what: 'kernel' },
  },
  {
    name: 'CockroachDB: a flag that is missing, and an end without a reason',
    output: `*
* WARNING: ALL SECURITY CONTROLS HAVE BEEN DISABLED!
*
ERROR: no --join flags provided to 'cockroach start'
HINT: Consider using 'cockroach init' or 'cockroach start-single-node' instead
Failed running "start"`,
    fault: { kind: 'crashed', text: "ERROR: no --join flags provided to 'cockroach start'" },
    advice: FLAGS,
  },
  {
    name: 'Apache: a command of a module that is not loaded, and an end without a reason',
    output: `AH00112: Warning: DocumentRoot [/var/www/newtvp] does not exist
AH00526: Syntax error on line 20 of /etc/apache2/sites-enabled/000-default.conf:
Invalid command 'SSLEngine', perhaps misspelled or defined by a module not included in the server configuration
Action '-D FOREGROUND' failed.
The Apache error log may have more information.`,
    fault: {
      kind: 'crashed',
      text: "AH00526: Syntax error on line 20 of /etc/apache2/sites-enabled/000-default.conf: Invalid command 'SSLEngine', perhaps misspelled or defined by a module not included in the server configuration",
    },
    advice: { do: 'correct', fields: ['000-default.conf:20'] },
  },
  {
    name: 'ZooKeeper: the file is in the error around the last one',
    output: `ZooKeeper JMX enabled by default
Using config: /data/conf/zoo.cfg
2023-11-20 11:25:44,803 [myid:] - INFO  [main:QuorumPeerConfig@174] - Reading configuration from: /data/conf/zoo.cfg
2023-11-20 11:25:44,805 [myid:] - INFO  [main:QuorumPeerConfig@435] - clientPort is not set
2023-11-20 11:25:44,808 [myid:] - ERROR [main:QuorumPeerMain@99] - Invalid config, exiting abnormally
org.apache.zookeeper.server.quorum.QuorumPeerConfig$ConfigException: Error processing /data/conf/zoo.cfg
	at org.apache.zookeeper.server.quorum.QuorumPeerConfig.parse(QuorumPeerConfig.java:198)
	at org.apache.zookeeper.server.quorum.QuorumPeerMain.initializeAndRun(QuorumPeerMain.java:125)
	at org.apache.zookeeper.server.quorum.QuorumPeerMain.main(QuorumPeerMain.java:91)
Caused by: java.lang.IllegalArgumentException: standaloneEnabled = false then number of participants should be >0
	at org.apache.zookeeper.server.quorum.QuorumPeerConfig.parseDynamicConfig(QuorumPeerConfig.java:668)
	at org.apache.zookeeper.server.quorum.QuorumPeerConfig.parse(QuorumPeerConfig.java:192)
	... 2 more
Invalid config, exiting abnormally
2023-11-20 11:25:44,810 [myid:] - INFO  [main:ZKAuditProvider@42] - ZooKeeper audit is disabled.
2023-11-20 11:25:44,811 [myid:] - ERROR [main:ServiceUtils@42] - Exiting JVM with code 2`,
    fault: {
      kind: 'crashed',
      text: 'org.apache.zookeeper.server.quorum.QuorumPeerConfig$ConfigException: Error processing /data/conf/zoo.cfg: java.lang.IllegalArgumentException: standaloneEnabled = false then number of participants should be >0',
    },
    advice: { do: 'correct', fields: ['zoo.cfg'] },
  },
  {
    name: 'Sidekiq: a Redis that is too old, above the places of the code',
    output: `2024-01-29T22:00:06.511Z pid=64392 tid=1az4 INFO: Booted Rails 6.1.7.6 application in production environment
2024-01-29T22:00:06.512Z pid=64392 tid=1az4 INFO: Sidekiq 7.2.1 connecting to Redis with options {:size=>10, :pool_name=>"internal", :url=>nil}
You are connecting to Redis 6.0.16, Sidekiq requires Redis 6.2.0 or greater
/usr/local/bundle/gems/sidekiq-7.2.1/lib/sidekiq/cli.rb:77:in \`run'
/usr/local/bundle/gems/sidekiq-7.2.1/bin/sidekiq:31:in \`<top (required)>'
/usr/local/bundle/bin/sidekiq:25:in \`load'
/usr/local/bundle/bin/sidekiq:25:in \`<main>'`,
    fault: {
      kind: 'crashed',
      text: 'You are connecting to Redis 6.0.16, Sidekiq requires Redis 6.2.0 or greater',
    },
    advice: { do: 'provide', what: 'runtime' },
  },
  {
    name: 'Loki: a field that it does not know, and a hint that is about another thing',
    output: `failed parsing config: /etc/loki/local-config.yaml: yaml: unmarshal errors:
  line 28: field scrape_configs not found in type loki.Config. Use \`-config.expand-env=true\` flag if you want to expand environment variables in your config file`,
    fault: {
      kind: 'crashed',
      text: 'failed parsing config: /etc/loki/local-config.yaml: yaml: unmarshal errors: line 28: field scrape_configs not found in type loki.Config. Use `-config.expand-env=true` flag if you want to expand environment variables in your config file',
    },
    advice: { do: 'correct', fields: ['local-config.yaml:28'] },
  },
  {
    name: 'RabbitMQ: the mode of a file, in a term whose last line is cut',
    output: `2026-06-26 07:47:51.307270+00:00 [error] <0.153.0>     stack_size: 29
2026-06-26 07:47:51.307270+00:00 [error] <0.153.0>     reductions: 2395
2026-06-26 07:47:51.307270+00:00 [error] <0.153.0>   neighbours:
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>     supervisor: {local,net_sup}
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>     errorContext: start_error
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>     reason: {"Cookie file /var/lib/rabbitmq/.erlang.cookie must be accessible by owner only",
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>              [{auth,init_no_setcookie,0,[{file,"auth.erl"},{line,360}]},
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>               {auth,init,1,[{file,"auth.erl"},{line,165}]}]}
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>     offender: [{pid,undefined},
2026-06-26 07:47:51.310055+00:00 [error] <0.151.0>                {id,auth}]
{"Kernel pid terminated",application_controller,"{application_start_failure,kernel,{{shutdown,{failed_to_start_child,net_sup,{shutdown,{failed_to_start_child,auth,{\\"Cookie file /var/lib/rabbitmq/.erlang.cookie must be accessible by owner only\\",[{auth,init_no_setcookie,0,[{file,\\"auth.erl\\"},{line,360}]}]}}}},{kernel,start,[normal,[]]}}}"}
Kernel pid terminated (application_controller) ({application_start_failure,kernel,{{shutdown,{failed_to_start_child,net_sup,{shutdown,{failed_to_start_child,auth,{"Cookie file /var/lib/rabbitmq/.erlang.coo

Crash dump is being written to: /var/log/rabbitmq/erl_crash.dump...done`,
    fault: {
      kind: 'crashed',
      text: 'Cookie file /var/lib/rabbitmq/.erlang.cookie must be accessible by owner only',
    },
    advice: { do: 'provide', what: 'mode' },
  },
  {
    name: 'Kestrel: a certificate that is missing',
    output: `crit: Microsoft.AspNetCore.Server.Kestrel[0]
      Unable to start Kestrel.
      Interop+Crypto+OpenSslCryptographicException: error:2006D080:BIO routines:BIO_new_file:no such file
         at Interop.Crypto.CheckValidOpenSslHandle(SafeHandle handle)
         at Internal.Cryptography.Pal.OpenSslX509CertificateReader.FromFile(String fileName, SafePasswordHandle password, X509KeyStorageFlags keyStorageFlags)
Unhandled exception. Interop+Crypto+OpenSslCryptographicException: error:2006D080:BIO routines:BIO_new_file:no such file
   at Interop.Crypto.CheckValidOpenSslHandle(SafeHandle handle)
   at PresenceLight.Worker.Program.Main(String[] args) in /source/PresenceLight.Worker/Program.cs:line 37`,
    fault: {
      kind: 'crashed',
      text: 'Interop+Crypto+OpenSslCryptographicException: error:2006D080:BIO routines:BIO_new_file:no such file',
      at: 'Program.cs:37',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Ecto: a database that is still starting',
    output: `Running dependency resolution
All dependencies up to date
** (Mix) The database for CodeCorps.Repo couldn't be created: FATAL (cannot_connect_now): the database system is starting up`,
    fault: {
      kind: 'crashed',
      text: "(Mix) The database for CodeCorps.Repo couldn't be created: FATAL (cannot_connect_now): the database system is starting up",
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: 'Prisma: a library below what was tried',
    output: `Error: Unable to establish a connection to query-engine-node-api library. It seems there is a problem with your OpenSSL installation!
Details: Unable to require(\`/app/node_modules/prisma/libquery_engine-linux-musl.so.node\`)
 Error loading shared library libssl.so.1.1: No such file or directory (needed by /app/node_modules/prisma/libquery_engine-linux-musl.so.node)
[Context: getConfig]
`,
    fault: {
      kind: 'crashed',
      text: 'Error loading shared library libssl.so.1.1: No such file or directory (needed by /app/node_modules/prisma/libquery_engine-linux-musl.so.node)',
    },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'Fluent Bit: a configuration that is missing',
    output: `Fluent Bit v1.1.0
Copyright (C) Treasure Data

Error: Could not open configuration file. Aborting
`,
    fault: { kind: 'crashed', text: 'Error: Could not open configuration file. Aborting' },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Traefik: a file without a configuration',
    output: `2021/11/13 10:00:00 command traefik error: no configuration found in file: /traefik.toml`,
    fault: {
      kind: 'crashed',
      text: 'command traefik error: no configuration found in file: /traefik.toml',
    },
    advice: { do: 'correct', fields: ['traefik.toml'] },
  },
  {
    name: 'Kong: a database without its tables',
    output: `2020/10/13 21:50:18 [error] 1#0: init_by_lua error: /usr/local/share/lua/5.1/kong/cmd/utils/migrations.lua:16: Database needs bootstrapping or is older than Kong 1.0.

To start a new installation from scratch, run 'kong migrations bootstrap'.

stack traceback:
	[C]: in function 'error'
	/usr/local/share/lua/5.1/kong/cmd/utils/migrations.lua:16: in function 'check_state'
	/usr/local/share/lua/5.1/kong/init.lua:392: in function 'init'
	init_by_lua:3: in main chunk`,
    fault: {
      kind: 'crashed',
      text: 'init_by_lua error: /usr/local/share/lua/5.1/kong/cmd/utils/migrations.lua:16: Database needs bootstrapping or is older than Kong 1.0.',
    },
    advice: { do: 'provide', what: 'schema' },
  },
  {
    name: 'R: a package that the image lacks',
    output: `Error in loadNamespace(x) : there is no package called ‘shiny’
Calls: loadNamespace -> withRestarts -> withOneRestart -> doWithOneRestart
Execution halted`,
    fault: {
      kind: 'crashed',
      text: 'Error in loadNamespace(x) : there is no package called ‘shiny’',
    },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'musl: a library that the image lacks, and what follows from that',
    output: `Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by /usr/bin/server)
Error relocating /usr/bin/server: __vsnprintf_chk: symbol not found
Error relocating /usr/bin/server: __fprintf_chk: symbol not found`,
    fault: {
      kind: 'crashed',
      text: 'Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by /usr/bin/server)',
    },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'ExternalDNS: a kind that the cluster lacks',
    output: `time="2022-08-03T09:15:22Z" level=info msg="Instantiating new Kubernetes client"
time="2022-08-03T09:15:22Z" level=info msg="Created Kubernetes client https://10.43.0.1:443"
time="2022-08-03T09:15:22Z" level=fatal msg="error listing resources in GroupVersion \\"externaldns.k8s.io/v1alpha1\\": the server could not find the requested resource"`,
    fault: {
      kind: 'crashed',
      text: 'error listing resources in GroupVersion "externaldns.k8s.io/v1alpha1": the server could not find the requested resource',
    },
    advice: { do: 'provide', what: 'definition' },
  },
  {
    name: 'MongoDB: data of another version',
    output: `{"t":{"$date":"2024-08-30T10:00:00.323+00:00"},"s":"I",  "c":"STORAGE",  "id":4795906, "ctx":"initandlisten","msg":"WiredTiger opened","attr":{"durationMillis":319}}
{"t":{"$date":"2024-08-30T10:00:00.400+00:00"},"s":"F",  "c":"CONTROL",  "id":20573,   "ctx":"initandlisten","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: BadValue: Invalid value for version, found 7.0, expected '4.4' or '4.2'. Contents of featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"7.0\\" }). If the current featureCompatibilityVersion is below 4.2, see the documentation on upgrading."}}
{"t":{"$date":"2024-08-30T10:00:00.401+00:00"},"s":"I",  "c":"REPL",     "id":4784900, "ctx":"initandlisten","msg":"Stepping down the ReplicationCoordinator for shutdown","attr":{"waitTimeMillis":15000}}
{"t":{"$date":"2024-08-30T10:00:00.402+00:00"},"s":"I",  "c":"CONTROL",  "id":23138,   "ctx":"initandlisten","msg":"Shutting down","attr":{"exitCode":62}}`,
    fault: {
      kind: 'crashed',
      text: 'Wrong mongod version: UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: BadValue: Invalid value for version, found 7.0, expected \'4.4\' or \'4.2\'. Contents of featureCompatibilityVersion document in admin.system.version: { _id: "featureCompatibilityVersion", version: "7.0" }). If the current featureCompatibilityVersion is below 4.2, see the documentation on upgrading.',
    },
    advice: { do: 'provide', what: 'dataVersion' },
  },
  {
    name: 'Temporal: an error of a step before, and then a YAML that cannot be read',
    output: `+ temporal-sql-tool --plugin postgres --ep 10.24.0.24 -u airbyte -p 5432 create --db temporal
2023-05-04T18:48:49.897Z	ERROR	Unable to create SQL database.	{"error": "pq: database \\"temporal\\" already exists", "logging-call-at": "handler.go:97"}
2023/05/04 18:48:49 Loading config; env=docker,zone=,configDir=config
2023/05/04 18:48:49 Loading config files=[config/docker.yaml]
Unable to load configuration: config file corrupted: yaml: line 17: found unknown escape character.`,
    fault: {
      kind: 'crashed',
      text: 'Unable to load configuration: config file corrupted: yaml: line 17: found unknown escape character.',
    },
    advice: { do: 'correct', fields: ['line 17 of the YAML that it reads'] },
  },
  {
    name: 'Laravel: a key that is not set, above the places of the code',
    output: `
   Illuminate\\Encryption\\MissingAppKeyException

  No application encryption key has been specified.

  at vendor/laravel/framework/src/Illuminate/Encryption/EncryptionServiceProvider.php:79
     75▕         return tap($config['key'], function ($key) {
     76▕             if (empty($key)) {
  ➜  79▕                 throw new MissingAppKeyException;

      +18 vendor frames
  19  artisan:35
      Illuminate\\Foundation\\Console\\Kernel::handle(Object(Symfony\\Component\\Console\\Input\\ArgvInput))`,
    fault: { kind: 'crashed', text: 'No application encryption key has been specified.' },
    advice: { do: 'setVariable' },
  },
  {
    name: 'cert-manager: a kind that the cluster lacks',
    output: `I0304 18:44:45.757191       1 request.go:645] Throttling request took 2.098483307s, request: GET:https://192.168.51.1:443/apis/vpcresources.k8s.aws/v1beta1?timeout=32s
E0304 18:44:45.910164       1 source.go:117] cert-manager/controller-runtime/source "msg"="if kind is a CRD, it should be installed before calling Start" "error"="no matches for kind \\"Certificate\\" in version \\"cert-manager.io/v1\\"" "kind"={"Group":"cert-manager.io","Kind":"Certificate"}
E0304 18:44:45.910216       1 start.go:136] cert-manager/ca-injector "msg"="error running manager" "error"="no matches for kind \\"Certificate\\" in version \\"cert-manager.io/v1\\""
Error: no matches for kind "Certificate" in version "cert-manager.io/v1"
Usage:
  ca-injector [flags]

Flags:
  -h, --help   help for ca-injector`,
    fault: {
      kind: 'crashed',
      text: 'error running manager: no matches for kind "Certificate" in version "cert-manager.io/v1"',
      at: 'start.go:136',
    },
    advice: { do: 'provide', what: 'definition' },
  },
  {
    name: 'cert-manager: an API server that the pod does not reach',
    output: `I0817 07:05:30.101120       1 webhook.go:69] cert-manager/webhook "msg"="using dynamic certificate generating using CA stored in Secret resource"
E0817 07:05:33.123456       1 dynamic_source.go:88] cert-manager/webhook "msg"="Failed to generate initial serving certificate, retrying..." "error"="failed verifying CA keypair: Get https://10.96.0.1:443/api/v1/namespaces/cert-manager/secrets: dial tcp 10.96.0.1:443: i/o timeout" "interval"=1000000000`,
    fault: {
      kind: 'crashed',
      text: 'Failed to generate initial serving certificate, retrying: failed verifying CA keypair: Get https://10.96.0.1:443/api/v1/namespaces/cert-manager/secrets: dial tcp 10.96.0.1:443: i/o timeout',
      at: 'dynamic_source.go:88',
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: 'istio-init: no right to change the rules of its network',
    output: `Environment:
------------
ENVOY_PORT=15001
iptables v1.6.0: can't initialize iptables table \`nat': Permission denied (you must be root)
Perhaps iptables or your kernel needs to be upgraded.`,
    fault: {
      kind: 'crashed',
      text: "iptables v1.6.0: can't initialize iptables table `nat': Permission denied (you must be root)",
    },
    advice: { do: 'provide', what: 'capability' },
  },
  {
    name: 's6-overlay: a folder of root in the image of another user',
    output: `s6-overlay-suexec: warning: unable to gain root privileges (is the suid bit set?)
/package/admin/s6-overlay/libexec/preinit: fatal: /run belongs to uid 0 instead of 1000, has insecure and/or unworkable permissions, and we're lacking the privileges to fix it.`,
    fault: {
      kind: 'crashed',
      text: "/package/admin/s6-overlay/libexec/preinit: fatal: /run belongs to uid 0 instead of 1000, has insecure and/or unworkable permissions, and we're lacking the privileges to fix it.",
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'Celery: a login that its broker refuses',
    output: `[2023-05-04 10:00:01,490: INFO/MainProcess] mingle: searching for neighbors
[2023-05-04 10:00:01,694: CRITICAL/MainProcess] Unrecoverable error: AccessRefused(403, 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.', (0, 0), '')
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/celery/worker/worker.py", line 202, in start
    self.blueprint.start(self)
  File "/usr/local/lib/python3.11/site-packages/celery/bootsteps.py", line 116, in start
    step.start(parent)
  File "/usr/local/lib/python3.11/site-packages/amqp/connection.py", line 730, in _on_close
    raise error_for_code(reply_code, reply_text,
amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.`,
    fault: {
      kind: 'crashed',
      text: 'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
    },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'InfluxDB: a damaged file',
    output: `ts=2022-03-14T00:09:06.659108Z lvl=info msg="Welcome to InfluxDB" log_id=0_DRxsOW000 version=2.1.1 commit=657e1839de
panic: invalid page type: 41: 10

goroutine 1 [running]:
go.etcd.io/bbolt.(*Cursor).search(0xc00125f3a8, {0xc000b5a0e0, 0x8, 0x8}, 0x29)
	/go/pkg/mod/go.etcd.io/bbolt@v1.3.6/cursor.go:250 +0x299
github.com/influxdata/influxdb/v2/bolt.(*KVStore).Open(0xc0002d6a50, {0x7f2cb0, 0xc000128000})
	/root/project/bolt/kv.go:80 +0x85
main.main()
	/root/project/cmd/influxd/main.go:61 +0x45`,
    fault: { kind: 'crashed', text: 'panic: invalid page type: 41: 10', at: 'kv.go:80' },
    advice: { do: 'provide', what: 'data' },
  },
];
