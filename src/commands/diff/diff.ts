import type { ReleaseBehavior } from '../../kubelet/release.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { MASK } from '../../secrets/credential-text.js';
import { KnownSecrets, maskObject } from '../../secrets/known-secrets.js';
import { type Difference, diffPair, type ObjectDifference, pairObjects } from './diff-objects.js';
import type { FieldChange } from './field-change.js';

/** Returns the differences between the pods and workloads of two manifests, with secrets masked. */
export function diff(
  before: readonly LoadedPod[],
  after: readonly LoadedPod[],
  withSecrets = false,
  behavior?: ReleaseBehavior,
): Difference[] {
  const differences = pairObjects(before, after).flatMap((pair) => diffPair(pair, behavior) ?? []);
  if (withSecrets) return differences;
  const secrets = new KnownSecrets();
  for (const { pod } of [...before, ...after]) maskObject(pod, secrets);
  return differences.map((each) => (each.in === 'both' ? maskDifference(each, secrets) : each));
}

function maskDifference(difference: ObjectDifference, secrets: KnownSecrets): ObjectDifference {
  const { errors, fields, behavior } = difference;
  const containers = behavior.containers.map((container) => ({
    ...container,
    probes: container.probes.map((probe) => ({
      ...probe,
      settings: probe.settings.map((change) => maskChange(change, secrets)),
    })),
  }));
  return {
    ...difference,
    errors: errors.map((error) => ({
      ...error,
      detail: secrets.text(error.detail),
      message: secrets.text(error.message),
    })),
    fields: fields.map((change) => maskChange(change, secrets)),
    behavior: { ...behavior, containers },
  };
}

function maskChange<T extends FieldChange>(change: T, secrets: KnownSecrets): T {
  const masked = (value: unknown): unknown => maskValue(change.path, value, secrets);
  return {
    ...change,
    ...('before' in change && { before: masked(change.before) }),
    ...('after' in change && { after: masked(change.after) }),
  };
}

function maskValue(path: string, value: unknown, secrets: KnownSecrets): unknown {
  if (/\benv\[\d+\]\.value$/.test(path)) return value === '' ? value : MASK;
  if (/\bhttpHeaders\[\d+\]\.value$/.test(path) && typeof value === 'string') {
    return secrets.text(value);
  }
  const key = /(\w+)(?:\[[^\]]*\])?$/.exec(path)?.[1] ?? '';
  if (/\bannotations(?:\[[^\]]*\]|\.\w+)$/.test(path)) {
    const name = /annotations(?:\[|\.)(.*?)\]?$/.exec(path)?.[1] ?? '';
    return maskObject(value, secrets, `annotations ${name}`);
  }
  return maskObject(value, secrets, key);
}
