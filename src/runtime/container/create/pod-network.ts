import type { Pod } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';

/** Bytes that a hostname may have on Linux, without the zero at its end. */
const HOSTNAME_MAX = 63;
const FQDN_MAX = 64;
const CLUSTER_DOMAIN = 'cluster.local';

/** Returns a pod's hostname and domain; the domain is empty without a subdomain. Ports GeneratePodHostNameAndDomain (kubelet_pods.go). */
function podHostNameAndDomain({ metadata, spec }: Pod) {
  const { hostname = metadata.name, subdomain, hostnameOverride } = spec;
  const name = (hostnameOverride ?? hostname).slice(0, HOSTNAME_MAX).replace(/[-.]+$/, '');
  const domain = `${subdomain}.${metadata.namespace}.svc.${CLUSTER_DOMAIN}`;
  const hasDomain = subdomain !== undefined && hostnameOverride === undefined;
  return { hostname: name, domain: hasDomain ? domain : '' };
}

/** Returns the pod's hostname for the kernel. Ports GetNodenameForKernel (pkg/kubelet/util/util.go). */
export function nodenameForKernel(pod: Pod): string {
  const { hostname, domain } = podHostNameAndDomain(pod);
  if (pod.spec.setHostnameAsFQDN !== true || domain === '') return hostname;
  const fqdn = `${hostname}.${domain}`;
  if (fqdn.length <= FQDN_MAX) return fqdn;
  throw new RuntimeError(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long (${FQDN_MAX} characters is the max, ${fqdn.length} characters requested)`,
  );
}

const MANAGED_HOSTS_HEADER = '# Kubernetes-managed hosts file.\n';
const MANAGED_HOSTS_HEADER_WITH_HOST_NETWORK = '# Kubernetes-managed hosts file (host network).\n';
const LOCALHOST = `127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

/** Returns a pod's /etc/hosts; `engineFile` is the engine's. Ports ensureHostsFile (pkg/kubelet/kubelet_pods.go). */
export function hostsFile(pod: Pod, podIPs: readonly string[], engineFile: string): string {
  const aliases = hostsEntriesFromHostAliases(pod);
  if (isHostNetworkPod(pod))
    return `${MANAGED_HOSTS_HEADER_WITH_HOST_NETWORK}${engineFile}${aliases}`;
  const { hostname, domain } = podHostNameAndDomain(pod);
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  const entries = podIPs.map((ip) => `${ip}\t${names}\n`).join('');
  return `${MANAGED_HOSTS_HEADER}${LOCALHOST}${entries}${aliases}`;
}

function hostsEntriesFromHostAliases({ spec: { hostAliases = [] } }: Pod): string {
  if (hostAliases.length === 0) return '';
  const entries = hostAliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${entries.join('')}`;
}

/** Returns true where the pod's resolv.conf is not the engine's. */
export function hasDNSConfig({ spec: { dnsPolicy, dnsConfig } }: Pod): boolean {
  return dnsPolicy === 'None' || dnsConfig !== undefined;
}

/** The limits of glibc and of the API (pkg/apis/core/validation). */
const MAX_DNS_NAMESERVERS = 3;
const MAX_DNS_SEARCH_PATHS = 32;

/** Returns a pod's resolv.conf; `engineFile` is the engine's. Ports GetPodDNS (pkg/kubelet/network/dns/dns.go) without cluster DNS. */
export function resolvConf(
  { spec: { dnsPolicy, dnsConfig = {} } }: Pod,
  engineFile: string,
): string {
  const base = parseResolvConf(dnsPolicy === 'None' ? '' : engineFile);
  const servers = new Set([...base.servers, ...(dnsConfig.nameservers ?? [])]);
  const searches = new Set([...base.searches, ...(dnsConfig.searches ?? [])]);
  const options = new Map(base.options);
  for (const { name = '', value = '' } of dnsConfig.options ?? []) options.set(name, value);
  const lines = [
    ['search', ...[...searches].slice(0, MAX_DNS_SEARCH_PATHS)],
    ...[...servers].slice(0, MAX_DNS_NAMESERVERS).map((server) => ['nameserver', server]),
    ['options', ...[...options].map(([name, value]) => (value === '' ? name : `${name}:${value}`))],
  ];
  return lines
    .filter((words) => words.length > 1)
    .map((words) => `${words.join(' ')}\n`)
    .join('');
}

/** Ports parseResolvConf (pkg/kubelet/network/dns/dns.go): only the last line with search domains counts. */
function parseResolvConf(text: string) {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const valuesOf = (keyword: string): string[][] =>
    lines.filter(([first]) => first === keyword).map(([, ...words]) => words);
  return {
    servers: valuesOf('nameserver').flatMap(([server]) => server ?? []),
    searches: (valuesOf('search').at(-1) ?? [])
      .filter((search) => search !== '.')
      .map((search) => search.replace(/\.$/, '')),
    options: valuesOf('options').flat().map(splitOption),
  };
}

function splitOption(option: string): readonly [name: string, value: string] {
  const at = option.indexOf(':');
  return at === -1 ? [option, ''] : [option.slice(0, at), option.slice(at + 1)];
}
