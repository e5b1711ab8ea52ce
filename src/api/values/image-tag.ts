const IDENTIFIER = /^[a-f0-9]{64}$/;
const COMPONENT = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const DOMAIN_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const IPV6 = String.raw`\[(?:[a-fA-F0-9:]+)\]`;
const DOMAIN = String.raw`(?:${DOMAIN_PART}(?:\.${DOMAIN_PART})*|${IPV6})(?::[0-9]+)?`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  String.raw`^(?:${DOMAIN}/)?(${COMPONENT}(?:/${COMPONENT})*)(?::(\w[\w.-]{0,127}))?(?:@(${DIGEST}))?$`,
);
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * The tag of an image: `latest` without tag and digest, undefined for a digest alone or a reference that can't
 * be parsed. Ports ParseImageName (pkg/util/parsers/parsers.go).
 */
export function imageTag(image: string): string | undefined {
  if (IDENTIFIER.test(image)) return undefined;
  const { domain, remote } = splitDockerDomain(image);
  const path = remote.split(':', 1)[0] ?? '';
  if (path.toLowerCase() !== path) return undefined;
  const [, name, tag, digest] = REFERENCE.exec(`${domain}/${remote}`) ?? [];
  if (name === undefined || name.length > 255) return undefined;
  if (digest !== undefined && !isDigest(digest)) return undefined;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

/** Ports splitDockerDomain (github.com/distribution/reference normalize.go). */
export function splitDockerDomain(name: string): { domain: string; remote: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isDomain = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  const domain = !isDomain || first === 'index.docker.io' ? 'docker.io' : first;
  const remote = isDomain ? name.slice(slash + 1) : name;
  const official = domain === 'docker.io' && !remote.includes('/');
  return { domain, remote: official ? `library/${remote}` : remote };
}

function isDigest(digest: string): boolean {
  const [algorithm = '', encoded = ''] = digest.split(':');
  return encoded.length === DIGEST_LENGTHS[algorithm] && /^[a-f0-9]+$/.test(encoded);
}
