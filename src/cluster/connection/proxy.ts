import { BlockList, isIP } from 'node:net';

import { ClusterError } from '../cluster-error.js';

const SCHEMES = ['http:', 'https:', 'socks5:'];

/**
 * Returns the proxy to a server: the cluster's proxy-url, else HTTPS_PROXY or HTTP_PROXY but for NO_PROXY, as Go's
 * http.ProxyFromEnvironment.
 *
 * @throws ClusterError
 */
export function proxyOf(
  server: URL,
  configured: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const own = configured !== undefined && configured !== '';
  const value = own ? configured : env[name] || env[name.toLowerCase()];
  if (value === undefined || value === '' || (!own && isDirect(server, env))) return undefined;
  const url = own || value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url) || !SCHEMES.includes(new URL(url).protocol)) {
    const where = own ? 'proxy-url' : name;
    throw new ClusterError('invalid', `${where} is not an http, https or socks5 URL`);
  }
  return url;
}

/** Reports whether NO_PROXY covers a server. Go sends nothing for this machine to a proxy. */
function isDirect(server: URL, env: NodeJS.ProcessEnv): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  if (host === 'localhost' || host === '::1' || /^127\./.test(host)) return true;
  const list = (env.NO_PROXY || env.no_proxy || '').toLowerCase().split(',');
  return list.some((item) => matches(item.trim(), host, port));
}

function matches(item: string, host: string, port: string): boolean {
  if (item === '*') return true;
  if (item.includes('/')) return isIn(item, host);
  const [, name = item, itemPort] = /^(.*?)(?::(\d+))?$/.exec(item) ?? [];
  if (name === '' || (itemPort !== undefined && itemPort !== port)) return false;
  const domain = name.replace(/^\*?\./, '.');
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}

function isIn(network: string, host: string): boolean {
  const [address = '', prefix] = network.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(address) !== isIP(host)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family);
  return list.check(host, family);
}
