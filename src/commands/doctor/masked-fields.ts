import { podKey } from '../../kubelet/pod-name.js';
import type { LoadedManifest } from '../../manifest/pods/load-manifest.js';
import { manifestSecrets } from '../../manifest/pods/manifest-secrets.js';
import { isCredential } from '../../secrets/credential-names.js';
import { KnownSecrets, maskObject } from '../../secrets/known-secrets.js';

export interface MaskedField {
  /** `Pod default/web`. */
  readonly object: string;
  readonly field: string;
  readonly reason: 'name' | 'secret' | 'pattern';
}

export function maskedFields(manifest: LoadedManifest): readonly MaskedField[] {
  const known = manifestSecrets(manifest);
  const inSecrets = manifest.secrets.flatMap(({ namespace, name, data }): MaskedField[] => {
    const object = `Secret ${namespace}/${name}`;
    return Object.keys(data).map((key) => ({ object, field: `data.${key}`, reason: 'secret' }));
  });
  const inConfigMaps = manifest.configMaps.flatMap(({ namespace, name, data }): MaskedField[] => {
    const object = `ConfigMap ${namespace}/${name}`;
    const masked = Object.entries(data).filter(([key, value]) => isCredential(key, value));
    return masked.map(([key]) => ({ object, field: `data.${key}`, reason: 'name' }));
  });
  const fields = manifest.pods.flatMap(({ pod }) => {
    const object = `Pod ${podKey(pod)}`;
    // A field is credential-like because of its values; values of Secrets are masked everywhere.
    const byItself = changedFields(pod, maskObject(pod, new KnownSecrets()));
    const all = changedFields(pod, maskObject(pod, known));
    return all.map(({ field, isNamed }): MaskedField => {
      const isOwn = byItself.some((each) => each.field === field);
      return { object, field, reason: !isOwn ? 'secret' : isNamed ? 'name' : 'pattern' };
    });
  });
  return [...inSecrets, ...inConfigMaps, ...fields];
}

interface ChangedField {
  readonly field: string;
  /** True where the name beside the value names a credential. */
  readonly isNamed: boolean;
}

/** Finds the texts in which two trees of one shape differ. */
function changedFields(before: unknown, after: unknown, field = ''): readonly ChangedField[] {
  if (typeof before !== 'object' || before === null) {
    return before === after ? [] : [{ field, isNamed: false }];
  }
  const item = before as Readonly<Record<string, unknown>>;
  const isNamed =
    typeof item['value'] === 'string' && isCredential(String(item['name']), item['value']);
  return Object.entries(item).flatMap(([key, value]) => {
    const now = (after as Readonly<Record<string, unknown>>)[key];
    const { name } = (value ?? {}) as { readonly name?: unknown };
    const step = Array.isArray(before) ? `[${typeof name === 'string' ? name : key}]` : `.${key}`;
    const path = `${field}${step}`.replace(/^\./, '');
    return changedFields(value, now, path).map((each) => ({
      ...each,
      isNamed: each.isNamed || (isNamed && key === 'value'),
    }));
  });
}
