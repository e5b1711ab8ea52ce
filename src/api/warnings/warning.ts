import { canonicalIPSloppy } from '../../go/addr.js';
import { goQuote } from '../../go/quote.js';
import type { ApiWarning, FieldPath } from '../validation/common/field-error.js';
import { isDNS1123Label } from '../validation/common/formats.js';
import { formatQuantity, isFractional, storedQuantity } from '../values/quantity.js';

type ResourceList = Readonly<Record<string, string>>;

export function warningText({ field, message }: ApiWarning): string {
  return field === '' ? message : `${field}: ${message}`;
}

/** Warns of a name that is not a DNS label; `use` says where else the name is used. */
export function warnAboutName(name: string, use: string, at: FieldPath): void {
  const complaints = isDNS1123Label(name);
  if (complaints.length === 0) return;
  const message = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(' ')}]`;
  at.with('metadata.name').warn(message);
}

/** Ports GetWarningsForIP (apimachinery pkg/util/validation/ip.go), for addresses that pass validation. */
export function warnAboutIP(value: string, at: FieldPath): void {
  const canonical = canonicalIPSloppy(value);
  if (!value.includes(':') || canonical === undefined || canonical === value) return;
  at.warn(
    `IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
  );
}

export function warnAboutFraction(
  list: ResourceList | undefined,
  resource: string,
  at: FieldPath,
): void {
  const quantity = storedQuantity(list?.[resource] ?? '0');
  if (!isFractional(quantity)) return;
  const text = goQuote(formatQuantity(quantity));
  at.item(resource).warn(`fractional byte value ${text} is invalid, must be an integer`);
}

/** Ports GetWarningsForPersistentVolumeClaimSpec (pkg/api/persistentvolumeclaim/util.go). */
export function warnAboutClaim(
  resources: Partial<Record<'requests' | 'limits', ResourceList | undefined>> = {},
  at: FieldPath,
): void {
  for (const list of ['requests', 'limits'] as const) {
    warnAboutFraction(resources[list], 'storage', at.child(`resources.${list}`));
  }
}
