import type { LoadedManifest } from '../manifest/pods/load-manifest.js';
import { isCredentialName } from '../secrets/credential-text.js';
import { KnownSecrets } from '../secrets/known-secrets.js';

/** Returns the values of a manifest's Secrets, and of the credentials in its ConfigMaps. */
export function manifestSecrets(
  { secrets, configMaps }: Pick<LoadedManifest, 'secrets' | 'configMaps'>,
  known = new KnownSecrets(),
): KnownSecrets {
  for (const value of secrets.flatMap(({ data }) => Object.values(data))) {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    known.addCredential(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  }
  for (const [key, value] of configMaps.flatMap(({ data }) => Object.entries(data))) {
    if (isCredentialName(key)) known.addCredential(value);
  }
  return known;
}
