import { canonicalIPSloppy } from '../../go/addr.js';
import { goQuote } from '../../go/quote.js';
import { isDNS1123Label } from '../validation/common/formats.js';
import { formatQuantity, isFractional, storedQuantity } from '../values/quantity.js';

type ResourceList = Readonly<Record<string, string>>;

/** A warning about an object that the API server accepts. */
export interface ApiWarning {
  /** The path that the server names first; empty where it names none. */
  readonly field: string;
  readonly message: string;
}

export type ApiWarnings = readonly ApiWarning[];

export function warningText({ field, message }: ApiWarning): string {
  return field === '' ? message : `${field}: ${message}`;
}

/** Warns of a name that is no DNS label; it is used in more than the object. */
export function nameWarning(name: string, use: string): ApiWarnings {
  const complaints = isDNS1123Label(name);
  if (complaints.length === 0) return [];
  const message = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(' ')}]`;
  return [{ field: 'metadata.name', message }];
}

/** Ports GetWarningsForIP (apimachinery pkg/util/validation/ip.go), for addresses that pass validation. */
export function ipWarnings(value: string, field: string): ApiWarnings {
  const canonical = canonicalIPSloppy(value);
  if (!value.includes(':') || canonical === undefined || canonical === value) return [];
  const message = `IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`;
  return [{ field, message }];
}

/** Warns of bytes that are no whole number. */
export function fractionWarnings(
  list: ResourceList | undefined,
  path: string,
  resource: string,
): ApiWarnings {
  const quantity = storedQuantity(list?.[resource] ?? '0');
  if (!isFractional(quantity)) return [];
  const text = goQuote(formatQuantity(quantity));
  const message = `fractional byte value ${text} is invalid, must be an integer`;
  return [{ field: `${path}[${resource}]`, message }];
}

/** Ports GetWarningsForPersistentVolumeClaimSpec (pkg/api/persistentvolumeclaim/util.go). */
export function claimWarnings(
  resources: Partial<Record<'requests' | 'limits', ResourceList | undefined>> = {},
  path: string,
): ApiWarnings {
  return (['requests', 'limits'] as const).flatMap((list) =>
    fractionWarnings(resources[list], `${path}.resources.${list}`, 'storage'),
  );
}
