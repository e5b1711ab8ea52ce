import { isCredential } from '../../secrets/credential-names.js';
import { KnownSecrets } from '../../secrets/known-secrets.js';
import type { LoadedManifest } from './load-manifest.js';

/** Returns the values of a manifest's Secrets, and of the credentials in its ConfigMaps. */
export function manifestSecrets(
  { secrets, configMaps }: Pick<LoadedManifest, 'secrets' | 'configMaps'>,
  known = new KnownSecrets(),
): KnownSecrets {
  for (const value of secrets.flatMap(({ data }) => Object.values(data))) {
    known.addCredential(Buffer.from(value, 'base64').toString());
  }
  for (const [key, value] of configMaps.flatMap(({ data }) => Object.entries(data))) {
    if (isCredential(key, value)) known.addCredential(value);
  }
  return known;
}
