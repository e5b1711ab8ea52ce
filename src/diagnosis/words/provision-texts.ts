import type { Provision } from '../change.js';

/** Advice for a program that is right, by what its surroundings lack or have wrong. */
export const PROVISION_TEXTS: Readonly<Record<Provision, string>> = {
  kernel: "Raise that limit of the node's kernel (sysctl)",
  space: 'Give the volume to which it writes more space, such as emptyDir.sizeLimit',
  writableFolder: 'Mount a volume, such as an emptyDir, where it writes',
  imageFiles:
    'Let the image have these owners, modes and users, or set securityContext.readOnlyRootFilesystem to false: a volume would hide the files',
  rights:
    'Give its ServiceAccount that right, by a (Cluster)Role and a binding, or correct serviceAccountName',
  files: 'Let it close files and connections, or raise its limit of open files (ulimit -n)',
  lineEnds: 'Save the script, or the file with that value, with line ends of Unix (LF)',
  lineBreak:
    'Remove the line break at the end of a value that it reads, such as that of a Secret which echo (without -n) has written',
  lowPort: 'Let it listen on a port from 1024 on, or add the capability NET_BIND_SERVICE',
  access: 'Give its user access: securityContext.runAsUser and fsGroup, or the mode of the file',
  user: 'Set securityContext.runAsUser to a user other than 0',
  module: 'Add the module or library to the image, or correct its name',
  credentials:
    'Correct the credentials that it reads, such as those of a Secret or the passphrase of a key',
  trust: "Give it the CA of its peer's certificate, or renew that certificate",
  certificateName:
    'Let it dial its peer by a name that the certificate has, or add that name (subjectAltName) to the certificate',
  acceptTraffic:
    'Let its start end: until each ApplicationRunner and listener returns, Spring Boot refuses traffic, as it does after REFUSING_TRAFFIC',
  pem: 'Give it the certificate and the key in PEM form, such as those of a Secret of type kubernetes.io/tls',
  data: 'Restore its data from a backup: the file is damaged, or is not one of this program',
  dataVersion: 'Use an image of the version that has written its data, or migrate them',
  connections:
    'Let it give connections back after use, or raise the limit of the pool or of its peer',
  network:
    'Connect it to a network that leads there: it has no route, as with --network none; or correct the address that it reads',
  backend: 'Look at the servers behind it: it gets no connection to one',
  device:
    'Give it the device that it looks for, such as nvidia.com/gpu in resources.limits, or run it on the CPU by its options or another image',
  lease:
    'Let it reach the API server in time, and get the CPU for that, or give it a longer lease (--leader-elect-lease-duration)',
  startLimit: 'Raise the time that it allows for its own start, or see what takes so long there',
  workers:
    'Raise the limit that it names, or let its workers end their requests sooner; a longer timeout of the probe does not help',
  initialization: 'Initialize it (vault operator init), and unseal it',
  unsealing: 'Unseal it (vault operator unseal), or let it do so by itself (auto-unseal)',
  peerCuts:
    'Look at what its peer logs, which cuts the connection: it may speak TLS or another protocol, or refuse this client',
  peer: 'Start what it connects to, or correct the address that it reads',
  leftover: 'Let its command remove what an earlier run has left on the volume',
  license: 'Give it a license that is valid, such as in a Secret',
  migration:
    'Repair the migration that failed, or was changed after it ran, and mark it as done or undone in the database',
  unmigrated: 'Run its migrations first, such as in an init container or a Job',
  member:
    'Give it the volume that this member had, or let it join anew with an empty one and an entry of its own',
  volume:
    'Look at its volume, which cannot be read or written; a database needs a disk, and not a share of a network',
  node: 'Install on the node what the error names, or load that module of its kernel',
  lock: 'End what holds the lock, or remove the lock if an earlier run has left it; of several pods with one volume, one alone can hold it (strategy Recreate, or a StatefulSet with a volume each)',
  definition:
    'Install the CustomResourceDefinition of that kind in the cluster, or use a version of the program that asks for what the cluster serves',
  shellTest: 'Write = in place of == in its tests, and quote their variables',
  value: 'Correct the value that it reads there, such as one of env or args: its form is wrong',
  plainPort: 'Probe a port on which the server does not expect the PROXY protocol',
  noProxy:
    'Name the host in no_proxy, or remove the variable of the proxy (http_proxy, https_proxy)',
  capability:
    'Add the capability that it needs to securityContext.capabilities.add (CHOWN for chown, IPC_LOCK for mlock, NET_ADMIN for iptables), or let it do without',
  runtime:
    'Use the version of the runtime, library or server that the error asks for, such as by another image',
  schema: 'Create it there, such as by a migration, or correct its name',
  subPath:
    'Correct subPath, or the keys of its volume: a name that the volume lacks is mounted as a folder',
  folder: 'Correct the path, which is that of a folder; a volume gives a single file with subPath',
  emptyFolder:
    'Let its data be in a folder below the mount (PGDATA, or subPath): a volume may begin with lost+found',
  threads:
    'Let it start fewer threads and processes, or raise their limit (podPidsLimit of the kubelet, ulimit -u)',
  clock: 'Correct the clock of its machine, or use a certificate that is valid by now',
  noServiceLink: 'Set enableServiceLinks to false: a Service has set the variable that it reads',
  serviceVariable:
    'Set the variable in env: in a cluster it comes from a Service that is older than the pod, and here from nothing',
  interpreter:
    'Save the script with line ends of Unix (LF), or add its interpreter (#!) to the image; for a binary, its C library',
  mode: 'Give the file or folder the mode that the error asks for: defaultMode of its volume, or chmod before the start',
  component:
    'Register what it asks for (a bean, a provider, a service), or activate the profile or module that has it',
  file: 'Add the file to the image or mount it, or correct its path',
  limit: 'Raise that limit of the program (ulimit), or let it need less',
  cpu: 'Use an image that is built for the CPU of the node',
  driver:
    'Install what mounts such a volume on the node (its driver, or tools as those of NFS), or correct volumes',
  sandbox:
    'Look at the container runtime and the network plugin of the node; the manifest is rarely wrong',
  sharedMemory:
    'Mount an emptyDir with medium: Memory at /dev/shm: without one, a container has 64 MiB there',
  account:
    'Set securityContext.runAsUser to a user of /etc/passwd in the image, or add that user to it',
  firstProcess:
    'Remove shareProcessNamespace and hostPID: with them, the program is not process 1 of its container',
  storage:
    'Raise resources.limits.ephemeral-storage, or let it write less to its files and its log',
  token:
    'Set automountServiceAccountToken to true in the pod or its ServiceAccount; outside of a cluster there is no token',
  kubeconfig:
    'Let it take the configuration that its pod has (InClusterConfig, load_incluster_config), or mount a kubeconfig and name it in KUBECONFIG',
  stdin:
    'Set stdin and tty to true, or let it not read its standard input: without these, that is at its end',
  killedStart:
    'Remove or repair by hand what its first start has left, which liveness ended, and add a startupProbe',
  input:
    'Answer its question by an option, such as --yes or --noinput: a container has no standard input',
  olderLibrary:
    'Use versions of its libraries that fit this runtime, or the option that lets older ones work (--add-opens, --openssl-legacy-provider)',
  admission:
    'Let its peer take it from this address, or as it connects: pg_hba.conf, grants, TLS (sslmode)',
  escalation:
    'Set securityContext.allowPrivilegeEscalation to true, or let it do without sudo and setuid',
  root: 'Run it as root (securityContext.runAsUser: 0), or let its configuration not ask for root',
  browserSandbox:
    'Start the browser with --no-sandbox, or let it make namespaces by a seccompProfile or the capability SYS_ADMIN',
  deviceFile:
    'Give it that device of the node: by a device plugin, or by a hostPath with securityContext.privileged',
  configuration:
    'Give it its configuration: mount the file where it looks for it, or set the variables or options for it',
  caches:
    'Give its ServiceAccount the right to list and watch that kind, and install its CustomResourceDefinition',
  grant: 'Grant its user that right there (GRANT), or let it connect as another user',
  dataFolder:
    'Give its user access to the folder of that file (runAsUser, fsGroup), or correct the path',
  loginName:
    'Name the user as whom its client logs in (-U, PGUSER): without that it is the one that runs it',
  project: 'Set workingDir to the folder that has what it looks for, or add that to the image',
  scheme: 'Correct the scheme in the address of its peer: one speaks HTTP, and the other TLS',
  longValue: 'Give it the long value in a file: a variable or an argument has at most 128 KiB',
  disk: 'Free space on the disk of its machine; at /dev/shm, where a container has 64 MiB, mount an emptyDir with medium: Memory',
  systemData: 'Add time zones (tzdata) or locales to the image, or correct TZ, LANG or LC_ALL',
  compiled: 'Compile it to JavaScript first, or run it with what reads TypeScript, such as tsx',
  format: 'Use an image that is built for the CPU of the node, or begin the script with #!',
};
