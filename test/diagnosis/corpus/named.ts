import type { ServerCrash } from './servers.js';

/** Crashes from public threads whose error names what to change: a setting, a variable, a line of a file, a thing around the program. */
export const NAMED: readonly ServerCrash[] = [
  {
    name: 'Authelia: a sum of errors after an option that is missing',
    output: `time="2023-08-15T00:15:51+01:00" level=error msg="Configuration: authentication_backend: you must ensure either the 'file' or 'ldap' authentication backend is configured"
time="2023-08-15T00:15:51+01:00" level=error msg="Configuration: access control: 'default_policy' option 'deny' is invalid: when no rules are specified it must be 'two_factor' or 'one_factor'"
time="2023-08-15T00:15:51+01:00" level=error msg="Configuration: storage: option 'encryption_key' is required"
time="2023-08-15T00:15:51+01:00" level=fatal msg="Can't continue due to the errors loading the configuration"`,
    fault: { kind: 'crashed', text: "Configuration: storage: option 'encryption_key' is required" },
    advice: { do: 'setting', names: ['encryption_key'], isUnset: true },
  },
  {
    name: 'Kibana: a variable of its configuration',
    output: `/usr/share/kibana/node_modules/@kbn/apm-config-loader/target_node/utils/read_config.js:41
    throw new Error(\`Unknown environment variable referenced in config : \${envVarName}\`);
    ^

Error: Unknown environment variable referenced in config : XPACK_ENCRYPTEDSAVEDOBJECTS_ENCRYPTIONKEY
    at /usr/share/kibana/node_modules/@kbn/apm-config-loader/target_node/utils/read_config.js:41:11
    at String.replace (<anonymous>)
    at replaceEnvVarRefs (/usr/share/kibana/node_modules/@kbn/apm-config-loader/target_node/utils/read_config.js:34:14)
    at merge (/usr/share/kibana/node_modules/@kbn/apm-config-loader/target_node/utils/read_config.js:51:71)`,
    fault: {
      kind: 'crashed',
      text: 'Error: Unknown environment variable referenced in config : XPACK_ENCRYPTEDSAVEDOBJECTS_ENCRYPTIONKEY',
    },
    advice: { do: 'setVariable', name: 'XPACK_ENCRYPTEDSAVEDOBJECTS_ENCRYPTIONKEY', isUnset: true },
  },
  {
    name: 'Kibana: a key that it does not know, partly in brackets',
    output: `[2023-01-03T22:35:06.583-06:00][INFO ][node] Kibana process configured with roles: [background_tasks, ui]
[2023-01-03T22:35:17.634-06:00][FATAL][root] Error: [config validation of [xpack.security].enabled]: definition for this key is missing
    at ObjectType.validate (/usr/share/kibana/node_modules/@kbn/config-schema/target_node/src/types/type.js:95:13)
    at ConfigService.validateAtPath (/usr/share/kibana/node_modules/@kbn/config/target_node/src/config_service.js:234:19)
    at /usr/share/kibana/node_modules/@kbn/config/target_node/src/config_service.js:242:169

 FATAL  Error: [config validation of [xpack.security].enabled]: definition for this key is missing`,
    fault: {
      kind: 'crashed',
      text: 'Error: [config validation of [xpack.security].enabled]: definition for this key is missing',
    },
    advice: { do: 'setting', names: ['xpack.security.enabled'] },
  },
  {
    name: 'Kibana: two keys that it does not know',
    output: `{"type":"log","@timestamp":"2021-03-17T08:10:20+00:00","tags":["warning","plugins-discovery"],"pid":7,"message":"Expect plugin \\"id\\" in camelCase, but found: apm_oss"}
{"type":"log","@timestamp":"2021-03-17T08:10:24+00:00","tags":["fatal","root"],"pid":7,"message":"Error: Unknown configuration key(s): \\"elastalert-kibana-plugin.serverHost\\", \\"elastalert-kibana-plugin.serverPort\\". Check for spelling errors and ensure that expected plugins are installed.\\n    at ensureValidConfiguration (/usr/share/kibana/src/core/server/legacy/config/ensure_valid_configuration.js:50:11)"}

 FATAL  Error: Unknown configuration key(s): "elastalert-kibana-plugin.serverHost", "elastalert-kibana-plugin.serverPort". Check for spelling errors and ensure that expected plugins are installed.`,
    fault: {
      kind: 'crashed',
      text: 'Error: Unknown configuration key(s): "elastalert-kibana-plugin.serverHost", "elastalert-kibana-plugin.serverPort". Check for spelling errors and ensure that expected plugins are installed.',
    },
    advice: {
      do: 'setting',
      names: ['elastalert-kibana-plugin.serverHost', 'elastalert-kibana-plugin.serverPort'],
    },
  },
  {
    name: 'Logstash: a line of a pipeline',
    output: `[2019-03-06T13:13:47,190][INFO ][logstash.runner          ] Starting Logstash {"logstash.version"=>"6.6.1"}
[2019-03-06T13:13:48,463][ERROR][logstash.agent           ] Failed to execute action {:action=>LogStash::PipelineAction::Create/pipeline_id:main, :exception=>"LogStash::ConfigurationError", :message=>"Expected one of #, input, filter, output at line 15, column 1 (byte 176) after ", :backtrace=>["/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:41:in \`compile_imperative'", "/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:49:in \`compile_graph'"]}
[2019-03-06T13:13:48,851][INFO ][logstash.agent           ] Successfully started Logstash API endpoint {:port=>9600}
[2019-03-06T13:13:53,610][INFO ][logstash.runner          ] Logstash shut down.`,
    fault: {
      kind: 'crashed',
      text: 'Failed to execute action {:action=>LogStash::PipelineAction::Create/pipeline_id:main, :exception=>"LogStash::ConfigurationError", :message=>"Expected one of #, input, filter, output at line 15, column 1 (byte 176) after ", :backtrace=>["/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:41:in `compile_imperative\'", "/usr/share/logstash/logstash-core/lib/logstash/compiler.rb:49:in `compile_graph\'"]}',
    },
    advice: { do: 'correct', fields: ['line 15 of the configuration that it reads'] },
  },
  {
    name: 'Syringe: a variable, and then a hint at variables',
    output: `time="2018-10-22T20:59:21Z" level=error msg="SYRINGE_TIER is a required variable."
time="2018-10-22T20:59:21Z" level=fatal msg="Invalid configuration. Please re-run Syringe with appropriate env variables"`,
    fault: { kind: 'crashed', text: 'SYRINGE_TIER is a required variable.' },
    advice: { do: 'setVariable', name: 'SYRINGE_TIER', isUnset: true },
  },
  {
    name: 'Neo4j: two settings of memory',
    output: `2021-05-06 17:39:40.851+0000 WARN  Unrecognized setting. No declared setting with name: kafka.bootstrap.servers
2021-05-06 17:39:40.919+0000 ERROR Invalid memory configuration - exceeds physical memory. Check the configured values for dbms.memory.pagecache.size and dbms.memory.heap.max_size
2021-05-06 17:39:40.929+0000 INFO  Neo4j Server shutdown initiated by request
2021-05-06 17:39:40.930+0000 INFO  Stopped.`,
    fault: {
      kind: 'crashed',
      text: 'Invalid memory configuration - exceeds physical memory. Check the configured values for dbms.memory.pagecache.size and dbms.memory.heap.max_size',
    },
    advice: { do: 'setting', names: ['dbms.memory.pagecache.size', 'dbms.memory.heap.max_size'] },
  },
  {
    name: 'Neo4j: a value of a variable',
    output: `Changed password for user 'neo4j'. IMPORTANT: this change will only take effect if performed before the database is started for the first time.
Invalid value for NEO4J_AUTH: 'this-is-not-valid-auth-format'`,
    fault: {
      kind: 'crashed',
      text: "Invalid value for NEO4J_AUTH: 'this-is-not-valid-auth-format'",
    },
    advice: { do: 'setVariable', name: 'NEO4J_AUTH' },
  },
  {
    name: 'Thanos: a key that its object store refuses',
    output: `level=info ts=2022-02-22T15:57:45.823139941Z caller=store.go:448 msg="starting store node"
level=info ts=2022-02-22T15:57:45.82327764Z caller=store.go:367 msg="initializing bucket store"
level=warn ts=2022-02-22T15:57:45.82729916Z caller=intrumentation.go:54 msg="changing probe status" status=not-ready reason="bucket store initial sync: sync block: BaseFetcher: iter bucket: The Access Key Id you provided does not exist in our records."
level=info ts=2022-02-22T15:57:45.827329661Z caller=http.go:74 service=http/server component=store msg="internal server is shutting down" err="bucket store initial sync: sync block: BaseFetcher: iter bucket: The Access Key Id you provided does not exist in our records."
level=error ts=2022-02-22T15:57:45.827411062Z caller=main.go:158 err="The Access Key Id you provided does not exist in our records.\\nBaseFetcher: iter bucket\\ngithub.com/thanos-io/thanos/pkg/block.(*BaseFetcher).fetchMetadata\\n\\t/app/pkg/block/fetcher.go:383\\nstore command failed\\nmain.main\\n\\t/app/cmd/thanos/main.go:158"`,
    fault: {
      kind: 'crashed',
      text: 'The Access Key Id you provided does not exist in our records.\\nBaseFetcher: iter bucket\\ngithub.com/thanos-io/thanos/pkg/block.(*BaseFetcher).fetchMetadata\\n\\t/app/pkg/block/fetcher.go:383\\nstore command failed\\nmain.main\\n\\t/app/cmd/thanos/main.go:158',
    },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'Filebeat: the mode of its file',
    output: `2017/06/29 12:00:26.658835 beat.go:339: CRIT Exiting: error loading config file: config file ("/etc/filebeat/filebeat.yml") can only be writable by the owner but the permissions are "-rw-rw-r--" (to fix the permissions use: 'chmod go-w /etc/filebeat/filebeat.yml')
Exiting: error loading config file: config file ("/etc/filebeat/filebeat.yml") can only be writable by the owner but the permissions are "-rw-rw-r--" (to fix the permissions use: 'chmod go-w /etc/filebeat/filebeat.yml')`,
    fault: {
      kind: 'crashed',
      text: 'beat.go:339: CRIT Exiting: error loading config file: config file ("/etc/filebeat/filebeat.yml") can only be writable by the owner but the permissions are "-rw-rw-r--" (to fix the permissions use: \'chmod go-w /etc/filebeat/filebeat.yml\')',
    },
    advice: { do: 'provide', what: 'mode' },
  },
  {
    name: 'Filebeat: a line of YAML behind "Exiting"',
    output: `Exiting: error loading config file: yaml: line 21: did not find expected key`,
    fault: {
      kind: 'crashed',
      text: 'Exiting: error loading config file: yaml: line 21: did not find expected key',
    },
    advice: { do: 'correct', fields: ['line 21 of the YAML that it reads'] },
  },
  {
    name: 'Ory Hydra: a variable in a log without quotes',
    output: `time=2021-11-18T08:06:16Z level=info msg=No tracer configured - skipping tracing setup audience=application service_name=ORY Hydra service_version=v1.9.2
time=2021-11-18T08:06:16Z level=fatal msg=Could not ensure that signing keys for "hydra.openid.id-token" exists. If you are running against a persistent SQL database this is most likely because your "secrets.system" ("SECRETS_SYSTEM" environment variable) is not set or changed. When running with an SQL database backend you need to make sure that the secret is set and stays the same, unless when doing key rotation. This may also happen when you forget to run "hydra migrate sql".. audience=application error=map[message:cipher: message authentication failed] service_name=ORY Hydra service_version=v1.9.2`,
    fault: {
      kind: 'crashed',
      text: 'Could not ensure that signing keys for "hydra.openid.id-token" exists. If you are running against a persistent SQL database this is most likely because your "secrets.system" ("SECRETS_SYSTEM" environment variable) is not set or changed. When running with an SQL database backend you need to make sure that the secret is set and stays the same, unless when doing key rotation. This may also happen when you forget to run "hydra migrate sql": map[message:cipher: message authentication failed]',
    },
    advice: { do: 'setVariable', name: 'SECRETS_SYSTEM', isUnset: true },
  },
  {
    name: 'Ory Kratos: a key in a field of its log',
    output: `time="2020-04-26T04:42:33Z" level=info msg="Config file loaded successfully." path=/etc/config/kratos/.kratos.yml
time="2020-04-26T04:42:33Z" level=warning msg="\\n\\nYOU ARE RUNNING ORY KRATOS IN DEV MODE.\\nSECURITY IS DISABLED.\\nDON'T DO THIS IN PRODUCTION!\\n\\n"
time="2020-04-26T04:42:33Z" level=fatal msg="The configuration is invalid and could not be loaded." config_key[1]=selfservice.registration.after validation_error[1]="doesn't validate with \\"#/definitions/selfServiceAfterRegistration\\""`,
    fault: {
      kind: 'crashed',
      text: 'The configuration is invalid and could not be loaded: config_key[1]=selfservice.registration.after validation_error[1]=doesn\'t validate with "#/definitions/selfServiceAfterRegistration"',
    },
    advice: { do: 'setting', names: ['selfservice.registration.after'] },
  },
  {
    name: 'Trino: a property that nothing reads',
    output: `2022-04-11T15:17:13.587Z	ERROR	main	io.trino.server.Server	Configuration errors:

1) Error: Configuration property 'query.max-length' was not used

1 error
io.airlift.bootstrap.ApplicationConfigurationException: Configuration errors:

1) Error: Configuration property 'query.max-length' was not used

1 error
	at io.airlift.bootstrap.Bootstrap.initialize(Bootstrap.java:232)
	at io.trino.plugin.iceberg.InternalIcebergConnectorFactory.createConnector(InternalIcebergConnectorFactory.java:103)
	at io.trino.server.Server.doStart(Server.java:130)`,
    fault: {
      kind: 'crashed',
      text: "io.airlift.bootstrap.ApplicationConfigurationException: Configuration errors: 1) Error: Configuration property 'query.max-length' was not used 1 error",
      at: 'Bootstrap.java:232',
    },
    advice: { do: 'setting', names: ['query.max-length'] },
  },
  {
    name: 'Trino: a property that is not set, and the number of errors',
    output: `2022-01-04T10:35:00.944Z	INFO	main	Bootstrap	Initializing logging
2022-01-04T10:35:03.608Z	ERROR	main	io.trino.server.Server	Configuration is invalid
==========

Errors:

1) Invalid configuration property node.environment: may not be null (for class io.airlift.node.NodeConfig.environment)

1 error

==========`,
    fault: {
      kind: 'crashed',
      text: '1) Invalid configuration property node.environment: may not be null (for class io.airlift.node.NodeConfig.environment)',
    },
    advice: { do: 'setting', names: ['node.environment'] },
  },
  {
    name: 'Trino: a file that is missing',
    output: `cat: etc/node.properties.template: No such file or directory
cat: etc/config.properties.template: No such file or directory
ERROR: JVM config file is missing: /trino-server-360/etc/jvm.config`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: JVM config file is missing: /trino-server-360/etc/jvm.config',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Qdrant: a part of its data that is missing',
    output: `2025-07-31T01:04:32.901223Z  INFO storage::content_manager::consensus::persistent: Loading raft state from ./storage/raft_state.json
2025-07-31T01:04:32.917731Z  INFO storage::content_manager::toc: Loading collection: documents
2025-07-31T01:04:33.171958Z ERROR qdrant::startup: Panic occurred in file /qdrant/lib/collection/src/shards/replica_set/mod.rs at line 309: Failed to load local shard "./storage/collections/documents/0": Service internal error: IO Error: No such file or directory (os error 2)`,
    fault: {
      kind: 'crashed',
      text: 'qdrant::startup: Panic occurred in file /qdrant/lib/collection/src/shards/replica_set/mod.rs at line 309: Failed to load local shard "./storage/collections/documents/0": Service internal error: IO Error: No such file or directory (os error 2)',
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'Graylog: a setting that is missing, and the end',
    output: `2015-10-28T16:19:01.942Z INFO  [CmdLineTool] Loaded plugins: [Anonymous Usage Statistics 1.1.1 [org.graylog.plugins.usagestatistics.UsageStatsPlugin]]
2015-10-28T16:19:01.993Z ERROR [Server] No password secret set. Please define "password_secret" in your Graylog configuration.
2015-10-28T16:19:01.994Z ERROR [CmdLineTool] Validating configuration file failed - exiting.`,
    fault: {
      kind: 'crashed',
      text: '[Server] No password secret set. Please define "password_secret" in your Graylog configuration.',
    },
    advice: { do: 'setting', names: ['password_secret'], isUnset: true },
  },
  {
    name: 'Flink: keys in parentheses',
    output: `[ERROR] The execution result is empty.
[ERROR] Could not get JVM parameters and dynamic configurations properly.
[ERROR] Raw output from BashJavaUtils:
INFO  [] - Loading configuration property: parallelism.default, 1
Exception in thread "main" org.apache.flink.configuration.IllegalConfigurationException: Either required fine-grained memory (jobmanager.memory.heap.size), or Total Flink Memory size (Key: 'jobmanager.memory.flink.size' , default: null (fallback keys: [])), or Total Process Memory size (Key: 'jobmanager.memory.process.size' , default: null (fallback keys: [])) need to be configured explicitly.
	at org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils.failBecauseRequiredOptionsNotConfigured(ProcessMemoryUtils.java:127)
	at org.apache.flink.runtime.util.bash.BashJavaUtils.main(BashJavaUtils.java:66)`,
    fault: {
      kind: 'crashed',
      text: "org.apache.flink.configuration.IllegalConfigurationException: Either required fine-grained memory (jobmanager.memory.heap.size), or Total Flink Memory size (Key: 'jobmanager.memory.flink.size' , default: null (fallback keys: [])), or Total Process Memory size (Key: 'jobmanager.memory.process.size' , default: null (fallback keys: [])) need to be configured explicitly.",
    },
    advice: {
      do: 'setting',
      names: ['jobmanager.memory.flink.size', 'jobmanager.memory.process.size'],
    },
  },
  {
    name: 'Vaultwarden: a folder that does not exist',
    output: `Error loading config:
  SQLite database directory \`data\` does not exist or is not a directory`,
    fault: {
      kind: 'crashed',
      text: 'Error loading config: SQLite database directory `data` does not exist or is not a directory',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Vaultwarden: a disk that fails',
    output: `thread 'main' panicked at 'Failed to turn on WAL: DatabaseError(__Unknown, "disk I/O error")': src/db/mod.rs:308
   0: vaultwarden::init_logging::{{closure}}
   1: std::panicking::rust_panic_with_hook
   2: std::panicking::begin_panic_handler::{{closure}}
   3: core::result::unwrap_failed
   4: vaultwarden::main`,
    fault: {
      kind: 'crashed',
      text: 'panic: Failed to turn on WAL: DatabaseError(__Unknown, "disk I/O error")',
      at: 'src/db/mod.rs:308',
    },
    advice: { do: 'provide', what: 'volume' },
  },
  {
    name: 'Telegraf: the line of a file',
    output: `2019-09-16T14:32:26Z I! Starting Telegraf 1.12.1
2019-09-16T14:32:26Z E! [telegraf] Error running agent: Error parsing /etc/telegraf/telegraf.conf, line 5780: field corresponding to \`vcenters' is not defined in system.SystemStats`,
    fault: {
      kind: 'crashed',
      text: "E! [telegraf] Error running agent: Error parsing /etc/telegraf/telegraf.conf, line 5780: field corresponding to `vcenters' is not defined in system.SystemStats",
    },
    advice: { do: 'correct', fields: ['telegraf.conf:5780'] },
  },
  {
    name: 'Superset: a secret that is not set',
    output: `logging was configured successfully
--------------------------------------------------------------------------------
                                    WARNING
--------------------------------------------------------------------------------
A Default SECRET_KEY was detected, please use superset_config.py to override it.
Use a strong complex alphanumeric string and use a tool to help you generate 
a sufficiently random sequence, ex: openssl rand -base64 42
--------------------------------------------------------------------------------
--------------------------------------------------------------------------------
Refusing to start due to insecure SECRET_KEY`,
    fault: { kind: 'crashed', text: 'Refusing to start due to insecure SECRET_KEY' },
    advice: { do: 'setVariable', name: 'SECRET_KEY' },
  },
  {
    name: 'Strapi: a folder in the line behind the error',
    output: `Starting your app...
Missing environment config for env: production.
Make sure the directory ./config/environments/production exists`,
    fault: {
      kind: 'crashed',
      text: 'Missing environment config for env: production. Make sure the directory ./config/environments/production exists',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'OpenTogetherTube: variables, and the end of yarn',
    output: `2020-09-12 11:22:59 app info Loading config from /usr/app/env/production.env
2020-09-12 11:22:59 app error DISCORD_CLIENT_ID is required, but it was not found.
2020-09-12 11:22:59 app error DISCORD_CLIENT_SECRET is required, but it was not found.
2020-09-12 11:22:59 app error OPENTOGETHERTUBE_API_KEY is invalid.
2020-09-12 11:22:59 app error SESSION_SECRET is required, but it was not found.
error Command failed with exit code 1.`,
    fault: { kind: 'crashed', text: 'app error SESSION_SECRET is required, but it was not found.' },
    advice: { do: 'setVariable', name: 'SESSION_SECRET', isUnset: true },
  },
  {
    name: 'Longhorn: a tool that the node lacks',
    output: `time="2023-11-30T18:20:11Z" level=info msg="Starting longhorn manager" func=main.main file="main.go:48"
time="2023-11-30T18:20:11Z" level=error msg="Failed environment check, please make sure you have iscsiadm/open-iscsi installed on the host" func=main.main.DaemonCmd.func3 file="daemon.go:92"
time="2023-11-30T18:20:11Z" level=fatal msg="Error starting manager: environment check failed: failed to execute: nsenter [--mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm --version], output , stderr, nsenter: failed to execute iscsiadm: No such file or directory\\n: exit status 127" func=main.main.DaemonCmd.func3 file="daemon.go:95"`,
    fault: {
      kind: 'crashed',
      text: 'Error starting manager: environment check failed: failed to execute: nsenter [--mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm --version], output , stderr, nsenter: failed to execute iscsiadm: No such file or directory\\n: exit status 127',
    },
    advice: { do: 'provide', what: 'node' },
  },
  {
    name: 'Metrics Server: a flag in the log of klog',
    output: `Launch metrics-server

Usage:
   [flags]

Metrics server flags:

      --kubeconfig string                 The path to the kubeconfig used to connect to the Kubernetes API server and the Kubelets (defaults to in-cluster config)
      --metric-resolution duration        The resolution at which metrics-server will retain metrics, must set value at least 10s. (default 1m0s)

Logging flags:

      --log_backtrace_at traceLocation    when logging hits line file:N, emit a stack trace (default :0)

E1121 09:12:44.120731       1 run.go:74] "command failed" err="unknown flag: --deprecated-kubelet-completely-insecure"`,
    fault: {
      kind: 'crashed',
      text: 'command failed: unknown flag: --deprecated-kubelet-completely-insecure',
      at: 'run.go:74',
    },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'Kafka: data of another cluster',
    output: `[2021-11-21 21:30:17,059] INFO Client environment:user.dir=/ (org.apache.zookeeper.ZooKeeper)
[2021-11-21 21:30:17,111] INFO zookeeper.request.timeout value is 0. feature enabled=false (org.apache.zookeeper.ClientCnxn)
[2021-11-21 21:30:17,902] INFO Cluster ID = WHsw8a4kQMWxCSwYUsiVrA (kafka.server.KafkaServer)
[2021-11-21 21:30:17,931] ERROR Fatal error during KafkaServer startup. Prepare to shutdown (kafka.server.KafkaServer)
kafka.common.InconsistentClusterIdException: The Cluster ID WHsw8a4kQMWxCSwYUsiVrA doesn't match stored clusterId Some(ktTJRcT0Q_6oHkgUtB53mQ) in meta.properties. The broker is trying to join the wrong cluster. Configured zookeeper.connect may be wrong.
	at kafka.server.KafkaServer.startup(KafkaServer.scala:218)
	at kafka.Kafka$.main(Kafka.scala:109)
	at kafka.Kafka.main(Kafka.scala)
[2021-11-21 21:30:17,935] INFO shutting down (kafka.server.KafkaServer)
[2021-11-21 21:30:17,938] INFO [ZooKeeperClient Kafka server] Closing. (kafka.zookeeper.ZooKeeperClient)
[2021-11-21 21:30:18,045] INFO [ZooKeeperClient Kafka server] Closed. (kafka.zookeeper.ZooKeeperClient)
[2021-11-21 21:30:18,052] INFO shut down completed (kafka.server.KafkaServer)
[2021-11-21 21:30:18,052] ERROR Exiting Kafka. (kafka.Kafka$)
[2021-11-21 21:30:18,053] INFO shutting down (kafka.server.KafkaServer)`,
    fault: {
      kind: 'crashed',
      text: "kafka.common.InconsistentClusterIdException: The Cluster ID WHsw8a4kQMWxCSwYUsiVrA doesn't match stored clusterId Some(ktTJRcT0Q_6oHkgUtB53mQ) in meta.properties. The broker is trying to join the wrong cluster. Configured zookeeper.connect may be wrong.",
      at: 'KafkaServer.scala:218',
    },
    advice: { do: 'provide', what: 'member' },
  },
  {
    name: 'Tomcat: a keystore of another type',
    output: `21-Jun-2017 14:17:52.100 INFO [main] org.apache.catalina.startup.VersionLoggerListener.log Server version: Apache Tomcat/8.5.12
21-Jun-2017 14:17:52.427 SEVERE [main] org.apache.coyote.AbstractProtocol.init Failed to initialize end point associated with ProtocolHandler ["http-nio-8443"]
 java.io.IOException: Invalid keystore format
	at sun.security.provider.JavaKeyStore.engineLoad(JavaKeyStore.java:658)
	at java.security.KeyStore.load(KeyStore.java:1445)
	at org.apache.tomcat.util.net.jsse.JSSESocketFactory.getStore(JSSESocketFactory.java:449)
21-Jun-2017 14:17:52.430 SEVERE [main] org.apache.catalina.core.StandardService.initInternal Failed to initialize connector [Connector[HTTP/1.1-8443]]
 org.apache.catalina.LifecycleException: Failed to initialize component [Connector[HTTP/1.1-8443]]
	at org.apache.catalina.util.LifecycleBase.init(LifecycleBase.java:112)
Caused by: org.apache.catalina.LifecycleException: Protocol handler initialization failed
	at org.apache.catalina.connector.Connector.initInternal(Connector.java:960)
Caused by: java.io.IOException: Invalid keystore format
	at sun.security.provider.JavaKeyStore.engineLoad(JavaKeyStore.java:658)
	... 12 more`,
    fault: { kind: 'crashed', text: 'java.io.IOException: Invalid keystore format' },
    advice: { do: 'correct', fields: ['the keystore or its type'] },
  },
  {
    name: 'Ghost: a variable, and one that would allow that',
    output: `[38;5;6mghost [38;5;5m10:12:40.81 [0m[38;5;2mINFO [0m ==> Validating settings in GHOST_* environment variables...
[38;5;6mghost [38;5;5m10:12:40.83 [0m[38;5;1mERROR[0m ==> The GHOST_DATABASE_PASSWORD environment variable is empty or not set. Set the environment variable ALLOW_EMPTY_PASSWORD=yes to allow the container to be started with blank passwords. This is recommended only for development.`,
    fault: {
      kind: 'crashed',
      text: 'The GHOST_DATABASE_PASSWORD environment variable is empty or not set. Set the environment variable ALLOW_EMPTY_PASSWORD=yes to allow the container to be started with blank passwords. This is recommended only for development.',
    },
    advice: { do: 'setVariable', name: 'GHOST_DATABASE_PASSWORD', isUnset: true },
  },
  {
    name: 'Varnish: a place in the line behind the error',
    output: `Error:
Message from VCC-compiler:
Symbol not found.
('/etc/varnish/default.vcl' Line 281 Pos 1)
sub vcl_miss {
###-----------

Running VCC-compiler failed, exited with 2
VCL compilation failed`,
    fault: { kind: 'crashed', text: 'Symbol not found.', at: 'default.vcl:281' },
    advice: { do: 'correct', fields: ['default.vcl:281'] },
  },
  {
    name: 'OAuth2 Proxy: a list of settings',
    output: `[2024/01/19 13:06:31] [main.go:60] ERROR: Failed to initialise OAuth2 Proxy: invalid configuration:
  missing setting: cookie-secret
  missing setting: client-id
  missing setting: client-secret or client-secret-file`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: Failed to initialise OAuth2 Proxy: invalid configuration: missing setting: cookie-secret missing setting: client-id missing setting: client-secret or client-secret-file',
    },
    advice: {
      do: 'setting',
      names: ['cookie-secret', 'client-id', 'client-secret'],
      isUnset: true,
    },
  },
  {
    name: 'ClickHouse: a policy that it does not know',
    output: `Processing configuration file '/etc/clickhouse-server/config.xml'.
Logging trace to console
2023.08.08 05:58:01.966137 [ 1 ] {} <Information> Application: Starting ClickHouse 23.3 with revision 54472
2023.08.08 05:58:02.101500 [ 1 ] {} <Error> Application: Caught exception while loading metadata: Code: 36. DB::Exception: Unknown storage policy 'cold_data'. (BAD_ARGUMENTS), Stack trace (when copying this message, always include the lines below):

0. DB::Exception::Exception(DB::Exception::MessageMasked&&, int, bool) @ 0xe1b7235 in /usr/bin/clickhouse
1. main @ 0x7141ea1 in /usr/bin/clickhouse
 (version 23.3.1.2823 (official build))
2023.08.08 05:58:02.110001 [ 1 ] {} <Information> Application: Shutting down storages.
2023.08.08 05:58:02.150001 [ 1 ] {} <Error> Application: DB::Exception: Unknown storage policy 'cold_data'
2023.08.08 05:58:02.150011 [ 1 ] {} <Information> Application: shutting down
2023.08.08 05:58:02.150021 [ 1 ] {} <Debug> Application: Uninitializing subsystem: Logging Subsystem
2023.08.08 05:58:02.150030 [ 2 ] {} <Information> BaseDaemon: Stop SignalListener thread`,
    fault: {
      kind: 'crashed',
      text: "Application: DB::Exception: Unknown storage policy 'cold_data'",
    },
    advice: { do: 'setting', names: ['cold_data'] },
  },
  {
    name: 'Keycloak: a host name that is not set',
    output: `2024-05-06 09:29:49,354 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to start server in (production) mode
2024-05-06 09:29:49,355 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false
2024-05-06 09:29:49,355 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) For more details run the same command passing the '--verbose' option. Also you can use '--help' to see the details about the usage of the particular command.`,
    fault: {
      kind: 'crashed',
      text: 'ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false',
    },
    advice: { do: 'setting', names: ['hostname'], isUnset: true },
  },
  {
    name: 'etcd: a member whose data are gone',
    output: `{"level":"info","ts":"2023-02-01T10:00:00.100Z","caller":"embed/etcd.go:306","msg":"starting an etcd server"}
{"level":"info","ts":"2023-02-01T10:00:00.900Z","caller":"embed/etcd.go:375","msg":"closing etcd server","name":"etcd-1"}
{"level":"info","ts":"2023-02-01T10:00:00.901Z","caller":"embed/etcd.go:377","msg":"closed etcd server","name":"etcd-1"}
{"level":"warn","ts":"2023-02-01T10:00:00.901Z","caller":"etcdmain/etcd.go:146","msg":"failed to start etcd","error":"member 9b3523b532ddb797 has already been bootstrapped"}
{"level":"fatal","ts":"2023-02-01T10:00:00.902Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"member 9b3523b532ddb797 has already been bootstrapped","stacktrace":"go.etcd.io/etcd/server/v3/etcdmain.startEtcdOrProxyV2\\n\\tgo.etcd.io/etcd/server/v3/etcdmain/etcd.go:204"}`,
    fault: {
      kind: 'crashed',
      text: 'discovery failed: member 9b3523b532ddb797 has already been bootstrapped',
    },
    advice: { do: 'provide', what: 'member' },
  },
  {
    name: 'MariaDB: a variable that it does not know',
    output: `2022-01-03  8:05:22 0 [Note] /opt/bitnami/mariadb/sbin/mysqld (mysqld 10.5.13-MariaDB) starting as process 48 ...
2022-01-03  8:05:22 0 [Note] InnoDB: Uses event mutexes
2022-01-03  8:05:22 0 [ERROR] /opt/bitnami/mariadb/sbin/mysqld: unknown variable 'querry_cache_size=0'
2022-01-03  8:05:22 0 [ERROR] Aborting`,
    fault: {
      kind: 'crashed',
      text: "2022-01-03  8:05:22 0 [ERROR] /opt/bitnami/mariadb/sbin/mysqld: unknown variable 'querry_cache_size=0'",
    },
    advice: { do: 'setting', names: ['querry_cache_size'] },
  },
  {
    name: 'Quarkus: a property that is required',
    output: `2024-02-27 12:49:07,234 ERROR [io.qua.run.Application] (main) Failed to start application (with profile [prod]): java.lang.RuntimeException: Failed to start quarkus
	at io.quarkus.runner.ApplicationImpl.doStart(Unknown Source)
	at io.quarkus.runner.GeneratedMain.main(Unknown Source)
Caused by: io.smallrye.config.ConfigValidationException: Configuration validation failed:
	java.util.NoSuchElementException: SRCFG00014: The config property payment.api.key is required but it could not be found in any config source
	at io.smallrye.config.ConfigMappingProvider.mapConfiguration(ConfigMappingProvider.java:989)
	... 9 more`,
    fault: {
      kind: 'crashed',
      text: 'io.smallrye.config.ConfigValidationException: Configuration validation failed: java.util.NoSuchElementException: SRCFG00014: The config property payment.api.key is required but it could not be found in any config source',
      at: 'ConfigMappingProvider.java:989',
    },
    advice: { do: 'setting', names: ['payment.api.key'], isUnset: true },
  },
  {
    name: 'Vault: a type of storage that it does not know',
    output: `Error initializing storage of type raftt: Unknown storage type raftt`,
    fault: {
      kind: 'crashed',
      text: 'Error initializing storage of type raftt: Unknown storage type raftt',
    },
    advice: { do: 'setting', names: ['raftt'] },
  },
  {
    name: 'Cortex: the line of a file behind its name',
    output: `error loading config from /etc/cortex/cortex.yaml: Error parsing config file: yaml: unmarshal errors:
  line 5: field alertmanager_storage not found in type cortex.Config
  line 91: field ruler_storage not found in type cortex.Config`,
    fault: {
      kind: 'crashed',
      text: 'error loading config from /etc/cortex/cortex.yaml: Error parsing config file: yaml: unmarshal errors: line 5: field alertmanager_storage not found in type cortex.Config line 91: field ruler_storage not found in type cortex.Config',
    },
    advice: { do: 'correct', fields: ['cortex.yaml:5'] },
  },
  {
    name: 'VictoriaMetrics: a flag, what it is, and a hint at its help',
    output: `flag provided but not defined: -search.maxTSDBStatusSeries

vmstorage stores time series data obtained from vminsert and returns the requested data to vmselect.

See the docs at https://docs.victoriametrics.com/cluster-victoriametrics/ .

Run "/vmstorage-prod -help" in order to see the description for all the available flags`,
    fault: { kind: 'crashed', text: 'flag provided but not defined: -search.maxTSDBStatusSeries' },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'Harbor: a migration that has failed',
    output: `2019-10-11T22:32:32Z [INFO] [/common/dao/pgsql.go:107]: Upgrading schema for pgsql ...
2019-10-11T22:32:32Z [ERROR] [/common/dao/pgsql.go:112]: Failed to upgrade schema, error: "Dirty database version 1. Fix and force version."
2019-10-11T22:32:32Z [FATAL] [/core/main.go:103]: failed to initialize database: Dirty database version 1. Fix and force version.`,
    fault: {
      kind: 'crashed',
      text: '[/core/main.go:103]: failed to initialize database: Dirty database version 1. Fix and force version.',
    },
    advice: { do: 'provide', what: 'migration' },
  },
  {
    name: 'Harbor: data of a version that is too old',
    output: `2023/03/03 05:45:39.287 [D]  init global config instance failed. If you do not use this, just ignore it.  open conf/app.conf: no such file or directory
2023-03-03T05:45:39Z [INFO] [/common/dao/base.go:67]: Registering database: type-PostgreSQL host-harbor-postgresql port-5432 database-registry sslmode-"disable"
2023-03-03T05:45:39Z [INFO] [/common/dao/base.go:72]: Register database completed
2023-03-03T05:45:39Z [FATAL] [/core/main.go:179]: failed to migrate the database, error: please upgrade to version 1.10 first`,
    fault: {
      kind: 'crashed',
      text: '[/core/main.go:179]: failed to migrate the database, error: please upgrade to version 1.10 first',
    },
    advice: { do: 'provide', what: 'dataVersion' },
  },
  {
    name: 'PostgreSQL: a volume without its data',
    output: `LOG:  skipping missing configuration file "/var/lib/postgresql/data/postgresql.auto.conf"
postgres: could not find the database system
Expected to find it in the directory "/var/lib/postgresql/data",
but could not open file "/var/lib/postgresql/data/global/pg_control": No such file or directory`,
    fault: {
      kind: 'crashed',
      text: 'but could not open file "/var/lib/postgresql/data/global/pg_control": No such file or directory',
    },
    advice: { do: 'provide', what: 'data' },
  },
  {
    name: 'ZITADEL: a file that it may not open',
    output: `time="2025-08-12T10:01:45Z" level=info msg="verify migration" caller="/home/runner/work/zitadel/zitadel/internal/migration/migration.go:43" name=03_default_instance
time="2025-08-12T10:01:46Z" level=error msg="migration failed" caller="/home/runner/work/zitadel/zitadel/internal/migration/migration.go:69" error="open /dynamic/zitadel-admin-sa.json: permission denied" name=03_default_instance
time="2025-08-12T10:01:46Z" level=fatal msg="migration failed" caller="/home/runner/work/zitadel/zitadel/cmd/setup/setup.go:215" error="open /dynamic/zitadel-admin-sa.json: permission denied" name=03_default_instance`,
    fault: {
      kind: 'crashed',
      text: 'migration failed: open /dynamic/zitadel-admin-sa.json: permission denied',
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'NocoDB: another key for its data',
    output: `[Nest] 9  - 10/14/2024, 8:12:44 PM   ERROR [ExceptionHandler] Failed to decrypt any source or integration. Please configure correct encryption key.
Error: Failed to decrypt any source or integration. Please configure correct encryption key.
    at t.default [as handler] (/usr/src/app/docker/main.js:2:2333236)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async NcUpgrader.upgrade (/usr/src/app/docker/main.js:2:2307440)`,
    fault: {
      kind: 'crashed',
      text: 'Error: Failed to decrypt any source or integration. Please configure correct encryption key.',
    },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'Prisma: a migration that has failed, and the end of yarn',
    output: `$ /data/node_modules/.bin/prisma migrate deploy
Prisma schema loaded from prisma/schema.prisma
Datasource "db": PostgreSQL database "postgres", schema "public" at "postgres:5432"

33 migrations found in prisma/migrations

Error: P3009

migrate found failed migrations in the target database, new migrations will not be applied. Read more about how to resolve migration issues in a production database: https://pris.ly/d/migrate-resolve
The \`20230719181459_init\` migration started at 2024-03-29 16:21:53.387465 UTC failed

error Command failed with exit code 1.
info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.`,
    fault: {
      kind: 'crashed',
      text: 'The `20230719181459_init` migration started at 2024-03-29 16:21:53.387465 UTC failed',
    },
    advice: { do: 'provide', what: 'migration' },
  },
  {
    name: 'Prisma: no database, and a script that says that something has failed',
    output: `> evolution-api@2.2.0 db:deploy
> node runWithProvider.js "npx prisma migrate deploy --schema ./prisma/DATABASE_PROVIDER-schema.prisma"

Environment variables loaded from .env
Prisma schema loaded from prisma/postgresql-schema.prisma
Datasource "db": PostgreSQL database "evolution", schema "public" at "localhost:5432"

Error: P1001: Can't reach database server at \`localhost:5432\`

Please make sure your database server is running at \`localhost:5432\`.
Error executing command: npx prisma migrate deploy --schema ./prisma/postgresql-schema.prisma
Migration failed`,
    fault: {
      kind: 'crashed',
      text: "Error: P1001: Can't reach database server at `localhost:5432`",
    },
    advice: { do: 'provide', what: 'peer' },
  },
  {
    name: 'Flow: another key for its data',
    output: `{"level":"info","node_role":"access","node_id":"49fcaa6b689c49bd","time":"2022-02-26T07:44:52Z","message":"flow access node starting up"}
{"level":"fatal","node_role":"access","node_id":"49fcaa6b689c49bd","error":"could not open db: Encryption key mismatch","time":"2022-02-26T07:44:52Z","message":"could not initialize node"}`,
    fault: {
      kind: 'crashed',
      text: 'could not initialize node: could not open db: Encryption key mismatch',
    },
    advice: { do: 'provide', what: 'credentials' },
  },
  {
    name: 'Dovecot: a setting that it does not know',
    output: `doveconf: Fatal: Error in configuration file /etc/dovecot/conf.d/auth-custom.conf line 10: disable_plaintext_auth: Unknown setting: disable_plaintext_auth`,
    fault: {
      kind: 'crashed',
      text: 'doveconf: Fatal: Error in configuration file /etc/dovecot/conf.d/auth-custom.conf line 10: disable_plaintext_auth: Unknown setting: disable_plaintext_auth',
    },
    advice: { do: 'setting', names: ['disable_plaintext_auth'], file: 'auth-custom.conf:10' },
  },
  {
    name: 'Postfix: a file that is missing',
    output: `2024-08-04 01:12:20+00:00 INFO  start-mailserver.sh: Setting up general configuration
postconf: fatal: open /etc/postfix/main.cf for reading: No such file or directory`,
    fault: {
      kind: 'crashed',
      text: 'postconf: fatal: open /etc/postfix/main.cf for reading: No such file or directory',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Immich: a folder that is missing',
    output: `User UID: 911
User GID: 911
[custom-init] No custom files found, skipping...
./run: line 6: /config/log/immich/microservices.log: No such file or directory`,
    fault: {
      kind: 'crashed',
      text: './run: line 6: /config/log/immich/microservices.log: No such file or directory',
    },
    advice: { do: 'provide', what: 'file' },
  },
  {
    name: 'Blackbox Exporter: lines of YAML',
    output: `level=info ts=2021-02-12T03:11:20.001Z caller=main.go:213 msg="Starting blackbox_exporter" version="(version=0.15.1, branch=HEAD, revision=38bd9b5f4a1f9a9c7dce08f3d2cbf8a4a6a1e0b5)"
level=error ts=2021-02-12T03:11:20.002Z caller=main.go:219 msg="Error loading config" err="error parsing config file: yaml: unmarshal errors:\\n  line 6: field vaild_http_versions not found in type config.plain\\n  line 7: field vaild_status_codes not found in type config.plain"`,
    fault: {
      kind: 'crashed',
      text: 'Error loading config: error parsing config file: yaml: unmarshal errors:\\n  line 6: field vaild_http_versions not found in type config.plain\\n  line 7: field vaild_status_codes not found in type config.plain',
    },
    advice: { do: 'correct', fields: ['line 6 of the YAML that it reads'] },
  },
  {
    name: 'Node Exporter: a flag, and its usage',
    output: `flag provided but not defined: -path.procfs
Usage of /bin/node_exporter:
  -collector.diskstats.ignored-devices string
    	Regexp of devices to ignore for diskstats. (default "^(ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\\\\d+n\\\\d+p)\\\\d+$")
  -collector.megacli.command string
    	Command to run megacli. (default "megacli")
  -collector.procfs string
    	procfs mountpoint. (default "/proc")
  -collector.systemd.private
    	Establish a private, direct connection to systemd without dbus.`,
    fault: { kind: 'crashed', text: 'flag provided but not defined: -path.procfs' },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'DCGM Exporter: a value of a flag',
    output: `time="2020-07-09T15:01:09Z" level=fatal msg="could not parse \\":9400\\" as int value for flag port: strconv.ParseInt: parsing \\":9400\\": invalid syntax"`,
    fault: {
      kind: 'crashed',
      text: 'could not parse ":9400" as int value for flag port: strconv.ParseInt: parsing ":9400": invalid syntax',
    },
    advice: { do: 'correct', fields: ['command', 'args'] },
  },
  {
    name: 'BIND: a line of its file, and the end',
    output: `09-Jul-2021 15:58:10.879 using up to 21000 sockets
09-Jul-2021 15:58:10.880 loading configuration from '/etc/bind/named.conf'
09-Jul-2021 15:58:10.880 /etc/bind/named.conf:19: missing ';' before end of file
09-Jul-2021 15:58:10.895 loading configuration: failure
09-Jul-2021 15:58:10.895 exiting (due to fatal error)`,
    fault: { kind: 'crashed', text: "/etc/bind/named.conf:19: missing ';' before end of file" },
    advice: { do: 'correct', fields: ['named.conf:19'] },
  },
  {
    name: 'BIND: a line of another file',
    output: `26-Aug-2019 14:52:30.512 loading configuration from '/etc/bind/named.conf'
26-Aug-2019 14:52:30.512 /etc/bind/named.conf.options:30: expected prefix length near '16,192.168.0.0'
26-Aug-2019 14:52:30.513 loading configuration: unexpected token
26-Aug-2019 14:52:30.513 exiting (due to fatal error)`,
    fault: {
      kind: 'crashed',
      text: "/etc/bind/named.conf.options:30: expected prefix length near '16,192.168.0.0'",
    },
    advice: { do: 'correct', fields: ['named.conf.options:30'] },
  },
  {
    name: 'FreeRADIUS: a place in brackets',
    output: `radiusd: #### Opening IP addresses and Ports ####
listen {
   	type = "auth"
   	ipv6addr = ::
   	port = 0
   limit {
   	max_connections = 16
   	lifetime = 0
   	idle_timeout = 30
   }
}
Failed opening auth address :: port 1812 bound to server default: Address family not supported by protocol
/etc/freeradius/sites-enabled/default[216]: Error binding to port for :: port 1812`,
    fault: {
      kind: 'crashed',
      text: '/etc/freeradius/sites-enabled/default[216]: Error binding to port for :: port 1812',
    },
    advice: { do: 'correct', fields: ['default:216'] },
  },
  {
    name: 'SearXNG: a folder that it may not write to',
    output: `SearXNG version 2025.4.7+b146b745a
Create /etc/searxng/uwsgi.ini
cp: can't create '/etc/searxng/uwsgi.ini': Permission denied`,
    fault: {
      kind: 'crashed',
      text: "cp: can't create '/etc/searxng/uwsgi.ini': Permission denied",
    },
    advice: { do: 'provide', what: 'access' },
  },
  {
    name: 'Akka: a key that nothing sets',
    output: `09:25:35 INFO  org.apache.spark.util.Utils                                   - Successfully started service 'sparkDriver' on port 54655.
09:25:35 ERROR org.apache.spark.SparkContext                                 - Error initializing SparkContext.
com.typesafe.config.ConfigException$Missing: No configuration setting found for key 'akka.version'
	at com.typesafe.config.impl.SimpleConfig.findKey(SimpleConfig.java:124)
	at com.typesafe.config.impl.SimpleConfig.find(SimpleConfig.java:145)
	at akka.actor.ActorSystem$Settings.<init>(ActorSystem.scala:169)`,
    fault: {
      kind: 'crashed',
      text: "com.typesafe.config.ConfigException$Missing: No configuration setting found for key 'akka.version'",
      at: 'SimpleConfig.java:124',
    },
    advice: { do: 'setting', names: ['akka.version'], isUnset: true },
  },
  {
    name: 'Play: a file in brackets',
    output: `Oops, cannot start the server.
Configuration error: Configuration error[application.conf @ file:/eidos/webapp/target/scala-2.12/classes/application.conf: 16: Key '-e' may not be followed by token: 'play.filters.hosts' (if you intended 'play.filters.hosts' to be part of a key or string value, try enclosing the key or value in double quotes)]
	at play.api.Configuration$.configError(Configuration.scala:155)
	at play.api.Configuration$.load(Configuration.scala:101)
	at play.core.server.DevServerStart$.mainDev(DevServerStart.scala:80)`,
    fault: {
      kind: 'crashed',
      text: "Configuration error: Configuration error[application.conf @ file:/eidos/webapp/target/scala-2.12/classes/application.conf: 16: Key '-e' may not be followed by token: 'play.filters.hosts' (if you intended 'play.filters.hosts' to be part of a key or string value, try enclosing the key or value in double quotes)]",
    },
    advice: { do: 'correct', fields: ['application.conf'] },
  },
];
