import { describe, expect, it } from 'vitest';

import {
  hostsFile,
  nodenameForKernel,
  resolvConf,
} from '../../../../src/runtime/container/create/pod-network.js';
import { buildPod } from '../../../helpers/builders.js';

describe('nodenameForKernel', () => {
  it.each([
    ['the name of a pod', {}, 'web'],
    ['its hostname', { hostname: 'own' }, 'own'],
    ['its hostname alone where it has a subdomain', { hostname: 'own', subdomain: 'db' }, 'own'],
    [
      'its FQDN with setHostnameAsFQDN',
      { hostname: 'own', subdomain: 'db', setHostnameAsFQDN: true },
      'own.db.default.svc.cluster.local',
    ],
    ['hostnameOverride', { hostname: 'own', hostnameOverride: 'a.b.c' }, 'a.b.c'],
    ['63 characters of a long name', { hostnameOverride: 'a'.repeat(70) }, 'a'.repeat(63)],
  ])('is %s', (_, spec, name) => {
    expect(nodenameForKernel(buildPod({ metadata: { name: 'web' }, spec }))).toBe(name);
  });

  it('fails with the text of the kubelet when the FQDN is too long', () => {
    const spec = { subdomain: 'a'.repeat(60), setHostnameAsFQDN: true };
    expect(() => nodenameForKernel(buildPod({ metadata: { name: 'web' }, spec }))).toThrow(
      /^failed to construct FQDN from pod hostname and cluster domain, FQDN web\.a+\.default\.svc\.cluster\.local is too long \(64 characters is the max, 90 characters requested\)$/,
    );
  });
});

describe('hostsFile', () => {
  const hostAliases = [{ ip: '10.0.0.9', hostnames: ['a.local', 'b.local'] }];
  const added = '\n# Entries added by HostAliases.\n10.0.0.9\ta.local\tb.local\n';

  it('has the addresses of a pod with its names, and its aliases', () => {
    const pod = buildPod({ metadata: { name: 'web' }, spec: { subdomain: 'db', hostAliases } });
    expect(hostsFile(pod, ['10.1.0.2', 'fd00::2'], '')).toBe(`# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
10.1.0.2\tweb.db.default.svc.cluster.local\tweb
fd00::2\tweb.db.default.svc.cluster.local\tweb
${added}`);
  });

  it('has the entries of the machine for a pod on its network', () => {
    const pod = buildPod({ spec: { hostNetwork: true, hostAliases } });
    expect(hostsFile(pod, [], '127.0.0.1 machine\n')).toBe(
      `# Kubernetes-managed hosts file (host network).\n127.0.0.1 machine\n${added}`,
    );
  });
});

describe('resolvConf', () => {
  const own = `# of the engine
nameserver 10.0.0.53
search old.example
search corp.example. .
options ndots:1 rotate
`;
  const dnsConfig = {
    nameservers: ['192.0.2.1', '10.0.0.53', '192.0.2.2', '192.0.2.3'],
    searches: ['corp.example', 'a.example'],
    options: [{ name: 'ndots', value: '3' }, { name: 'edns0' }],
  };

  it.each(['Default', 'ClusterFirst'] as const)('adds to that of the engine: %s', (dnsPolicy) => {
    expect(resolvConf(buildPod({ spec: { dnsPolicy, dnsConfig } }), own)).toBe(
      `search corp.example a.example
nameserver 10.0.0.53
nameserver 192.0.2.1
nameserver 192.0.2.2
options ndots:3 rotate edns0
`,
    );
  });

  it('has nothing of the engine with the policy None', () => {
    const pod = buildPod({ spec: { dnsPolicy: 'None', dnsConfig: { nameservers: ['::1'] } } });
    expect(resolvConf(pod, own)).toBe('nameserver ::1\n');
  });
});
