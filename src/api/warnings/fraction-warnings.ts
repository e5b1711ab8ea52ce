import { goQuote } from '../../go/quote.js';
import { formatQuantity, storedQuantity } from '../quantity.js';
import { isFractional } from '../quantity-int64.js';
import type { ApiWarning } from './warning.js';

/** What the server says of bytes that are no whole number. */
export function fractionWarnings(
  list: Readonly<Record<string, string>> | undefined,
  path: string,
  resource: string,
): readonly ApiWarning[] {
  const quantity = storedQuantity(list?.[resource] ?? '0');
  if (!isFractional(quantity)) return [];
  const text = goQuote(formatQuantity(quantity));
  const message = `fractional byte value ${text} is invalid, must be an integer`;
  return [{ field: `${path}[${resource}]`, message }];
}

/** Ports GetWarningsForPersistentVolumeClaimSpec (pkg/api/persistentvolumeclaim/util.go). */
export function claimWarnings(
  resources: Partial<
    Record<'requests' | 'limits', Readonly<Record<string, string>> | undefined>
  > = {},
  path: string,
): readonly ApiWarning[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    fractionWarnings(resources[list], `${path}.resources.${list}`, 'storage'),
  );
}
