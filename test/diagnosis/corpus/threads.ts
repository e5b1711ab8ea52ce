import type { ServerCrash } from './servers.js';

/** Sets of 2026-12-01, from public threads in the order of a search, and others like them: crashes whose first cause was wrong, or whose first advice did not help. */
export const THREADS: readonly ServerCrash[] = [
  {
    name: 'cert-manager: a right that its ServiceAccount lacks, behind the help of a flag',
    output: `flag provided but not defined: -v
Usage of tls:
  -tls-cert-file string

I0402 07:39:07.838505       1 round_trippers.go:419] curl -k -v -XGET  -H "Accept: application/json, */*" 'https://100.64.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
I0402 07:39:07.849845       1 round_trippers.go:438] GET https://100.64.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication 403 Forbidden in 11 milliseconds
W0402 07:39:07.850207       1 authentication.go:262] Unable to get configmap/extension-apiserver-authentication in kube-system.  Usually fixed by 'kubectl create rolebinding -n kube-system ROLEBINDING_NAME --role=extension-apiserver-authentication-reader --serviceaccount=YOUR_NS:YOUR_SA'
F0402 07:39:07.850230       1 cmd.go:39] configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:cert-manager:cert-manager-webhook" cannot get resource "configmaps" in API group "" in the namespace "kube-system"`,
    fault: {
      kind: 'crashed',
      text: 'configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:cert-manager:cert-manager-webhook" cannot get resource "configmaps" in API group "" in the namespace "kube-system"',
      at: 'cmd.go:39',
    },
    advice: { do: 'provide', what: 'rights' },
  },
  {
    name: 'EMQX: a start that takes longer than it allows',
    output: `node.max_ports=1048576
listener.tcp.external.acceptors=64
allow_anonymous=true
EMQX_LOADED_PLUGINS="emqx_management,emqx_recon,emqx_retainer,emqx_dashboard,emqx_telemetry,emqx_auth_http"
EMQ X Broker 4.2.3 failed to start within 15 seconds,
see the output of '/opt/emqx/bin/emqx console' for more information.
If you want to wait longer, set the environment variable
WAIT_FOR_ERLANG to the number of seconds to wait.`,
    fault: {
      kind: 'crashed',
      text: "EMQ X Broker 4.2.3 failed to start within 15 seconds, see the output of '/opt/emqx/bin/emqx console' for more information.",
    },
    advice: { do: 'provide', what: 'startLimit' },
  },
  {
    name: 'Grafana: a database file that it cannot open',
    output:
      't=2019-02-14T13:22:55-0800 lvl=eror msg="Server shutdown" logger=server reason="Service init failed: Migration failed err: unable to open database file"',
    fault: {
      kind: 'crashed',
      text: 'Server shutdown: reason=Service init failed: Migration failed err: unable to open database file',
    },
    advice: { do: 'provide', what: 'dataFolder' },
  },
  {
    name: 'ingress-nginx: rights that its ServiceAccount lacks',
    output:
      'F0926 18:08:16.501463 6 main.go:87] ✖ The cluster seems to be running with a restrictive Authorization mode and the Ingress controller does not have the required permissions to operate normally.',
    fault: {
      kind: 'crashed',
      text: '✖ The cluster seems to be running with a restrictive Authorization mode and the Ingress controller does not have the required permissions to operate normally.',
      at: 'main.go:87',
    },
    advice: { do: 'provide', what: 'rights' },
  },
  {
    name: 'Keycloak: no command, and its help',
    output: `Keycloak - Open Source Identity and Access Management

Find more information at: https://www.keycloak.org/docs/latest

Usage:

kc.sh [OPTIONS] [COMMAND]

Use this command-line tool to manage your Keycloak cluster.
Make sure the command is available on your "PATH" or prefix it with "./" (e.g.:
"./kc.sh") to execute from the current folder.

Options:

-cf, --config-file <file>
                     Set the path to a configuration file.
-h, --help           This help message.
-v, --verbose        Print out error details when running this command.
-V, --version        Show version information

Commands:

  build                   Creates a new and optimized server image based on the configuration options passed to this command.
  start                   Start the server.
  start-dev               Start the server in development mode.
  export                  Export data from realms to a file or directory.`,
    fault: { kind: 'crashed', text: 'Usage: kc.sh [OPTIONS] [COMMAND]' },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'Loki: a full disk, and then the module that fails',
    output: `mkdir /var/loki/tsdb-shipper-active/scratch: no space left on device
error initialising module: store`,
    fault: {
      kind: 'crashed',
      text: 'mkdir /var/loki/tsdb-shipper-active/scratch: no space left on device',
    },
    advice: { do: 'provide', what: 'disk' },
  },
  {
    name: 'Loki: a value in the file that its log names',
    output:
      'level=error ts=2019-05-17T12:36:27.607054242Z caller=main.go:46 msg="error loading config" filename=/etc/loki/loki.yaml err="parsing time \\"0\\" as \\"2006-01-02\\": cannot parse \\"0\\" as \\"2006\\""',
    fault: {
      kind: 'crashed',
      text: 'error loading config: parsing time "0" as "2006-01-02": cannot parse "0" as "2006"',
      at: 'loki.yaml',
    },
    advice: { do: 'correct', fields: ['loki.yaml'] },
  },
  {
    name: 'n8n: a command that it does not know',
    output: `Permissions 0644 for n8n settings file /home/node/.n8n/config are too wide. This is ignored for now, but in the future n8n will attempt to change the permissions automatically. To automatically enforce correct permissions now set N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS=true (recommended), or turn this check off set N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS=false.

Error: Command "start" not found`,
    fault: { kind: 'crashed', text: 'Error: Command "start" not found' },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'oauth2-proxy: an issuer that answers 404',
    output: `[2024/08/07 07:11:59] [options.go:82] WARNING: no explicit redirect URL: redirects will default to insecure HTTP
[2024/08/07 07:11:59] [provider.go:55] Performing OIDC Discovery...
[2024/08/07 07:11:59] [main.go:58] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: failed to discover OIDC configuration: unexpected status "404": 404 page not found`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: failed to discover OIDC configuration: unexpected status "404": 404 page not found',
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: 'oauth2-proxy: a key that its configuration may not have',
    output: `[2024/01/09 05:12:50] [main.go:75] WARNING: You are using alpha configuration. The structure in this configuration file may change without notice. You MUST remove conflicting options from your existing configuration.
[2024/01/09 05:12:50] [main.go:43] ERROR: failed to load core options: failed to load config: error unmarshalling config: 1 error(s) decoding:

* '' has invalid keys: upstreams`,
    fault: { kind: 'crashed', text: "* '' has invalid keys: upstreams" },
    advice: { do: 'setting', names: ['upstreams'] },
  },
  {
    name: 'Temporal: a user that may not create a database',
    output: `Start init
Done init
PostgreSQL started.
touch: CONTAINER_ALREADY_STARTED_PLACEHOLDER: Permission denied
2023-08-30T06:41:48.381Z	ERROR	Unable to create SQL database.	{"error": "pq: permission denied to create database", "logging-call-at": "handler.go:94"}`,
    fault: {
      kind: 'crashed',
      text: 'Unable to create SQL database.: pq: permission denied to create database',
    },
    advice: { do: 'provide', what: 'grant' },
  },
  {
    name: 'Airflow: an address of its database that is empty',
    output: `Traceback (most recent call last):
  File "/home/airflow/.local/bin/airflow", line 5, in <module>
    from airflow.__main__ import main
  File "/home/airflow/.local/lib/python3.8/site-packages/airflow/settings.py", line 412, in initialize
    configure_orm()
  File "/home/airflow/.local/lib/python3.8/site-packages/sqlalchemy/engine/url.py", line 836, in _parse_rfc1738_args
    raise exc.ArgumentError(
sqlalchemy.exc.ArgumentError: Could not parse rfc1738 URL from string ''`,
    fault: {
      kind: 'crashed',
      text: "sqlalchemy.exc.ArgumentError: Could not parse rfc1738 URL from string ''",
    },
    advice: { do: 'provide', what: 'value' },
  },
  {
    name: 'Puppeteer: a browser that may not make namespaces',
    output: `Error: Failed to launch the browser process!
Failed to move to new namespace: PID namespaces supported, Network namespace supported, but failed: errno = Operation not permitted
[0101/000000.000000:FATAL:zygote_host_impl_linux.cc(201)] Check failed: . : Operation not permitted (1)

TROUBLESHOOTING: https://pptr.dev/troubleshooting

    at Interface.onClose (/app/node_modules/@puppeteer/browsers/lib/cjs/launch.js:303:24)
    at Interface.emit (node:events:529:35)`,
    fault: {
      kind: 'crashed',
      text: '[0101/000000.000000:FATAL:zygote_host_impl_linux.cc(201)] Check failed: . : Operation not permitted (1)',
    },
    advice: { do: 'provide', what: 'browserSandbox' },
  },
  {
    name: 'Selenium: a driver for another version of the browser',
    output: `Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    driver = webdriver.Chrome(options=options)
  File "/usr/local/lib/python3.11/site-packages/selenium/webdriver/remote/errorhandler.py", line 245, in check_response
    raise exception_class(message, screen, stacktrace)
selenium.common.exceptions.SessionNotCreatedException: Message: session not created: This version of ChromeDriver only supports Chrome version 114
Current browser version is 117.0.5938.92 with binary path /usr/bin/google-chrome
Stacktrace:
#0 0x55f1f2c4e4e3 <unknown>`,
    fault: {
      kind: 'crashed',
      text: 'selenium.common.exceptions.SessionNotCreatedException: Message: session not created: This version of ChromeDriver only supports Chrome version 114',
      at: 'main.py:9',
    },
    advice: { do: 'provide', what: 'runtime' },
  },
  {
    name: 'Consul: a log of Raft with a gap',
    output: `==> Starting Consul agent...
           Version: '1.10.3'
    2021-11-03T10:00:00.000Z [INFO]  agent.server.raft: starting restore from snapshot: id=2-16393-1635900000000
panic: log not found

goroutine 1 [running]:
github.com/hashicorp/raft.NewRaft(0xc000a28000, 0x2eeb3c0)
	/home/circleci/go/pkg/mod/github.com/hashicorp/raft@v1.3.1/api.go:500 +0x1f25
github.com/hashicorp/consul/agent/consul.(*Server).setupRaft(0xc0006ea000)
	/home/circleci/project/consul/agent/consul/server.go:795 +0x8bb`,
    fault: { kind: 'crashed', text: 'panic: log not found', at: 'server.go:795' },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'etcd: a log of Raft that was cut',
    output: `2019-08-14 10:00:00.000000 I | etcdserver: restarting member 8e9e05c52164694d in cluster cdf818194e3a8c32 at commit index 3
panic: tocommit(12) is out of range [lastIndex(3)]. Was the raft log corrupted, truncated, or lost?

goroutine 146 [running]:
github.com/coreos/etcd/cmd/vendor/github.com/coreos/pkg/capnslog.(*PackageLogger).Panicf(0xc42000aa60, 0xe53b29, 0x5d, 0xc42211a360, 0x2, 0x2)
	/tmp/etcd-release-3.3.13/etcd/release/etcd/gopath/src/github.com/coreos/etcd/cmd/vendor/github.com/coreos/pkg/capnslog/pkg_logger.go:75 +0x162
github.com/coreos/etcd/cmd/vendor/github.com/coreos/etcd/raft.(*raftLog).commitTo(0xc4201e3650, 0xc)
	/tmp/etcd-release-3.3.13/etcd/release/etcd/gopath/src/github.com/coreos/etcd/cmd/vendor/github.com/coreos/etcd/raft/log.go:191 +0x15c`,
    fault: {
      kind: 'crashed',
      text: 'panic: tocommit(12) is out of range [lastIndex(3)]. Was the raft log corrupted, truncated, or lost?',
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'Gitea: not as root',
    output: `2023/11/02 10:00:00 cmd/web.go:102:runWeb() [I] Starting Gitea on PID: 7
2023/11/02 10:00:00 ...s/setting/setting.go:109:mustCurrentRunUserMatch() [F] Gitea is not supposed to be run as root. Sorry. If you need to use privileged TCP ports please instead use setcap and the \`cap_net_bind_service\` permission`,
    fault: {
      kind: 'crashed',
      text: '...s/setting/setting.go:109:mustCurrentRunUserMatch() [F] Gitea is not supposed to be run as root. Sorry. If you need to use privileged TCP ports please instead use setcap and the `cap_net_bind_service` permission',
    },
    advice: { do: 'provide', what: 'user' },
  },
  {
    name: 'Keycloak: no hostname',
    output: `2023-05-01 10:00:00,000 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to start server in (production) mode
2023-05-01 10:00:00,001 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Strict hostname resolution configured but no hostname was set
2023-05-01 10:00:00,002 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) For more details run the same command passing the '--verbose' option. Also you can use '--help' to see the details about the usage of the particular command.`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: Strict hostname resolution configured but no hostname was set',
    },
    advice: { do: 'setting', names: ['hostname'], isUnset: true },
  },
  {
    name: 'Mattermost: a host that is not found, and a fatal line without it',
    output: `{"timestamp":"2023-01-01 00:00:00.000 Z","level":"info","msg":"Server is initializing...","caller":"platform/service.go:155","go_version":"go1.19"}
{"timestamp":"2023-01-01 00:00:00.300 Z","level":"error","msg":"Failed to ping DB","caller":"sqlstore/store.go:212","error":"dial tcp: lookup postgres on 10.96.0.10:53: no such host","retrying in seconds":10}
{"timestamp":"2023-01-01 00:00:10.300 Z","level":"fatal","msg":"Failed to ping DB, server will exit.","caller":"sqlstore/store.go:217"}`,
    fault: {
      kind: 'crashed',
      text: 'Failed to ping DB: dial tcp: lookup postgres on 10.96.0.10:53: no such host',
    },
    advice: { do: 'correctHost' },
  },
  {
    name: 'MLflow: a database of an older version',
    output: `2023/01/01 00:00:00 ERROR mlflow.cli: Error initializing backend store
2023/01/01 00:00:00 ERROR mlflow.cli: Detected out-of-date database schema (found version 451aebb31d03, but expected cc1f77228345). Take a backup of your database, then run 'mlflow db upgrade <database_uri>' to migrate your database to the latest schema. NOTE: schema migration may result in database downtime - please consult your database's documentation for more detail.`,
    fault: {
      kind: 'crashed',
      text: "mlflow.cli: Detected out-of-date database schema (found version 451aebb31d03, but expected cc1f77228345). Take a backup of your database, then run 'mlflow db upgrade <database_uri>' to migrate your database to the latest schema. NOTE: schema migration may result in database downtime - please consult your database's documentation for more detail.",
    },
    advice: { do: 'provide', what: 'unmigrated' },
  },
  {
    name: 'Nexus: folders that it may not make, and the file that it lacks then',
    output: `mkdir: cannot create directory '../sonatype-work/nexus3/log': Permission denied
mkdir: cannot create directory '../sonatype-work/nexus3/tmp': Permission denied
OpenJDK 64-Bit Server VM warning: Cannot open file ../sonatype-work/nexus3/log/jvm.log due to No such file or directory

Warning:  Cannot open log file: ../sonatype-work/nexus3/log/jvm.log
Warning:  Forcing option -XX:LogFile=/tmp/jvm.log
java.io.FileNotFoundException: ../sonatype-work/nexus3/tmp/i4j_ZTDnGON8hezynsMX2ZCYAVDtQog=.lock (No such file or directory)
	at java.base/java.io.RandomAccessFile.open0(Native Method)
	at com.install4j.runtime.launcher.util.SingleInstance.check(SingleInstance.java:72)
Unable to update instance pid: Unable to create directory /nexus-data/instances`,
    fault: {
      kind: 'crashed',
      text: "mkdir: cannot create directory '../sonatype-work/nexus3/tmp': Permission denied",
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'OpenVPN: no tun device',
    output: `2023-01-01 00:00:00 OpenVPN 2.5.1 x86_64-pc-linux-gnu
2023-01-01 00:00:00 ERROR: Cannot open TUN/TAP dev /dev/net/tun: No such file or directory (errno=2)
2023-01-01 00:00:00 Exiting due to fatal error`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: Cannot open TUN/TAP dev /dev/net/tun: No such file or directory (errno=2)',
    },
    advice: { do: 'provide', what: 'deviceFile' },
  },
  {
    name: 'PgBouncer: a line of its file, and then less',
    output: `2023-01-01 00:00:00.000 UTC [1] ERROR syntax error in configuration (/etc/pgbouncer/pgbouncer.ini:12), stopping loading
2023-01-01 00:00:00.000 UTC [1] FATAL cannot load config file`,
    fault: {
      kind: 'crashed',
      text: 'syntax error in configuration (/etc/pgbouncer/pgbouncer.ini:12), stopping loading',
    },
    advice: { do: 'correct', fields: ['pgbouncer.ini:12'] },
  },
  {
    name: 'Squid: a line of its file',
    output: `2023/01/01 00:00:00| WARNING: Ignoring the unknown ...
2023/01/01 00:00:00| FATAL: Bungled /etc/squid/squid.conf line 3: http_acces allow all
2023/01/01 00:00:00| Squid Cache (Version 5.2): Terminated abnormally.
CPU Usage: 0.009 seconds = 0.009 user + 0.000 sys
Maximum Resident Size: 55008 KB
Page faults with physical i/o: 0`,
    fault: {
      kind: 'crashed',
      text: 'FATAL: Bungled /etc/squid/squid.conf line 3: http_acces allow all',
    },
    advice: { do: 'correct', fields: ['squid.conf:3'] },
  },
  {
    name: 'sudo: no new privileges, and a hint after that',
    output: `sudo: The "no new privileges" flag is set, which prevents sudo from running as root.
sudo: If sudo is running in a container, you may need to adjust the container configuration to disable the flag.`,
    fault: {
      kind: 'crashed',
      text: 'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.',
    },
    advice: { do: 'provide', what: 'escalation' },
  },
  {
    name: 'supervisord: another user than root',
    output: `Error: Can't drop privilege as nonroot user
For help, use /usr/bin/supervisord -h`,
    fault: { kind: 'crashed', text: "Error: Can't drop privilege as nonroot user" },
    advice: { do: 'provide', what: 'root' },
  },
  {
    name: 'Vaultwarden: a variable without its scheme',
    output: `/--------------------------------------------------------------------\\
|                        Starting Vaultwarden                        |
|                           Version 1.30.1                           |
|--------------------------------------------------------------------|
| This is an *unofficial* Bitwarden implementation, DO NOT use the   |
\\--------------------------------------------------------------------/

Error loading config:
  \`DOMAIN\` variable needs to contain the protocol (http, https). Use 'http[s]://bw.example.com' instead of 'bw.example.com'`,
    fault: {
      kind: 'crashed',
      text: "Error loading config: `DOMAIN` variable needs to contain the protocol (http, https). Use 'http[s]://bw.example.com' instead of 'bw.example.com'",
    },
    advice: { do: 'setting', names: ['DOMAIN'] },
  },
  {
    name: 'vLLM: no GPU, and a hint with the name of a variable',
    output: `INFO 07-08 06:56:05 [importing.py:27] Triton is installed but 0 active driver(s) found (expected 1). Disabling Triton to prevent runtime errors.
INFO 07-08 06:56:08 [__init__.py:248] No platform detected, vLLM is running on UnspecifiedPlatform
WARNING 07-08 06:56:10 [_custom_ops.py:21] Failed to import from vllm._C with ImportError('/usr/lib/x86_64-linux-gnu/libcuda.so.1: file too short')
Traceback (most recent call last):
  File "<frozen runpy>", line 198, in _run_module_as_main
  File "/usr/local/lib/python3.12/dist-packages/vllm/entrypoints/openai/api_server.py", line 1383, in <module>
    parser = make_arg_parser(parser)
             ^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.12/dist-packages/vllm/config.py", line 2245, in __post_init__
    raise RuntimeError(
RuntimeError: Failed to infer device type, please set the environment variable \`VLLM_LOGGING_LEVEL=DEBUG\` to turn on verbose logging to help debug the issue.`,
    fault: {
      kind: 'crashed',
      text: 'RuntimeError: Failed to infer device type, please set the environment variable `VLLM_LOGGING_LEVEL=DEBUG` to turn on verbose logging to help debug the issue.',
    },
    advice: { do: 'provide', what: 'device' },
  },
  {
    name: 'OpenSearch: an instruction that the CPU does not have',
    output: `Disabling OpenSearch Security Plugin
Enabling execution of OPENSEARCH_HOME/bin/opensearch-performance-analyzer/performance-analyzer-agent-cli for OpenSearch Performance Analyzer Plugin
#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGILL (0x4) at pc=0x0000ffff8bd3fc5c, pid=105, tid=106
#
# JRE version:  (21.0.5+11) (build )
# Java VM: OpenJDK 64-Bit Server VM (21.0.5+11-LTS, mixed mode, sharing, tiered, compressed oops, compressed class ptrs, serial gc, linux-aarch64)
# Problematic frame:
# j  java.lang.System.registerNatives()V+0 java.base@21.0.5
#
# Core dump will be written. Default location: Core dumps may be processed with "/usr/share/apport/apport" (or dumping to /usr/share/opensearch/core.105)
#
# An error report file with more information is saved as:
# logs/hs_err_pid105.log
#
Aborted (core dumped)`,
    fault: {
      kind: 'crashed',
      text: 'SIGILL in j  java.lang.System.registerNatives()V+0 java.base@21.0.5',
    },
    advice: { do: 'provide', what: 'cpu' },
  },
  {
    name: 'Java: memory that the system does not give',
    output: `OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x0000000085330000, 2060255232, 0) failed; error='Not enough space' (errno=12)
#
# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 2060255232 bytes for committing reserved memory.
# An error report file with more information is saved as:
# /usr/share/app/hs_err_pid1.log`,
    fault: {
      kind: 'outOfMemory',
      by: 'program',
      text: 'There is insufficient memory for the Java Runtime Environment to continue.',
    },
    advice: { do: 'lessMemory', of: 'system' },
  },
  {
    name: 'LiveKit: no configuration',
    output: `+ exec egress
missing config`,
    fault: { kind: 'crashed', text: 'missing config' },
    advice: { do: 'provide', what: 'configuration' },
  },
  {
    name: 'Node: a variable that is invalid',
    output: `2020-09-12 11:22:58 app info Server starting...
2020-09-12 11:22:59 app error DISCORD_CLIENT_ID is required, but it was not found.
2020-09-12 11:22:59 app error DISCORD_CLIENT_SECRET is required, but it was not found.
2020-09-12 11:22:59 app error OPENTOGETHERTUBE_API_KEY is invalid.`,
    fault: { kind: 'crashed', text: 'app error OPENTOGETHERTUBE_API_KEY is invalid.' },
    advice: { do: 'setVariable', name: 'OPENTOGETHERTUBE_API_KEY' },
  },
  {
    name: 'AirDC++: no configuration found',
    output:
      '.No valid configuration found. Run the application with --configure parameter to set up initial configuration.',
    fault: {
      kind: 'crashed',
      text: '.No valid configuration found. Run the application with --configure parameter to set up initial configuration.',
    },
    advice: { do: 'provide', what: 'configuration' },
  },
  {
    name: 'Java: a main class that is not found',
    output: `exec java -XX:+UseParallelGC -XX:GCTimeRatio=4 -XX:AdaptiveSizePolicyWeight=90 -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 -XX:+ExitOnOutOfMemoryError -cp .:/deployments/* org.aws.samples.compute.webapp.Main
Error: Could not find or load main class org.aws.samples.compute.webapp.Main`,
    fault: {
      kind: 'crashed',
      text: 'Error: Could not find or load main class org.aws.samples.compute.webapp.Main',
    },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'Java: an option without its value, and the help',
    output: `Starting the Java application using /opt/jboss/container/java/run/run-java.sh ...
ERROR Neither $JAVA_MAIN_CLASS nor $JAVA_APP_JAR is set and 0 JARs found in /deployments (1 expected)
INFO exec  java -XX:+UseParallelOldGC -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:+ExitOnOutOfMemoryError -cp "." -jar
Error: -jar requires jar file specification
Usage: java [options] <mainclass> [args...]
           (to execute a class)
   or  java [options] -jar <jarfile> [args...]
           (to execute a jar file)`,
    fault: { kind: 'crashed', text: 'Error: -jar requires jar file specification' },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'Rake: a library for another C library',
    output: `rake aborted!
Bootsnap::LoadPathCache::FallbackScan: 
/usr/local/bundle/gems/activesupport-5.2.1/lib/active_support/dependencies.rb:253:in \`load_dependency'
/usr/local/bundle/gems/railties-5.2.1/lib/rails/application.rb:337:in \`require_environment!'
/usr/local/bin/bundle:23:in \`<main>'

Caused by:
LoadError: Error relocating /usr/local/bundle/gems/pg-1.1.0/lib/pg_ext.so: rb_enc_alias: symbol not found - /usr/local/bundle/gems/pg-1.1.0/lib/pg_ext.so
/usr/local/bundle/gems/bootsnap-1.3.1/lib/bootsnap/load_path_cache/core_ext/kernel_require.rb:21:in \`require'
/usr/local/bundle/gems/bootsnap-1.3.1/lib/bootsnap/load_path_cache/core_ext/kernel_require.rb:21:in \`block in require_with_bootsnap_lfi'
Tasks: TOP => db:migrate => environment
(See full trace by running task with --trace)`,
    fault: {
      kind: 'crashed',
      text: 'LoadError: Error relocating /usr/local/bundle/gems/pg-1.1.0/lib/pg_ext.so: rb_enc_alias: symbol not found - /usr/local/bundle/gems/pg-1.1.0/lib/pg_ext.so',
    },
    advice: { do: 'provide', what: 'runtime' },
  },
  {
    name: 'Bundler: a gem that is not there',
    output: `Could not find gem 'rails_migrate_mutex'.
Run \`bundle install\` to install missing gems.`,
    fault: { kind: 'crashed', text: "Could not find gem 'rails_migrate_mutex'." },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'PHP: a script that is not there',
    output: 'Could not open input file: /var/www/html/artisan',
    fault: { kind: 'crashed', text: 'Could not open input file: /var/www/html/artisan' },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'PHP: an entrypoint that does not find its program',
    output: '/usr/local/bin/docker-php-entrypoint: 9: exec: artisan: not found',
    fault: {
      kind: 'crashed',
      text: '/usr/local/bin/docker-php-entrypoint: 9: exec: artisan: not found',
    },
    advice: { do: 'command', field: 'command', command: 'artisan', is: 'missing' },
  },
  {
    name: 'Rake: a database that refuses connections, in three lines',
    output: `rake aborted!
PG::ConnectionBad: could not connect to server: Connection refused
	Is the server running on host "db" (172.19.0.2) and accepting
	TCP/IP connections on port 5432?
/usr/local/bundle/ruby/2.6.0/gems/pg-1.2.3/lib/pg.rb:58:in \`initialize'
/usr/local/bundle/ruby/2.6.0/gems/pg-1.2.3/lib/pg.rb:58:in \`new'
/usr/local/bundle/ruby/2.6.0/gems/activerecord-6.0.2.2/lib/active_record/connection_adapters/abstract/connection_pool.rb:889:in \`new_connection'
Tasks: TOP => db:create
(See full trace by running task with --trace)`,
    fault: {
      kind: 'crashed',
      text: 'PG::ConnectionBad: could not connect to server: Connection refused Is the server running on host "db" (172.19.0.2) and accepting TCP/IP connections on port 5432?',
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: 'Rails: credentials with another key',
    output: `/usr/local/bundle/gems/railties-7.0.3/lib/rails/application.rb:372:in \`initialize!': ActiveSupport::MessageEncryptor::InvalidMessage (ActiveSupport::MessageEncryptor::InvalidMessage)
	from /app/config/environment.rb:7:in \`<top (required)>'`,
    fault: {
      kind: 'crashed',
      text: 'ActiveSupport::MessageEncryptor::InvalidMessage (ActiveSupport::MessageEncryptor::InvalidMessage)',
      at: 'environment.rb:7',
    },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'ASP.NET: a port below 1024',
    output: `crit: Microsoft.AspNetCore.Server.Kestrel[0]
      Unable to start Kestrel.
      System.Net.Sockets.SocketException (13): Permission denied
         at System.Net.Sockets.Socket.UpdateStatusAfterSocketErrorAndThrowException(SocketError error, String callerName)
         at System.Net.Sockets.Socket.DoBind(EndPoint endPointSnapshot, SocketAddress socketAddress)
         at Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.SocketConnectionListener.Bind()
Unhandled exception. System.Net.Sockets.SocketException (13): Permission denied
   at System.Net.Sockets.Socket.UpdateStatusAfterSocketErrorAndThrowException(SocketError error, String callerName)
   at System.Net.Sockets.Socket.DoBind(EndPoint endPointSnapshot, SocketAddress socketAddress)
   at Program.Main(String[] args) in /src/Program.cs:line 12`,
    fault: {
      kind: 'crashed',
      text: 'bind: System.Net.Sockets.SocketException (13): Permission denied',
      at: 'Program.cs:12',
    },
    advice: { do: 'provide', what: 'lowPort' },
  },
  {
    name: 'ASP.NET: an issuer on an address without a server',
    output: `Unhandled exception. System.InvalidOperationException: IDX20803: Unable to obtain configuration from: 'https://localhost:443/idp/.well-known/openid-configuration'.
 ---> System.IO.IOException: IDX20804: Unable to retrieve document from: 'https://localhost:443/idp/.well-known/openid-configuration'.
 ---> System.Net.Http.HttpRequestException: Cannot assign requested address (localhost:443)
 ---> System.Net.Sockets.SocketException (99): Cannot assign requested address
   at System.Net.Sockets.Socket.AwaitableSocketAsyncEventArgs.ThrowException(SocketError error, CancellationToken cancellationToken)
   --- End of inner exception stack trace ---
   at Microsoft.IdentityModel.Protocols.ConfigurationManager\`1.GetConfigurationAsync(CancellationToken cancel)
   at Program.Main(String[] args) in /src/Program.cs:line 40`,
    fault: {
      kind: 'crashed',
      text: 'System.Net.Http.HttpRequestException: Cannot assign requested address (localhost:443)',
      at: 'Program.cs:40',
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: '.NET: a chain of exceptions in one line',
    output: `Unhandled Exception: System.AggregateException: One or more errors occurred. (Unable to write data to the transport connection: Broken pipe.) ---> System.IO.IOException: Unable to write data to the transport connection: Broken pipe. ---> System.Net.Sockets.SocketException: Broken pipe
   at System.Net.Sockets.NetworkStream.Write(Byte[] buffer, Int32 offset, Int32 size)
   --- End of inner exception stack trace ---
   at System.Data.SqlClient.SNI.SslOverTdsStream.WriteInternal(Byte[] buffer, Int32 offset, Int32 count, CancellationToken token, Boolean async)
   --- End of inner exception stack trace ---
   at System.Threading.Tasks.Task.Wait()`,
    fault: { kind: 'crashed', text: 'System.Net.Sockets.SocketException: Broken pipe' },
    advice: { do: 'provide', what: 'peerCuts' },
  },
  {
    name: 'Phoenix: a module that the release lacks',
    output: `{"Kernel pid terminated",application_controller,"{application_start_failure,app,{{shutdown,{failed_to_start_child,'Elixir.App.Endpoint',{shutdown,{failed_to_start_child,'Elixir.Phoenix.Endpoint.Server',{undef,[{'Elixir.Phoenix.LiveReloader.Socket','__transports__',[],[]},{'Elixir.Phoenix.Endpoint.CowboyHandler','-child_spec/3-fun-1-',3,[{file,\\"lib/phoenix/endpoint/cowboy_handler.ex\\"},{line,62}]},{supervisor,init,1,[{file,\\"supervisor.erl\\"},{line,272}]}]}}}}},{'Elixir.App',start,[normal,[]]}}}"}

Crash dump is being written to: erl_crash.dump...done`,
    fault: { kind: 'crashed', text: 'undef: Phoenix.LiveReloader.Socket.__transports__' },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'PostgreSQL: a folder without its data',
    output: `2019-04-25 02:30:20 UTC [14421-2] FATAL:  "/opt/stellar/postgresql/data" is not a valid data directory
2019-04-25 02:30:20 UTC [14421-3] DETAIL:  File "/opt/stellar/postgresql/data/PG_VERSION" is missing.`,
    fault: {
      kind: 'crashed',
      text: 'FATAL: "/opt/stellar/postgresql/data" is not a valid data directory: File "/opt/stellar/postgresql/data/PG_VERSION" is missing.',
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'PostgreSQL: a folder of another user',
    output: `2019-04-25 02:29:20 UTC [14421-2] FATAL:  data directory "/opt/stellar/postgresql/data" has wrong ownership
2019-04-25 02:29:20 UTC [14421-3] HINT:  The server must be started by the user that owns the data directory.`,
    fault: {
      kind: 'crashed',
      text: 'FATAL: data directory "/opt/stellar/postgresql/data" has wrong ownership',
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'Zigbee2MQTT: a serial port that it lacks, named after it has said that it ends',
    output: `zigbee2mqtt:info  2020-03-20 21:48:16: Starting zigbee-herdsman...
zigbee2mqtt:error 2020-03-20 21:48:17: Error while starting zigbee-herdsman
zigbee2mqtt:error 2020-03-20 21:48:17: Failed to start zigbee
zigbee2mqtt:error 2020-03-20 21:48:17: Exiting...
zigbee2mqtt:error 2020-03-20 21:48:17: Error: Error while opening serialport 'Error: Error: No such file or directory, cannot open /dev/ttyACM0'`,
    fault: {
      kind: 'crashed',
      text: "Error: Error while opening serialport 'Error: Error: No such file or directory, cannot open /dev/ttyACM0'",
    },
    advice: { do: 'provide', what: 'deviceFile' },
  },
  {
    name: 'Zigbee2MQTT: a broker that refuses its login, and then less',
    output: `zigbee2mqtt:info  2019-05-12 10:00:00: Connecting to MQTT server at mqtt://localhost
zigbee2mqtt:error 2019-05-12 10:00:01: MQTT error: Connection refused: Not authorized
zigbee2mqtt:error 2019-05-12 10:00:01: MQTT failed to connect, exiting...`,
    fault: { kind: 'crashed', text: 'MQTT error: Connection refused: Not authorized' },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'Prometheus: blocks that overlap',
    output: `level=info ts=2018-01-20T02:22:30.1Z caller=main.go:215 msg="Starting Prometheus" version="(version=2.0.0)"
level=info ts=2018-01-20T02:22:30.2Z caller=main.go:314 msg="Starting TSDB"
level=error ts=2018-01-20T02:22:30.5Z caller=main.go:323 msg="Opening storage failed" err="invalid block sequence: block time ranges overlap (1516348800000, 1516356000000)"`,
    fault: {
      kind: 'crashed',
      text: 'Opening storage failed: invalid block sequence: block time ranges overlap (1516348800000, 1516356000000)',
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'Prometheus: a volume without locks',
    output:
      'ts=2024-01-11T06:57:59.529Z caller=main.go:1166 level=error err="opening storage failed: lock DB directory: no locks available"',
    fault: {
      kind: 'crashed',
      text: 'opening storage failed: lock DB directory: no locks available',
    },
    advice: { do: 'provide', what: 'volume' },
  },
  {
    name: 'Ceph: a lock, named in the line before the error of the system',
    output: `2024-10-30T12:00:00.000+0000 7f5b3c0b2c00 -1 bluestore(/var/lib/ceph/osd/ceph-3) _lock_fsid failed to lock /var/lib/ceph/osd/ceph-3/fsid (is another ceph-osd still running?)(11) Resource temporarily unavailable
error from cold_open: (11) Resource temporarily unavailable`,
    fault: {
      kind: 'crashed',
      text: '7f5b3c0b2c00 -1 bluestore(/var/lib/ceph/osd/ceph-3) _lock_fsid failed to lock /var/lib/ceph/osd/ceph-3/fsid (is another ceph-osd still running?)(11) Resource temporarily unavailable error from cold_open: (11) Resource temporarily unavailable',
    },
    advice: { do: 'provide', what: 'lock' },
  },
  {
    name: 'nginx: a directive in a file without an extension',
    output: `nginx: [emerg] "set" directive is not allowed here in /etc/nginx/sites-enabled/foo:2
2021/01/04 11:50:47 [emerg] 1#1: "set" directive is not allowed here in /etc/nginx/sites-enabled/foo:2`,
    fault: { kind: 'crashed', text: '"set" directive is not allowed here', at: 'foo:2' },
    advice: { do: 'correct', fields: ['foo:2'] },
  },
  {
    name: 'nginx: an entrypoint that ends without an error',
    output: `/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration
/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/
/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh
10-listen-on-ipv6-by-default.sh: info: Getting the checksum of /etc/nginx/conf.d/default.conf
10-listen-on-ipv6-by-default.sh: info: Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf`,
    fault: {
      kind: 'crashed',
      text: '/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh',
      isLast: true,
    },
    advice: { do: 'fixError', isLast: true },
  },
  {
    name: 'Kong: a socket in a file that an earlier run has left',
    output: `2024/10/07 11:49:25 [emerg] 1#0: bind() to unix:/kong_prefix/sockets/we failed (98: Address already in use)
nginx: [emerg] bind() to unix:/kong_prefix/sockets/we failed (98: Address already in use)
2024/10/07 11:49:25 [notice] 1#0: try again to bind() after 500ms
2024/10/07 11:49:27 [emerg] 1#0: still could not bind()
nginx: [emerg] still could not bind()`,
    fault: {
      kind: 'crashed',
      text: 'bind() to unix:/kong_prefix/sockets/we failed (98: Address already in use)',
    },
    advice: { do: 'provide', what: 'leftover' },
  },
  {
    name: 'Nexus: a lock that it may not write, after warnings',
    output: `mkdir: cannot create directory '../sonatype-work/nexus3': Permission denied
mkdir: cannot create directory '../sonatype-work/nexus3': Permission denied
Java HotSpot(TM) 64-Bit Server VM warning: Cannot open file ../sonatype-work/nexus3/log/jvm.log due to Permission denied
Warning:  Cannot open log file: ../sonatype-work/nexus3/log/jvm.log
Warning:  Forcing option -XX:LogFile=/tmp/jvm.log
Unable to update instance pid: Unable to create directory /nexus-data/instances
/nexus-data/log/karaf.log (Permission denied)
Unable to update instance pid: Unable to create directory /nexus-data/instances
Exception in thread "Thread-2" java.lang.SecurityException: Could not lock User prefs. Lock file access denied.
	at java.util.prefs.FileSystemPreferences.checkLockFile0ErrorCode(FileSystemPreferences.java:937)
	at java.util.prefs.FileSystemPreferences.lockFile(FileSystemPreferences.java:925)`,
    fault: {
      kind: 'crashed',
      text: 'java.lang.SecurityException: Could not lock User prefs. Lock file access denied.',
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'Authelia: a file that it does not find, and makes',
    output: `time="2021-05-15T13:19:59Z" level=error msg="Unable to find config file: /config/configuration.yml"
time="2021-05-15T13:19:59Z" level=error msg="Generating config file: /config/configuration.yml"
time="2021-05-15T13:19:59Z" level=error msg="Generated configuration at: /config/configuration.yml"`,
    fault: { kind: 'crashed', text: 'Unable to find config file: /config/configuration.yml' },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Percona: a volume that does not take what it writes',
    output: `Initializing database
2019-02-19T03:42:03.337341Z 0 [Warning] TIMESTAMP with implicit DEFAULT value is deprecated. Please use --explicit_defaults_for_timestamp server option (see documentation for more details).
2019-02-19T03:42:04.295117Z 0 [Warning] InnoDB: Retry attempts for writing partial data failed.
2019-02-19T03:42:04.295158Z 0 [ERROR] InnoDB: Write to file /var/lib/mysql/xb_doublewritefailed at offset 0, 1048576 bytes should have been written, only 0 were written. Operating system error number 22. Check that your OS and file system support files of this size. Check also that the disk is not full or a disk quota exceeded.
2019-02-19T03:42:04.295172Z 0 [ERROR] InnoDB: Error number 22 means 'Invalid argument'
2019-02-19T03:42:04.295180Z 0 [ERROR] InnoDB: Plugin initialization aborted with error Generic error
2019-02-19T03:42:04.899441Z 0 [ERROR] Plugin 'InnoDB' init function returned error.
2019-02-19T03:42:04.899497Z 0 [ERROR] Failed to initialize builtin plugins.
2019-02-19T03:42:04.899503Z 0 [ERROR] Aborting`,
    fault: {
      kind: 'crashed',
      text: 'InnoDB: Write to file /var/lib/mysql/xb_doublewritefailed at offset 0, 1048576 bytes should have been written, only 0 were written. Operating system error number 22. Check that your OS and file system support files of this size. Check also that the disk is not full or a disk quota exceeded.',
    },
    advice: { do: 'provide', what: 'volume' },
  },
  {
    name: 'Percona: a folder that is not empty',
    output: `Initializing database
2016-12-01T10:00:00.000000Z 0 [ERROR] --initialize specified but the data directory has files in it. Aborting.
2016-12-01T10:00:00.000001Z 0 [ERROR] Aborting`,
    fault: {
      kind: 'crashed',
      text: '--initialize specified but the data directory has files in it. Aborting.',
    },
    advice: { do: 'provide', what: 'emptyFolder' },
  },
  {
    name: 'MySQL: data without its own tables',
    output: `2015-03-19 13:31:18 1 [Warning] Setting lower_case_table_names=2 because file system for /var/lib/mysql/ is case insensitive
mysqld: Table 'mysql.plugin' doesn't exist
2015-03-19 13:31:18 1 [ERROR] Can't open the mysql.plugin table. Please run mysql_upgrade to create it.
2015-03-19 13:31:19 1 [Note] InnoDB: Waiting for purge to start
2015-03-19 13:31:19 1 [ERROR] Fatal error: Can't open and lock privilege tables: Table 'mysql.user' doesn't exist`,
    fault: {
      kind: 'crashed',
      text: "Fatal error: Can't open and lock privilege tables: Table 'mysql.user' doesn't exist",
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'Prisma: an engine for another image',
    output: `PrismaClientInitializationError: Prisma Client could not locate the Query Engine for runtime "debian-openssl-3.0.x".

This happened because Prisma Client was generated for "linux-musl", but the actual deployment required "debian-openssl-3.0.x".
Add "debian-openssl-3.0.x" to \`binaryTargets\` in the "schema.prisma" file and run \`prisma generate\` after saving it:

generator client {
  provider      = "prisma-client-js"
  binaryTargets = ["native", "debian-openssl-3.0.x"]
}

The following locations have been searched:
  /app/node_modules/.prisma/client
    at Xr (/app/node_modules/@prisma/client/runtime/library.js:117:23)
    at async Object.loadLibrary (/app/node_modules/@prisma/client/runtime/library.js:119:10)`,
    fault: {
      kind: 'crashed',
      text: 'This happened because Prisma Client was generated for "linux-musl", but the actual deployment required "debian-openssl-3.0.x".',
    },
    advice: { do: 'provide', what: 'runtime' },
  },
  {
    name: 'an operator: caches that do not fill',
    output:
      'level=error ts=2022-04-17T13:31:58.986419934Z msg="problem running manager" err="failed to wait for node caches to sync: timed out waiting for cache to be synced"',
    fault: {
      kind: 'crashed',
      text: 'problem running manager: failed to wait for node caches to sync: timed out waiting for cache to be synced',
    },
    advice: { do: 'provide', what: 'caches' },
  },
  {
    name: 'an operator: a kind that the cluster lacks, two minutes before its end',
    output: `2023-05-13T16:31:40.886Z	INFO	controller.kfdef-controller	Starting Controller	{"reconciler group": "kfdef.apps.kubeflow.org", "reconciler kind": "KfDef"}
2023-05-13T16:31:41.340Z	ERROR	controller-runtime.source	if kind is a CRD, it should be installed before calling Start	{"kind": "DeploymentConfig.apps.openshift.io", "error": "no matches for kind \\"DeploymentConfig\\" in version \\"apps.openshift.io/v1\\""}
2023-05-13T16:33:41.346Z	ERROR	controller.kfdef-controller	Could not wait for Cache to sync	{"reconciler group": "kfdef.apps.kubeflow.org", "reconciler kind": "KfDef", "error": "failed to wait for kfdef-controller caches to sync: timed out waiting for cache to be synced"}
2023-05-13T16:33:41.347Z	INFO	Stopping and waiting for non leader election runnables
2023-05-13T16:33:41.347Z	ERROR	setup	problem running manager	{"error": "failed to wait for kfdef-controller caches to sync: timed out waiting for cache to be synced"}`,
    fault: {
      kind: 'crashed',
      text: 'if kind is a CRD, it should be installed before calling Start: no matches for kind "DeploymentConfig" in version "apps.openshift.io/v1"',
    },
    advice: { do: 'provide', what: 'definition' },
  },
  {
    name: 'an operator: a right that its ServiceAccount lacks, before its end',
    output: `E0217 15:03:45.1 8 reflector.go:138] pkg/mod/k8s.io/client-go@v0.22.2/tools/cache/reflector.go:167: Failed to watch *v1.Secret: failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:mongodb:operator" cannot list resource "secrets" in API group "" at the cluster scope
2022-02-17T15:05:45.346Z	ERROR	manager/main.go:110	Unable to start manager: failed to wait for mongodbcommunity caches to sync: timed out waiting for cache to be synced`,
    fault: {
      kind: 'crashed',
      text: 'Failed to watch *v1.Secret: failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:mongodb:operator" cannot list resource "secrets" in API group "" at the cluster scope',
      at: 'reflector.go:138',
    },
    advice: { do: 'provide', what: 'rights' },
  },
  {
    name: 'npm: a module that is not there, and what npm says of that',
    output: `Error: Cannot find module 'sails'
Require stack:
- /csmm-7dtd/CSMM/worker/worker.js
    at Function.Module._resolveFilename (internal/modules/cjs/loader.js:880:15)
    at Function.Module._load (internal/modules/cjs/loader.js:725:27)
    at Object.<anonymous> (/csmm-7dtd/CSMM/worker/worker.js:1:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/csmm-7dtd/CSMM/worker/worker.js' ]
}
npm ERR! code ELIFECYCLE
npm ERR! errno 1
npm ERR! csmm@1.19.3 start:worker: \`node worker/worker.js\`
npm ERR! Exit status 1
npm ERR! 
npm ERR! Failed at the csmm@1.19.3 start:worker script.
npm ERR! This is probably not a problem with npm. There is likely additional logging output above.

npm ERR! A complete log of this run can be found in:
npm ERR!     /csmm-7dtd/.npm/_logs/2020-11-04T17_10_00_000Z-debug.log`,
    fault: { kind: 'crashed', text: "Error: Cannot find module 'sails'" },
    advice: { do: 'provide', what: 'module' },
  },
  {
    name: 'Kafka: no host that is found',
    output: `org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'kitchenServiceSagaCommandDispatcher': Invocation of init method failed; nested exception is java.lang.RuntimeException: org.apache.kafka.common.KafkaException: Failed to construct kafka consumer
        at org.springframework.beans.factory.annotation.InitDestroyAnnotationBeanPostProcessor.postProcessBeforeInitialization(InitDestroyAnnotationBeanPostProcessor.java:138) ~[spring-beans-5.0.7.RELEASE.jar!/:5.0.7.RELEASE]
Caused by: org.apache.kafka.common.KafkaException: Failed to construct kafka consumer
        at org.apache.kafka.clients.consumer.KafkaConsumer.<init>(KafkaConsumer.java:799)
Caused by: org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers
        at org.apache.kafka.clients.ClientUtils.parseAndValidateAddresses(ClientUtils.java:64)
        ... 30 more`,
    fault: {
      kind: 'crashed',
      text: 'org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers',
    },
    advice: { do: 'correctHost' },
  },
];
